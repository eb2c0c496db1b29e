#!/bin/sh
# The same bytes whoever does the work: threads, shares, and `elect` one by one.
#   same.sh PROGRAM
. "$(dirname "$0")/../program.sh"
cd "$scratch"

cat >plan <<'PLAN'
trials = 12
grid
n = 8..64x2
N = 1n, 2n
start = random, leaderless
grid
protocol = prl, prl-dummy
n = 20
engine = event, step
fault = none, 1@0, 50%@10n^2+100%@20n^2
max-steps = 50000
seed = 5
PLAN

export_of() {
    "$program" report "$@" --csv -
}

"$program" study --db one.db --plan plan --jobs 1 --quiet
"$program" study --db two.db --plan plan --jobs 2 --quiet
"$program" study --db five.db --plan plan --jobs 5 --quiet
export_of one.db >one.csv
[ "$(wc -l <one.csv)" = $((1 + 12 * (4 * 2 * 2 + 2 * 2 * 3))) ]
export_of two.db | cmp - one.csv
export_of five.db | cmp - one.csv

# Shares: each file has its part, together they are everything.
for share in 1 2 3; do
    "$program" study --db share$share.db --plan plan --share $share/3 --quiet
done
export_of share1.db share3.db share2.db | cmp - one.csv

# A stopping rule stops at the same trials.
for jobs in 1 2; do
    "$program" study --db rule$jobs.db -n 8..32x2 --trials 2000 --until-error 5% --jobs $jobs --quiet
    export_of rule$jobs.db >rule$jobs.csv
done
cmp rule1.csv rule2.csv
rows=$(wc -l <rule1.csv)
[ "$rows" -gt 97 ] && [ "$rows" -lt 3000 ]

# Every row is what `elect` says.
sqlite3 -separator ' ' one.db "SELECT protocol, n, parameters->>'N', start, seed, trial, engine,
    replace(CASE fault WHEN 'none' THEN '' ELSE '--fault ' || fault END, '+', ' --fault '),
    CASE WHEN max_steps THEN '--max-steps ' || max_steps ELSE '' END
    FROM trial JOIN point ON point.id = trial.point WHERE trial % 5 = 2 ORDER BY point, trial" >rows
sqlite3 one.db "SELECT json_object('protocol', protocol, 'n', n, 'N', parameters->>'N',
    'start', start, 'seed', seed, 'trial', trial, 'engine', engine, 'target', target,
    'reached', json(CASE reached WHEN 1 THEN 'true' ELSE 'false' END), 'steps', steps,
    'hits', json(hits), 'faults', json(faults), 'leaders', leaders, 'leader', leader,
    'interrupted', json('false'), 'events', events, 'stream_version', stream_version)
    FROM trial JOIN point ON point.id = trial.point WHERE trial % 5 = 2 ORDER BY point, trial" >stored
[ "$(sqlite3 one.db 'SELECT count(*) > 0 AND count(steps) = 0 FROM trials WHERE NOT reached')" = 1 ]
while read -r protocol n bound start seed trial engine options; do
    # shellcheck disable=SC2086 # the options are meant to be split
    "$program" elect -p "$protocol" -n "$n" -N "$bound" --start "$start" --seed "$seed" \
        --trial "$trial" --engine "$engine" $options --json || [ $? = 1 ]
done <rows | sed 's/,"wall_seconds":[^}]*//; s/"max_steps":[0-9]*,//' >elected
cmp stored elected
echo "$(wc -l <elected) trials are what elect says"

# Status and continuing are quiet about a study that is done.
"$program" study --status one.db | grep -q 'nobody is working on it'
"$program" study --db one.db --json | grep -q '"done_now":0,"finished":true'
