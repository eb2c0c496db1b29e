#!/bin/sh
# Studies with protocols from files: study.sh RINGLEADER.
. "$(dirname "$0")/../program.sh"
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache"
export LC_ALL=C

# protocol FILE MORE: two leaders meet and one remains; MORE is in the same function.
protocol() {
    cat >"$1" <<END
#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L") NUMBER(age, 4, 4, "a")
#include "ringleader/agent.h"
#include <stdint.h>
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (l->leader && r->leader)
        r->leader = 0;
    $2
}
static inline bool leads(struct agent agent)
{
    return agent.leader;
}
END
}

# holds SQL ANSWER: of the study s.db.
holds() {
    found=$(sqlite3 s.db "$1")
    [ "$found" = "$2" ] || fail "$1: $found, not $2"
}

# ---- files in plans
protocol duel.c ''
printf 'protocol = duel.c , prl # two of them\nn = 8\ntrials = 3\nmax-steps = 1000\n' >plan.txt
ends 0 study --db plan.db --plan plan.txt --quiet
[ "$(sqlite3 plan.db 'SELECT protocol, count(*) FROM trials GROUP BY 1 ORDER BY 1')" = "duel|3
prl|3" ] || fail "a file in a plan"
ends 0 study --db plan.db --plan plan.txt --json
grep -q '"done_now":0' out || fail "the same plan once more"
mkdir copy
cp duel.c copy
printf 'trials = 3; max-steps = 1000; grid\nprotocol = duel.c, copy/duel.c\nn = 8; grid\nprotocol = duel.c\nn = 9\n' >twice.txt
ends 0 study --db twice.db --plan twice.txt --quiet
[ "$(sqlite3 twice.db 'SELECT protocol, n, count(*) FROM trials GROUP BY 1, 2')" = "duel|8|3
duel|9|3" ] || fail "the same file twice, and a copy of it"
printf 'protocol = nosuch.c\nn = 8\n' >wrong.txt
ends 2 study --db wrong.db --plan wrong.txt
grep -q 'nosuch.c cannot be read' err || fail "a file that is not there in a plan"
[ ! -e wrong.db ] || fail "a study of nothing"

# ---- what has changed
grid='-n 8 --trials 5 --max-steps 1000 --quiet'
echo '/* one */' >rule.h
protocol duel.c '
#include "rule.h"
'
ends 0 study --db s.db -p duel.c $grid
holds 'SELECT count(*) FROM own WHERE text LIKE "%/* one */%"' 1
echo '/* two */' >rule.h
ends 2 study --db s.db -p duel.c $grid
grep -q 'protocol duel has changed since this study began: rename its file, or begin another study' err ||
    fail "a changed include"
ends 2 study --db s.db -p duel.c $grid --extend
cp duel.c other.c
ends 0 study --db s.db -p other.c -n 8 --trials 9 --max-steps 1000 --quiet --extend
echo '/* one */' >rule.h
ends 0 study --db s.db -p duel.c -n 8 --trials 7 --max-steps 1000 --quiet --extend
holds 'SELECT group_concat(trials) FROM (SELECT trials FROM point ORDER BY id)' 7,9
holds 'SELECT count(*) FROM own' 2
rm duel.c other.c rule.h
ends 0 report s.db -o r
grep -q '/\* one \*/' r/index.html && grep -q '/\* two \*/' r/index.html || fail "both texts are in the report"

# ---- twenty names of parameters, each a column
list=
for file in p q r s t; do
    protocol "$file.c" ''
    sed -i "1i #define PARAMETERS(PARAMETER) PARAMETER(${file}a, 1, \"\") PARAMETER(${file}b, 2, \"\") PARAMETER(${file}c, 3, \"\") PARAMETER(${file}steps, 4, \"\")" "$file.c"
    list=$list${list:+,}$file.c
done
ends 0 study --db many.db -p "$list" -n 4 --pa 5,6 --tsteps 7 --trials 1 --max-steps 100 --quiet
[ "$(sqlite3 many.db 'SELECT sum(pa), sum(tsteps), count(*), count(qb) FROM trials')" = '11|7|6|1' ] ||
    fail "a column for each parameter: $(sqlite3 many.db 'SELECT * FROM trials')"
ends 2 study --db many.db -p "$list" -n 4 --no 5

# ---- a damaged study: the text comes through, and a report needs no file
sqlite3 s.db 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
dd if=/dev/urandom of=noise bs=1 count=2000 2>/dev/null
cp s.db damaged.db
page=$(sqlite3 s.db "SELECT rootpage FROM sqlite_master WHERE name = 'session'")
dd if=noise of=damaged.db bs=1 seek=$(((page - 1) * 4096)) conv=notrunc 2>/dev/null
ends 3 study --db damaged.db
status=0
"$program" study --db saved.db --salvage damaged.db >out 2>err || status=$?
grep -q '2 points are left alone, because their files were not given' err || fail "salvage"
[ "$(sqlite3 saved.db 'SELECT count(*) FROM own')" = 2 ] || fail "the texts were not saved"
[ "$(sqlite3 saved.db 'SELECT count(*) FROM trial')" = 16 ] || fail "the trials were not saved"
[ "$(sqlite3 saved.db 'SELECT count(*) FROM point')" = 2 ] || fail "points that nobody asked for"
ends 0 report saved.db -o saved
cmp r/points.csv saved/points.csv
grep -q '/\* one \*/' saved/index.html || fail "a report of what was saved"

# its names are known from the file, and a text that is not what its hash says is not taken
protocol named.c ''
sed -i '1i #define PARAMETERS(PARAMETER) PARAMETER(colour, 0, "of nothing", "red", "green")' named.c
cat >>named.c <<'END'
static enum rl_status fill_all(struct rl_ring *ring, struct rl_random *random, struct rl_error *error)
{
    (void)random, (void)error;
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, 1);
    return RL_OK;
}
static const struct rl_start STARTS[] = {{"crowd", "all lead", fill_all}};
#define FIELDS LISTED(start, STARTS)
END
ends 0 study --db named.db -p named.c -n 8 --colour red,green --start crowd --trials 2 --max-steps 1000 --quiet
rm named.c
ends 0 report named.db -o named
grep -q '^named,8,red,.*,crowd,.*,settled,0,2,>=,' named/points.csv || { cat named/points.csv; fail "choices and starts without the file"; }
sqlite3 named.db "PRAGMA journal_mode=DELETE; UPDATE own SET text = 'another'" >/dev/null
ends 3 study --db lost.db --salvage named.db
grep -q 'no point can be read' err || fail "a text that is not what its hash says"

# ---- one that crashes, and one that does not return, on rings larger than those it is tried on
# dies NAME WHAT TEXT: with --jobs 1 trials are done in their order, so those in the file are the first
# ones, and none is there that comes after the one that is named.
dies() {
    protocol "$1.c" "static unsigned calls; if (world.n > 20 && ++calls > 8000000) $2"
    ends 3 study --db "$1.db" -p "$1.c" -n 32 --trials 200000 --max-steps 1e4 --jobs 1 --watchdog 1 --quiet
    grep -qE "^ringleader: protocol $1 $3 in trial [0-9]+ with n = 32 from start random; the trials written before are kept" err ||
        fail "what is said of $1"
    trial=$(sed -E 's/.* in trial ([0-9]+) .*/\1/' err)
    [ "$trial" -gt 20 ] || fail "$1 ended too soon to show anything: $trial"
    found=$(sqlite3 "$1.db" 'SELECT count(*) FROM trial')
    [ "$(sqlite3 "$1.db" 'SELECT max(trial) + 1 FROM trial')" = "$found" ] && [ "$found" -le "$trial" ] ||
        fail "$1: $found trials are there, and $trial was the last"
}
dies crash '*(volatile int *)0 = 1;' 'crashed'
dies hang 'for (;;) __asm__ volatile ("");' 'does not return'
if command -v mpirun >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    for name in crash hang; do
        status=0
        timeout 100 mpirun --oversubscribe -n 2 "$program" study --db "mpi-$name.db" -p "$name.c" -n 32 \
            --trials 200000 --max-steps 1e4 --watchdog 1 --quiet >out 2>err || status=$?
        [ "$status" != 0 ] && [ "$status" != 124 ] || fail "mpi $name: status $status"
        grep -qE "ringleader: protocol $name (crashed.*|does not return) in trial [0-9]+ with n = 32" err ||
            fail "what a rank says of $name"
        sqlite3 "mpi-$name.db" 'PRAGMA integrity_check' | grep -qx ok || fail "mpi $name: the study"
    done
fi

# Beside points whose file is not given, others are studied.
"$program" new aside >/dev/null
ends 0 study --db aside.db -p aside.c -n 6 --trials 2 --quiet
ends 0 study --db aside.db -n 6 --trials 2 --extend
[ "$(cat err)" = 'ringleader: 1 points are left alone, because their files were not given: aside' ] ||
    fail "what is said of points that are left alone"

# A report without the files knows what grows along n, what was claimed, and that nothing is proved.
"$program" new --like prl claims >/dev/null
ends 0 study --db grows.db -p prl,aside.c,claims.c -n 8,16,32 --trials 5 --quiet
rm claims.c
ends 0 report grows.db -o grows
grep -q '^"aside, N=n, random, until settled=20n (observed, not proved)",.*,3,0,nothing is claimed' grows/growth.csv &&
    grep -q '^"claims, N=n, random, until settled=20n (observed, not proved)",.*,O(nN),3,0,.*O(nN)' grows/growth.csv ||
    fail "families without the file: $(cat grows/growth.csv)"
grep -q '>mean steps to the target (or observed) / claimed<' grows/plots/01-claims.svg || fail "an axis"
grep -q '>claims, N=n, random, until settled=20n (observed, not proved)<' grows/plots/01-claims.svg ||
    fail "a legend"
grep -q '>mean steps to settled (observed)<' grows/plots/*-growth-aside-n.svg || fail "the axis of what is observed"
[ "$(grep -c ',"settled (observed, not proved: no output changed for 160 n steps)",' grows/trials.csv)" = 10 ] &&
    [ "$(grep -c ',"settled (observed, not proved: no output changed for 640 n steps)",' grows/points.csv)" = 2 ] ||
    fail "what steps lead to, in CSV"

# Sets in the wrong order make trials that would be dropped when they are read.
protocol order.c ''
cat >>order.c <<'END'
static bool third(const struct rl_ring *ring) { return rl_ring_leaders(ring) <= 1 + ring->params.n / 3; }
static bool half(const struct rl_ring *ring) { return rl_ring_leaders(ring) <= 1 + ring->params.n / 2; }
static const struct rl_set SETS[] = {{"third", "", third, third}, {"half", "", half, half}};
#define FIELDS LISTED(set, SETS), .target = 0
END
ends 2 study --db order.db -p order.c -n 12 --trials 20 --quiet
grep -q 'a run of order ended in an impossible way: are its sets listed from the largest to the smallest' err ||
    fail "what is said of sets in the wrong order"

# In the right order they may be gone on from, and a report needs no file.
sed 's/^static const struct rl_set.*/static const struct rl_set SETS[] = {{"half", "", half, half}, {"third", "", third, third}};/
    s/target = 0/target = 1/' order.c >right.c
ends 0 study --db right.db -p right.c -n 12 --trials 20 --after 5 --quiet
rm right.c
ends 0 report right.db --csv -

# A parameter with the name of a key could not be read back.
protocol seeded.c ''
sed -i '1i #define PARAMETERS(P) P(seed, 8 * n, "a name that is taken")' seeded.c
refused 2 'seeded has a parameter called seed' study --db seeded.db -p seeded.c -n 8 --trials 3 --quiet

# Two protocols of one name and different text are never mixed in one report.
mkdir one two
protocol one/twin.c ''
protocol two/twin.c 'if (l->leader) r->leader = 0;'
ends 0 study --db one.db -p one/twin.c -n 8 --trials 3 --quiet
ends 0 study --db two.db -p two/twin.c -n 8 --trials 3 --quiet
ends 0 report one.db -o mixed
ends 2 report one.db two.db -o mixed
grep -q 'two.db and the files before it have different protocols called twin' err || fail "two protocols of one name"

echo "studies with protocols from files hold"
