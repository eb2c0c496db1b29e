#!/bin/sh
# Measures the paper's Table 1: runs the study of preset table1, makes its report, and tells it in
# the tables of docs/table1.md, in bench/table1.csv (one line a point) and in
# src/protocols/fitted.h, the growth that `ringleader protocols` shows. A study that was interrupted
# goes on. The README's short table is for a person to write.
#   bench/table1.sh [PROGRAM [DIRECTORY]]     default: build/ringleader, build/table1; about 2
#                                             minutes of one core
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/ringleader}
directory=${2:-build/table1}
mkdir -p "$directory"
"$program" study --db "$directory/table1.db" --preset table1 --quiet
"$program" report "$directory/table1.db" -o "$directory/report" --title "Table 1 of the paper, measured"
work=$directory/tables
rm -rf "$work"
mkdir "$work"
awk -v out="$work" -f bench/table1.awk "$directory/report/points.csv" "$directory/report/growth.csv"

# put NAME: DIRECTORY/NAME.md between the two comments of docs/table1.md that name it.
put() {
    awk -v name="$1" -v table="$work/$1.md" '
        $0 == "<!-- end of " name " -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name " -->" { inside = 1; while ((getline line <table) > 0) print line }
    ' docs/table1.md >docs/table1.md.new
    mv docs/table1.md.new docs/table1.md
}
put claims
put starts
put means
put exponential
cp "$directory"/report/plots/*-curve-leaders.svg docs/leaders.svg
mv "$work/points.txt" bench/table1.csv
mv "$work/fitted.h" src/protocols/fitted.h
