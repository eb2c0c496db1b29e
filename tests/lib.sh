# What the tests that are shell scripts share. Sourced.

# skip REASON: Meson counts status 77 as skipped; scripts/test.sh shows the last line as the reason.
skip() {
    echo "$1"
    exit 77
}

# needs_version PROGRAM VERSION: skips unless this is the version that the test was written for.
needs_version() {
    command -v "$1" >/dev/null || skip "$1 is missing"
    "$1" --version | grep -qE "(^|[^0-9.])$2($|[^0-9])" ||
        skip "written for $1 $2, and this is $("$1" --version | grep -oE '[0-9]+\.[0-9.]+' | head -n 1)"
}
