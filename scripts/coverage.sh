#!/bin/sh
# Which lines of src the tests reach: runs the suite, built by gcc to count, makes the page, prints the
# total and the files below 99 %, and fails if a line that is not reached is not named, with its
# reason, in docs/coverage.md. Arguments go to `meson test`, for fewer tests.
set -eu
cd "$(dirname "$0")/.."
build=build-coverage
# __gcov_dump is for tests/coverage/flush.c, which is preloaded.
CC=gcc meson setup $([ ! -f $build/build.ninja ] || echo --reconfigure) $build -Dtests=true \
    -Db_coverage=true -Dc_link_args=-Wl,-u,__gcov_dump,--export-dynamic-symbol=__gcov_dump >/dev/null
ninja --quiet -C $build
mkdir -p $build/coverage
gcc -shared -fPIC -O2 -Wall -Wextra -Werror -o $build/coverage/flush.so tests/coverage/flush.c -ldl
find $build -name '*.gcda' -delete # what an earlier run counted
# What libgcov has to say would be taken for the program's.
GCOV_ERROR_FILE=$PWD/$build/coverage/gcov.txt
export GCOV_ERROR_FILE
# counted COMMAND...: a test that fails has reached its lines all the same; whether all pass is
# `make test`'s to say.
counted() {
    LD_PRELOAD=$PWD/$build/coverage/flush.so "$@" || echo "not all of the tests passed; counting goes on" >&2
}
# Pages with a protocol of one's own are tried in a browser, and need the page.
if [ $# = 0 ]; then
    scripts/web.sh $build >/dev/null
    RINGLEADER_BUILD=$build counted node --test tests/page/own.test.mjs tests/page/command.test.mjs >$build/coverage/page.txt
fi
# Mutants, installed programs and the Python package are built elsewhere, and do not count here.
[ $# -gt 0 ] || set -- --no-suite mutants --no-suite installed --no-suite python --no-suite static
counted meson test -C $build --no-rebuild --quiet "$@"
# Threads that count at once may spoil a count of branches, which gcovr is to overlook.
gcovr --root . --filter src/ --filter include/ --gcov-ignore-parse-errors --object-directory $build \
    --html-details $build/coverage/index.html --json $build/coverage/lines.json $build 2>/dev/null
echo "the page is $build/coverage/index.html"
scripts/coverage.py $build/coverage/lines.json docs/coverage.md
