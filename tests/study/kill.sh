#!/bin/sh
# A study of 2,000 trials, killed with -9 five times at moments drawn with a fixed seed, has in the
# end exactly the rows of an uninterrupted one.
#   kill.sh PROGRAM
set -eu
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

options="-n 64..1024x2 --start random,leaderless --trials 200 --quiet"
began=$(date +%s%N)
# shellcheck disable=SC2086 # the options are meant to be split
"$program" study --db whole.db $options --jobs 1
took=$((($(date +%s%N) - began) / 1000000))
"$program" report whole.db --csv whole.csv
[ "$(wc -l <whole.csv)" = 2001 ]

# Park and Miller's generator gives moments between 1 and 6 % of what one worker needed for all.
random=20201208
killed=0
before=0
while [ "$killed" -lt 5 ]; do
    # shellcheck disable=SC2086
    "$program" study --db killed.db $options --jobs 2 &
    pid=$!
    random=$((random * 16807 % 2147483647))
    sleep "$(printf '%d.%03d' $((took * (10 + random % 50) / 1000000)) \
        $((took * (10 + random % 50) / 1000 % 1000)))"
    if ! kill -9 "$pid" 2>/dev/null; then
        echo "the study was done before it could be killed five times"
        exit 1
    fi
    wait "$pid" || true
    killed=$((killed + 1))
    rows=$(sqlite3 killed.db 'SELECT count(*) FROM trial' 2>/dev/null || echo 0)
    echo "killed with $rows rows"
    [ "$rows" -ge "$before" ] && [ "$rows" -lt 2000 ]
    before=$rows
done
[ "$before" -gt 0 ]
# shellcheck disable=SC2086
"$program" study --db killed.db $options
[ "$(sqlite3 killed.db 'PRAGMA integrity_check')" = ok ]
[ "$(sqlite3 killed.db 'SELECT count(*) FROM trial')" = 2000 ]
"$program" report killed.db --csv - | cmp - whole.csv

# Smaller work for the rest.
options="-n 64..512x2 --start random,leaderless --trials 100 --quiet"
# shellcheck disable=SC2086
"$program" study --db small.db $options
"$program" report small.db --csv small.csv

# Ctrl-C: exit 1, and the rest on the next call.
# shellcheck disable=SC2086
"$program" study --db stopped.db $options &
pid=$!
sleep 0.15
kill -INT "$pid"
got=0
wait "$pid" || got=$?
[ "$got" = 1 ]
# shellcheck disable=SC2086
"$program" study --db stopped.db $options
"$program" report stopped.db --csv - | cmp - small.csv

# Two at once on one file: one is refused, nothing is lost.
# shellcheck disable=SC2086
"$program" study --db both.db $options &
pid=$!
sleep 0.15
got=0
# shellcheck disable=SC2086
"$program" study --db both.db $options 2>err || got=$?
"$program" study --status both.db >status
wait "$pid"
[ "$got" = 3 ] && grep -q 'another study' err && grep -q 'at work for' status
"$program" report both.db --csv - | cmp - small.csv
