#!/bin/sh
# The console blocks of a page, run: readme.sh BUILD PAGE COUNT. Every command must succeed, and every
# line that the page shows after it must be in its output, in that order. The page has at least COUNT
# commands.
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/.."
page=$PWD/$2
name=$2
least=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ln -s "$build" "$scratch/build"
cd "$scratch"

commands=0
awk '/^```console/ { inside = 1; next } /^```/ { if (inside) print "$"; inside = 0 } inside' \
    "$page" >blocks

# shown: each line of `expected` stands in `output`, after the one before it.
shown() {
    [ ! -s expected ] ||
        awk 'BEGIN { i = 0 } NR == FNR { want[n++] = $0; next }
            i < n && $0 == want[i] { i++ } END { exit (i < n) }' expected output
}

finish() {
    [ -n "$command" ] || return 0
    sh -c "$command" >output 2>errors || { echo "failed: $command"; cat errors; exit 1; }
    sed '/^$/d' expected >trimmed && mv trimmed expected
    shown || { echo "not as $name shows: $command"; diff expected output || true; exit 1; }
    commands=$((commands + 1))
}

command=
: >expected
while IFS= read -r line; do
    case $line in
    '$'*)
        finish
        command=${line#\$}
        : >expected
        ;;
    *) printf '%s\n' "$line" >>expected ;;
    esac
done <blocks
finish
[ "$commands" -ge "$least" ] || { echo "only $commands commands found in $name"; exit 1; }
echo "$commands commands of $name do what it shows"
