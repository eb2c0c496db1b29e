#!/bin/sh
# The page of a report in a real browser: no error, no request to any host, every plot with its
# points. And its other files: PDFs with fonts inside, CSV, TeX.
#   page.sh PROGRAM
set -eu
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >plan <<'PLAN'
trials = 20
grid
n = 8..64x2
N = 1n, 2n, 4n
start = random, leaderless
claim = O(nN) & <more>
grid
protocol = prl-dummy
n = 8, 16, 32
max-steps = 20000
grid
n = 32, 64
start = safe
fault = 1@0, 10%@0, 50%@0
PLAN
"$program" study --db page.db --plan plan --quiet
"$program" report page.db -o page >/dev/null
node "$here/page.js" page
for pdf in page/plots/*.pdf; do
    [ "$(pdffonts "$pdf" | awk 'NR > 2 {print $(NF-4)}' | sort -u)" = yes ]
    [ -s "${pdf%.pdf}.svg" ]
done
[ "$(wc -l <page/trials.csv)" = $((1 + 20 * (4 * 3 * 2 + 3 + 6))) ]
grep -q 'begin{tabular}' page/growth.tex
# A line for each of the six families of prl along n that have a fit, and the eight along N.
[ "$(grep -c '^"prl, ' page/growth.csv)" = 14 ]
grep -q '^"prl, N=2n, leaderless",prl,leaderless,n,"a bound N >= n is known","24(N+1)","O(nN) & <more>",n^a,8,4,' page/growth.csv
# A parameter that stays while n grows is no multiple of n, even where it could be: 6 = 2n = n^1.5.
echo 'protocol = fences; n = 2..4; patience = 6; trials = 5' >patience
"$program" study --db patience.db --plan patience --quiet
"$program" report patience.db -o patience.report >/dev/null
grep -q '^"fences, patience=6, random",fences,random,n,"none","504 + 36K","exponential",a^n,2,3,' \
    patience.report/growth.csv
# The same report twice is the same page.
"$program" report page.db -o again >/dev/null
cmp page/index.html again/index.html
