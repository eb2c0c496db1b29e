# What tests of the program begin with. Sourced: $program is the first argument's, and the test goes on in
# an empty directory, $scratch, which is gone in the end.
set -eu
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'cd / && chmod -R u+w "$scratch" && rm -rf "$scratch"' EXIT

# fail WORDS...: says what is wrong, with the last that was written, and ends.
fail() {
    echo "FAILED: $*"
    cat "$scratch/out" "$scratch/err" 2>/dev/null || true
    exit 1
}

# ends STATUS ARGUMENTS...: the program ends with this status; its words are in $scratch/out and err.
ends() {
    wanted=$1
    shift
    status=0
    timeout 120 "$program" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "ringleader $*: status $status, not $wanted"
}

# refused STATUS PATTERN ARGUMENTS...: the same, with PATTERN in the one line on standard error, and nothing on
# standard output.
refused() {
    wanted=$1 pattern=$2
    shift 2
    ends "$wanted" "$@"
    [ "$(wc -l <"$scratch/err")" = 1 ] || fail "ringleader $*: not one line"
    grep -q -- "$pattern" "$scratch/err" || fail "ringleader $*: does not say '$pattern'"
    [ ! -s "$scratch/out" ] || fail "ringleader $*: prints something"
    rm -f "$scratch/out" "$scratch/err"
}
