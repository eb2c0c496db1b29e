#!/bin/sh
# What takes too long for every `make test`: long.sh BUILD. Every memory image on a board of every kind (all
# zeros, all ones, a hundred random ones), with the watchdog's bites counted; rings of 32; bad wires. About ten
# minutes; ends at the first that fails.
set -eu
cd "$(dirname "$0")/../.."
build=$1

# run OPTION...: its last lines.
run() {
    echo "== $*"
    scripts/boards.sh "$build" "$@" >"$build/boards/long" || {
        cat "$build/boards/long"
        exit 1
    }
    grep -E '^(boards|ring|wires|account|replay)' "$build/boards/long"
}
mkdir -p "$build/boards"
for chip in cortex-m3 cortex-m0 atmega1284p atmega328p; do
    run --chip $chip -n 4 --images 102 --hold 0.5
    run --chip $chip --cuts 10 --overwrites 10 --hold 1
    run --chip $chip --loss 0.2 --duplicate 0.2 --bad 0.01 --cuts 2 --overwrites 2
    run --chip $chip -n 32 --hold 2 --limit 300 --cuts 0
done
