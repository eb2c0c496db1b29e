#!/bin/sh
# Everything that must pass: both compilers, the sanitizers, valgrind, the mutants, the fuzzers. Ends
# with the sum of it all.
set -eu
cd "$(dirname "$0")/.."
passed=0
failed=0

# configure DIRECTORY [meson options]. Anew each time: `make run` may have set the directory up before
# the packages that the tests need were there.
configure() {
    directory=$1
    shift
    again=
    [ ! -f "$directory/build.ninja" ] || again=--reconfigure
    CC=${CC:-gcc} meson setup $again "$directory" -Dtests=true "$@" >/dev/null
    ninja --quiet -C "$directory"
}

# results LOG RESULT: how many tests ended so, from Meson's logs.
results() {
    cat "$1".json "$1"-*.json 2>/dev/null | grep -cE "\"result\": \"($2)\"" || true
}

# run_tests LOG DIRECTORY [meson test options]: runs them and adds up.
run_tests() {
    name=$1
    directory=$2
    shift 2
    log=$directory/meson-logs/$name
    rm -f "$log".json "$log"-*.json
    status=0
    meson test -C "$directory" --logbase "$name" --no-rebuild --print-errorlogs "$@" || status=$?
    passed=$((passed + $(results "$log" 'OK|EXPECTEDFAIL')))
    bad=$(results "$log" 'FAIL|TIMEOUT|INTERRUPT|ERROR|UNEXPECTEDPASS')
    [ "$status" = 0 ] || [ "$bad" != 0 ] || bad=1 # it did not even run
    failed=$((failed + bad))
}

# The page, used by Node.js's test runner in Chromium.
run_page_tests() {
    status=0
    log=build/meson-logs/page.tap
    { scripts/web.sh build && node --test --test-reporter=tap web/test; } >"$log" 2>&1 || status=$?
    grep -E '^ *(ok|not ok) ' "$log" || true
    [ "$status" = 0 ] || cat "$log"
    good=$(sed -n 's/^# pass //p' "$log")
    bad=$(sed -n 's/^# fail //p' "$log")
    [ "$status" = 0 ] || [ "${bad:-0}" != 0 ] || bad=1 # it did not even run
    passed=$((passed + ${good:-0}))
    failed=$((failed + ${bad:-0}))
}

echo "== gcc =="
configure build
run_tests gcc build

echo "== clang, with the address and undefined-behaviour sanitizers, and the fuzzers =="
CC=clang configure build-sanitize -Db_sanitize=address,undefined -Db_lundef=false \
    -Dbuildtype=debugoptimized -Dc_args=-fsanitize=fuzzer-no-link
run_tests sanitize build-sanitize --no-suite slow

echo "== valgrind =="
run_tests valgrind build --suite valgrind \
    --wrapper 'valgrind -q --error-exitcode=9 --leak-check=full'

echo "== the page, in a browser =="
run_page_tests

echo
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
