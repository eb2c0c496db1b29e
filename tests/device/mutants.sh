#!/bin/sh
# Breaks the link on purpose and sees that its tests notice: mutants.sh BUILD.
# The list, mutants.txt, has fields with tabs between them. A mutant that changes nothing or does not
# compile is a mistake in the list.
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/device"
tab=$(printf '\t')

fail() {
    echo "mutant '$name': $1"
    cat "$work/output"
    exit 1
}

# make PROGRAM: as the build compiles it, with the mutated link found first.
make() {
    object=tests/device/device_$1.p/$1.c.o
    command=$(ninja -C "$build" -t commands "tests/device/device_$1" | grep -e "-c .*/$1\.c$" | tail -n 1)
    (cd "$build" && eval "$(echo "$command" | sed "s| -I| -I$work -I|; s|-o $object|-o $work/$1.o|; s/-O3/-O1/; s/ -Werror / /")") \
        >"$work/output" 2>&1 || fail "does not compile"
    command=$(ninja -C "$build" -t commands "tests/device/device_$1" | tail -n 1)
    (cd "$build" && eval "$(echo "$command" | sed "s|-o tests/device/device_$1 |-o $work/$1 |; s| $object | $work/$1.o |")") \
        >"$work/output" 2>&1 || fail "does not link"
}

count=0
while IFS=$tab read -r name program tests edit; do
    case $name in '#'* | '') continue ;; esac
    sed "$edit" ../../src/device/link.c >"$work/device/link.c"
    : >"$work/output"
    ! cmp -s ../../src/device/link.c "$work/device/link.c" || fail "changes nothing"
    make "$program"
    if "$work/$program" "$tests" >"$work/output" 2>&1; then
        fail "is not noticed by $program, $tests"
    fi
    grep -q 'FAILED' "$work/output" || fail "ended otherwise"
    count=$((count + 1))
done <mutants.txt
echo "$count mutants of the link, all noticed"
