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
[ -f "$build/model.pairs" ] || {
    echo "nothing is built in $1 yet: make proof comes first" >&2
    exit 2
}
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

# changed COPY...: was something changed by the last mutant?
changed() {
    for copy; do
        cmp -s "$copy" "$root/$(cat "$copy.of")" || return 0
    done
    echo "changes nothing: $name" >&2
    exit 1
}

# mutate FILE COPY SED
mutate() {
    sed "$3" "$root/$1" >"$2"
    echo "$1" >"$2.of"
}

# try_c SED
try_c() {
    for file in $files; do
        mutate "src/protocols/$file" "$work/protocols/$file" "$1"
    done
    # shellcheck disable=SC2086 # the list is meant to be split
    (cd "$work/protocols" && changed $files)
    "$here/compile.sh" "$work/tie-c" -w -O0 -I"$work"
    "$work/tie-c" pairs >"$work/c.pairs"
    cp "$build/model.pairs" "$work/model.pairs"
    judge "prl.c, $name"
}

# try_model SED
try_model() {
    rm -rf "$work/model"
    mkdir "$work/model"
    mutate proof/Model.v "$work/model/Model.v" "$1"
    changed "$work/model/Model.v"
    "$here/extract.sh" "$work/model" "$work/tie-model"
    "$work/tie-model" pairs >"$work/model.pairs"
    cp "$build/c.pairs" "$work/c.pairs"
    judge "Model.v, $name"
}

list=$root/tests/mutants/prl.txt
files=$(sed -n "s/^file$tab//p" "$list")
mkdir "$work/protocols"
sed -n "s/^\([^#$tab]*\)${tab}[^$tab]*$tab\(s|.*\)/\1$tab\2/p" "$list" >"$work/of-prl"
grep -v '^#' "$here/mutants.txt" >"$work/of-model"
while IFS=$tab read -r name change; do
    try_c "$change"
done <"$work/of-prl"
while IFS=$tab read -r name change; do
    try_model "$change"
done <"$work/of-model"

echo "mutants of Algorithm 1: $tried tried, the tie notices all but $equal"
[ "$equal" = 0 ]
