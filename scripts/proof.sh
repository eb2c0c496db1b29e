#!/bin/sh
# The proof: compiles it, ties its model to prl.c, has coqchk check it again, and ends with every
# theorem and what it assumes: nothing.
# usage: proof.sh DIRECTORY, where everything is built
set -eu
cd "$(dirname "$0")/.."
tie=$PWD/proof/tie
mkdir -p "$1/theory" "$1/table"
build=$(realpath "$1")

# quietly COMMAND...: shows what it said only if it fails.
quietly() {
    "$@" >"$build/log" 2>&1 || {
        cat "$build/log" >&2
        exit 1
    }
}

if grep -nwE 'Admitted|admit|Axioms?|Parameters?|Conjecture' proof/*.v "$tie"/*.v; then
    echo "the proof has a hole" >&2
    exit 1
fi

echo "== compiling =="
lemmas=$(cat proof/*.v | grep -cE '^ *(Lemma|Theorem|Corollary) ')
echo "$(cat proof/*.v | wc -l) lines, $lemmas lemmas and theorems"
# With their times, so that only what has changed is compiled again.
cp -p proof/*.v proof/_CoqProject "$build/theory"
cd "$build/theory"
quietly coq_makefile -f _CoqProject -o Makefile.coq
quietly make --no-print-directory -f Makefile.coq -j2

echo "== the tie to prl.c =="
cd "$build"
"$tie/compile.sh" tie-c -O1 -Wall -Wextra -Werror -Wno-missing-field-initializers
"$tie/extract.sh" theory tie-model
for part in pairs sets samples; do
    ./tie-c $part >c.$part
    ./tie-model $part >model.$part
    cmp c.$part model.$part
    echo "$part: $(wc -l <c.$part) lines, the same from prl.c and from Model.v"
done
cp -p "$tie/Tied.v" table
./tie-c coq 3 >table/Table.v
quietly coqc -q -Q theory Ringleader -Q table Tie table/Table.v
quietly coqc -q -Q theory Ringleader -Q table Tie table/Tied.v
echo "the table for N = 3: as printed by prl.c and as computed by Coq the same"

echo "== coqchk, the independent checker =="
quietly coqchk -silent -o -Q theory Ringleader Ringleader.Theorem1
grep -q 'Axioms: <none>' log || {
    cat log >&2
    exit 1
}
echo "Theorem 1 and all that it rests on, checked again. Axioms: <none>"

echo "== the theorems =="
coqc -q -Q theory Ringleader theory/Report.v >report
cat report
stated=$(grep -c '^Check' theory/Report.v)
closed=$(grep -c '^Closed under the global context$' report || true)
[ "$stated" = "$closed" ] || {
    echo "$stated theorems, but $closed of them closed" >&2
    exit 1
}
