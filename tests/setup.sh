#!/bin/sh
# scripts/setup.sh where there is no dpkg: content if everything is there, and if not it names the
# packages, of the system at hand or of all.
set -eu
setup=$(cd "$(dirname "$0")/.." && pwd)/scripts/setup.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

# All programs of this system but those that know its packages.
(
    IFS=:
    for directory in $PATH; do
        for program in "$directory"/*; do
            name=${program##*/}
            case $name in
            apt* | dpkg* | dnf | pacman | brew | sudo) continue ;;
            esac
            [ -e "$work/bin/$name" ] || [ ! -x "$program" ] || ln -s "$program" "$work/bin/$name"
        done
    done
)
# says STATUS PATTERN...: the exit status of setup.sh, and a line of its output for each pattern.
says() {
    status=$1 got=0
    shift
    PATH=$work/bin sh "$setup" test >"$work/out" 2>&1 || got=$?
    [ "$got" = "$status" ] || { cat "$work/out"; exit 1; }
    for pattern in "$@"; do
        grep -qx -- "$pattern" "$work/out" || { echo "no '$pattern' in:"; cat "$work/out"; exit 1; }
    done
}

says 0
[ ! -s "$work/out" ]
rm "$work/bin/meson" "$work/bin/pdftotext" "$work/bin/mpirun"
says 3 'These are missing: meson mpirun pdftotext' \
    '  apt-get install meson openmpi-bin poppler-utils' \
    '  dnf install meson openmpi poppler-utils' \
    '  pacman -S meson openmpi poppler' \
    '  brew install meson open-mpi poppler'
ln -s /bin/false "$work/bin/dnf"
says 3 '  dnf install meson openmpi poppler-utils'
[ "$(wc -l <"$work/out")" = 2 ]
