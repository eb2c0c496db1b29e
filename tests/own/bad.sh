#!/bin/sh
# Files that are no good protocols, each with what is said about it: bad.sh RINGLEADER.
set -eu
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache"
export LC_ALL=C
unset CC
count=0

# good FILE SED: the smallest protocol, changed.
good() {
    sed "$2" >"$1" <<'END'
#define VARIABLES(NUMBER, SYMBOLS) \
    SYMBOLS(leader, "", "L") \
    SYMBOLS(bullet, "", "b", "B")
#include "ringleader/agent.h"
static int calls;
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (l->leader && r->leader)
        r->leader = 0;
    /* more */
}
static inline bool leads(struct agent agent)
{
    return agent.leader;
}
END
}

# refuse NAME STATUS TEXT [COMMAND...]: the text is an extended regular expression of one line on
# stderr; the last line is ours.
refuse() {
    name=$1
    status=$2
    text=$3
    shift 3
    [ $# -gt 0 ] || set -- elect -p "$name.c" -n 6 --until steps=100
    found=0
    timeout 60 "$program" "$@" >out 2>err || found=$?
    if [ "$found" != "$status" ] || ! grep -qE "$text" err || ! tail -n 1 err | grep -q '^ringleader: '; then
        echo "$name: status $found, not $status, or not '$text':"
        cat err
        exit 1
    fi
    count=$((count + 1))
}

good fine.c ''
for protocol in '-p fine.c' -pfine.c --protocol=fine.c; do
    # shellcheck disable=SC2086 # one word or two
    "$program" elect $protocol -n 6 --until steps=100 >out || { cat out; exit 1; }
    grep -q '^fine on a ring' out
done

# what the compiler says, at the user's line
good syntax.c 's/r->leader = 0;/r->leader = ;/'
refuse syntax 2 'syntax.c:9:[0-9]+: error'
good unknown.c 's/r->leader = 0;/r->crown = 0;/'
refuse unknown 2 "unknown.c:9:[0-9]+: error.*crown"
good call.c 's/r->leader = 0;/kill(r);/'
refuse call 2 "call.c:9:[0-9]+: .*(kill)"
good include.c 's/agent.h/agents.h/'
refuse include 2 'include.c:4:[0-9]+: fatal error'
printf '#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L")' >end.c
refuse end 2 'does not include ringleader/agent.h'
echo 'int x;' >plain.c
refuse plain 2 'does not define VARIABLES'
good noleads.c '/^static inline bool leads/,$d'
refuse noleads 2 'noleads.c: there is no function leads'
good norule.c '/^static inline void meet/,/^}/d'
refuse norule 2 'norule.c: there is no function meet'
good wide.c 's/SYMBOLS(leader, "", "L")/SYMBOLS(leader, "", "L") NUMBER(a, 9, 1u << 31, "a") NUMBER(b, 9, 1u << 31, "b") NUMBER(c, 9, 1u << 31, "c")/'
refuse wide 2 'the variables need more than 64 bits'

# what is no file, or too much of one
{ printf '/*%1100000s*/\n' ''; } >more.h
awk 'BEGIN { x = "x"; while (length(x) < 1e6) x = x x; print "\"" x "\"" }' >large.h
good large.c ''
i=0
while [ $((i += 1)) -le 66 ]; do echo '#include "large.h"'; done >>large.c
refuse large 3 'expanded cannot be read, or is too large'
good more.c 's/static int calls;/&\n#include "more.h"/'
refuse more 2 'more.h cannot be read, or has more than a million bytes'
: >empty.c
refuse empty 2 'empty.c is empty'
mkdir directory.c
refuse directory 2 'directory.c is no file'
refuse missing 2 'missing.c cannot be read: No such file'
if [ "$(id -u)" != 0 ]; then
    good unreadable.c ''
    chmod 000 unreadable.c
    refuse unreadable 2 'unreadable.c cannot be read: Permission denied'
fi

# what its form promises
good domain.c 's/r->leader = 0;/r->bullet = 3;/'
refuse domain 2 "domain.c: when 'L' and 'L' meet, bullet becomes 3, which is not in its domain 0 .. 2"
good random.c 's,/\* more \*/,if (++calls % 7 == 0) r->bullet = 1;,'
refuse random 2 "random.c: when .* meet, they become .* once and .* another time"
good loop.c 's,/\* more \*/,while (r->bullet == 2) __asm__("");,'
refuse loop 2 "loop.c: it never returns .* when '.?' and 'B' meet"
good crash.c 's,/\* more \*/,if (r->bullet == 2) *(volatile int *)0 = 1;,'
refuse crash 2 "crash.c: it crashes \\(Segmentation fault\\) when '.*' and 'B' meet"
good divide.c 's,/\* more \*/,r->bullet = 2 / (l->bullet + r->bullet) % 3;,'
refuse divide 2 'divide.c: it crashes \(Floating point exception\) when'
good active.c '$a static bool is_active(const struct rl_params *p, bool o, rl_state l, rl_state r) { return (l & 1) != 0; }\n#define FIELDS .is_active = is_active'
refuse active 2 "active.c: when .* meet, no state changes, but is_active says that one does"
good notclosed.c '$a static bool none(const struct rl_ring *ring) { return rl_ring_leaders(ring) >= 2; }\nstatic const struct rl_set SETS[] = {{"many", "two", none, none}};\n#define FIELDS LISTED(set, SETS), .target = 0'
refuse notclosed 2 "notclosed.c: the set many is not closed: arc [0-9]+ leads out of it, from '.*' to '.*'"
good target.c '$a static bool one(const struct rl_ring *ring) { return has_one_leader(ring); }\nstatic const struct rl_set SETS[] = {{"one", "one", one, one}};\n#define FIELDS LISTED(set, SETS), .target = 3'
refuse target 2 'target.c: its target is set number 3, but there are only 1'
good start.c '$a static enum rl_status f(struct rl_ring *ring, struct rl_random *r, struct rl_error *e) { for (uint32_t i = 0; i < ring->params.n; i++) rl_ring_set(ring, i, 6); return RL_OK; }\nstatic const struct rl_start STARTS[] = {{"odd", "odd", f}};\n#define FIELDS LISTED(start, STARTS)'
refuse start 2 "start.c: start 'odd' gives agent u_0 what is no state"
good marks.c '$a static uint32_t marks(rl_state s) { return RL_MARK_LEADER; }\n#define FIELDS .marks = marks'
refuse marks 2 "marks.c: '.*' does not lead by leads, but not by its marks"
good fickle.c 's/return agent.leader/return ++calls % 2/'
refuse fickle 2 "fickle.c: leads says yes and no of '.*'"
good manysets.c '$a static const struct rl_set SETS[RL_MAX_SETS + 1];\n#define FIELDS LISTED(set, SETS), .target = 0'
refuse manysets 2 'manysets.c: it has more than [0-9]+ sets, [0-9]+ gauges, [0-9]+ parameters or [0-9]+ parts'
good noset.c '$a static const struct rl_set SETS[] = {{"none", "none", NULL, NULL}};\n#define FIELDS LISTED(set, SETS), .target = 0'
refuse noset 2 'noset.c: set none has no function that says what it contains'
good crashstart.c '$a static enum rl_status f(struct rl_ring *ring, struct rl_random *r, struct rl_error *e) { return *(volatile int *)0; }\nstatic const struct rl_start STARTS[] = {{"odd", "odd", f}};\n#define FIELDS LISTED(start, STARTS)'
refuse crashstart 2 "crashstart.c: it crashes \\(Segmentation fault\\) in start 'odd'"
good crashset.c '$a static bool one(const struct rl_ring *ring) { return *(volatile int *)0; }\nstatic const struct rl_set SETS[] = {{"one", "one", one, one}};\n#define FIELDS LISTED(set, SETS), .target = 0'
refuse crashset 2 'crashset.c: it crashes \(Segmentation fault\) in the test of set one'
good crashleads.c 's/return agent.leader/return *(volatile int *)0/'
refuse crashleads 2 'crashleads.c: it crashes \(Segmentation fault\) in its declaration or in leads'
good alike.c 's/"b", "B"/"L", "B"/'
refuse alike 2 "alike.c: the text .* is not read back"
good values.c 's/SYMBOLS(leader/NUMBER(age, 99, 4, "a") SYMBOLS(leader/'
refuse values 2 'values.c: variable age has 99 values, but its list says at most 4'
good prl.c ''
refuse prl 2 'prl.c: its name, prl, is that of another protocol'
good 'a b.c' ''
refuse 'a b' 2 "'a b' is no name"
good norings.c '$a static enum rl_status check(const struct rl_params *p, struct rl_error *e) { return rl_error_set(e, RL_BAD_PARAMETER, "no ring is good enough"); }\n#define FIELDS .check = check'
refuse norings 2 'norings.c: it allows no ring of 4 to 16 agents .* no ring is good enough'

# one that crashes only on a ring larger than those it is tried on: what is finished stays
good later.c 's,/\* more \*/,if (world.n > 40 \&\& ++calls > 2000000) *(volatile int *)0 = 1;,'
refuse later 3 'protocol later crashed \(Segmentation fault\) in trial [0-9]+ with n = 50 from start random' \
    study --db later.db -p later.c -n 50 --settled 10000 --engine step --max-steps 1e4 --trials 500 --jobs 1 --quiet
[ "$(sqlite3 later.db 'SELECT count(*) FROM trials')" -ge 20 ]
refuse later 3 'a protocol from a file crashed' \
    elect -p later.c -n 50 --engine step --until steps=1e7

# one that changes during a study
"$program" study --db fine.db -p fine.c -n 10 --max-steps 1e4 --trials 2 --quiet
good fine.c 's/r->leader = 0/l->leader = 0/'
refuse fine 2 'protocol fine has changed since this study began' \
    study --db fine.db -p fine.c -n 10 --max-steps 1e4 --trials 2 --quiet

# what is outside
good nocompiler.c 's/world/w/'
CC=/nowhere/cc refuse nocompiler 3 "no C compiler: '/nowhere/cc' cannot be run; install one"

# new leaves alone what is there
refuse fine 2 'fine.c is there already' new fine
refuse fj06 2 'there is a protocol fj06 already' new fj06
refuse noname 2 "'a b' is no name: letters, digits, - and _, at most 39" new 'a b'
refuse like 2 "there is no protocol 'nobody'" new like --like nobody
[ ! -e like.c ]
refuse nosuch 2 "no parameter|has no option" elect -p fine.c -n 6 --crowns 3

[ -z "$(find cache -name '*.errors' -o -name '*.i')" ]
echo "$count bad files and requests refused"
