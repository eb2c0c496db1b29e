#!/bin/sh
# Installs what was built in $BUILD into $PREFIX, with $DESTDIR in front of everything if it is set.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
meson configure "$build" --prefix "$(realpath -m -- "${PREFIX:-/usr/local}")" --libdir lib
ninja --quiet -C "$build"
set -- -C "$build" --no-rebuild
[ -z "${DESTDIR:-}" ] || set -- "$@" --destdir "$(realpath -m -- "$DESTDIR")"
exec meson install "$@"
