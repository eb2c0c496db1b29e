#!/bin/sh
# Bad input gets exit 2 and one line; trouble outside gets exit 3 and loses nothing.
#   bad.sh PROGRAM
. "$(dirname "$0")/../program.sh"
cd "$scratch"

# An answer of "no" about a plan leaves no file behind.
refused 2 'give --db' study -n 8
refused 2 'x.db has no plan yet' study --db x.db
refused 2 'how many agents' study --db x.db --trials 5
refused 2 "--trials: '-5'" study --db x.db -n 8 --trials -5
refused 2 "-n: the range '9..8'" study --db x.db -n 9..8
refused 2 "--protocol: there is no protocol 'nonesuch'" study --db x.db -n 8 -p nonesuch
refused 2 "--protocol: there is no protocol 'PRL'; did you mean 'prl'?" study --db x.db -n 8 -p PRL
refused 2 "written with dots: 64..512, 64..512x2 or 64..512+64" study --db x.db -n 64-512
refused 2 'has no start nowhere' study --db x.db -n 8 --start nowhere
refused 2 "--share takes" study --db x.db -n 8 --share 5/4
refused 2 "--jobs" study --db x.db -n 8 --jobs 0
refused 2 'cannot be combined' study --db x.db -n 8 --preset table1
refused 2 "no preset 'tabel1'" study --db x.db --preset tabel1
refused 2 'cannot be combined' study --db y.db -n 8 --share 1/2 --until-error 5%
rm -f y.db
printf 'n = 8\ntrials = 5\n  sed = 3\n' >plan
refused 2 "plan: line 3, column 3: there is no key 'sed'" study --db x.db --plan plan
printf '# nothing\n' >plan
refused 2 'how many agents' study --db x.db --plan plan
refused 2 'nowhere.plan' study --db x.db --plan nowhere.plan
[ ! -e x.db ]

# Another plan on an existing file.
"$program" study --db a.db -n 8..16x2 --trials 20 --quiet
refused 2 "only the file has 'protocol=prl; n=8; N=8; start=random; trials=20', only yours" study --db a.db -n 8,16 --trials 30
refused 2 "only the file has 'protocol=prl; n=16; N=16; start=random; trials=20', only yours ''" study --db a.db -n 8 --trials 20
"$program" study --db a.db -n 8,16 --trials 30 --extend --quiet
"$program" study --db a.db -n 8..16x2 --trials 20 --quiet
"$program" study --db a.db -n 16,8 -N 1n --trials 30 --quiet # the same in other words
[ "$(sqlite3 a.db 'SELECT count(*) FROM trial')" = 60 ]

# What is said twice is both.
"$program" study --db twice.db -n 8 -n 9 --start random --start safe --trials 1 --quiet
[ "$(sqlite3 twice.db 'SELECT count(DISTINCT n || start) FROM trials')" = 4 ]

# Files that are not ours.
sqlite3 other.db 'CREATE TABLE t (x)'
refused 2 'another program' study --db other.db -n 8
refused 2 'another program' report other.db --csv -
cp a.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 99'
refused 2 'schema version 99' study --db newer.db -n 8
refused 2 'schema version 99' study --status newer.db
cp a.db stream.db
sqlite3 stream.db 'UPDATE trial SET stream_version = 99'
refused 2 'streams of version 99' study --db stream.db
seq 2000 >text.db
refused 2 'not a study database' study --db text.db -n 8
refused 2 'no file' report missing.db -o somewhere
refused 2 'where to' report a.db

# A damaged file: say how to salvage, and the advice works.
"$program" study --db big.db -n 8..32x2 --trials 500 --quiet
"$program" report big.db --csv whole.csv
pages=$(sqlite3 big.db 'PRAGMA page_count')
cp big.db damaged.db
dd if=/dev/zero of=damaged.db bs=4096 seek=$((pages / 2)) count=1 conv=notrunc 2>/dev/null
refused 3 'study --salvage damaged.db --db NEW.db' study --db damaged.db
refused 2 'needs a new file' study --salvage damaged.db --db a.db
refused 2 'no file' study --salvage missing.db --db saved.db
"$program" study --salvage damaged.db --db saved.db --json >summary
done_now=$(sed 's/.*"done_now":\([0-9]*\).*/\1/' summary)
[ "$done_now" -gt 0 ] && [ "$done_now" -lt 1500 ]
"$program" report saved.db --csv - | cmp whole.csv -

# However a file was cut short, the plan is known as long as its page is there; and rows that no run
# could have given are done again.
for part in 2 10 20 50 75 99; do
    head -c $(($(wc -c <big.db) * part / 100)) big.db >cut.db
    rm -f saved.db
    refused 3 'study --salvage cut.db --db NEW.db' report cut.db --csv -
    if [ "$part" -gt 2 ]; then
        "$program" study --salvage cut.db --db saved.db --quiet
        "$program" report saved.db --csv - | cmp - whole.csv
    else
        refused 3 'no point can be read' study --salvage cut.db --db saved.db
        [ ! -e saved.db ]
    fi
done
cp big.db impossible.db
sqlite3 impossible.db "UPDATE trial SET leader = 4294967173 WHERE trial = 3;
    UPDATE trial SET stream_version = 99 WHERE trial = 5"
"$program" study --db impossible.db --json >summary
grep -q '"done_now":6,' summary && grep -q '"dropped":6,' summary
"$program" report impossible.db --csv - | cmp - whole.csv

# A database is a file, whatever its name; a share belongs to its file.
(
    mkdir names && cd names
    "$program" study --db :memory: -n 8 --trials 3 --quiet
    "$program" study --db file:a.db -n 8 --trials 3 --quiet
    [ "$(sqlite3 ./:memory: 'SELECT count(*) FROM trial')" = 3 ] && [ -s file:a.db ]
    "$program" study --db share.db -n 8 --trials 100 --share 1/4 --quiet
    "$program" study --db share.db --json | grep -q '"trials":25,"done":25,"done_now":0,'
    "$program" study --status share.db --json | grep -q '"trials":25,"done":25,'
)
refused 2 'share 1/4' study --db names/share.db --share 2/4

# A full disk (here: a limit on the size of files): exit 3, what was written is whole.
got=0
(
    trap '' XFSZ
    ulimit -f 100
    "$program" study --db full.db -n 8 --trials 20000 --quiet
) 2>err || got=$?
[ "$got" = 3 ] && [ "$(wc -l <err)" = 1 ]
[ "$(sqlite3 full.db 'PRAGMA integrity_check')" = ok ]
kept=$(sqlite3 full.db 'SELECT count(*) FROM trial')
[ "$kept" -gt 0 ] && [ "$kept" -lt 20000 ]

# A file or directory that cannot be written (root can write anything).
if [ "$(id -u)" != 0 ]; then
    chmod a-w a.db
    refused 3 'cannot be written' study --db a.db
fi
refused 3 'cannot be written' study --db nowhere/a.db -n 8
refused 3 'cannot be made' report big.db -o nowhere/there

