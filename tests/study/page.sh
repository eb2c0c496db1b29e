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

# A smaller report in its place takes its plots away, and nothing that is not the report's own: a
# file of the user's, a plot that the user has changed, a path in the list that leads elsewhere.
"$program" study --db small.db -n 8..32x2 --trials 5 --quiet
"$program" report small.db -o small >/dev/null
echo mine >page/plots/mine.svg
changed=$(basename "$(ls page/plots/*recovery-prl-n.svg)")
echo '<!-- mine -->' >>"page/plots/$changed"
cp page/plots/01-overview.svg outside.svg
cp page/plots/01-overview.svg page/plots/unlisted.svg
awk '$2 == "01-overview.svg" { print $1, "../../outside.svg"; print $1, "../outside.svg" } { print }' \
    page/plots/written.txt >list && mv list page/plots/written.txt
cp outside.svg page/outside.svg
"$program" report small.db -o page >/dev/null
for kept in page/plots/mine.svg page/plots/unlisted.svg "page/plots/$changed" outside.svg \
    page/outside.svg; do
    [ -f "$kept" ] || { echo "$kept was removed"; exit 1; }
    rm "$kept"
done
(cd page && find . | sort) >files
(cd small && find . | sort) | diff files -
cmp page/index.html small/index.html
