#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the program of a board: build.sh CHIP N HEADERS OUTPUT [SOURCE]
#   CHIP     cortex-m3, cortex-m0 (port lm3s6965), atmega1284p or atmega328p (port avr)
#   N        a number that the ring never outgrows
#   HEADERS  the directory of ringleader-device.h
#   OUTPUT   the program, an ELF file; objects and stack usage (OUTPUT.board.su) are put beside it
#   SOURCE   instead of board.c
# A program that wants memory initialised is refused: that memory would not heal.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
chip=$1 bound=$2 headers=$3 output=$4 source=${5:-$here/board.c}
case $chip in
cortex-*)
    port=lm3s6965 tools=arm-none-eabi-
    set -- -mcpu="$chip" -mthumb -ffreestanding
    linking="-nostdlib -T $here/$port/memory.ld"
    ;;
*)
    port=avr tools=avr-
    set -- -mmcu="$chip" -DF_CPU=16000000UL
    linking=
    ;;
esac
# compile SOURCE OBJECT OPTION...
compile() {
    from=$1 object=$2
    shift 2
    "${tools}gcc" "$@" -std=gnu11 -Os -ffunction-sections -fstack-usage -Wall -Wextra -Wconversion -Werror \
        -DBOARD_N="$bound" -I"$headers" -I"$here" -I"$here/$port" -c "$from" -o "$object"
}
compile "$source" "$output.board.o" "$@"
compile "$here/$port/port.c" "$output.port.o" "$@"
# shellcheck disable=SC2086 # the list is meant to be split
"${tools}gcc" "$@" $linking -Wl,--gc-sections "$output.board.o" "$output.port.o" -lgcc -o "$output"
initialised=$("${tools}size" -A "$output" | awk '$1 == ".data" || $1 == ".bss" { sum += $2 } END { print sum + 0 }')
[ "$initialised" = 0 ] || {
    echo "build.sh: $chip: $initialised bytes of memory want to be initialised" >&2
    rm -f "$output"
    exit 1
}
