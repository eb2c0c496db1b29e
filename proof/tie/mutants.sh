#!/bin/sh
# Changes a line of Algorithm 1 or of a set and sees whether the tie breaks: once for each mutant of
# the C, in tests/mutants/prl.txt and mutants-of-c.txt, and once for each of Model.v, in mutants.txt.
# Every part of the tie is asked until one notices. A mutant that is the same function cannot break
# it; none of these is.
# usage: mutants.sh BUILD, where scripts/proof.sh has built the proof
set -eu
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
tab=$(printf '\t')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
parts="pairs near large samples sets" # the quickest first
for part in $parts; do
    [ -f "$build/model.$part" ] || {
        echo "nothing is built in $1 yet: make proof comes first" >&2
        exit 2
    }
done
tried=0
equal=0

# judge NAME OTHER: does some part of the mutant in $work differ from what OTHER, c or model, has said?
judge() {
    tried=$((tried + 1))
    for part in $parts; do
        "$work/print" "$part" 2>/dev/null | cmp -s - "$build/$2.$part" || {
            echo "$part: $1"
            return
        }
    done
    equal=$((equal + 1))
    echo "the tie does not notice: $1" >&2
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
    "$here/compile.sh" "$work/print" -w -O1 -I"$work"
    judge "prl.c, $name" model
}

# try_model SED
try_model() {
    rm -rf "$work/model"
    mkdir "$work/model"
    mutate proof/Model.v "$work/model/Model.v" "$1"
    changed "$work/model/Model.v"
    "$here/extract.sh" "$work/model" "$work/tie"
    cat >"$work/print" <<END
#!/bin/sh
if [ "\$1" = large ]; then exec "$work/tie-large"; else exec "$work/tie" "\$1"; fi
END
    chmod +x "$work/print"
    judge "Model.v, $name" c
}

files="prl_creation.h prl_elimination.h prl_bullets.h prl_sets.h"
mkdir "$work/protocols"
sed -n "s/^\([^#$tab]*\)${tab}[^$tab]*$tab\(s|.*\)/\1$tab\2/p" "$root/tests/mutants/prl.txt" >"$work/of-c"
grep -v '^#' "$here/mutants-of-c.txt" >>"$work/of-c"
grep -v '^#' "$here/mutants.txt" >"$work/of-model"
while IFS=$tab read -r name change; do
    try_c "$change"
done <"$work/of-c"
rm "$work/print"
while IFS=$tab read -r name change; do
    try_model "$change"
done <"$work/of-model"

echo "mutants of Algorithm 1 and of the sets: $tried tried, the tie notices all but $equal"
[ "$equal" = 0 ]
