#!/bin/sh
# Rings of real processes as trials of a study: study.sh PROGRAM. They are kept and reported beside
# simulated ones, an interrupt loses none that is done, and what cannot be a ring of processes is
# refused before anything is written.
set -eu
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
    echo "$1"
    exit 1
}

# own_pipes NODE: the pipes that a node has and this script has not; its log is one.
own_pipes() {
    find "/proc/$1/fd" -lname 'pipe:*' -printf '%p %l\n' 2>/dev/null |
        grep -vF "$(find /proc/$$/fd -lname 'pipe:*' -printf ' %l\n'; echo none)" | cut -d ' ' -f 1
}

# rows SQL: of the study.
rows() {
    sqlite3 study.db "$1"
}

"$program" study --db study.db -n 3,4 --engine event,processes --trials 2 --json >study.json
grep -q '"done":8,.*"finished":true' study.json || fail "not all trials: $(cat study.json)"
real="SELECT id FROM point WHERE engine = 'processes'"
[ "$(rows "SELECT count(*) FROM trial WHERE reached AND leaders = 1 AND point IN ($real)")" = 4 ] ||
    fail "four real rings should have elected: $(rows 'SELECT * FROM trial')"
[ "$(rows "SELECT count(*) FROM trip WHERE rate_times_round_trip > 0 AND point IN ($real)")" = 4 ] ||
    fail "a round trip for each real ring: $(rows 'SELECT * FROM trip')"
"$program" report study.db -o report >/dev/null
[ "$(grep -c '<tr><td>prl<td>[34]<td class=left>random<td>' report/index.html)" = 2 ] ||
    fail "the report should have both sizes beside the model"
cp study.db older.db # round trips were not always kept
sqlite3 older.db 'DELETE FROM trip'
"$program" report older.db -o report >/dev/null
[ "$(grep -c '<td>not kept</tr>' report/index.html)" = 2 ] || fail "round trips that were not kept"
grep -q 'prl,4,4,random,processes' report/trials.csv || fail "the export should name the engine"

# A damaged file gives its real rings back, too.
head -c "$(($(stat -c %s study.db) - 1000))" study.db >damaged.db
"$program" study --db saved.db --salvage damaged.db --quiet
[ "$(sqlite3 saved.db 'SELECT count(*) FROM trial')" = 8 ] || fail "salvage should end with all trials"

# Interrupted in the middle of a ring: what is done stays, nobody is left, and it goes on.
"$program" study --db more.db -n 12 --engine processes --trials 40 >out 2>&1 &
study=$!
until [ "$(sqlite3 more.db 'SELECT count(*) FROM trial' 2>/dev/null || echo 0)" -gt 0 ]; do sleep 0.05; done
until [ "$(pgrep -cP $study)" = 12 ]; do sleep 0.01; done
kill -s INT $study
status=0
wait $study || status=$?
[ "$status" = 1 ] || fail "interrupted: exit $status"
grep -q '^interrupted; to go on' out || fail "an interrupt should say how to go on: $(cat out)"
! pgrep -P $study >/dev/null || fail "processes were left behind"
[ "$(sqlite3 more.db 'SELECT count(*) > 0 AND min(reached) FROM trial')" = 1 ] ||
    fail "finished rings were lost, or an unfinished one was kept"

# An interaction that is none of the protocol's, put into a node's log: no such trial is kept.
"$program" study --db wrong.db -n 4 --engine processes --trials 1 >out 2>&1 &
study=$!
# Meanwhile the study stands still.
until
    kill -s STOP $study
    node=$(pgrep -P $study | tail -n 1)
    log=$(own_pipes "$node") && [ "$(echo "$log" | grep -c .)" = 1 ] && echo 'done 1 0 0 1 1' >"$log"
do
    kill -s CONT $study
    sleep 0.01
done
kill -s CONT $study
status=0
wait $study || status=$?
[ "$status" = 3 ] || fail "an anomaly: exit $status"
grep -q 'a ring of 4 processes had [0-9]* interactions that are none of the protocol' out ||
    fail "an anomaly should be told: $(cat out)"
[ "$(sqlite3 wrong.db 'SELECT count(*) FROM trial')" = 0 ] || fail "a ring with an anomaly was kept"

# refused TEXT OPTION...
refused() {
    text=$1
    shift
    status=0
    "$program" study --db none.db "$@" 2>err || status=$?
    [ "$status" = 2 ] || fail "$*: exit $status"
    grep -q "$text" err || fail "$*: $(cat err)"
    [ ! -e none.db ] || fail "$*: a file was made"
}
printf '#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L")
#include "ringleader/agent.h"
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (l->leader) r->leader = 0;
}
static inline bool leads(struct agent agent) { return agent.leader; }\n' >setless.c
refused 'setless declares no set whose hit' -p setless.c -n 4 --engine processes
refused 'takes no fault' -n 4 --engine processes --fault 1@0
refused 'no max-steps' -n 4 --engine processes --max-steps 5
refused '2 to 512' -n 513 --engine processes
refused 'has an oracle' -p fj06 -n 4 --engine processes
echo "real rings in a study: kept, reported, salvaged, interrupted, refused"
