#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the program of a board: build.sh CHIP N HEADERS OUTPUT [OPTION...]
#   CHIP     cortex-m3, cortex-m0 (port lm3s6965), atmega1284p or atmega328p (port avr)
#   N        a number that the ring never outgrows
#   HEADERS  the directory of ringleader-device.h
#   OUTPUT   the program, an ELF file
# Further options go to the compiler. A program that wants memory initialised is refused: that memory
# would not heal.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
chip=$1 bound=$2 headers=$3 output=$4
shift 4
case $chip in
cortex-*)
    port=lm3s6965 tools=arm-none-eabi-
    set -- -mcpu="$chip" -mthumb -ffreestanding -nostdlib -T "$here/$port/memory.ld" "$@" -lgcc
    ;;
*)
    port=avr tools=avr-
    set -- -mmcu="$chip" -DF_CPU=16000000UL "$@"
    ;;
esac
"${tools}gcc" -std=gnu11 -Os -ffunction-sections -Wl,--gc-sections -Wall -Wextra -Wconversion -Werror \
    -DBOARD_N="$bound" -I"$headers" -I"$here" -I"$here/$port" "$here/board.c" "$here/$port/port.c" \
    -o "$output" "$@"
initialised=$("${tools}size" -A "$output" | awk '$1 == ".data" || $1 == ".bss" { sum += $2 } END { print sum + 0 }')
[ "$initialised" = 0 ] || {
    echo "build.sh: $chip: $initialised bytes of memory want to be initialised" >&2
    rm -f "$output"
    exit 1
}
