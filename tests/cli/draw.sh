#!/bin/sh
# ringleader draw and elect --picture, --watch as a person meets them: exit statuses, what is said,
# and that nothing half-written stays behind.
#   draw.sh PROGRAM
. "$(dirname "$0")/../program.sh"
cd "$scratch"

# nothing_left STATUS PATTERN ARGUMENTS...: refused, and no file.
nothing_left() {
    refused "$@"
    [ -z "$(ls)" ] || fail "left behind $(ls): $*"
}

nothing_left 2 "where to" draw -n 10
nothing_left 2 ".svg, .png or .pdf" draw -n 10 -o picture.gif
nothing_left 2 "steps, events or log, not 'time'" draw -n 10 -o picture.svg --scale time
nothing_left 2 "2 to 20000" draw -n 10 -o picture.svg --rows 1
nothing_left 2 "how many agents" draw -o picture.svg
nothing_left 2 "FILE is given twice" draw a b -o picture.svg
nothing_left 2 "No such file" draw missing.rlt -o picture.svg
nothing_left 2 ".svg, .png or .pdf" elect -n 10 --picture picture.txt
nothing_left 2 "cannot be combined" elect -n 10 --watch --json
nothing_left 3 "cannot be written" draw -n 10 -o nowhere/picture.svg

# The picture of a trace is the picture of the election it records.
"$program" elect -n 20 --seed 5 --trace t.rlt --picture elected.png >/dev/null || fail "elect --trace"
"$program" draw -n 20 --seed 5 -o drawn.svg || fail "draw"
"$program" draw t.rlt -o replayed.svg || fail "draw of a trace"
cmp drawn.svg replayed.svg || fail "a trace is drawn differently from its election"
"$program" draw -n 20 --seed 5 --scale log -o log.svg || fail "draw --scale log"
"$program" draw t.rlt --scale log -o replayed.svg || fail "draw --scale log of a trace"
cmp log.svg replayed.svg || fail "a trace is drawn differently from its election, in a log scale"
"$program" draw -n 20 --seed 5 --scale events -o events.svg || fail "draw --scale events"
grep -q ">events<" events.svg || fail "--scale events is not said"
if cmp -s log.svg drawn.svg; then fail "--scale log makes no difference"; fi
"$program" draw -n 20 --seed 5 -o drawn.png
cmp drawn.png elected.png || fail "elect --picture differs from draw"

# A ring that nobody could see is refused at once; the longest count has room.
if "$program" draw --ring random -n 4194304 -o huge.svg 2>err; then fail "a huge ring is drawn"; fi
grep -q 'more than 20,000 agents' err || fail "no reason for not drawing a huge ring"
[ ! -e huge.svg ] || fail "a picture of a huge ring is left behind"
"$program" draw -n 100000 -o long.svg
left=$(sed -n "s/.*<text x=\"\([0-9.]*\)\"[^>]*>[1-9]0,000,000,000<.*/\1/p" long.svg | head -n 1)
[ -n "$left" ] && [ "${left%%.*}" -gt 92 ] || fail "no room for tens of thousands of millions (at $left)"

# JSON stays alone on standard output.
"$program" elect -n 20 --json --picture p.svg | grep -q '^{.*}$' || fail "--json with --picture"
[ "$(grep -c '<rect' p.svg)" -gt 50 ] || fail "a picture of nothing"

# The same picture is the same file, whenever it is made.
"$program" draw -n 30 -o one.pdf >/dev/null && sleep 1.1 && "$program" draw -n 30 -o two.pdf >/dev/null
cmp one.pdf two.pdf || fail "a PDF has the time at which it was made"

# A line a sample, without colours where there is no terminal.
COLUMNS=60 "$program" elect -n 500 --watch --seed 1 >watched || fail "--watch"
grep -q ' 0 [LSs!o.-]\{26\} ' watched || fail "the first line of --watch"
grep -q 'S_RL$' watched || fail "--watch does not show the hit"
if grep -q "$(printf '\033')" watched; then fail "colours without a terminal"; fi
