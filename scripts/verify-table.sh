#!/bin/sh
# Writes docs/protocols/prl-verified.md: what the verifier says of P_RL on every small ring.
# scripts/verify-table.sh [n,N ...]; without sizes all, of which 5,5 takes minutes and 5 GB.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- 2,2 2,3 2,4 3,3 3,4 3,5 3,6 4,4 4,5 4,6 4,7 4,8 5,5
table=docs/protocols/prl-verified.md
trap 'rm -f "$table.part"' EXIT

# field NAME JSON: the first value of that name; `in` NAME: within the object of that name.
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
    echo "# P_RL on every ring of a few agents"
    echo
    echo "Made by \`scripts/verify-table.sh\`. For each size, every configuration was looked at: the"
    echo "sets are closed, S_RL is inside the safe set, all lemmas hold, and from every configuration"
    echo "a safe one can be reached. Expected steps are to S_RL, with a proven relative error below"
    echo "1e-9: the worst configuration, and the mean over a uniformly random one."
    echo
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
} >"$table.part"
mv "$table.part" "$table"
