#!/bin/sh
# Makes the pictures that are kept with the documentation: the README's two, of which the page (make web)
# and Chromium make the moving one, and one for each protocol.
#   scripts/pictures.sh RINGLEADER
set -eu
cd "$(dirname "$0")/.."
ringleader=$1
mkdir -p docs/protocols

# of_protocol NAME FILE
of_protocol() {
    "$ringleader" draw -p "$1" -n 61 --start random --seed 1 --max-steps 40000 --rows 320 --dist \
        -o "docs/protocols/$2.png"
}

"$ringleader" draw -n 300 --start leaders --seed 4 --columns 300 --rows 500 -o docs/ringleader.png
node scripts/film.mjs "$(dirname "$ringleader")" docs/page.gif
# The table's first column names the protocols. A prime n suits every protocol's assumption; slow
# protocols are shown from their beginning only.
"$ringleader" protocols | sed '1d; /^$/,$d' | while read -r name _; do
    of_protocol "$name" "$name"
done
of_protocol prl-undirected undirected
