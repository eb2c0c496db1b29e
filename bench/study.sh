#!/bin/sh
# How well a study shares its work: the same plan by one thread, two threads, and three MPI ranks
# (one writes, two work), the best of two rounds each, taken in turns. Seconds are those of the whole
# command, mpirun's own included. Prints one table; it means something on an idle machine only.
#   bench/study.sh PROGRAM
set -eu
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# On a machine of one's own: root, and three ranks on two cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

cat >plan <<'PLAN'
n = 64..2048x2
start = random, leaderless
trials = 1000
PLAN

# seconds NAME COMMAND...: runs it on a new file and notes how long it took.
seconds() {
    name=$1
    shift
    rm -f "$name.db"
    began=$(date +%s%N)
    "$@" --db "$name.db" --plan plan --quiet
    echo "$(($(date +%s%N) - began))" >>"$name.nanoseconds"
    "$program" report "$name.db" --csv "$name.csv"
}

has_mpi=no
if "$program" study --help | grep -q 'Under mpirun' && command -v mpirun >/dev/null; then
    has_mpi=yes
fi
for _ in 1 2; do
    seconds one "$program" study --jobs 1
    seconds two "$program" study --jobs 2
    [ $has_mpi = no ] || seconds ranks mpirun --oversubscribe -n 3 "$program" study
done

row() {
    best=$(sort -g "$2.nanoseconds" | head -n 1)
    base=$(sort -g one.nanoseconds | head -n 1)
    same=yes
    cmp -s one.csv "$2.csv" || same=NO
    awk -v name="$1" -v best="$best" -v base="$base" -v same="$same" \
        'BEGIN { printf "%-14s %8.2f %10.2f   %s\n", name, best / 1e9, base / best, same }'
}
echo "study, $(wc -l <one.csv | awk '{print $1 - 1}') trials of prl, n = 64 .. 2048"
printf '%-14s %8s %10s   %s\n' "" seconds "x jobs 1" "same export"
row "--jobs 1" one
row "--jobs 2" two
[ $has_mpi = no ] || row "mpirun -n 3" ranks
