#!/bin/sh
# Every command of docs/own-protocol.md, as a user without write access to the program or its sources
# runs them: tutorial.sh RINGLEADER. Blocks marked sh are run one after another; a block marked with a
# file's name is that file.
. "$(dirname "$0")/../program.sh"
tutorial=$(cd "$(dirname "$0")/../.." && pwd)/docs/own-protocol.md
cd "$scratch"
mkdir bin home
ln -s "$program" bin/ringleader
export PATH="$scratch/bin:$PATH" XDG_CACHE_HOME="$scratch/home/cache"
awk '/^```c [a-z]/ { file = $2; next } /^```/ { file = "" } file { print >file }' "$tutorial"
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$tutorial" >commands
[ "$(wc -l <commands)" -ge 10 ]
while read -r command; do
    sh -c "$command" >out 2>&1 </dev/null || { echo "'$command' failed:"; cat out; exit 1; }
done <commands
grep -q 'hash\|SHA-256' r/index.html
# the second time it starts from the cache: nothing is compiled
CC=/nowhere/cc ringleader elect -p ripple.c -n 10 >out 2>&1 && { echo "ran without a compiler"; exit 1; }
grep -q 'no C compiler' out

# one of ours, taken out as a file, does the same
ringleader new mine --like fj06 >/dev/null
for name in mine.c fj06; do
    ringleader elect -p "$name" -n 200 --start opposite --json |
        sed 's/"protocol":"[a-z0-9]*"//; s/"wall_seconds.*//' >"$name.json"
done
cmp mine.c.json fj06.json
for name in mine.c fj06; do
    ringleader verify -p "$name" -n 3 --json --jobs 1 |
        sed 's/"protocol":"[a-z0-9]*"//; s/"wall_seconds.*//' >"$name.json"
done
cmp mine.c.json fj06.json

# a study goes on only with the same file, and a report needs none
echo '/* changed */' >>ripple.c
status=0
ringleader study --db r.db -p ripple.c,prl -n 16..128x2 --trials 20 --quiet 2>out || status=$?
[ "$status" = 2 ] && grep -q 'ripple has changed since this study began' out
rm ripple.c
ringleader report r.db -o again >/dev/null
cmp r/points.csv again/points.csv
grep -q 'my first protocol' again/index.html

# two at once compile the same file and do not trip over each other
rm -r home/cache
ringleader elect -p mine.c -n 50 --json >one & first=$!
ringleader elect -p mine.c -n 50 --json >two
wait "$first"
sed -i 's/"wall_seconds.*//' one two
cmp one two
# without a place to write, it still runs
XDG_CACHE_HOME=/proc ringleader elect -p mine.c -n 50 --json | sed 's/"wall_seconds.*//' | cmp - one

# A protocol is short. fj06's rules with its variables and nothing else are at most 30 lines (the
# smallest useful file; 40 were allowed), and do what fj06 does.
rules=$(dirname "$tutorial")/../examples/protocols/fj06-rules.c
[ "$(wc -l <"$rules")" -le 30 ]
for name in "$rules" fj06; do
    ringleader elect -p "$name" -n 60 --seed 4 --until steps=1e6 --end "end.$(basename "$name")" >/dev/null
    ringleader verify -p "$name" -n 5 --json |
        grep -oE '"(safe|configurations)":[0-9]+|"self_stabilizing":[a-z]*|"safe":\{"worst":[^,]*,"mean":[^,]*' \
            >"$(basename "$name").verified"
done
grep -v '^#' end.fj06-rules.c >one
grep -v '^#' end.fj06 | cmp - one
cmp fj06.verified fj06-rules.c.verified
[ "$(wc -l <fj06.verified)" = 4 ]

# The examples are what they say: none is self-stabilizing, and two elect a leader all the same.
examples=$(dirname "$tutorial")/../examples/protocols
verdict() {
    status=0
    ringleader verify -p "$examples/$1.c" -n 3 --json $2 >out || status=$?
    [ "$status" = 1 ] && grep -q "\"safe\":$3,\"self_stabilizing\":false" out || { cat out; exit 1; }
}
verdict fratricide "" 3
verdict loose "--patience 2" 0
verdict relay "" 1440
ringleader elect -p "$examples/loose.c" -n 50 --patience 400 --until settled=1e5 >/dev/null
ringleader elect -p "$examples/relay.c" -n 50 --start leaderless >/dev/null
echo "the tutorial runs"
