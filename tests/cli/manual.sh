#!/bin/sh
# The man pages: manual.sh PROGRAM PAGE... Each is clean, fits 80 columns, and has every option
# of its command.
set -eu
program=$1
shift
list=$(mktemp)
trap 'rm -f "$list"' EXIT
for page; do
    mandoc -T lint "$page"
    command=$(basename "$page" .1 | sed 's/^ringleader-*//')
    mandoc "$page" | col -bx >"$list"
    grep -q "^NAME" "$list" && grep -q "^EXAMPLES" "$list"
    ! grep -E '.{81}' "$list" || { echo "$page: wider than 80 columns"; exit 1; }
    [ -n "$command" ] || continue
    for option in $("$program" --complete "$command" -); do
        letter=-$(printf %.1s "${option#--}")
        [ "$option" = --help ] || grep -q -e " $option\b" -e " $letter\b" "$list" ||
            { echo "$page: nothing about $option"; exit 1; }
    done
done
! printf '.TH X\ntoo long %0100d\n' 0 | mandoc -T lint >/dev/null
echo "$# pages"
