#!/bin/sh
# Real rings beside the model: rings.sh PROGRAM [TRIALS [RATE [SIZES]]].
#
# For each size, elections of real processes from random memory, and a thousand simulated ones.
# Compared is the parallel time of the hit of S_RL: steps / n, of both, where a step of a real ring is
# an interaction of its account. Writes rings.csv, one line a real election, and a table:
# means with their 95 % intervals, and the two-sample Kolmogorov-Smirnov distance with what it stays
# below in 95 % of cases if the two distributions are one.
set -eu
program=$(realpath "$1")
trials=${2:-30}
rate=${3:-50}
sizes=${4:-4 8 16 32 64}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

value() {
    sed -E "s/.*\"$1\":([^,}]*).*/\1/" "$2"
}

echo "n,trial,rate,S_RL_steps,parallel_time,seconds,rate_times_round_trip,anomalies" >rings.csv
for n in $sizes; do
    trial=0
    while [ "$trial" -lt "$trials" ]; do
        # It holds as long as a ring of that size needs from its last leader to S_RL, and then some.
        "$program" ring -n "$n" --rate "$rate" --hold "$(awk "BEGIN { print 0.5 + 3 * $n / $rate }")" \
            --limit 600 --json >"$work/ring.json"
        steps=$(value S_RL "$work/ring.json")
        echo "$n,$trial,$rate,$steps,$(awk "BEGIN { print $steps / $n }" 2>/dev/null || echo),$(value elected_after_seconds "$work/ring.json"),$(value rate_times_round_trip "$work/ring.json"),$(value anomalies "$work/ring.json")" >>rings.csv
        trial=$((trial + 1))
    done
    k=0
    while [ "$k" -lt 1000 ]; do
        "$program" elect -n "$n" --trial "$k" --json >"$work/elect.json"
        echo "$n $(value steps "$work/elect.json")" >>"$work/model"
        k=$((k + 1))
    done
done

awk -F '[, ]' '
function mean_of(list, count,   i, sum) { for (i = 1; i <= count; i++) sum += list[i]; return sum / count }
function half_of(list, count, mean,   i, sum) {
    for (i = 1; i <= count; i++) sum += (list[i] - mean) ^ 2
    return 1.96 * sqrt(sum / (count - 1) / count)
}
# The share of a list that is at most x.
function share(list, count, x,   i, below) { for (i = 1; i <= count; i++) below += list[i] <= x; return below / count }
function abs(x) { return x < 0 ? -x : x }
FILENAME ~ /model$/ { model[$1, ++models[$1]] = $2 / $1; next }
FNR > 1 && $4 != "null" { real[$1, ++reals[$1]] = $5; trips[$1] += $7; strange[$1] += $8; order[$1] = 1 }
FNR > 1 && $4 == "null" { unfinished[$1]++ }
END {
    print "| n | real rings: parallel time to S_RL | the model | distance (95 %) | lambda x round trip | anomalies |"
    print "|---|---|---|---|---|---|"
    for (n = 2; n <= 512; n++) {
        if (!(n in order)) continue
        for (i = 1; i <= reals[n]; i++) a[i] = real[n, i]
        for (i = 1; i <= models[n]; i++) b[i] = model[n, i]
        distance = 0
        for (i = 1; i <= reals[n]; i++) {
            d = abs(share(a, reals[n], a[i]) - share(b, models[n], a[i]))
            if (d > distance) distance = d
            d = abs(share(a, reals[n], a[i]) - 1 / reals[n] - share(b, models[n], a[i]))
            if (d > distance) distance = d
        }
        limit = 1.358 * sqrt(1 / reals[n] + 1 / models[n])
        ma = mean_of(a, reals[n]); mb = mean_of(b, models[n])
        printf "| %d | %.1f +- %.1f (%d elections%s) | %.1f +- %.1f | %.3f (%.3f) | %.4f | %d |\n", n, ma,
            half_of(a, reals[n], ma), reals[n], unfinished[n] ? ", " unfinished[n] " not to S_RL" : "", mb,
            half_of(b, models[n], mb), distance, limit, trips[n] / reals[n], strange[n]
    }
}' "$work/model" rings.csv
