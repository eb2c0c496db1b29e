#!/bin/sh
# What the protocol costs on a board is what docs/devices.md says: sizes.sh BOARD-CYCLES. Flash of link and
# rules is at most 5 % more than written there. After a change that is wanted:
#     boards/sizes.py build/boards/board-cycles >table; boards/sizes.py --write docs/devices.md table
cycles=$(realpath "$1")
. "$(dirname "$0")/tools.sh"
need python3 arm-none-eabi-gcc avr-gcc qemu-system-arm
boards/sizes.py "$cycles" >"$scratch/table"
cat "$scratch/table"
boards/sizes.py --check docs/devices.md "$scratch/table"

# Rules that have grown are noticed.
sed -E 's/^(\| flash: rules of prl \| )/\19/' "$scratch/table" >"$scratch/grown"
! cmp -s "$scratch/table" "$scratch/grown" || fail "there is no figure to change"
! boards/sizes.py --check docs/devices.md "$scratch/grown" >"$scratch/told" || fail "growth was not noticed"
grep -q 'cortex-m0, flash: rules of prl: .*: more than 5 % above' "$scratch/told"
