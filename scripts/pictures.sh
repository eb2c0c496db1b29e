#!/bin/sh
# Makes the pictures that are kept with the documentation: the README's, and one for each protocol.
#   scripts/pictures.sh RINGLEADER
set -eu
cd "$(dirname "$0")/.."
ringleader=$1
mkdir -p docs/protocols
"$ringleader" draw -n 300 --start leaders --seed 4 --columns 300 --rows 500 -o docs/ringleader.png
# A prime n suits every protocol's assumption; slow protocols are shown from their beginning only.
"$ringleader" protocols | while read -r name _; do
    "$ringleader" draw -p "$name" -n 61 --start random --seed 1 --max-steps 40000 --rows 320 \
        --dist -o "docs/protocols/$name.png"
done
