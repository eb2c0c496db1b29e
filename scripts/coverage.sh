#!/bin/sh
# Which lines of src the tests reach: runs the suite, built by gcc to count, makes the page and prints
# the total and the files below 99 %.
set -eu
cd "$(dirname "$0")/.."
build=build-coverage
CC=gcc meson setup $([ ! -f $build/build.ninja ] || echo --reconfigure) $build -Dtests=true \
    -Db_coverage=true >/dev/null
ninja --quiet -C $build
find $build -name '*.gcda' -delete # what an earlier run counted
# A test that fails has reached its lines all the same; whether all pass is `make test`'s to say.
meson test -C $build --no-rebuild --quiet "$@" || echo "not all of the tests passed; counting goes on"
mkdir -p $build/coverage
# Threads that count at once may spoil a count of branches, which gcovr is to overlook.
gcovr --root . --filter src/ --filter include/ --gcov-ignore-parse-errors --object-directory $build \
    --html-details $build/coverage/index.html --csv $build/coverage/files.csv $build
awk -F, 'NR > 1 {
    lines += $2; reached += $3
    if ($3 < 0.99 * $2) printf "%6.1f %%  %4d of %4d  %s\n", 100 * $3 / $2, $3, $2, $1 | "sort -n"
} END {
    close("sort -n")
    printf "%6.2f %% of %d lines; the page is %s\n", 100 * reached / lines, lines, page
}' page=$build/coverage/index.html $build/coverage/files.csv
