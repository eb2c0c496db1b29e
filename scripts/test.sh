#!/bin/sh
# Runs tests, adds them up, and names what was skipped and why: test.sh check|test|audit|torture.
#   check  while working: gcc only; no browser, MPI, emulator or shells
#   test   everything that users rely on
#   audit  what takes longer: analyzers, mutants, valgrind, torture, the generators at full length
#          (AUDIT=quick: without the longest of them)
#   torture  all of what `test` and `audit` have samples of
# The last line is "N passed, N failed, N skipped".
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
sanitized=$build-sanitize
summary=$(mktemp)
page_tests=
trap 'rm -f "$summary"; [ -z "$page_tests" ] || kill "$page_tests"' EXIT

# configure DIRECTORY [meson options]. Anew each time: `make run` may have set the directory up before
# the packages that the tests need were there.
configure() {
    directory=$1
    shift
    again=
    if [ -f "$directory/build.ninja" ]; then
        again=--reconfigure
        # Meson remembers what was missing, so it starts anew after packages were installed.
        [ ! /var/lib/dpkg/status -nt "$directory/build.ninja" ] || again=--wipe
    fi
    # Meson says what is wrong on standard output.
    said=$(CC=${CC:-gcc} meson setup $again "$directory" -Dtests=true "$@") || { echo "$said" >&2 && exit 1; }
}
build_all() {
    configure "$build"
    ninja --quiet -C "$build"
}
# build_sanitized TARGET: the rest is not run under the sanitizers.
build_sanitized() {
    CC=clang configure "$sanitized" -Db_sanitize=address,undefined -Db_lundef=false \
        -Dbuildtype=debugoptimized -Dc_args=-fsanitize=fuzzer-no-link
    ninja --quiet -C "$sanitized" "$1"
}

# run_tests LOG DIRECTORY [meson test options]
run_tests() {
    name=$1
    directory=$2
    shift 2
    log=$directory/meson-logs/$name
    rm -f "$log".json "$log"-*.json
    status=0
    # One more than there are processors: some tests mostly wait.
    meson test -C "$directory" --logbase "$name" --no-rebuild --print-errorlogs \
        --num-processes $(($(nproc) + 1)) "$@" || status=$?
    scripts/test-results.py "$name" "$status" "$log".json "$log"-*.json >>"$summary"
}

# The page, used by Node.js's test runner in a browser: begin_page_tests FILE..., beside other work, and
# end_page_tests when that is done.
page_log=$build/meson-logs/page.tap
begin_page_tests() {
    scripts/web.sh "$build" >"$page_log" 2>&1 || set -- no-page
    RINGLEADER_BUILD=$build node --test --test-reporter=tap "$@" >>"$page_log" 2>&1 &
    page_tests=$!
}
end_page_tests() {
    status=0
    wait "$page_tests" || status=$?
    page_tests=
    grep -E '^ *(ok|not ok) ' "$page_log" || true
    [ "$status" = 0 ] || cat "$page_log"
    scripts/test-results.py page "$status" "$page_log" >>"$summary"
}

case ${1:-} in
check)
    build_all
    run_tests check "$build" --suite check
    ;;
test)
    echo "== gcc =="
    build_all
    run_tests gcc "$build"
    begin_page_tests tests/page
    echo "== clang, with the address and undefined-behaviour sanitizers, and the fuzzers =="
    build_sanitized sanitized
    run_tests sanitize "$sanitized" --suite unit --suite fuzz --suite memory
    echo "== the page, in a browser =="
    end_page_tests
    ;;
audit)
    build_all
    set --
    if [ "${AUDIT:-}" = quick ]; then
        set -- --no-suite long
        echo "AUDIT=quick: what takes longest is left out, the generators at full length and random mutants"
    fi
    run_tests audit "$build" --setup audit --suite audit "$@"
    # shellcheck disable=SC2046 # what does not ask PAGE_TEST is in `make test`
    PAGE_TEST=full begin_page_tests $(grep -l isFull tests/page/*.test.mjs)
    echo "== under the sanitizers =="
    build_sanitized tests/torture_server
    run_tests audit-sanitize "$sanitized" --setup audit --suite sanitized
    echo "== under valgrind =="
    run_tests valgrind "$build" --suite valgrind \
        --wrapper 'valgrind -q --error-exitcode=9 --leak-check=full'
    echo "== the page, in every combination =="
    end_page_tests
    ;;
torture)
    build_all
    build_sanitized tests/torture_server
    echo "== studies damaged by the hundred =="
    tests/torture/damage.py "$build/ringleader" 500
    echo "== a study killed a thousand times =="
    tests/torture/kill.sh "$build/ringleader" 1000
    echo "== every bad request, under the sanitizers =="
    tests/torture/requests.py "$sanitized/tests/torture_server"
    exit
    ;;
*)
    echo "usage: scripts/test.sh check|test|audit|torture" >&2
    exit 2
    ;;
esac
echo
scripts/test-results.py --sum <"$summary"
