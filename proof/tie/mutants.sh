#!/bin/sh
# Changes a line of Algorithm 1 and sees whether the tie breaks: once for each mutant of prl.c in
# tests/mutants/prl.txt, and once for each of Model.v in mutants.txt. A mutant that is the same
# function cannot break it; none of these is.
# usage: mutants.sh BUILD, where scripts/proof.sh has built the proof
set -eu
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
tab=$(printf '\t')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tried=0
equal=0

# judge NAME: compares what the two halves of the tie say now.
judge() {
    tried=$((tried + 1))
    if cmp -s "$work/c.pairs" "$work/model.pairs"; then
        equal=$((equal + 1))
        echo "the tie does not notice: $1" >&2
    fi
}

# try_c NAME SED
try_c() {
    mkdir -p "$work/protocols"
    sed "$2" "$root/src/protocols/prl.c" >"$work/protocols/prl.c"
    ! cmp -s "$root/src/protocols/prl.c" "$work/protocols/prl.c" || {
        echo "changes nothing: $1" >&2
        exit 1
    }
    "$root/proof/tie/compile.sh" "$work/tie-c" -w -O0 -I"$work"
    "$work/tie-c" pairs >"$work/c.pairs"
    cp "$build/model.pairs" "$work/model.pairs"
    judge "prl.c, $1"
}

# try_model NAME SED
try_model() {
    rm -rf "$work/model"
    mkdir "$work/model"
    sed "$2" "$root/proof/Model.v" >"$work/model/Model.v"
    ! cmp -s "$root/proof/Model.v" "$work/model/Model.v" || {
        echo "changes nothing: $1" >&2
        exit 1
    }
    "$root/proof/tie/extract.sh" "$work/model" "$work/tie-model"
    "$work/tie-model" pairs >"$work/model.pairs"
    cp "$build/c.pairs" "$work/c.pairs"
    judge "Model.v, $1"
}

sed -n "s/^\([^#$tab]*\)$tab[^$tab]*$tab\(s[|].*\)/\1$tab\2/p" "$root/tests/mutants/prl.txt" \
    >"$work/of-prl"
grep -v '^#' "$here/mutants.txt" >"$work/of-model"
while IFS=$tab read -r name change; do
    try_c "$name" "$change"
done <"$work/of-prl"
while IFS=$tab read -r name change; do
    try_model "$name" "$change"
done <"$work/of-model"

echo "mutants of Algorithm 1: $tried tried, the tie notices all but $equal"
[ "$equal" = 0 ]
