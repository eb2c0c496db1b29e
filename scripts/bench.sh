#!/bin/sh
# Ratios taken in one run, kept with the commit they belong to: scripts/bench.sh [--quick]
set -eu
cd "$(dirname "$0")/.."
ninja --quiet -C build
if [ "${1:-}" = --quick ]; then
    build/bench/bench-engine --quick
    exec build/bench/bench-verify --quick
fi
mkdir -p bench/results
result=bench/results/$(date -u +%Y-%m-%d)-$(git rev-parse --short HEAD 2>/dev/null || echo none).txt
{
    build/bench/bench-engine
    echo
    build/bench/bench-verify
    echo
    bench/study.sh build/ringleader
} | tee "$result.part"
mv "$result.part" "$result"
echo "kept in $result"
