#!/bin/sh
# Installs what `make web` has made, if it has: install_page.sh DIRECTORY-IN-PREFIX. Meson calls it.
set -eu
to=$MESON_INSTALL_DESTDIR_PREFIX/$1
[ -f "$MESON_BUILD_ROOT/web/ringleader.html" ] || exit 0
mkdir -p "$to/libc"
for name in ringleader.html ringleader.o libc/assert.h libc/stdlib.h libc/string.h; do
    cp "$MESON_BUILD_ROOT/web/$name" "$to/$name"
    chmod 644 "$to/$name"
done
