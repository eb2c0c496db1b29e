#!/bin/sh
# A study that is stopped with Ctrl-C, or that two want to do at once, has in the end exactly the rows of
# an undisturbed one (tests/torture/kill.sh has kill -9): stop.sh PROGRAM
# shellcheck disable=SC2086 # the options are meant to be split
. "$(dirname "$0")/../program.sh"
cd "$scratch"

# Trials of some milliseconds each, so that they are not done before the signal comes.
options="-n 1024,2048 --start random,leaderless --trials 200 --quiet"
"$program" study --db whole.db $options
"$program" report whole.db --csv whole.csv
[ "$(wc -l <whole.csv)" = 801 ]

rows_in() {
    sqlite3 "$1" 'SELECT count(*) FROM trial' 2>/dev/null || echo 0
}
# wait_for ROWS FILE: until a study that is at work has written that many.
wait_for() {
    tries=0
    while [ "$(rows_in "$2")" -lt "$1" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 3000 ]
        sleep 0.02
    done
}

# Ctrl-C: exit 1, and the rest on the next call.
"$program" study --db stopped.db $options &
pid=$!
wait_for 1 stopped.db
kill -INT "$pid"
got=0
wait "$pid" || got=$?
[ "$got" = 1 ]
"$program" study --db stopped.db $options
"$program" report stopped.db --csv - | cmp - whole.csv

# Two at once on one file: one is refused, nothing is lost.
"$program" study --db both.db $options &
pid=$!
wait_for 1 both.db
got=0
"$program" study --db both.db $options 2>err || got=$?
"$program" study --status both.db >status
wait "$pid"
[ "$got" = 3 ] && grep -q 'another study' err && grep -q 'running for' status
"$program" report both.db --csv - | cmp - whole.csv
