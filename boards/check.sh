#!/bin/sh
# SPDX-License-Identifier: MIT
# The account of a ring of boards from its consoles: check.sh PROGRAM N DIRECTORY
#   PROGRAM    ringleader
#   DIRECTORY  the logs, 00.log and so on in the order of the ring
# All interactions are put into one order; what is after the last trouble is replayed by `elect` and
# must end in the same configuration.
set -eu
program=$1 bound=$2 logs=$3
"$program" ring --check -N "$bound" --start-out "$logs/start" --schedule-out "$logs/schedule" --json \
    "$logs"/*.log >"$logs/check.json" || {
    "$program" ring --check -N "$bound" "$logs"/*.log || true
    exit 1
}
boards=$(ls "$logs"/*.log | wc -l)
"$program" elect -n "$boards" -N "$bound" --start "$logs/start" --schedule "$logs/schedule" \
    --end "$logs/end" --json >"$logs/elect.json"
# value NAME: of a number or of a list of states in check.json.
value() {
    sed -E "s/.*\"$1\":(\[[^]]*\]|[^,}]*).*/\1/" "$logs/check.json" | tr -d '[]"' | tr , ' '
}
[ "$(xargs <"$logs/end")" = "$(value end)" ] || {
    echo "the replay ends elsewhere: $(xargs <"$logs/end"), not $(value end)"
    exit 1
}
echo "account  $(value interactions) interactions, every one accounted for; $(value lost_interactions)" \
    "lost with a board's memory; 0 anomalies"
echo "replay   the last $(value steps) of them, by elect --schedule: the same configuration"
