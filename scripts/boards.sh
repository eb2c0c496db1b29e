#!/bin/sh
# A ring of emulated boards: boards.sh BUILD [--chip CHIP] [option of board-ring...]
#   CHIP  cortex-m3 (the default) or cortex-m0, in QEMU; atmega1284p or atmega328p, in simavr
# Eight boards with random memory elect; two power cuts and an overwritten memory are survived, unless
# other blows are asked for (--cuts, --overwrites, --images); then the consoles are checked. Exit
# status: 0 all is well, 1 it is not, 2 a wrong request, 3 something outside failed.
set -eu
cd "$(dirname "$0")/.."
build=$1
shift
chip=cortex-m3
[ "${1:-}" != --chip ] || {
    chip=$2
    shift 2
}
case $chip in
cortex-m3 | cortex-m0) emulator=qemu ;;
atmega1284p) emulator=simavr ;;
atmega328p) emulator=simavr-328p ;;
*)
    echo "boards.sh: --chip $chip: cortex-m3, cortex-m0, atmega1284p or atmega328p" >&2
    exit 2
    ;;
esac
# The bound that the boards know is their number.
n=8 previous=
for option in "$@"; do
    [ "$previous" != -n ] || n=$option
    previous=$option
done
case $n in '' | *[!0-9]*)
    echo "boards.sh: -n $n: a number of boards, 2 to 64" >&2
    exit 2
    ;;
esac
blows="--cuts 2 --overwrites 1"
case " $* " in *" --cuts "* | *" --overwrites "* | *" --images "*) blows= ;; esac

# The build may be older than simavr on this machine.
ninja -C "$build" -t query boards/board-ring >/dev/null 2>&1 || meson setup --reconfigure "$build" >/dev/null
logs=$build/boards/logs
rm -rf "$logs"
mkdir -p "$logs"
ninja -C "$build" ringleader boards/board-ring >"$logs/ninja" || {
    cat "$logs/ninja"
    exit 3
}
scripts/device-header.py "$build/ringleader-device.h"
boards/build.sh "$chip" "$n" "$build" "$build/boards/$chip.elf" || exit 3
status=0
# shellcheck disable=SC2086 # the list is meant to be split
"$build/boards/board-ring" --on "$emulator" --firmware "$build/boards/$chip.elf" --logs "$logs" $blows \
    "$@" || status=$?
[ "$status" = 0 ] || exit "$status"
boards/check.sh "$build/ringleader" "$n" "$logs"
echo "logs     $logs"
