#!/bin/sh
# All of what `make test` has samples of.
set -eu
cd "$(dirname "$0")/.."
build=build-sanitize
[ -f "$build/build.ninja" ] ||
    CC=clang meson setup "$build" -Dtests=true -Db_sanitize=address,undefined -Db_lundef=false \
        -Dbuildtype=debugoptimized -Dc_args=-fsanitize=fuzzer-no-link >/dev/null
ninja --quiet -C "$build" ringleader

echo "== requests =="
tests/torture/requests.py "$build/ringleader"
