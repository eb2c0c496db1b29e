#!/bin/sh
# One study in three shares, each killed with -9 again and again at random moments while a reader
# stands in its file; in the end the three together are, byte for byte, an undisturbed study.
#   kill.sh PROGRAM KILLS [SEED]
# Where the work is done before a kill comes, there is twice as much of it from then on.
set -eu
program=$(realpath "$1")
kills=$2
trials=$((kills * 10))
random=${3:-20201208}
work=$(mktemp -d)
cd "$work"
readers=
# shellcheck disable=SC2086 # several
trap 'kill $readers 2>/dev/null || true; rm -rf "$work"' EXIT

# study FILE OPTION...: instead of this shell, so that there is one process to be killed.
study() {
    file=$1
    shift
    exec "$program" study --db "$file" -n 512,768 --start random,leaderless --trials $trials --quiet "$@"
}

ask() {
    sqlite3 -cmd '.timeout 20000' "$@"
}
rows_in() {
    ask "$1" 'SELECT count(*) FROM trial'
}
# Park and Miller's generator.
draw() {
    random=$((random * 16807 % 2147483647))
}
# A reader who has read a row and stays in the middle of its query.
stand_in() {
    rm -f hold
    mkfifo hold
    { echo 'BEGIN; SELECT count(*) FROM trial;'; cat hold; } | sqlite3 "$1" >"$1.rows" &
    readers="$readers $!"
    exec 9>hold
    tries=0
    until [ -s "$1.rows" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 500 ]
        sleep 0.02
    done
}

done_kills=0
for share in 1 2 3; do
    db=share$share.db
    "$program" study --db $db -n 512 --trials 1 --share $share/3 --quiet
    stand_in $db
    before=$(rows_in $db)
    until [ $((done_kills * 3)) -ge $((kills * share)) ]; do
        draw
        study $db --extend --share $share/3 --jobs 1 &
        pid=$!
        # The first is killed when it has written something, however slow the machine is.
        until [ "$(rows_in $db)" -gt "$before" ]; do sleep 0.02; done
        sleep "0.$(printf %03d $((random % 250)))"
        kill -9 "$pid" 2>/dev/null || true
        status=0
        wait "$pid" 2>/dev/null || status=$?
        case $status in
        0) trials=$((trials * 2)) ;;
        137) done_kills=$((done_kills + 1)) ;;
        *) exit 1 ;;
        esac
    done
    rows=$(rows_in $db)
    echo "share $share: $done_kills kills, from $before to $rows rows under a reader who sees $(head -n 1 $db.rows)"
    exec 9>&-
done
for share in 1 2 3; do
    (study share$share.db --extend)
    [ "$(ask share$share.db 'PRAGMA integrity_check')" = ok ]
done
(study whole.db)
"$program" report whole.db --csv whole.csv
"$program" report share1.db share2.db share3.db --csv - | cmp - whole.csv
echo "$done_kills kills: the export is that of an undisturbed study"
