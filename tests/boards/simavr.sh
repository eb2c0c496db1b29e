#!/bin/sh
# Eight ATmega1284P in simavr: simavr.sh PROGRAM BOARD-RING. They elect, as a function of the seed alone;
# with bad wires, power cuts and overwritten memories every interaction is accounted for. So do eight
# ATmega328P, whose lines to the right are made of pins.
program=$(realpath "$1") ring=$(realpath "$2")
. "$(dirname "$0")/tools.sh"
need avr-gcc
build atmega1284p 8
build atmega328p 8

# elect NAME OPTION...: logs in $scratch/NAME.
emulator=simavr chip=atmega1284p
elect() {
    name=$1
    shift
    mkdir "$scratch/$name"
    "$ring" --on "$emulator" --firmware "$scratch/$chip.elf" --logs "$scratch/$name" "$@" \
        >"$scratch/$name/story" || { cat "$scratch/$name/story"; fail "$name: not elected"; }
    boards/check.sh "$program" 8 "$scratch/$name" >"$scratch/$name/account" ||
        { cat "$scratch/$name/account"; fail "$name: the consoles do not agree"; }
    echo "$name: $(grep '^account' "$scratch/$name/account")"
}

elect one --seed 1
elect one-again --seed 1
elect two --seed 2
for file in story 00.log 07.log end; do
    cmp "$scratch/one/$file" "$scratch/one-again/$file"
    ! cmp -s "$scratch/one/$file" "$scratch/two/$file" || fail "another seed, the same $file"
done
grep -q ' 0 of them by a watchdog; 0 lines cut off' "$scratch/one/story" || fail "a watchdog bit"
elect zeros --memory zeros --hold 1
elect blows --loss 0.2 --duplicate 0.2 --bad 0.01 --cuts 2 --overwrites 2 --hold 1
grep -q ' 1 of them by a watchdog' "$scratch/blows/story" ||
    { cat "$scratch/blows/story"; fail "a board whose whole memory is overwritten is reset by its watchdog"; }
emulator=simavr-328p chip=atmega328p
elect pins --hold 1
