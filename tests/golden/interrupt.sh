#!/bin/sh
# Ctrl-C: interrupt.sh PROGRAM. A long election that is interrupted ends with exit status 1, says so,
# and leaves files that are complete.
. "$(dirname "$0")/../program.sh"
cd "$scratch"

# Whether the program, the child of `timeout`, catches SIGINT and SIGTERM by now: bits 1 and 14.
listens() {
    child=$(cat "/proc/$waiting/task/$waiting/children" 2>/dev/null) || return 1
    child=${child% }
    [ "$(cat "/proc/$child/comm" 2>/dev/null)" = ringleader ] || return 1
    caught=$(sed -n 's/^SigCgt:.*\(.\{8\}\)$/\1/p' "/proc/$child/status")
    [ $((0x${caught:-0} & 0x4002)) = $((0x4002)) ]
}

# interrupt SIGNAL SECONDS OPTION...: the program, interrupted so long after it listens.
interrupt() {
    signal=$1
    seconds=$2
    shift 2
    timeout 90 "$program" "$@" >out 2>err &
    waiting=$!
    tries=0
    until listens; do
        tries=$((tries + 1))
        [ "$tries" -lt 200 ] || { echo "it never listened"; exit 1; }
        sleep 0.05
    done
    sleep "$seconds"
    kill -s "$signal" "$child"
    status=0
    wait "$waiting" || status=$?
    [ "$status" = 1 ] || { echo "$signal: exit $status, not 1"; cat out err; exit 1; }
}

# An election that would take hours.
interrupt_election() {
    signal=$1
    shift
    interrupt "$signal" 0 elect -n 2000 -N 2e7 --start leaderless --engine step "$@"
    [ ! -s err ] || { echo "$signal: something on standard error"; cat err; exit 1; }
}

interrupt_election INT --trace t.rlt --timeline t.csv
grep -q '^ended    at step [0-9,]*, interrupted, before S_RL$' out || { cat out; exit 1; }
"$program" replay t.rlt >/dev/null
[ "$(head -n 1 t.csv)" = step,leaders,live_bullets,dummy_bullets,signals,insecure_agents,maximal_dist ]

# One that goes on beyond the hit says nothing of it.
interrupt INT 0 elect -n 20 --start safe --engine step --until steps=1e15
grep -q '^ended    at step [0-9,]*, interrupted$' out || { cat out; exit 1; }

interrupt_election TERM --json
grep -q '"reached":false,.*"interrupted":true' out || { cat out; exit 1; }

# A picture and a distribution that are interrupted are not there at all.
interrupt INT 0 draw -n 2000 -N 2e7 --start leaderless --engine step -o p.svg
[ "$(cat err)" = "ringleader: interrupted" ] || { cat err; exit 1; }
interrupt INT 0 verify -n 4 --start random --jobs 1 --distribution p.csv
[ "$(cat err)" = "ringleader: interrupted" ] || { cat err; exit 1; }

# Neither is any of a verification.
interrupt INT 0 verify -n 6 --only closure --trace v.rlt
grep -q '^ringleader: interrupted after .* s$' err || { cat err; exit 1; }
[ ! -s out ] || { cat out; exit 1; }
interrupt INT 0 verify -n 6 --only closure --json
grep -q '"all_well":null,"interrupted":true' out || { cat out; exit 1; }

# Nothing half-written stays.
rm out err t.rlt t.csv
[ -z "$(ls)" ] || { ls; exit 1; }
