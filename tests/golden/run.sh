#!/bin/sh
# Golden tests of the command line: run.sh [--bless] PROGRAM [TRANSCRIPT...]
#
# A transcript has commands and what comes of each:
#   $ COMMAND    run in a directory of its own with copies of `files`
#     TEXT       standard output
#   ! TEXT       standard error
#   + TEXT       a file that it left or changed
#   = STATUS     its exit status, if not 0; of a complaint and nothing else, if not 2
# All of it is compared byte for byte, but for the wall clock and the commit. Blank lines and those
# that begin with # are for the reader. --bless accepts what is printed now.
set -eu
bless=
if [ "$1" = --bless ]; then
    bless=yes
    shift
fi
program=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/*.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/ringleader"

# shown PREFIX FILE: the file with a prefix, without what differs from run to run.
shown() {
    sed -E -e 's/"wall_seconds":[0-9.e-]+/"wall_seconds":*/' -e 's/^((speed|time) +).*/\1*/' \
        -e 's/([0-9]+\.[0-9]+\.[0-9]+)\+[0-9a-f]+(\.changed)?/\1/g' -e "s/^/$1/" "$2"
    [ -z "$(tail -c 1 "$2")" ] || printf '\n\\ no newline at the end\n'
}

# told COMMAND: the command and everything there is to say about it.
told() {
    rm -rf "$scratch/work"
    cp -R "$here/files" "$scratch/work"
    status=0
    (cd "$scratch/work" && PATH="$scratch/bin:$PATH" sh -c "$1" </dev/null) \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    printf '$ %s\n' "$1"
    shown '  ' "$scratch/out"
    shown '! ' "$scratch/err"
    diff -rq "$here/files" "$scratch/work" | sed -e "s|$scratch/work|.|g" -e "s|$here/files|before|g" \
        -e 's/^Only in \.: /+ /' -e 's/^[^+]/+ &/' >"$scratch/left" || true
    cat "$scratch/left"
    usual=0
    [ -s "$scratch/out" ] || [ ! -s "$scratch/err" ] || [ -s "$scratch/left" ] || usual=2
    [ "$status" = "$usual" ] || echo "= $status"
}

failed=0
for transcript; do
    while IFS= read -r line; do
        case $line in
        '' | '#'*) printf '%s\n' "$line" ;;
        '$ '*) told "${line#??}" ;;
        esac
    done <"$transcript" >"$scratch/told"
    if [ -n "$bless" ]; then
        cp "$scratch/told" "$transcript"
    elif ! diff -u "$transcript" "$scratch/told"; then
        failed=1
        echo "FAILED: $transcript (if this is right now: make bless)"
    fi
done
exit $failed
