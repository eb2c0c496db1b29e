#!/bin/sh
# Breaks a protocol on purpose, once for each mutant of its list, and checks that this is noticed; and
# that nothing is noticed of the protocol as it is.
# usage: run.sh BUILD PROTOCOL
#
# A list, PROTOCOL.txt beside this script, has fields with tabs between them:
#   file FILES          what the mutants are mutants of, in src/protocols
#   try NAME COMMAND    something that may notice:
#       verify, explore or prove ARGUMENTS  notices if it answers "no" with a trace that `replay` accepts
#       stability ARGUMENTS  the same, but only the answer "not self-stabilizing" counts
#       elect ARGUMENTS      notices if the target is not hit
#       test NAME ARGUMENTS  a program of tests/, notices if it fails
#   MUTANT TRIES SED    a mutant: what must notice it, and what must not (with a ! before it), then
#                       how it is made
# A mutant that changes nothing or does not compile is a mistake in the list.
set -eu
build=$(realpath "$1")
protocol=$2
here=$(cd "$(dirname "$0")" && pwd)
list=$here/$protocol.txt
sources=$here/../../src/protocols
tab=$(printf '\t')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/protocols"
: >"$work/output"

fail() {
    echo "$protocol, $mutant: $1" >&2
    cat "$work/output" >&2
    exit 1
}

# build_command TARGET PATTERN: the last of the commands that make it, of those with the pattern.
build_command() {
    ninja -C "$build" -t commands "$1" | grep -e "$2" | tail -n 1
}

# compile SED: the protocol as the build compiles it, with the mutant's files found first. Sets
# `changed` if there is a difference.
compile() {
    changed=
    for file in $files; do
        sed "$1" "$sources/$file" >"$work/protocols/$file"
        cmp -s "$sources/$file" "$work/protocols/$file" || changed=yes
    done
    rm -rf "$work/programs"
    mkdir "$work/programs"
    command=$(build_command "libengine-$protocol.a" " -c " |
        sed "s# -MD .* -o [^ ]* # -O1 -w -o $work/mutant.o #; s# # -I$work #")
    (cd "$build" && eval "$command") 2>"$work/output" || fail "does not compile"
}

# link TARGET: a program of the build with the mutant in it. Its object comes first, so that the
# library's own is not taken.
link() {
    [ ! -e "$work/programs/${1##*/}" ] || return 0
    command=$(build_command "$1" " -o $1 " |
        sed "s# -o $1 # -o $work/programs/${1##*/} $work/mutant.o #")
    (cd "$build" && eval "$command") 2>"$work/output" || fail "$1 does not link"
}

# run PROGRAM ARGUMENTS: sets `status`. A mutant may well run for ever.
run() {
    program=$work/programs/$1
    shift
    status=0
    timeout 100 "$program" "$@" >"$work/output" 2>&1 || status=$?
}

# ringleader COMMAND ARGUMENTS: the same, of the program; the execution goes to $work/trace.
ringleader() {
    link ringleader
    command=$1
    shift
    run ringleader "$command" -p "$protocol" "$@" --trace "$work/trace"
    [ "$status" -le 1 ] || fail "$command ends with status $status"
}

# notice COMMAND ARGUMENTS, as in the list: sets `noticed` to yes or no.
notice() {
    kind=$1
    shift
    case $kind in
    verify | explore | prove | elect) ringleader "$kind" "$@" ;;
    stability)
        ringleader verify --only stability --json "$@"
        ! grep -q '"self_stabilizing":true' "$work/output" || status=0
        ;;
    test)
        name=$(echo "$1" | tr / _)
        shift
        link "$(cd "$build" && find tests -type f -name "$name")"
        run "$name" "$@"
        ;;
    *) fail "there is no way to try called $kind" ;;
    esac
    [ "$status" = 0 ] && noticed=no || noticed=yes
    case $kind,$noticed in
    verify,yes | explore,yes | prove,yes | stability,yes)
        run ringleader replay "$work/trace"
        [ "$status" = 0 ] || fail "the trace of verify does not replay"
        ;;
    esac
}

# expect TRY yes|no: whether it is to notice.
expect() {
    command=$(sed -n "s/^try$tab$1$tab//p" "$list")
    [ -n "$command" ] || fail "the list has no try $1"
    notice $command
    [ "$noticed" = "$2" ] || fail "noticed by $1: $noticed"
}

files=$(sed -n "s/^file$tab//p" "$list")
mutant="as it is"
compile ""
for try in $(sed -n "s/^try$tab\([^$tab]*\)$tab.*/\1/p" "$list"); do
    expect "$try" no
done

caught=0
grep -v -e '^#' -e '^$' -e "^file$tab" -e "^try$tab" "$list" >"$work/mutants"
while IFS=$tab read -r mutant tries how; do
    compile "$how"
    [ "$changed" ] || fail "the expression changes nothing"
    for try in $tries; do
        case $try in
        !*) expect "${try#!}" no ;;
        *) expect "$try" yes ;;
        esac
    done
    caught=$((caught + 1))
done <"$work/mutants"
[ "$caught" -gt 0 ]
echo "$caught mutants of $protocol caught"
