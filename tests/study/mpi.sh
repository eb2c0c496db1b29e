#!/bin/sh
# Ranks give the same bytes as threads; a rank that dies stops the run with what is finished kept,
# and a rerun completes it.
#   mpi.sh PROGRAM
# shellcheck disable=SC2086 # the options are meant to be split
. "$(dirname "$0")/../program.sh"
if ! "$program" study --help | grep -q 'Under mpirun'; then
    echo "built without MPI, and --help says so"
    "$program" study --help | grep -q 'built without MPI'
    exit 77
fi
cd "$scratch"
# For a test machine: root, and more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() {
    mpirun --oversubscribe -n "$@"
}

options="-n 32..256x2 --start random,leaderless --trials 50 --curve leaders --quiet"
"$program" study --db threads.db $options
ranks 3 "$program" study --db ranks.db $options
ranks 1 "$program" study --db alone.db $options
"$program" report threads.db --csv threads.csv
"$program" report ranks.db --csv - | cmp - threads.csv
"$program" report alone.db --csv - | cmp - threads.csv
curves='SELECT point, trial, curve FROM trial ORDER BY 1, 2'
sqlite3 threads.db "$curves" >threads.curves
grep -c leaders threads.curves
sqlite3 ranks.db "$curves" | cmp - threads.curves
[ "$(sqlite3 ranks.db 'SELECT workers FROM session')" = 2 ]

# A wrong request ends all ranks at once, with its one line and exit 2.
got=0
ranks 3 "$program" study --db ranks.db -n 8 --trials -1 >/dev/null 2>err || got=$?
[ "$got" = 2 ] && [ "$(grep -c '^ringleader: ' err)" = 1 ]
# refused TEXT WORD...: one rank says so, and all end.
refused() {
    got=0
    told=$1
    shift
    ranks 3 "$program" study --db no.db "$@" >/dev/null 2>err || got=$?
    [ "$got" = 2 ] && [ "$(grep '^ringleader: ' err)" = "ringleader: $told" ] || { cat err; exit 1; }
    [ ! -e no.db ]
}
export XDG_CACHE_HOME="$scratch/cache"
"$program" new mine >/dev/null
refused "--watchdog: 'soon' is not a count: write 1000, 1e6, 10k (below 2^63)" -n 4 --watchdog=soon
echo 'protocol = nosuch.c; n = 8; trials = 5' >plan
refused "the protocol nosuch.c cannot be read: No such file or directory" --plan=plan
# A plan is read by every rank, for its protocols.
echo 'n = 8; trials = 5' >plan
ranks 3 "$program" study --db plan.db --plan=plan --quiet
[ "$(sqlite3 plan.db 'SELECT count(*) FROM trial')" = 5 ]
# Nothing to do ends them too.
ranks 3 "$program" study --db ranks.db $options

# Kill one worker in the middle. The work: enough for several seconds.
options="-n 1024 --start leaderless --trials 400 --quiet"
mpirun --oversubscribe -n 3 "$program" study --db dead.db $options >/dev/null 2>&1 &
run=$!
tries=0
until [ "$(sqlite3 dead.db 'SELECT count(*) FROM trial' 2>/dev/null || echo 0)" -gt 20 ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ]
    sleep 0.1
done
worker=$(pgrep -P "$run" -n)
kill -9 "$worker"
got=0
wait "$run" || got=$?
[ "$got" != 0 ]
rows=$(sqlite3 dead.db 'SELECT count(*) FROM trial')
echo "a rank died; $rows rows are kept"
[ "$rows" -gt 20 ] && [ "$rows" -lt 400 ]
[ "$(sqlite3 dead.db 'PRAGMA integrity_check')" = ok ]
ranks 3 "$program" study --db dead.db $options
"$program" study --db whole.db $options
"$program" report whole.db --csv whole.csv
"$program" report dead.db --csv - | cmp - whole.csv
