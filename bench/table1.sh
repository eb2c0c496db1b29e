#!/bin/sh
# Measures the paper's Table 1: steps to the target for every protocol over growing rings, with a
# fitted exponent. Writes bench/table1.csv (one line a point), and from it docs/table1.md and
# src/protocols/fitted.h, the growth that `ringleader protocols` shows.
#
#   bench/table1.sh [RINGLEADER [TRIALS]]     default: build/ringleader, 100 (about 15 minutes)
#   bench/table1.sh --exponential [RINGLEADER [TRIALS]]   only the protocol of exponential time, on
#                                             small rings, into bench/exponential.csv (2 minutes)
#   bench/table1.sh --tables                  the two tables again, from the CSVs that are there
set -eu
cd "$(dirname "$0")/.."
sizes="16 32 64 128 256 512 1024"

# protocol, start, and what the claimed bound has besides a power of n (1 or log)
rows="prl random 1
prl leaderless 1
prl-oracle opposite 1
ppl random log
ppl leaderless log
fj06 random 1
fj06 opposite 1
aaf08 random 1
aaf08 barriers 1"

# summary ROW: the row, then count, mean, standard deviation and median of the numbers read.
summary() {
    sort -n | awk -v row="$1" '
        { x[NR] = $1; sum += $1; squares += $1 * $1 }
        END { mean = sum / NR
              printf "%s,%d,%.1f,%.1f,%.1f\n", row, NR, mean,
                     sqrt((squares - NR * mean * mean) / (NR - 1)),
                     (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'
}

measure() {
    echo "protocol,start,factor,n,trials,mean,deviation,median"
    echo "$rows" | while read -r protocol start factor; do
        for n in $sizes; do
            trial=0
            while [ "$trial" -lt "$trials" ]; do
                "$ringleader" elect -p "$protocol" -n "$n" --start "$start" --seed 1 \
                    --trial "$trial" --json | sed 's/.*"steps":\([0-9]*\).*/\1/'
                trial=$((trial + 1))
            done | summary "$protocol,$start,$factor,$n"
            echo "$protocol $start n = $n done" >&2
        done
    done
}

# protocol, start, patience, and the largest ring
exponential="fences random 6 8
fences hard 6 8
fences hard 4 7"

measure_exponential() {
    echo "protocol,start,factor,n,trials,mean,deviation,median"
    echo "$exponential" | while read -r protocol start patience largest; do
        for n in $(seq 2 "$largest"); do
            trial=0
            while [ "$trial" -lt "$trials" ]; do
                "$ringleader" elect -p "$protocol" -n "$n" --patience "$patience" --start "$start" \
                    --seed 1 --trial "$trial" --json | sed 's/.*"steps":\([0-9]*\).*/\1/'
                trial=$((trial + 1))
            done | summary "$protocol,$start with patience $patience,exp,$n"
        done
    done
}

if [ "${1:-}" = --exponential ]; then
    ringleader=${2:-build/ringleader}
    trials=${3:-400}
    measure_exponential >bench/exponential.csv.new
    mv bench/exponential.csv.new bench/exponential.csv
elif [ "${1:-}" != --tables ]; then
    ringleader=${1:-build/ringleader}
    trials=${2:-100}
    measure >bench/table1.csv.new
    mv bench/table1.csv.new bench/table1.csv
fi
[ -f bench/table1.csv ] || exit 0 # the tables want both
awk -v ringleader="${ringleader:-build/ringleader}" -f bench/table1.awk \
    bench/table1.csv bench/exponential.csv
