#!/bin/sh
# The verifier on the mutants of Algorithm 1: verify.sh BUILD-DIRECTORY [--bless]. Each mutant of
# prl.txt is built into the program, which must then say of n = N = 2 and 3 what verdicts.txt says: is
# it still self-stabilizing? A "no" must come with a trace that the same program replays. --bless
# writes the verdicts found.
set -eu
build=$(realpath "${1:-build}")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

. "$here/link.sh"

# The verdict of one size: yes or no.
verdict() {
    status=0
    "$1/ringleader" verify -n "$2" --only stability --jobs 1 --json --trace "$1/$2.trace" \
        >"$1/$2.json" 2>"$1/$2.error" || status=$?
    [ "$status" -le 1 ] || { echo "FAILED: $(cat "$1/$2.error")"; return; }
    if grep -q '"self_stabilizing":true' "$1/$2.json"; then
        echo yes
    elif "$1/ringleader" replay "$1/$2.trace" >/dev/null 2>"$1/$2.error"; then
        echo no
    else
        echo "no, but the trace does not replay: $(cat "$1/$2.error")"
    fi
}

# try NUMBER NAME EXPRESSION
try() {
    tree=$scratch/$1
    mkdir -p "$tree/protocols"
    cp src/protocols/*.[ch] "$tree/protocols"
    sed "$3" src/protocols/prl.c >"$tree/protocols/prl.c"
    gcc -std=gnu11 -O1 -w -D_POSIX_C_SOURCE=200809L -DPROTOCOL_ID=prl \
        '-DPROTOCOL_FILE="protocols/prl.c"' -I"$tree" -Iinclude -Isrc -I"$build" \
        -c src/simulate/specialise.c -o "$tree/prl.o"
    relink "$build" ringleader "$tree/prl.o" "$tree/ringleader"
    echo "$2| $(verdict "$tree" 2) | $(verdict "$tree" 3)" >"$tree/verdict"
}

{
    echo "# Is the mutant of prl.txt still self-stabilizing? name | n = N = 2 | n = N = 3"
} >"$scratch/all"
number=0
try 0 "Algorithm 1                    " ""
while IFS='|' read -r name expression; do
    case $name in '#'* | '') continue ;; esac
    number=$((number + 1))
    try "$number" "$name" "$(echo "$expression" | sed 's/^ //')" &
    [ $((number % 2)) = 0 ] && wait
done <"$here/prl.txt"
wait
{
    head -n 1 "$scratch/all"
    i=0
    while [ "$i" -le "$number" ]; do
        cat "$scratch/$i/verdict"
        i=$((i + 1))
    done
} >"$scratch/found"
if [ "${2:-}" = --bless ]; then
    cp "$scratch/found" "$here/verdicts.txt"
fi
diff "$here/verdicts.txt" "$scratch/found"
echo "$number mutants verified: $(grep -c '| no$' "$scratch/found") are not self-stabilizing"
