#!/bin/sh
# In one bare Debian, scripts/setup.sh is asked for every purpose, twice: the second time it must find
# nothing missing. Needs root, to make that system. SUITE as in scripts/fresh.sh.
set -eu
cd "$(dirname "$0")/.."
if [ "$(id -u)" != 0 ]; then
    echo "left out: a bare system to try scripts/setup.sh in takes root to make"
    exit 0
fi
set --
for purpose in run check web python boards test coverage dist proof; do
    set -- "$@" "scripts/setup.sh $purpose && test -z \"\$(scripts/setup.sh $purpose 2>&1)\""
done
scripts/fresh.sh "$@"
