#!/bin/sh
# Runs a fuzzer briefly: run.sh FUZZER RINGLEADER NAME. It begins from corpus/NAME; executions
# and certificates are made here. With FUZZ_SECONDS in the environment it goes on that long.
set -eu
fuzzer=$(realpath "$1")
program=$(realpath "$2")
seeds=$(cd "$(dirname "$0")" && pwd)/corpus/$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/corpus"
[ ! -d "$seeds" ] || cp "$seeds"/* "$scratch/corpus"
if [ "$3" = execution ]; then
    for options in '-n 2' '-n 4 --start leaderless' '-n 5 -N 7 --start safe --fault 3@9 --fault 5@20' \
        '-n 9 -p prl-dummy --until C_NI' '-n 200 --start safe'; do
        # shellcheck disable=SC2086 # the options are meant to be split
        "$program" elect $options --trace "$scratch/corpus/$(echo "$options" | tr -d ' -@')" >/dev/null
    done
fi
longest=512
if [ "$3" = certificate ]; then
    longest=4096 # with all of its automata
    "$program" prove -p fj06 --certificate "$scratch/corpus/whole" >/dev/null
    { sed '/^stage /,$d; s/^from .*/from 0/' "$scratch/corpus/whole" && echo end; } >"$scratch/corpus/safe"
fi
cd "$scratch"
if [ -n "${FUZZ_SECONDS:-}" ]; then
    limit="-max_total_time=$FUZZ_SECONDS"
else
    limit="-runs=20000 -max_total_time=8 -seed=1"
fi
# shellcheck disable=SC2086
"$fuzzer" $limit -max_len=$longest -timeout=10 -print_final_stats=1 corpus 2>log || {
    tail -n 40 log
    for found in crash-* leak-* timeout-* oom-*; do
        [ ! -f "$found" ] || { echo "$found:"; od -c "$found"; }
    done
    exit 1
}
grep -E '^stat::number_of_executed_units|^Done' log
