#!/bin/sh
# The page of a report in a real browser: no error, no request to any host, every plot with its
# points. And its other files: PDFs with fonts inside, CSV, TeX.
#   page.sh PROGRAM
. "$(dirname "$0")/../program.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch"

cat >plan <<'PLAN'
trials = 20
grid
n = 8..64x2
N = 1n, 2n, 4n
start = random, leaderless
claim = O(nN) & <more>, that is \alpha n N steps for some {small} constant, and ~ as long for others
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
grep -q '^"prl, N=2n, leaderless",prl,leaderless,n,a bound N >= n is known,24(N+1),"O(nN) & <more>, that is .alpha n N steps for some {small} constant, and ~ as long for others",4,0,"agrees with O(nN) & <more>, that' page/growth.csv
grep -q 'agrees with O(nN) \\& <more>, that is \\textbackslash{}alpha n N steps for some \\{small\\} constant, and \\textasciitilde{} as' \
    page/growth.tex

# Points of ppl, whose psi and kmax grow with n, are one family.
"$program" study --db psi.db -p ppl -n 16..64x2 --start leaders --trials 5 --quiet
"$program" report psi.db --json | grep -q '"label":"ppl, leaders","along":"n","claim":"O(n^2 log n)","points":3'

# Printed on A4: every column of every table, and no page that is nearly empty before the last.
chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --user-data-dir="$scratch/profile" \
    --print-to-pdf=page.pdf "file://$scratch/page/index.html" >/dev/null 2>&1
pages=$(pdfinfo page.pdf | sed -n 's/^Pages: *//p')
pdfinfo page.pdf | grep -q 'A4'
for word in claimed assumes 'best form' 'mean /' chi-squared most '95 %'; do
    pdftotext -layout page.pdf - | grep -qF "$word" || { echo "printed without '$word'"; exit 1; }
done
page=1
while [ "$page" -lt "$pages" ]; do
    [ "$(pdftotext -f $page -l $page page.pdf - | wc -w)" -gt 60 ] || {
        echo "page $page of $pages is nearly empty"
        exit 1
    }
    page=$((page + 1))
done

# A study that is not finished says so, on its page and beside its other outputs.
"$program" study --db half.db -n 8,16 --trials 10 --share 1/2 --quiet
"$program" report half.db -o half >/dev/null 2>half.err
grep -q 'id=unfinished>The study is not finished: 10 of 20 trials' half/index.html
grep -q 'not finished: 10 of 20' half.err
"$program" report half.db --json 2>/dev/null | grep -q '"wanted":20'
grep -q 'id=unfinished' page/index.html && exit 1
# Points that differ in their faults, seed or limit have labels that differ.
printf 'n = 8; trials = 1\ngrid\ngrid; seed = 2\ngrid; max-steps = 99\ngrid; fault = 1@0\ngrid; engine = step' >plan
"$program" study --db labels.db --plan plan --quiet
"$program" study --status labels.db | sed -n 's/.*  protocol=prl; n=8; //p' >labels
[ "$(wc -l <labels)" = 5 ] && [ "$(sort -u labels | wc -l)" = 5 ]
# A parameter that stays while n grows is no multiple of n, even where it could be: 6 = 2n = n^1.5.
echo 'protocol = fences; n = 2..4; patience = 6; trials = 5' >patience
"$program" study --db patience.db --plan patience --quiet
"$program" report patience.db -o patience.report >/dev/null
grep -q '^"fences, patience=6, random",fences,random,n,none,504 + 36K,exponential,3,0,' \
    patience.report/growth.csv
# The same report twice is the same page.
"$program" report page.db -o again >/dev/null
cmp page/index.html again/index.html

# A smaller report takes its place as a whole, and leaves nothing beside it.
"$program" study --db small.db -n 8..32x2 --trials 5 --quiet
"$program" report small.db -o small >/dev/null
"$program" report small.db -o page/ >/dev/null
diff -r page small
! ls -d ./*.new* 2>/dev/null
mkdir empty
"$program" report small.db -o empty >/dev/null
diff -r empty small

# What is not a report alone is never touched: a study in the directory, somebody's file, one that a
# link leads to, a report without its mark, a link in place of the directory.
refuse() {
    find own victim.txt -type f -exec cksum {} + | sort >before
    status=0
    "$program" report small.db -o "${2:-own}" >out 2>err || status=$?
    [ $status = 2 ] && [ ! -s out ] && grep -qF "$1" err || { cat err; exit 1; }
    find own victim.txt -type f -exec cksum {} + | sort | diff before -
}
echo precious >victim.txt
mkdir own
cp small.db own/k.db
refuse '(k.db)'
(cd own && ! "$program" report k.db -o . 2>../err)
[ "$(ls -A own)" = k.db ] && grep -q 'not the one you are in' err
rm own/k.db
"$program" report small.db -o own >/dev/null
rm own/trials.csv && ln -s ../victim.txt own/trials.csv
refuse '(trials.csv)'
rm own/trials.csv own/written.txt
refuse '(no written.txt)'
"$program" report small.db -o fresh >/dev/null && rm -r own && mv fresh own
echo mine >own/plots/notes.txt
refuse '(notes.txt)'
rm own/plots/notes.txt
mv own/plots elsewhere && ln -s ../elsewhere own/plots
refuse '(plots)'
rm own/plots && mv elsewhere own/plots
ln -s own link
refuse 'is not a directory' link
refuse 'is not a directory' victim.txt
# A report that fails leaves the older one, and nothing else.
cksum own/index.html >before
(ulimit -f 8; trap '' XFSZ; ! "$program" report small.db -o own >/dev/null 2>&1)
cksum own/index.html | diff before -
[ "$(ls -d own*)" = own ] || { ls -d own*; exit 1; }
