#!/bin/sh
# The header for other people's firmware is a function of the sources, and compiles without a warning, as C
# and as C++, with every compiler that people have for it; so does the example, which also elects.
. "$(dirname "$0")/tools.sh"
need gcc clang arm-none-eabi-gcc avr-gcc

header=$scratch/ringleader-device.h
scripts/device-header.py "$header"
scripts/device-header.py "$scratch/again/ringleader-device.h"
cmp "$header" "$scratch/again/ringleader-device.h"

# In a firmware with names of its own, of which one part uses little of the header.
cat >"$scratch/little.c" <<'CODE'
#define KIND  this will not do
#define BITS  this neither
#define CRC   nor this
int next(void);
int decide(void);
#include "ringleader-device.h"
bool leads(uint32_t word);
bool leads(uint32_t word)
{
    return rl_prl_leads(word);
}
CODE
warnings="-Wall -Wextra -Wconversion -Werror"
compiled=0
while read -r compiler options; do
    command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
    language=c standard=-std=gnu11
    case $compiler in *++) language=c++ standard=-std=gnu++11 ;; esac
    for source in examples/arduino-like.c "$scratch/little.c"; do
        for level in -Os -O2; do
            # shellcheck disable=SC2086 # lists are meant to be split
            "$compiler" $warnings $level $standard $options -I"$scratch" -x $language -c "$source" \
                -o "$scratch/object.o" || fail "$compiler $level: $source"
        done
    done
    compiled=$((compiled + 1))
done <<'COMPILERS'
gcc
clang
g++
clang++
arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -ffreestanding
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -ffreestanding
arm-none-eabi-g++ -mcpu=cortex-m0 -mthumb -ffreestanding
avr-gcc -mmcu=atmega328p
avr-g++ -mmcu=atmega328p
COMPILERS

# Four boards with the example's main loop.
for board in 0 1 2 3; do
    gcc -std=gnu11 -O1 -g -fsanitize=undefined -fno-sanitize-recover -DBOARD=$board -I"$scratch" \
        -c tests/boards/sketch.c -o "$scratch/$board.o"
done
gcc -std=gnu11 -O1 -Wall -Wextra -Werror -fsanitize=undefined tests/boards/sketch.c "$scratch"/[0-3].o -o "$scratch/sketch"
"$scratch/sketch" || fail "the example does not elect"

lines=$(sed '1,/#include "ringleader-device.h"/d' examples/arduino-like.c | wc -l)
[ "$lines" -le 40 ] || fail "the example's main loop has grown to $lines lines"
echo "$(wc -l <"$header") lines of header, without a warning by $compiled compilers"
