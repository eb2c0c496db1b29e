#!/bin/sh
# Sees to it that what a purpose needs is there: run, check, web, python, boards, test, coverage, dist or proof. It
# asks for programs, pkg-config modules, headers, modules of Python and fonts, not for packages, so it
# does not matter where they come from.
# Where something is missing it is installed if this is Debian or Ubuntu and there is root or sudo;
# else the packages are named, for the system at hand or for all that we know.
set -eu

# A row for each thing: for which purpose (check, web, python and boards include run, and test all of them); what
# is asked for, a program or NAME.pc, NAME.h, NAME.py, NAME.ttf; packages that bring it, several joined by
# commas.
needs() {
    cat <<'TABLE'
# purpose  thing           Debian, Ubuntu     Fedora              Arch             Homebrew
run        cc              gcc                gcc                 gcc              gcc
run        stdio.h         libc6-dev          glibc-devel         glibc            gcc
run        meson           meson              meson               meson            meson
run        ninja           ninja-build        ninja-build         ninja            ninja
run        pkg-config      pkg-config         pkgconf-pkg-config  pkgconf          pkgconf
run        sqlite3.pc      libsqlite3-dev     sqlite-devel        sqlite           sqlite
run        cairo.pc        libcairo2-dev      cairo-devel         cairo            cairo
run        libsodium.pc    libsodium-dev      libsodium-devel     libsodium        libsodium
run        DejaVuSans.ttf  fonts-dejavu-core  dejavu-sans-fonts   ttf-dejavu       font-dejavu
web        clang           clang              clang               clang            llvm
web        wasm-ld         lld                lld                 lld              lld
web        node            nodejs             nodejs              nodejs           node
web        npm             npm                nodejs-npm          npm              node
python     Python.h        python3-dev        python3-devel       python           python
python     venv.py         python3-venv       python3             python           python
python     pip.py          python3-pip        python3-pip         python-pip       python
python     mesonpy.py      python3-mesonpy    python3-meson-python meson-python     meson
python     cffi.py         python3-cffi       python3-cffi        python-cffi      cffi
python     numpy.py        python3-numpy      python3-numpy       python-numpy     numpy
python     pandas.py       python3-pandas     python3-pandas      python-pandas    python
python     tqdm.py         python3-tqdm       python3-tqdm        python-tqdm      python
test       c++             g++                gcc-c++             gcc              gcc
check      flint/flint.h   libflint-dev       flint-devel         flint            flint
test       mandoc          mandoc             mandoc              mandoc           mandoc
test       sanitizers      libclang-rt-dev    compiler-rt         compiler-rt      llvm
test       llvm-symbolizer llvm               llvm                llvm             llvm
test       charmaps        locales            glibc-locale-source glibc-locales    coreutils
test       clang-format    clang-format       clang-tools-extra   clang            clang-format
test       cppcheck        cppcheck           cppcheck            cppcheck         cppcheck
check      cmocka.pc       libcmocka-dev      libcmocka-devel     cmocka           cmocka
test       aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu,libc6-dev-arm64-cross gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc aarch64-elf-gcc
test       s390x-linux-gnu-gcc gcc-s390x-linux-gnu,libc6-dev-s390x-cross gcc-s390x-linux-gnu s390x-linux-gnu-gcc s390x-elf-gcc
test       qemu-s390x      qemu-user          qemu-user           qemu-user        qemu
test       valgrind        valgrind           valgrind            valgrind         valgrind
test       mpicc           libopenmpi-dev     openmpi-devel       openmpi          open-mpi
test       mpirun          openmpi-bin        openmpi             openmpi          open-mpi
test       sqlite3         sqlite3            sqlite              sqlite           sqlite
test       chromium        chromium           chromium            chromium         chromium
test       firefox-esr     firefox-esr        firefox             firefox          firefox
test       pdftotext       poppler-utils      poppler-utils       poppler          poppler
test       zsh             zsh                zsh                 zsh              zsh
test       fish            fish               fish                fish             fish
test       pgrep           procps             procps-ng           procps-ng        proctools
test       mypy            mypy               python3-mypy        mypy             mypy
test       pytest.py       python3-pytest     python3-pytest      python-pytest    python
test       nbconvert.py    python3-nbconvert  python3-nbconvert   jupyter-nbconvert jupyterlab
test       ipykernel.py    python3-ipykernel  python3-ipykernel   python-ipykernel jupyterlab
test       matplotlib.py   python3-matplotlib python3-matplotlib  python-matplotlib python-matplotlib
boards     arm-none-eabi-gcc gcc-arm-none-eabi arm-none-eabi-gcc-cs arm-none-eabi-gcc arm-none-eabi-gcc
boards     qemu-system-arm qemu-system-arm    qemu-system-arm-core qemu-system-arm qemu
boards     avr-gcc         gcc-avr            avr-gcc             avr-gcc          avr-gcc
boards     avr-libc        avr-libc           avr-libc            avr-libc         avr-gcc
boards     libelf.pc       libelf-dev         elfutils-libelf-devel libelf         libelf
boards     simavr.pc       libsimavr-dev      simavr-devel        simavr           simavr
coverage   gcovr           gcovr              gcovr               gcovr            gcovr
dist       git             git                git                 git              git
dist       xz              xz-utils           xz                  xz               xz
proof      cc              gcc                gcc                 gcc              gcc
proof      stdio.h         libc6-dev          glibc-devel         glibc            gcc
proof      make            make               make                make             make
proof      coqc            coq                coq                 coq              coq
proof      ocamlopt        ocaml              ocaml               ocaml            ocaml
TABLE
}

case ${1:-} in
run) purposes=' run ' ;;
check) purposes=' run check ' ;;
web) purposes=' run web ' ;;
python) purposes=' run python ' ;;
boards) purposes=' run boards ' ;;
test) purposes=' run check web python boards test ' ;;
coverage) purposes=' run check web python boards test coverage ' ;;
dist) purposes=' dist ' ;;
proof) purposes=' proof ' ;;
*)
    echo "usage: scripts/setup.sh run|check|web|python|boards|test|coverage|dist|proof" >&2
    exit 2
    ;;
esac

# wasm-ld may be there with a version behind its name only.
has_program() {
    command -v "$1" >/dev/null 2>&1 || ls /usr/bin/"$1"-[0-9]* >/dev/null 2>&1
}
has_font() {
    find /usr/share/fonts /usr/local/share/fonts "${HOME:-/}/.local/share/fonts" \
        "${HOME:-/}/Library/Fonts" /Library/Fonts -name "$1" 2>/dev/null | grep -q .
}
has() {
    case $1 in
    *.pc) pkg-config --exists "${1%.pc}" 2>/dev/null ;;
    Python.h) find /usr/include -name Python.h 2>/dev/null | grep -q . ;;
    *.h) echo "#include <$1>" | cc -E - >/dev/null 2>&1 ;;
    *.py) "${PYTHON:-/usr/bin/python3}" -c "import ${1%.py}" >/dev/null 2>&1 ;;
    *.ttf) has_font "$1" ;;
    charmaps) [ -d /usr/share/i18n/charmaps ] ;; # what localedef makes locales of
    avr-libc) echo '#include <avr/io.h>' | avr-gcc -mmcu=atmega328p -E - >/dev/null 2>&1 ;;
    sanitizers) echo 'int main(void) { return 0; }' |
        clang -fsanitize=address,undefined -x c - -o /dev/null 2>/dev/null ;;
    *) has_program "$1" ;;
    esac
}

find_missing() {
    missing=
    for thing in $(needs | awk -v purposes="$purposes" 'index(purposes, " " $1 " ") { print $2 }'); do
        has "$thing" || missing="$missing $thing"
    done
}
find_missing
[ -n "$missing" ] || exit 0

# packages COLUMN: those that bring what is missing, from this column of the table.
packages() {
    needs | awk -v purposes="$purposes" -v missing="$missing " -v column="$1" '
        index(purposes, " " $1 " ") && index(missing, " " $2 " ") && !seen[$column]++ {
            gsub(",", " ", $column)
            printf " %s", $column
        }'
}
name_packages() {
    echo "These are missing:$missing" >&2
    while read -r program column command; do
        [ "$1" = all ] || [ "$1" = "$program" ] || continue
        echo "  $command$(packages "$column")" >&2
    done <<'SYSTEMS'
apt-get 3 apt-get install
dnf 4 dnf install
pacman 5 pacman -S
brew 6 brew install
SYSTEMS
    exit 3
}

for system in apt-get dnf pacman brew all; do
    [ "$system" = all ] || ! command -v "$system" >/dev/null 2>&1 || break
done
[ "$system" = apt-get ] || name_packages "$system"
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    name_packages apt-get
fi
wanted=$(packages 3)
echo "installing$wanted"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # the list is meant to be split
if ! { $sudo apt-get update && $sudo apt-get install -y --no-install-recommends $wanted; } \
    >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "could not install:$wanted" >&2
    exit 3
fi
find_missing
[ -z "$missing" ] || {
    echo "installed, but still missing:$missing" >&2
    exit 3
}
