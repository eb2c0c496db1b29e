#!/bin/sh
# Two builds in different directories install the same files, byte for byte: same.sh BUILD.
set -eu
build=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$build/same
rm -rf "$scratch"
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=1700000000
for place in one 'a much longer place'; do
    mkdir -p "$scratch/$place/tree"
    (cd "$root" && tar cf - --exclude='./build*' --exclude=./.git --exclude=./web/node_modules .) |
        (cd "$scratch/$place/tree" && tar xf -)
    cd "$scratch/$place/tree"
    meson setup "$scratch/$place/build" --prefix /usr --libdir lib >/dev/null
    ninja --quiet -C "$scratch/$place/build"
    meson install -C "$scratch/$place/build" --no-rebuild --quiet --destdir "$scratch/$place/installed"
done
[ -x "$scratch/one/installed/usr/bin/ringleader" ]
diff -r "$scratch/one/installed" "$scratch/a much longer place/installed"
echo "the same files from both"
