#!/bin/sh
# A man page made of the help: man.sh PROGRAM [COMMAND]. The help is a page's text already; this only
# puts the macros of man(7) between its parts, so nothing is said twice.
set -eu
program=$1
command=${2:-}
name=ringleader${command:+-$command}
version=$("$program" --version | sed 's/,.*//')
date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%d)
if [ -n "$command" ]; then
    summary=$("$program" --help | sed -n "s/^  $command  *//p" | head -n 1)
else
    summary=$("$program" --help | sed -n '1s/Ringleader: \(.*\)\./\1/p')
fi
others=$("$program" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -vx -e ringleader -e "$command")
# shellcheck disable=SC2086 # no command: no word
"$program" $command --help | awk -v name="$name" -v version="$version" -v date="$date" \
    -v summary="$summary" -v others="$others" '
function text(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    if (s ~ /^[.\047]/) s = "\\&" s
    return s
}
# Lines of at most 79 characters, broken at spaces; `joint` is what stands at a break.
function put(s, joint,    at) {
    s = text(s)
    while (length(s) > 79) {
        for (at = 78; at > 1 && substr(s, at, 1) != " "; at--) continue
        print substr(s, 1, joint == "" ? at - 1 : at) joint
        s = substr(s, at + 1)
    }
    print s
}
function section(title) {
    if (title != part) print ".SH " title
    part = title
}
BEGIN {
    indent = sprintf("%21s", "")
    printf ".TH %s 1 %s \"%s\"\n", toupper(name), date, version
    print ".SH NAME\n" text(name) " \\-"
    put(summary)
}
/^Ringleader: / { next }
/^usage: / || (part == "SYNOPSIS" && /^       /) {
    section("SYNOPSIS")
    print ".nf\n.B " text(substr($0, 8)) "\n.fi"
    next
}
/^Exit status: / { section("EXIT STATUS"); sub(/^Exit status: /, "") }
/^examples:$/ { section("EXAMPLES"); print ".nf\n.in 2n"; next }
part == "EXAMPLES" { put(substr($0, 3), "\\"); next }
/^$/ { gap = 1; next }
# A name and what it means: from column 21 on, or, where the name is longer, behind two spaces.
/^  +[^ ]/ && substr($0, 1, 21) != indent && part != "EXIT STATUS" {
    section(name == "ringleader" ? "COMMANDS" : "OPTIONS")
    cut = name != "ringleader" && substr($0, 21, 1) == " " ? 21 : 2 + match(substr($0, 3), /  /)
    head = substr($0, 1, cut)
    rest = substr($0, cut + 1)
    gsub(/^ +| +$/, "", head)
    gsub(/^ +/, "", rest)
    print ".TP\n.B " text(head)
    put(rest)
    gap = 0
    next
}
substr($0, 1, 21) == indent { sub(/^ +/, ""); put($0); next }
{
    if (part == "SYNOPSIS" || part == "") section("DESCRIPTION")
    else if (part == "OPTIONS" && $0 !~ /^ /) print ".PP"
    else if (gap && part != "EXIT STATUS") print ".PP"
    gap = 0
    put($0)
}
END {
    if (part == "EXAMPLES") print ".in\n.fi"
    print ".SH SEE ALSO\n.ad l\n.nh"
    if (name != "ringleader") print ".BR ringleader (1),"
    count = split(others, names, "\n")
    for (i = 1; i <= count; i++) printf ".BR ringleader\\-%s (1)%s\n", names[i], i < count ? "," : ""
}'
