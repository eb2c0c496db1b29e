#!/bin/sh
# Ctrl-C: interrupt.sh PROGRAM. A long election that is interrupted ends with exit status 1, says so,
# and leaves files that are complete.
set -eu
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# Whether the program, the child of `timeout`, catches SIGINT and SIGTERM by now: bits 1 and 14.
listens() {
    child=$(cat "/proc/$waiting/task/$waiting/children" 2>/dev/null) || return 1
    child=${child% }
    [ "$(cat "/proc/$child/comm" 2>/dev/null)" = ringleader ] || return 1
    caught=$(sed -n 's/^SigCgt:.*\(.\{8\}\)$/\1/p' "/proc/$child/status")
    [ $((0x${caught:-0} & 0x4002)) = $((0x4002)) ]
}

# interrupt SIGNAL OPTION...: an election that would take hours, interrupted once it listens.
interrupt() {
    signal=$1
    shift
    timeout 60 "$program" elect -n 2000 -N 2e7 --start leaderless --engine step "$@" \
        >out 2>err &
    waiting=$!
    tries=0
    until listens; do
        tries=$((tries + 1))
        [ "$tries" -lt 200 ] || { echo "it never listened"; exit 1; }
        sleep 0.05
    done
    kill -s "$signal" "$child"
    status=0
    wait "$waiting" || status=$?
    [ "$status" = 1 ] || { echo "$signal: exit $status, not 1"; cat out err; exit 1; }
    [ ! -s err ] || { echo "$signal: something on standard error"; cat err; exit 1; }
}

interrupt INT --trace t.rlt --timeline t.csv
grep -q '^stopped  interrupted at step [0-9,]*, before S_RL$' out || { cat out; exit 1; }
"$program" replay t.rlt >/dev/null
[ "$(head -n 1 t.csv)" = step,leaders,live_bullets,dummy_bullets,signals,insecure_agents,maximal_dist ]

interrupt TERM --json
grep -q '"reached":false,.*"interrupted":true' out || { cat out; exit 1; }

# A verification decides nothing, and leaves no file either.
timeout 60 "$program" verify -n 6 --only closure --trace v.rlt >out 2>err &
waiting=$!
tries=0
until listens; do
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || { echo "it never listened"; exit 1; }
    sleep 0.05
done
kill -s INT "$child"
status=0
wait "$waiting" || status=$?
[ "$status" = 1 ] || { echo "verify: exit $status, not 1"; cat out err; exit 1; }
grep -q '^ringleader: interrupted after .* s, with nothing decided$' err || { cat err; exit 1; }
[ ! -s out ] || { cat out; exit 1; }

# Nothing half-written stays.
rm out err t.rlt t.csv
[ -z "$(ls)" ] || { ls; exit 1; }
