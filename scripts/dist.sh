#!/bin/sh
# A tarball of HEAD that builds and tests without git: $BUILD/ringleader-VERSION.tar.xz. The commit is
# written into scripts/commit.sh by git itself (.gitattributes).
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
mkdir -p "${BUILD:-build}"
tarball=${BUILD:-build}/ringleader-$version.tar.xz
git archive --prefix="ringleader-$version/" HEAD | xz >"$tarball.part"
mv "$tarball.part" "$tarball"
echo "$tarball"
