# The front door. Everything real is in meson.build.
BUILD = build
PREFIX = /usr/local

.PHONY: run test python torture coverage proof proof-mutants boards device-header install uninstall web \
	pictures bench build setup-run setup-test clean bless

run: build
	@$(BUILD)/ringleader elect -n 1000 --start random --seed 1
	@echo
	@echo "What to try next:"
	@echo "  $(BUILD)/ringleader elect -n 100 --start safe --fault 50@1e6   break half of it, watch it heal"
	@echo "  $(BUILD)/ringleader elect -n 1e6                               a million agents"
	@echo "  $(BUILD)/ringleader --help"

build: setup-run
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) > /dev/null
	@ninja --quiet -C $(BUILD) ringleader

test: setup-test
	@scripts/test.sh

# What `make test` has samples of: bad requests, damaged studies, killed studies.
torture: setup-test
	@scripts/torture.sh $(BUILD)

# Which lines of src the tests reach: build-coverage/coverage/index.html.
coverage:
	@scripts/setup.sh coverage
	@scripts/coverage.sh

# The machine-checked proof of the paper's theorem, and its tie to prl.c; see docs/proof.md.
proof:
	@scripts/setup.sh proof
	@scripts/proof.sh $(BUILD)/proof

# After `make proof`: changes each line of Algorithm 1, in the C and in the model; the tie must break.
proof-mutants:
	@proof/tie/mutants.sh $(BUILD)/proof

# A ring of eight emulated microcontrollers, struck and healed; see docs/devices.md. Options in BOARDS.
boards:
	@scripts/setup.sh boards
	@$(MAKE) --no-print-directory build
	@scripts/boards.sh $(BUILD) $(BOARDS)

# One file for other people's firmware.
device-header: setup-run
	@scripts/device-header.py $(BUILD)/ringleader-device.h
	@echo $(BUILD)/ringleader-device.h

# One file, build/web/ringleader.html, that opens by double-click.
web:
	@scripts/setup.sh web
	@scripts/web.sh $(BUILD)

pictures: build
	@scripts/pictures.sh $(BUILD)/ringleader

bench: build
	@scripts/bench.sh

# An environment in build/python in which `import ringleader` works.
python:
	@scripts/setup.sh python
	@scripts/python.sh $(BUILD)

# The program, the library, headers, ringleader.pc. DESTDIR is put in front of everything.
install: build
	@meson configure $(BUILD) --prefix $(abspath $(PREFIX)) --libdir lib
	@ninja --quiet -C $(BUILD)
	@meson install -C $(BUILD) --no-rebuild $(if $(DESTDIR),--destdir $(abspath $(DESTDIR)))

# What the last install put there.
uninstall:
	@ninja -C $(BUILD) uninstall

# Accepts the present output of the golden tests as right.
bless: build
	@tests/golden/run.sh --bless $(BUILD)/ringleader

setup-run:
	@scripts/setup.sh run

setup-test:
	@scripts/setup.sh test

clean:
	rm -rf build build-*
