#!/bin/sh
# Builds the program in $BUILD.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
if ! mkdir -p "$build" 2>/dev/null || [ ! -w "$build" ]; then
    echo "$build cannot be written: say where to build, for example make BUILD=\$HOME/ringleader-build" >&2
    exit 3
fi
[ -f "$build/build.ninja" ] || meson setup "$build" >/dev/null
exec ninja --quiet -C "$build" ringleader
