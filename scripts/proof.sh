#!/bin/sh
# The proof: compiles it, ties its model to prl.c, and ends with every theorem, what it assumes (nothing)
# and what coqchk, the independent checker, says.
# usage: proof.sh DIRECTORY, where everything is built
set -eu
cd "$(dirname "$0")/.."
build=$1
tie=$PWD/proof/tie
mkdir -p "$build"
build=$(realpath "$build")

if grep -nwE 'Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort' proof/*.v proof/tie/*.v; then
    echo "the proof has a hole" >&2
    exit 1
fi

echo "== compiling =="
# With their times, so that only what has changed is compiled again.
cp -p proof/*.v proof/_CoqProject "$build"
cd "$build"
coq_makefile -f _CoqProject -o Makefile.coq
make --no-print-directory -s -f Makefile.coq -j2 TIMED= >compile.log 2>&1 || {
    cat compile.log >&2
    exit 1
}
echo "$(cat ./*.v | wc -l) lines, $(grep -hcE '^ *(Lemma|Theorem|Corollary) ' ./*.v | paste -sd+ | bc) lemmas"

echo "== the tie to prl.c =="
"$tie/compile.sh" "$build/tie-c" -O1 -Wall -Wextra -Werror -Wno-missing-field-initializers
"$tie/extract.sh" "$build" "$build/tie-model"
for part in pairs sets samples; do
    ./tie-c $part >c.$part
    ./tie-model $part >model.$part
    cmp c.$part model.$part
    echo "$part: $(wc -l <c.$part) lines, the same from prl.c and from Model.v"
done
mkdir -p table
cp -p "$tie/Tied.v" table
./tie-c coq 3 >table/Table.v
for file in Table Tied; do
    coqc -q -Q . Ringleader -Q table Ringleader table/$file.v
done
echo "table for N = 3: computed by Coq, the same as printed by prl.c"

echo "== the theorems =="
coqc -q -Q . Ringleader Report.v >report.log
cat report.log
stated=$(grep -c '^Check' Report.v)
closed=$(grep -c '^Closed under the global context$' report.log)
[ "$stated" = "$closed" ] || {
    echo "$stated theorems, but $closed of them closed" >&2
    exit 1
}

echo "== coqchk =="
coqchk -silent -o -Q . Ringleader Ringleader.Report >coqchk.log 2>&1 || {
    cat coqchk.log >&2
    exit 1
}
sed -n '/CONTEXT SUMMARY/,$p' coqchk.log
grep -q 'Axioms: <none>' coqchk.log
