#!/bin/sh
# The proof: compiles it, ties its model to prl.c, has coqchk check all of it again, and ends with
# every theorem: what it says, its name, and what it assumes: nothing.
# usage: proof.sh DIRECTORY, where everything is built
set -eu
cd "$(dirname "$0")/.."
tie=$PWD/proof/tie
mkdir -p "$1/theory" "$1/table"
build=$(realpath "$1")

fail() {
    echo "$*" >&2
    exit 1
}

# quietly COMMAND...: shows what it said only if it fails.
quietly() {
    "$@" >"$build/log" 2>&1 || {
        cat "$build/log" >&2
        exit 1
    }
}

# What tactics remember between runs stays out of the tree, and is not kept.
[ -z "$(find proof -name '.*.cache')" ] || fail "proof/ has caches of tactics: rm proof/.*.cache"
trap 'find "$build" -name ".*.cache" -exec rm {} +' EXIT

# Every file of the proof, in whatever folder; and none that is left out of what is compiled.
files=$(find proof -name '*.v' | sort)
# shellcheck disable=SC2086 # the list is meant to be split
if grep -nwE 'Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Variables?|Unset +Guard|bypass_check' \
    $files; then
    fail "the proof has a hole"
fi
for file in proof/*.v; do
    [ "$file" = proof/Report.v ] || grep -qx "${file#proof/}" proof/_CoqProject ||
        fail "$file is not in proof/_CoqProject"
done
# shellcheck disable=SC2086
sed -nE 's/^ *(Theorem|Corollary) ([a-zA-Z_][A-Za-z0-9_]*).*/\2/p' $files | sort >"$build/stated"
sed -nE 's/^Check @?([A-Za-z0-9_]+)\. Print Assumptions \1\.$/\1/p' proof/Report.v | sort >"$build/announced"
cmp -s "$build/stated" "$build/announced" || {
    diff "$build/stated" "$build/announced" >&2 || true
    fail "the theorems of proof/ (<) are not those of proof/Report.v (>)"
}

echo "== compiling =="
# shellcheck disable=SC2086
echo "$(cat $files | wc -l) lines, $(cat $files | grep -cE '^ *(Lemma|Theorem|Corollary) ') lemmas and theorems"
# With their times, so that only what has changed is compiled again.
cp -p proof/*.v proof/_CoqProject "$build/theory"
cd "$build/theory"
quietly coq_makefile -f _CoqProject -o Makefile.coq
quietly make --no-print-directory -f Makefile.coq -j2

echo "== the tie to prl.c =="
cd "$build"
"$tie/compile.sh" tie-c -O1 -Wall -Wextra -Werror -Wno-missing-field-initializers
"$tie/extract.sh" theory tie-model
for part in pairs large sets near samples; do
    ./tie-c $part >c.$part
    if [ $part = large ]; then ./tie-model-large; else ./tie-model $part; fi >model.$part
    cmp c.$part model.$part
    echo "$part: $(wc -l <c.$part) lines, the same from prl.c and from Model.v"
done
cp -p "$tie/Tied.v" table
./tie-c coq 3 >table/Table.v
quietly coqc -q -Q theory Ringleader -Q table Tie table/Table.v
quietly coqc -q -Q theory Ringleader -Q table Tie table/Tied.v
echo "the table for N = 3: as printed by prl.c and as computed by Coq the same"

echo "== coqchk, the independent checker =="
modules=$(sed -n 's/\.v$//p' theory/_CoqProject | sed 's/^/Ringleader./')
# shellcheck disable=SC2086
quietly coqchk -silent -o -Q theory Ringleader -Q table Tie $modules Tie.Tied
grep -q 'Axioms: <none>' log || {
    cat log >&2
    exit 1
}
echo "every file of the proof and of the tie, checked again. Axioms: <none>"

echo "== the theorems (with their statements in $1/report) =="
coqc -q -Q theory Ringleader -Q table Tie theory/Report.v >report
closed=$(grep -c '^Closed under the global context$' report || true)
[ "$(wc -l <announced)" = "$closed" ] ||
    fail "$(wc -l <announced) theorems, but $closed of them closed: see $1/report"
awk '/^\(\*/ { words = "" }
     !/^Check/ { words = words " " $0 }
     /^Check/ { gsub(/\(\*|\*\)/, "", words); gsub(/ +/, " ", words); gsub(/^ | $/, "", words)
                name = $2; gsub(/[@.]/, "", name)
                printf "%s: %s\n    Closed under the global context\n", name, words; words = "" }' \
    theory/Report.v
