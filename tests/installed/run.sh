#!/bin/sh
# The installed library, as a stranger meets it: run.sh BUILD-DIRECTORY.
#
# Installs into a temporary prefix, and builds outside.c as C and as C++ with what pkg-config says and
# nothing else. What it finds must be what the program finds. Then everything again with the thread
# sanitizer, in the library too.
# shellcheck disable=SC2086 # the options are meant to be split
set -eu
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(realpath "$here/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
    echo "$1"
    exit 1
}

# install_from BUILD-DIRECTORY: into the prefix, found by pkg-config.
install_from() {
    rm -rf "$prefix"
    meson configure "$1" --prefix "$prefix" --libdir lib >/dev/null
    ninja --quiet -C "$1" >/dev/null
    meson install -C "$1" --no-rebuild --quiet
}
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
export LD_LIBRARY_PATH="$prefix/lib"

# A build of its own: the one under test must not be configured anew.
configure() {
    directory=$1
    shift
    [ -f "$directory/build.ninja" ] || meson setup "$directory" "$root" "$@" >/dev/null
}

# said COMMAND...: the same from both threads, and equal to what the program says.
said() {
    "$@" "$scratch/out" >"$scratch/said" 2>"$scratch/complaints" ||
        { cat "$scratch/said" "$scratch/complaints"; fail "$1 failed"; }
    [ ! -s "$scratch/complaints" ] || { cat "$scratch/complaints"; fail "$1 complained"; }
    diff "$scratch/said" "$scratch/expected"
    for i in 1 2; do
        sqlite3 "$scratch/out.$i.db" 'SELECT count(*) FROM trials' | grep -qx 100
        grep -q '</svg>' "$scratch/out.$i.svg"
    done
    rm -f "$scratch"/out.*
}

configure "$build/installed"
install_from "$build/installed"
program=$prefix/bin/ringleader
# A protocol of one's own, with what is installed and nothing else, as a user who cannot write there:
# another one, where that is possible.
chmod -R a-w "$prefix"
mkdir -p "$scratch/user/tests/own" "$scratch/user/docs"
cp "$root/tests/own/tutorial.sh" "$scratch/user/tests/own"
cp "$root/tests/program.sh" "$scratch/user/tests"
cp "$root/docs/own-protocol.md" "$scratch/user/docs"
cp -R "$root/examples" "$scratch/user"
chmod -R a+rX "$scratch"
nobody=
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
    ! $nobody touch "$prefix/bin/x" 2>/dev/null || fail "the prefix can be written"
else
    echo "not as another user: that takes root and setpriv; the prefix is read-only"
fi
HOME=/nonexistent $nobody "$scratch/user/tests/own/tutorial.sh" "$program"
chmod -R u+w "$prefix"
{
    "$program" --version | sed 's/^ringleader \([^,]*\),.*/version \1/'
    for i in 1 2; do
        "$program" elect -n 1000 --seed 7 --json |
            sed 's/.*"steps":\([0-9]*\).*"leader":\([0-9]*\).*/u_\2 leads after \1 steps/'
        echo "walkers: 1 left"
        echo "self-stabilizing: yes"
        "$program" study --db "$scratch/study.db" -n 16,32 --trials 50 --quiet
        sqlite3 "$scratch/study.db" \
            "SELECT count(*) || ' trials, ' || sum(steps) || ' steps' FROM trials"
    done
} >"$scratch/expected"

[ "$(pkg-config --cflags ringleader | sed 's/ *$//')" = "-I$prefix/include" ] || fail "pkg-config says more than our own path"
flags=$(pkg-config --cflags --libs ringleader)
{
    cc -std=gnu11 -Wall -Wextra -Werror "$here/outside.c" -o "$scratch/outside-c" $flags -pthread
    c++ -std=c++11 -Wall -Wextra -Werror -x c++ "$here/outside.c" -x none -o "$scratch/outside-cpp" \
        $flags -pthread
    cc "$here/outside.c" -o "$scratch/outside-static" -static-libgcc \
        $(pkg-config --cflags ringleader) "$prefix/lib/libringleader.a" \
        $(pkg-config --static --libs-only-l ringleader | sed 's/-lringleader//') -pthread
}
for name in c cpp static; do
    said "$scratch/outside-$name"
done
ldd "$scratch/outside-c" | grep -q 'libringleader\.so\.0 => '"$prefix"
! ldd "$scratch/outside-static" | grep -q libringleader

configure "$build/installed-thread" -Db_sanitize=thread -Db_lundef=false
install_from "$build/installed-thread"
cc -fsanitize=thread "$here/outside.c" -o "$scratch/outside-thread" $flags -pthread
said "$scratch/outside-thread"

# What was installed goes again.
ninja --quiet -C "$build/installed-thread" uninstall >/dev/null
left=$(find "$prefix" -not -type d 2>/dev/null || true)
[ -z "$left" ] || fail "uninstalling left $left"
echo "C, C++, static and under the thread sanitizer: as the program says"
