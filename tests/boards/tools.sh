# What the tests of boards share; to be read by them. Without the tools a test is skipped, which Meson
# sees by the exit status.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# need PROGRAM...
need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || {
            echo "skipped: there is no $tool (scripts/setup.sh boards installs it)"
            exit 77
        }
    done
}

fail() {
    echo "$1"
    exit 1
}

# build CHIP N: the board's program, $scratch/CHIP.elf.
build() {
    scripts/device-header.py "$scratch/ringleader-device.h"
    boards/build.sh "$1" "$2" "$scratch" "$scratch/$1.elf"
}
