#!/bin/sh
# Ratios taken in one run, kept with the commit they belong to: scripts/bench.sh [--quick]
# BASE=COMMIT: builds that commit too and sets this one beside it (LONG=1: the rows of minutes too).
set -eu
cd "$(dirname "$0")/.."
ninja --quiet -C build
if [ "${1:-}" = --quick ]; then
    build/bench/bench-engine --quick
    exec build/bench/bench-verify --quick
fi
mkdir -p bench/results
old=
if [ -n "${BASE:-}" ]; then
    old=$(mktemp -d)
    trap 'git worktree remove --force "$old"' EXIT
    git worktree add -q --detach "$old" "$BASE"
    (cd "$old" && meson setup build >/dev/null && ninja --quiet -C build ringleader)
fi
result=bench/results/$(date -u +%Y-%m-%d)-$(git rev-parse --short HEAD 2>/dev/null || echo none).txt
{
    if [ -n "$old" ]; then
        echo "$BASE beside this"
        bench/against.py "$old/build/ringleader" build/ringleader ${LONG:+--long}
        echo
    fi
    build/bench/bench-engine
    echo
    build/bench/bench-verify
    echo
    bench/study.sh build/ringleader
} | tee "$result.part"
mv "$result.part" "$result"
echo "kept in $result"
