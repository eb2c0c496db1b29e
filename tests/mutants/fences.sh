#!/bin/sh
# Breaks fences on purpose, once for each line of fences.txt, and checks that it is noticed; and that
# nothing is noticed of fences as it is. usage: fences.sh BUILD SOURCE
set -eu
build=$1
source=$2
. "$(dirname "$0")/link.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/protocols"
caught=0

# compile: ringleader and the tests with the fences.c in $work. Its object comes first, so the
# library's own is not taken.
compile() {
    ${CC:-cc} -std=gnu11 -O1 -w -D_POSIX_C_SOURCE=200809L -ffp-contract=off \
        -I"$work" -I"$source/src" -I"$source/include" \
        '-DPROTOCOL_FILE="protocols/fences.c"' -DPROTOCOL_ID=fences \
        -c "$source/src/simulate/specialise.c" -o "$work/fences.o"
    relink "$build" ringleader "$work/fences.o" "$work/ringleader"
    relink "$build" tests/unit_test_fences "$work/fences.o" "$work/unit"
}

# verdict COMMAND...: its exit status.
verdict() {
    if "$@" >"$work/output" 2>&1; then echo 0; else echo $?; fi
}

fail() {
    echo "$1" >&2
    cat "$work/output" >&2
    exit 1
}

cp "$source/src/protocols/fences.c" "$work/protocols/fences.c"
compile
[ "$(verdict "$work/unit")" = 0 ] || fail "fences as it is fails its tests"
[ "$(verdict "$work/ringleader" verify -p fences -n 7 --from clean)" = 0 ] ||
    fail "fences as it is does not verify"

tab=$(printf '\t')
while IFS=$tab read -r name by how; do
    case $name in '#'* | '') continue ;; esac
    sed "$how" "$source/src/protocols/fences.c" >"$work/protocols/fences.c"
    cmp -s "$source/src/protocols/fences.c" "$work/protocols/fences.c" &&
        fail "$name: the expression changes nothing any more"
    compile
    case $by in
    unit)
        [ "$(verdict "$work/unit")" != 0 ] || fail "$name: the line-by-line tests do not notice"
        ;;
    from=*)
        status=$(verdict "$work/ringleader" verify -p fences -n "${by#from=}" --from clean \
            --trace "$work/trace")
        [ "$status" = 1 ] || fail "$name: verify answers $status, not 1"
        [ "$(verdict "$work/ringleader" replay "$work/trace")" = 0 ] ||
            fail "$name: the trace does not replay"
        ;;
    esac
    caught=$((caught + 1))
done <"$source/tests/mutants/fences.txt"
echo "$caught mutants of fences caught"
