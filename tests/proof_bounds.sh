#!/bin/sh
# The tables of docs/proof.md: every verified ring of docs/protocols/prl.md with its worst expected
# steps, the bounds of proof/Optimal.v and proof/Theorem1.v for it; and both bounds beside what was
# measured from the start glued.
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

# E[T] >= n (n - 1) / P, as `lower_bound` states it
part=$(sed -n '/^Theorem lower_bound /,/^Proof/s/.*(n \* (n - 1)) \([0-9]*\) .*/\1/p' proof/Optimal.v)
[ -n "$part" ] || { echo "no bound found in proof/Optimal.v"; exit 1; }

rows docs/protocols/prl.md verified | awk -v constants="$constants" -v part="$part" '
    { split(constants, c, " "); bound = $1 * (c[1] * $2 + c[2] * $1)
      printf "%d %d %.4f %.4f %d %.1f\n", $1, $2, $1 * ($1 - 1) / part, $8, bound, bound / $8 }' >"$expected"
[ "$(wc -l <"$expected")" -ge 13 ] || { echo "the verified table is too short"; exit 1; }
rows docs/proof.md bounds | awk '{ print $1, $2, $3, $4, $5, $6 }' | diff - "$expected"

# For n = N the mean from glued lies between the bounds, and below the worst where that is known.
rows docs/protocols/prl.md verified | awk '$1 == $2 { print $1, $8 }' >"$expected"
rows docs/proof.md both | awk -v constants="$constants" -v part="$part" -v worst="$expected" '
    BEGIN { split(constants, c, " "); while ((getline line < worst) > 0) { split(line, w, " "); of[w[1]] = w[2] } }
    { n = $1; low = n * (n - 1) / part
      for (e = 2; 200 * e ^ 3 <= n; e++) if ((e - 1) * n * n / (4 * e) > low) low = (e - 1) * n * n / (4 * e)
      high = n * (c[1] * n + c[2] * n)
      if (sprintf("%.2f", low) != sprintf("%.2f", $2) && sprintf("%.0f", low) != $2) wrong = wrong " " n
      if ($NF != high || $3 < low || $3 > high) wrong = wrong " " n
      if (n in of && (sprintf("%.2f", of[n]) != $4 || $3 > $4)) wrong = wrong " " n
      if (!(n in of) && NF != 4) wrong = wrong " " n }
    END { if (wrong || NR < 10) { print NR " rows; wrong for n =" wrong; exit 1 } }'
