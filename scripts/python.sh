#!/bin/sh
# The Python package in an environment of its own: python.sh BUILD-DIRECTORY. Debian's packages are
# visible in it, so it is made with Debian's Python; the library is installed into it.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "$1")
environment=$build/python
[ -x "$environment/bin/python" ] || "${PYTHON:-/usr/bin/python3}" -m venv --system-site-packages --without-pip "$environment"
[ -f "$build/python-library/build.ninja" ] ||
    meson setup "$build/python-library" --prefix "$environment" --libdir lib >/dev/null
ninja --quiet -C "$build/python-library" >/dev/null
meson install -C "$build/python-library" --no-rebuild --quiet
PKG_CONFIG_PATH="$environment/lib/pkgconfig" "$environment/bin/python" -m pip install --quiet \
    --no-build-isolation --no-deps --no-index --force-reinstall --root-user-action=ignore ./python
echo "$environment/bin/python: import ringleader as rl"
