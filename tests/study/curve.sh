#!/bin/sh
# Curves are what `elect --timeline` shows of each trial, whoever did them when and however often
# the study was killed; the report has their means and quantiles.
#   curve.sh PROGRAM
. "$(dirname "$0")/../program.sh"
cd "$scratch"

plan() {
    printf 'trials = 12\nmax-steps = 30000\ngrid\n%s\nprotocol = prl, fj06\nn = 8, 21\n' "$1"
    printf 'start = leaders\nengine = event, step\nfault = none, 1@0+50%%@300\n'
    printf 'grid\n%s\nn = 1500\nmax-steps = none\nstart = leaders\ntrials = 100\n' "$1"
    printf 'grid\n%s\nn = 16\nafter = 100\n' "${2:-$1}"
}
plan 'curve = leaders' 'curve = live_bullets' >curves.plan
plan '' >bare.plan
values="SELECT spec, trial, trial.curve FROM trial JOIN point ON id = point ORDER BY 1, 2"

"$program" study --db one.db --plan curves.plan --jobs 1 --quiet
sqlite3 one.db "$values" >one.txt
[ "$(grep -c '{"' one.txt)" = $((12 * 17 + 100)) ]

# On threads, and with curves that were asked for later; a study killed in between.
"$program" study --db threads.db --plan curves.plan --jobs 5 --quiet
sqlite3 threads.db "$values" | cmp - one.txt
"$program" study --db late.db --plan bare.plan --quiet
[ "$(sqlite3 late.db 'SELECT count(*), count(curve) FROM trial')" = '304|0' ]
"$program" study --db late.db --plan curves.plan --extend --jobs 1 --quiet &
tries=0
while [ "$(sqlite3 late.db 'SELECT count(curve) FROM trial' 2>/dev/null || echo 0)" = 0 ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 3000 ]
done
kill -9 $!
wait $! || true
"$program" study --db late.db --quiet
sqlite3 late.db "$values" | cmp - one.txt
[ "$(sqlite3 late.db 'PRAGMA integrity_check')" = ok ]

# Trial by trial: what the timeline shows last at each step of a curve, up to the end of the run.
sqlite3 -separator ' ' one.db "SELECT protocol, n, start, engine, point.curve, after,
    trial, CASE WHEN max_steps THEN '--max-steps=' || max_steps ELSE '--seed=1' END,
    replace(CASE fault WHEN 'none' THEN '' ELSE '--fault ' || fault END, '+', ' --fault ')
    FROM trial JOIN point ON id = point WHERE trial % 4 = 1 AND trial < 12 ORDER BY spec, trial" >rows
while read -r protocol n start engine gauge after trial limit faults; do
    # shellcheck disable=SC2086 # the options are meant to be split
    "$program" elect -p "$protocol" -n "$n" --start "$start" --engine "$engine" --after "$after" \
        --trial "$trial" $limit $faults --timeline line >/dev/null || [ $? = 1 ]
    awk -F, -v gauge="$gauge" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == gauge) column = i; next }
        { power = 1; while (2 * power <= $1) power *= 2 }
        $1 < 2 || $1 == power || 2 * $1 == 3 * power { if (!($1 in seen)) order[count++] = $1; seen[$1] = $column }
        END {
            printf "{\"%s\":[", gauge
            for (i = 0; i < count; i++) printf "%s%d", i ? "," : "", seen[order[i]]
            print "]}"
        }' line
done <rows >elected
sqlite3 one.db "SELECT trial.curve FROM trial JOIN point ON id = point WHERE trial % 4 = 1
    AND trial < 12 ORDER BY spec, trial" | cmp - elected
echo "$(wc -l <elected) curves are what elect says"

# The report: of leaders the mean goes on after the hit, of other gauges to the first end of a run.
"$program" report one.db -o report >/dev/null
python3 - <<'CHECK'
import csv, json, sqlite3, statistics
rows = list(csv.DictReader(open("report/curves.csv")))
steps = [0, 1] + [s for k in range(1, 40) for s in (2 ** k, 3 * 2 ** (k - 1))]
seen = 0
for (point, n, protocol, gauge, engine, fault, after) in sqlite3.connect("one.db").execute(
        "SELECT id, n, protocol, curve, engine, fault, after FROM point").fetchall():
    trials = [(json.loads(curve)[gauge], reached, leaders) for curve, reached, leaders in
              sqlite3.connect("one.db").execute(
                  "SELECT curve, reached, leaders FROM trial WHERE point = ?", (point,))]
    told = [row for row in rows if (row["protocol"], row["n"], row["engine"], row["fault"],
                                    row["after"]) == (protocol, str(n), engine, fault, str(after))]
    ends = [len(c) for c, reached, _ in trials if gauge != "leaders" or not reached]
    count = min(ends) if ends else max(len(c) for c, _, _ in trials) + 1
    assert len(told) == count, (protocol, n, gauge, len(told), count)
    for k, row in enumerate(told):
        values = [c[k] if k < len(c) else leaders for c, _, leaders in trials]
        assert int(row["step"]) == steps[k] and row["gauge"] == gauge
        assert int(row["trials"]) == len(trials)
        assert abs(float(row["mean"]) - statistics.mean(values)) < 1e-6
        assert float(row["median"]) == statistics.median(values)
        seen += 1
assert seen > 200, seen
CHECK
ls report/plots | grep -q 'curve-leaders.svg' && ls report/plots | grep -q 'curve-live-bullets.csv'

# A gauge that the protocol has not; a curve that no run gave is done again.
got=0
"$program" study --db bad.db -p fj06 -n 8 --curve live_bullets 2>err || got=$?
[ "$got" = 2 ] && grep -q "fj06 has no gauge 'live_bullets'; there are leaders" err && [ ! -e bad.db ]
sqlite3 late.db "UPDATE trial SET curve = '{\"leaders\":[1]}' WHERE point = 1 AND trial = 3"
"$program" study --db late.db --json 2>/dev/null | grep -q '"done_now":1,.*"dropped":1'
sqlite3 late.db "$values" | cmp - one.txt
