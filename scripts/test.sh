#!/bin/sh
# Everything that must pass: both compilers, the sanitizers, valgrind, the mutants, the fuzzers.
set -eu
cd "$(dirname "$0")/.."

# configure DIRECTORY [meson options]
configure() {
    directory=$1
    shift
    [ -f "$directory/build.ninja" ] || CC=${CC:-gcc} meson setup "$directory" "$@" >/dev/null
    ninja --quiet -C "$directory"
}

echo "== gcc =="
configure build
meson test -C build --print-errorlogs

echo "== clang, with the address and undefined-behaviour sanitizers =="
CC=clang configure build-sanitize -Db_sanitize=address,undefined -Db_lundef=false \
    -Dbuildtype=debugoptimized
meson test -C build-sanitize --print-errorlogs --no-suite slow

echo "== the page, in a browser =="
scripts/web.sh build
node --test web/test
