#!/bin/sh
# The mutation check: run.sh BUILD-DIRECTORY. Each mutant of prl.txt is built into the unit tests of
# Algorithm 1, which must then fail; unmutated they must pass. A mutant that the compiler refuses or
# that changes nothing is a mistake in the list.
set -eu
build=$(realpath "${1:-build}")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What the tests need besides the protocol is compiled once: core, and a registry of the two.
tests="test_prl test_prl_sets"
flags="-std=gnu11 -O0 -w -Iinclude -Itests -I$build"
mkdir "$scratch/library"
cat >"$scratch/registry.c" <<'END'
#include "ringleader/protocol.h"
extern const struct rl_protocol rl_protocol_prl, rl_protocol_prl_dummy;
const struct rl_protocol *rl_protocol_at(size_t i)
{
    return i == 0 ? &rl_protocol_prl : i == 1 ? &rl_protocol_prl_dummy : NULL;
}
END
for source in src/core/*.c "$scratch/registry.c"; do
    gcc $flags -Isrc -c "$source" -o "$scratch/library/$(basename "$source" .c).o"
done
for test in $tests; do
    gcc $flags -Isrc -c "tests/unit/$test.c" -o "$scratch/$test.o"
done

# try NUMBER EXPRESSION: 0 the tests fail, 1 they pass, 2 no change, 3 it does not compile.
try() {
    tree=$scratch/$1
    mkdir -p "$tree/protocols"
    cp src/protocols/*.[ch] "$tree/protocols"
    if [ -n "$2" ]; then
        sed "$2" src/protocols/prl.c >"$tree/protocols/prl.c"
        ! cmp -s src/protocols/prl.c "$tree/protocols/prl.c" || return 2
    fi
    for protocol in prl prl-dummy; do
        gcc $flags -I"$tree" -DPROTOCOL_ID="$(echo "$protocol" | tr - _)" \
            -c "$tree/protocols/$protocol.c" -o "$tree/$protocol.o" || return 3
    done
    for test in $tests; do
        gcc "$scratch/$test.o" "$scratch"/library/*.o "$tree"/*.o -lcmocka -o "$tree/$test" ||
            return 3
        timeout 20 "$tree/$test" >"$tree/$test.log" 2>&1 || return 0
    done
    return 1
}

status=0
try original "" || status=$?
[ "$status" = 1 ] || { echo "the unmutated tests do not pass"; cat "$scratch"/original/*.log; exit 1; }

number=0
while IFS='|' read -r name expression; do
    case $name in '#'* | '') continue ;; esac
    number=$((number + 1))
    (
        status=0
        try "$number" "$(echo "$expression" | sed 's/^ //')" || status=$?
        case $status in
        0) exit 0 ;;
        1) echo "NOT CAUGHT: $name" ;;
        2) echo "changes nothing: $name" ;;
        *) echo "does not compile: $name" ;;
        esac >>"$scratch/failures"
    ) &
    [ $((number % 2)) = 0 ] && wait
done <"$here/prl.txt"
wait
[ "$number" -ge 12 ] || { echo "only $number mutants"; exit 1; }
if [ -s "$scratch/failures" ]; then
    cat "$scratch/failures"
    exit 1
fi
echo "$number mutants of Algorithm 1, all caught"
