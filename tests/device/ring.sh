#!/bin/sh
# A ring of eight processes, with every kind of trouble: ring.sh PROGRAM. It elects, its account has no
# anomaly and replays to the same end, and it leaves no process behind, however it ends.
. "$(dirname "$0")/../program.sh"
cd "$scratch"

# value KEY FILE: of a number or a word in JSON.
value() {
    sed -E "s/.*\"$1\":(\[[^]]*\]|\{[^}]*\}|\"[^\"]*\"|[^,}]*).*/\1/" "$2"
}

fail() {
    echo "$1"
    cat ./*.json
    exit 1
}

# await CONDITION: for what never comes there is a limit of a minute.
await() {
    for try in $(seq 1200); do
        ! eval "$1" || return 0
        sleep 0.05
    done
    fail "never: $1"
}

# alone: no process has this directory in its arguments.
alone() {
    ! pgrep -f "$scratch/" >/dev/null || fail "processes were left behind: $(pgrep -af "$scratch/")"
}

# election NAME OPTION...: it elects, without an anomaly, and replays.
election() {
    name=$1
    shift
    status=0
    "$program" ring -n 8 --rate 100 --hold 0.5 --json --start-out "$scratch/start" \
        --schedule-out "$scratch/schedule" "$@" >ring.json || status=$?
    [ "$status" = 0 ] || fail "$name: exit $status"
    alone
    [ "$(value anomalies ring.json)" = 0 ] || fail "$name: anomalies"
    [ "$(value leaders ring.json)" = 1 ] || fail "$name: not one leader"
    steps=$(value steps ring.json)
    [ "$(wc -w <schedule)" = "$steps" ] || fail "$name: the schedule is not as long as the account"
    "$program" elect -n 8 -N "$(value N ring.json)" --start start --schedule schedule \
        --end end --json >elect.json
    [ "$(value leader elect.json)" = "$(value leader ring.json)" ] || fail "$name: another leader"
    [ "$(value hits elect.json)" = "$(value hits ring.json)" ] || fail "$name: other hits"
    [ "$(xargs <end)" = "$(value end ring.json | tr -d '[]"' | tr ',' ' ')" ] ||
        fail "$name: the replay ends elsewhere: $(xargs <end)"
    echo "$name: $(value interactions ring.json) interactions, $steps replayed"
}

election "no trouble"
mv start first
election "a bound above n" -N 11
election "a bad network" --loss 20% --duplicate 0.2 --reorder 20% --delay 3
! cmp -s first start || fail "two rings begin alike"
election "kills and corruption" --loss 20% --duplicate 20% --kill 2@0.2 --kill 6@0.4 --corrupt 4@1.5
election "a partition" --partition 3@0-0.5 --start leaderless
election "heavy loss" --loss 70%

# One node dead to the end of the time allowed: not elected, and told so.
status=0
"$program" ring -n 8 --rate 100 --kill 1@0.1 --limit 0.5 --json --start-out "$scratch/start" >ring.json ||
    status=$?
[ "$status" = 1 ] || fail "a limit that is too short: exit $status"
alone

# A node that was killed comes back as another process.
"$program" ring -n 2 --kill 0@1 --hold 60 --start-out "$scratch/start" >out 2>&1 &
ring=$!
await '[ "$(pgrep -cP $ring)" = 2 ]'
nodes=$(pgrep -P $ring)
await '[ "$(pgrep -cP $ring)" = 2 ] && [ "$(pgrep -P $ring)" != "$nodes" ]'
kill $ring
wait $ring || true
alone

# It ends as soon as its nodes have, not after the time that they are given; one try in five is quick enough.
for try in 1 2 3 4 5; do
    ! timeout 1.5 "$program" ring -n 2 --start safe --rate 100 --hold 0.1 --json >ring.json || break
    [ "$try" -lt 5 ] || fail "it takes long to end"
done

# Whatever ends the ring's process, its nodes end too.
for signal in TERM KILL; do
    "$program" ring -n 8 --limit 60 --hold 60 --start-out "$scratch/start" >out 2>&1 &
    ring=$!
    await '[ "$(pgrep -cP $ring)" = 8 ]'
    kill -s $signal $ring
    status=0
    wait $ring 2>/dev/null || status=$?
    [ "$signal $status" = "TERM 1" ] || [ "$signal $status" = "KILL 137" ] ||
        fail "SIG$signal: exit $status"
    await '! pgrep -f "$scratch/" >/dev/null'
done

# A node that ends without the ring's doing: that is the end, and is told.
"$program" ring -n 8 --limit 60 --hold 60 --start-out "$scratch/start" >out 2>&1 &
ring=$!
await '[ "$(pgrep -cP $ring)" = 8 ]'
kill -s KILL "$(pgrep -P $ring | head -n 1)"
status=0
wait $ring || status=$?
[ "$status" = 3 ] && grep -qx 'ringleader: a node stopped by itself' out || fail "exit $status: $(cat out)"
alone

# The logs of nodes that ran by themselves; a real ring of three, and the same account. On IPv6, if
# this machine has it.
host=127.0.0.1
! grep -q '^00000000000000000000000000000001 ' /proc/net/if_inet6 2>/dev/null || host='[::1]'
"$program" key ring.key
[ "$(stat -c %a ring.key)" = 600 ] || fail "the key is not secret"
"$program" key - >printed.key
[ ! -e ./- ] && [ "$(wc -c <printed.key)" = 65 ] || fail "key - prints a key, and makes no file"
"$program" ring -n 2 --json >ring.json
[ "$(value rate ring.json)" = 50 ] && [ "$(value wall_seconds ring.json | cut -d . -f 1)" -ge 5 ] ||
    fail "the rate is 50, and a leader holds for 5 seconds, unless others are asked for"
ports=$((20000 + $$ % 20000))
for i in 0 1 2; do
    "$program" node --name "n$i" --listen "$host:$((ports + i))" \
        --left "n$(((i + 2) % 3))@$host:$((ports + (i + 2) % 3))" \
        --right "n$(((i + 1) % 3))@$host:$((ports + (i + 1) % 3))" -N 3 --rate 200 --key ring.key \
        --log "$scratch/$i.log" >"$i.out" 2>"$i.err" &
    eval "node$i=$!"
done
for i in 0 1 2; do
    await '[ -f $i.log ] && [ "$(wc -l <$i.log)" -gt 200 ]'
done
kill "$node0" "$node1" "$node2"
wait "$node0" "$node1" "$node2"
"$program" ring --check -N 3 0.log 1.log 2.log --json >check.json || fail "the account of three nodes"
[ "$(value anomalies check.json)" = 0 ] || fail "anomalies of three nodes"
awk '!/^done/ || ++decided != 50' 1.log >broken.log
status=0
"$program" ring --check -N 3 0.log broken.log 2.log >out 2>&1 || status=$?
[ "$status" = 1 ] || fail "a log without one of its lines passed: exit $status"
alone
echo "three nodes of their own on $host: $(value interactions check.json) interactions"

# As many logs as there are.
for i in $(seq 600); do echo 'boot 0' >many$i.log; done
"$program" ring --check many*.log --json >check.json || fail "the account of 600 logs"
[ "$(value n check.json)" = 600 ] || fail "600 logs"
echo "600 logs"
