#!/bin/sh
# A study of 2,000 trials, killed with -9 five times at moments drawn with a fixed seed, has in the
# end exactly the rows of an uninterrupted one.
#   kill.sh PROGRAM
set -eu
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Trials of some milliseconds each: of shorter ones the last thousand are done before the fifth kill.
options="-n 1024,2048 --start random,leaderless --trials 500 --quiet"
# shellcheck disable=SC2086 # the options are meant to be split
"$program" study --db whole.db $options
"$program" report whole.db --csv whole.csv
[ "$(wc -l <whole.csv)" = 2001 ]

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

# Park and Miller's generator says how many rows to wait for and how long after them to kill.
random=20201208
killed=0
before=0
while [ "$killed" -lt 5 ]; do
    # shellcheck disable=SC2086
    "$program" study --db killed.db $options --jobs 2 &
    pid=$!
    random=$((random * 16807 % 2147483647))
    wait_for $((before + random % 200)) killed.db
    sleep "0.0$((random / 200 % 10))"
    kill -9 "$pid"
    wait "$pid" || true
    killed=$((killed + 1))
    rows=$(rows_in killed.db)
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

# Ctrl-C: exit 1, and the rest on the next call.
# shellcheck disable=SC2086
"$program" study --db stopped.db $options &
pid=$!
wait_for 1 stopped.db
kill -INT "$pid"
got=0
wait "$pid" || got=$?
[ "$got" = 1 ]
# shellcheck disable=SC2086
"$program" study --db stopped.db $options
"$program" report stopped.db --csv - | cmp - whole.csv

# Two at once on one file: one is refused, nothing is lost.
# shellcheck disable=SC2086
"$program" study --db both.db $options &
pid=$!
wait_for 1 both.db
got=0
# shellcheck disable=SC2086
"$program" study --db both.db $options 2>err || got=$?
"$program" study --status both.db >status
wait "$pid"
[ "$got" = 3 ] && grep -q 'another study' err && grep -q 'at work for' status
"$program" report both.db --csv - | cmp - whole.csv
