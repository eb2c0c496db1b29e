#!/bin/sh
# The table of docs/proof.md: every verified ring of docs/protocols/prl.md with its worst expected steps,
# the bound of proof/Theorem1.v for it, and their ratio.
set -eu
cd "$(dirname "$0")/.."
expected=$(mktemp)
trap 'rm -f "$expected"' EXIT
# n (A N + B n), as `expected_steps` states it
constants=$(sed -n '/^Theorem expected_steps /,/^Proof/s/.*(length c \* (\([0-9]*\) \* N + \([0-9]*\) \* length c)).*/\1 \2/p' \
    proof/Theorem1.v)
[ -n "$constants" ] || { echo "no bound found in proof/Theorem1.v"; exit 1; }

# rows FILE MARK: the table's rows between the mark and its end, without dashes and commas.
rows() {
    sed -n "/<!-- $2 -->/,/<!-- end -->/p" "$1" | grep '^| [0-9]' | tr -d '|,'
}

rows docs/protocols/prl.md verified | awk -v constants="$constants" '
    { split(constants, c, " "); bound = $1 * (c[1] * $2 + c[2] * $1)
      printf "%d %d %.4f %d %.1f\n", $1, $2, $8, bound, bound / $8 }' >"$expected"
[ "$(wc -l <"$expected")" -ge 13 ] || { echo "the verified table is too short"; exit 1; }
rows docs/proof.md bounds | awk '{ print $1, $2, $3, $4, $5 }' | diff - "$expected"
