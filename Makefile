# The front door; everything real is in meson.build and scripts/. Say where to build with BUILD=DIR.
BUILD = build
PREFIX = /usr/local
export BUILD PREFIX DESTDIR
.PHONY: help run build check test audit torture mutants fresh coverage proof proof-mutants boards device-header \
	web pictures bench python install uninstall dist bless clean

run: build ## install what is missing, build, elect a leader on a ring of 1000 agents
	@scripts/run.sh
help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | expand -t 16
build: ## install what is missing and build the program
	@scripts/setup.sh run && scripts/build.sh
check: ## the fast tests, to run while working
	@scripts/setup.sh check && scripts/test.sh check
test: ## everything that users rely on
	@scripts/setup.sh test && scripts/test.sh test
audit: ## analyzers, mutants, valgrind, torture, the generators at full length
	@scripts/setup.sh test && scripts/test.sh audit
torture: ## every bad request, damaged studies, a thousand kills: half an hour
	@scripts/setup.sh test && scripts/test.sh torture
mutants: ## random mutants of src, room by room: hours (MUTANTS="--count 150 --room study")
	@scripts/setup.sh test && scripts/mutants.py $(MUTANTS)
fresh: ## run and test in a bare Debian, as a stranger would (SUITE=trixie: Debian 13)
	@scripts/fresh.sh 'make run' 'make test'
coverage: ## which lines of src the tests reach
	@scripts/setup.sh coverage && scripts/coverage.sh
proof: ## check the proof of the paper's theorems for every n, and its tie to prl.c
	@scripts/setup.sh proof && scripts/proof.sh "$$BUILD/proof"
proof-mutants: ## after `make proof`: change the algorithm, see the tie break
	@proof/tie/mutants.sh "$$BUILD/proof"
boards: build ## a ring of eight emulated microcontrollers, struck and healed (BOARDS=OPTIONS)
	@scripts/setup.sh boards && scripts/boards.sh "$$BUILD" $(BOARDS)
device-header: build ## one file for your own firmware
	@scripts/device-header.py "$$BUILD/ringleader-device.h" && echo "$$BUILD/ringleader-device.h"
web: ## the page: one file that opens by double-click
	@scripts/setup.sh web && scripts/web.sh "$$BUILD"
pictures: build web ## the pictures of the documentation
	@scripts/pictures.sh "$$BUILD/ringleader"
bench: build ## what is fast, as ratios taken in one run (BASE=COMMIT: beside that commit)
	@scripts/bench.sh
python: ## an environment in build/python in which `import ringleader` works
	@scripts/setup.sh python && scripts/python.sh "$$BUILD"
install: build ## the program, the library, man pages, completions (PREFIX=DIR, DESTDIR=DIR)
	@scripts/install.sh
uninstall: ## what the last install put there
	@ninja -C "$$BUILD" uninstall
dist: ## a tarball that builds without git
	@scripts/setup.sh dist && scripts/dist.sh
bless: build ## accept the present output of the golden tests as right
	@tests/golden/run.sh --bless "$$BUILD/ringleader"
clean: ## remove what was built
	rm -rf build build-*
