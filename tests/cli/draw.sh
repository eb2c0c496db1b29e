#!/bin/sh
# ringleader draw and elect --picture, --watch as a person meets them: exit statuses, what is said,
# and that nothing half-written stays behind.
#   draw.sh RINGLEADER
ringleader=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# refused STATUS WORDS COMMAND...: the exit status, the words on stderr, and no file.
refused() {
    status=$1
    words=$2
    shift 2
    "$@" >out 2>err </dev/null
    found=$?
    [ "$found" = "$status" ] || fail "exit status $found instead of $status: $*"
    grep -q -- "$words" err || fail "'$(cat err)' does not say '$words': $*"
    [ "$(wc -l <err)" = 1 ] || fail "not one line: $*"
    rm -f out err
    [ -z "$(ls)" ] || fail "left behind $(ls): $*"
    rm -f ./*
}

refused 2 "where to" "$ringleader" draw -n 10
refused 2 ".svg, .png or .pdf" "$ringleader" draw -n 10 -o picture.gif
refused 2 "steps, events or log, not 'time'" "$ringleader" draw -n 10 -o picture.svg --scale time
refused 2 "2 to 20000" "$ringleader" draw -n 10 -o picture.svg --rows 1
refused 2 "how many agents" "$ringleader" draw -o picture.svg
refused 2 "an execution, --ring, or an election" "$ringleader" draw a b -o picture.svg
refused 2 "No such file" "$ringleader" draw missing.rlt -o picture.svg
refused 2 ".svg, .png or .pdf" "$ringleader" elect -n 10 --picture picture.txt
refused 2 "cannot be combined" "$ringleader" elect -n 10 --watch --json
refused 3 "cannot be written" "$ringleader" draw -n 10 -o nowhere/picture.svg

# The picture of a trace is the picture of the election it records.
"$ringleader" elect -n 20 --seed 5 --trace t.rlt --picture elected.png >/dev/null || fail "elect --trace"
"$ringleader" draw -n 20 --seed 5 -o drawn.svg || fail "draw"
"$ringleader" draw t.rlt -o replayed.svg || fail "draw of a trace"
cmp drawn.svg replayed.svg || fail "a trace is drawn differently from its election"
"$ringleader" draw -n 20 --seed 5 --scale log -o log.svg || fail "draw --scale log"
"$ringleader" draw t.rlt --scale log -o replayed.svg || fail "draw --scale log of a trace"
cmp log.svg replayed.svg || fail "a trace is drawn differently from its election, in a log scale"
"$ringleader" draw -n 20 --seed 5 --scale events -o events.svg || fail "draw --scale events"
grep -q ">events<" events.svg || fail "--scale events is not said"
if cmp -s log.svg drawn.svg; then fail "--scale log makes no difference"; fi
"$ringleader" draw -n 20 --seed 5 -o drawn.png
cmp drawn.png elected.png || fail "elect --picture differs from draw"

# A ring that nobody could see is refused at once; the longest count has room.
if "$ringleader" draw --ring random -n 4194304 -o huge.svg 2>err; then fail "a huge ring is drawn"; fi
grep -q 'more than 20,000 agents' err || fail "no reason for not drawing a huge ring"
[ ! -e huge.svg ] || fail "a picture of a huge ring is left behind"
"$ringleader" draw -n 100000 -o long.svg
left=$(sed -n "s/.*<text x=\"\([0-9.]*\)\"[^>]*>[1-9]0,000,000,000<.*/\1/p" long.svg | head -n 1)
[ -n "$left" ] && [ "${left%%.*}" -gt 92 ] || fail "no room for tens of thousands of millions (at $left)"

# JSON stays alone on standard output.
"$ringleader" elect -n 20 --json --picture p.svg | grep -q '^{.*}$' || fail "--json with --picture"

# The same picture is the same file, whenever it is made.
"$ringleader" draw -n 30 -o one.pdf >/dev/null && sleep 1.1 && "$ringleader" draw -n 30 -o two.pdf >/dev/null
cmp one.pdf two.pdf || fail "a PDF has the time at which it was made"

# A line a sample, without colours where there is no terminal.
COLUMNS=60 "$ringleader" elect -n 500 --watch --seed 1 >watched || fail "--watch"
grep -q ' 0 [LS<>.-]\{26\} ' watched || fail "the first line of --watch"
"$ringleader" elect -p aaf08 -n 9 --watch --seed 1 >leftward || fail "--watch of aaf08"
grep -q '< live bullet' leftward || fail "bullets that fly left point right in --watch"
grep -q 'S_RL$' watched || fail "--watch does not show the hit"
if grep -q "$(printf '\033')" watched; then fail "colours without a terminal"; fi

[ "$failures" = 0 ]
