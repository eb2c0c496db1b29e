#!/bin/sh
# Progress: terminal.sh PROGRAM. On a terminal a long election shows how it stands, leaders left
# among it, and clears the line at the end; standard output stays free of it. Skipped (77, as Meson
# has it) where the system has no pseudo-terminal to give, and for no other reason.
set -eu
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
if ! LC_ALL=C script -qec true /dev/null </dev/null >/dev/null 2>err; then
    cat err
    grep -q '^script: failed to create pseudo-terminal' err || exit 1
    echo "skipped: there is no pseudo-terminal here"
    exit 77
fi
long="elect -n 2000 -N 2e7 --start leaders --until steps=1e15 --engine step"
script -qefc "echo \$\$ >pid; exec '$program' $long >out" /dev/null </dev/null >terminal &
until grep -qs 'steps, .* events, .* leaders\{0,1\} left, in C_PB' terminal; do sleep 0.1; done
kill -s INT "$(cat pid)"
wait $! || true
# The last thing on the line is that it is cleared.
[ "$(tail -c 4 terminal | od -An -c | tr -d ' ')" = '\r033[K' ] || { tail -c 40 terminal | od -c; exit 1; }
grep -q '^stopped  interrupted' out || { cat out; exit 1; }
! grep -q left out
