#!/bin/sh
# Golden tests of the command line: run.sh [--bless] PROGRAM.
#
# Each line of `commands` is a name and a command. The command runs in a directory of its own with
# copies of `files`; its exit status, standard output, standard error and every file it left or
# changed are compared byte for byte with expected/NAME.txt, but for the wall clock. --bless accepts
# what is printed now.
set -eu
bless=
if [ "$1" = --bless ]; then
    bless=yes
    shift
fi
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/ringleader"

# Leaves out what differs from run to run.
steady() {
    sed -E -e 's/"wall_seconds":[0-9.e-]+/"wall_seconds":*/' -e 's/^((speed|time) +).*/\1*/' \
        -e 's/([0-9]+\.[0-9]+\.[0-9]+)\+[0-9a-f]+(\.changed)?/\1/g' "$1"
}

# told COMMAND: everything there is to say about a command.
told() {
    rm -rf "$scratch/work"
    cp -R "$here/files" "$scratch/work"
    status=0
    (cd "$scratch/work" && PATH="$scratch/bin:$PATH" sh -c "$1" </dev/null) \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    printf '$ %s\n' "$1"
    echo "exit $status"
    echo "-- standard output"
    steady "$scratch/out"
    echo "-- standard error"
    steady "$scratch/err"
    echo "-- files"
    diff -rq "$here/files" "$scratch/work" | sed -e "s|$scratch/work|.|g" -e "s|$here/files|before|g" ||
        true
}

passed=0
failed=0
while read -r name command; do
    case $name in '' | '#'*) continue ;; esac
    told "$command" >"$scratch/told"
    if [ -n "$bless" ]; then
        cp "$scratch/told" "$here/expected/$name.txt"
    elif diff -u "$here/expected/$name.txt" "$scratch/told"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name (if this is right now: make bless)"
    fi
done <"$here/commands"

for expected in "$here"/expected/*.txt; do
    name=$(basename "$expected" .txt)
    grep -q "^$name " "$here/commands" && continue
    if [ -n "$bless" ]; then
        rm "$expected"
    else
        echo "FAILED: expected/$name.txt belongs to no command"
        failed=$((failed + 1))
    fi
done
[ -n "$bless" ] || echo "golden: $passed as expected, $failed not"
[ "$failed" = 0 ]
