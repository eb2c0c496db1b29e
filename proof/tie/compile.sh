#!/bin/sh
# The C half of the tie: prl.c and what it needs of the core, nothing else of the program.
# usage: compile.sh PROGRAM [compiler options]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$1
shift
sources=$root/proof/tie/tie.c
for name in look protocol random ring ring_text status text; do
    sources="$sources $root/src/core/$name.c"
done
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
sed 's/@[A-Z]*@//g' "$root/src/core/version.h.in" >"$made/version.h"
# shellcheck disable=SC2086 # the list is meant to be split
${CC:-cc} -std=gnu11 -D_POSIX_C_SOURCE=200809L -ffunction-sections -Wl,--gc-sections "$@" \
    -I"$root/include" -I"$root/src" -I"$made" $sources -o "$program"
