#!/bin/sh
# The C half of the tie: prl.c and what it needs of the core, nothing else of the program.
# usage: compile.sh PROGRAM [compiler options]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$1
shift
# shellcheck disable=SC2046 # core is meant to be split
${CC:-cc} -std=gnu11 -ffunction-sections -Wl,--gc-sections "$@" -I"$root/include" -I"$root/src" -DPROTOCOL_ID=prl \
    -D_POSIX_C_SOURCE=200809L "$root/proof/tie/tie.c" $(find "$root/src/core" -name '*.c') -o "$program"
