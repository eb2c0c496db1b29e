#!/bin/sh
# Makes the page: our C to WebAssembly, then everything into BUILD/web/ringleader.html.
#   scripts/web.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1
[ -f "$build/build.ninja" ] || meson setup "$build" >/dev/null
ninja --quiet -C "$build" ringleader.wasm

# Debian 12 has Node.js 18; the packages are chosen so that it will do.
if ! node -e 'process.exit(process.versions.node.split(".")[0] >= 18 ? 0 : 1)'; then
    echo "the page needs Node.js 18 or later, and this is $(node --version)" >&2
    exit 3
fi

# npm installs what package-lock.json names, once; the stamp says for which lock file. Not `npm ci`:
# it wants the native parts of every platform in the lock file, and npm records only this one's.
stamp=web/node_modules/.installed
if ! cmp -s web/package-lock.json "$stamp"; then
    npm --prefix web install --no-save --no-audit --no-fund --loglevel=error >/dev/null
    cp web/package-lock.json "$stamp"
fi
(cd web && ./node_modules/.bin/tsc && RINGLEADER_BUILD="../$build" ./node_modules/.bin/vite build)
# What `ringleader page` makes pages of.
cp "$build/ringleader.wasm.o" "$build/web/ringleader.o"
cp -R web/libc "$build/web/libc"
echo "$build/web/ringleader.html"
