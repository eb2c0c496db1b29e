#!/bin/sh
# Makes the table of docs/protocols/prl.md: what the verifier says of P_RL on every small ring.
# scripts/verify-table.sh [n,N ...]; without sizes all, of which 5,5 takes minutes and 5 GB. The
# table stands between two comments; the rest of the page is left as it is.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- 2,2 2,3 2,4 3,3 3,4 3,5 3,6 4,4 4,5 4,6 4,7 4,8 5,5
page=docs/protocols/prl.md
trap 'rm -f "$page.table" "$page.part"' EXIT

# field NAME JSON: the value of that name; within NAME JSON: the object of that name.
field() {
    echo "$2" | sed "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/"
}
within() {
    echo "$2" | sed "s/.*\"$1\":{\([^}]*\)}.*/{\1}/"
}
grouped() {
    echo "$1" | sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/' -e 'ta'
}

{
    echo "| n | N | configurations | C_PB | C_NI | S_RL | safe | worst steps | mean steps | a worst configuration |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    for size in "$@"; do
        n=${size%,*}
        N=${size#*,}
        json=$(build/ringleader verify -n "$n" -N "$N" --json)
        sets=${json%%\"lemmas\"*}
        steps=${json##*\"expected_steps\"}
        row="| $n | $N | $(grouped "$(field configurations "$sets")")"
        for set in C_PB C_NI S_RL; do
            row="$row | $(grouped "$(field size "$(within "$set" "$sets")")")"
        done
        row="$row | $(grouped "$(field safe "${sets%%\"sets\"*}")")"
        expected=$(within S_RL "$steps")
        row="$row | $(printf '%.7f' "$(field worst "$expected")")"
        row="$row | $(printf '%.7f' "$(field mean "$expected")")"
        echo "$row | \`$(field worst_configuration "$expected")\` |"
    done
} >"$page.table"
{
    sed '/^<!-- verified -->$/q' "$page"
    cat "$page.table"
    sed -n '/^<!-- end -->$/,$p' "$page"
} >"$page.part"
mv "$page.part" "$page"
