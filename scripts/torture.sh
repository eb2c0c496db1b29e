#!/bin/sh
# All of what `make test` has samples of: torture.sh BUILD.
set -eu
cd "$(dirname "$0")/.."
build=$1
sanitized=build-sanitize

# prepare DIRECTORY COMPILER [meson options]
prepare() {
    directory=$1
    compiler=$2
    shift 2
    again=
    [ ! -f "$directory/build.ninja" ] || again=--reconfigure
    CC=$compiler meson setup $again "$directory" -Dtests=true "$@" >/dev/null
}
prepare "$build" "${CC:-gcc}"
ninja --quiet -C "$build"
prepare "$sanitized" clang -Db_sanitize=address,undefined -Db_lundef=false \
    -Dbuildtype=debugoptimized -Dc_args=-fsanitize=fuzzer-no-link
ninja --quiet -C "$sanitized" tests/torture_server

echo "== studies damaged by the hundred =="
tests/torture/damage.py "$build/ringleader" 500
echo "== a study killed a thousand times =="
tests/torture/kill.sh "$build/ringleader" 1000
echo "== every bad request, under the sanitizers =="
tests/torture/requests.py "$sanitized/tests/torture_server"
