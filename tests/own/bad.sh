#!/bin/sh
# Files that are no good protocols, each with what is said about it: bad.sh RINGLEADER.
. "$(dirname "$0")/../program.sh"
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
    name=$1 status=$2 text=$3
    shift 3
    [ $# -gt 0 ] || set -- elect -p "$name.c" -n 6 --until steps=100
    ends "$status" "$@"
    grep -qE "$text" err && tail -n 1 err | grep -q '^ringleader: ' || fail "$name: not '$text'"
    count=$((count + 1))
}

# bad NAME SED TEXT: the smallest protocol, changed, is refused with this text.
bad() {
    good "$1.c" "$2"
    refuse "$1" 2 "$3"
}

# deny NAME TEXT [explore|prove] OPTION...: what verify (explore, prove) says against a protocol that passed for good, on stdout.
deny() {
    name=$1 text=$2 verb=verify
    shift 2
    case ${1-} in explore | prove) verb=$1 && shift ;; esac
    ends 1 "$verb" -p "$name.c" "$@"
    grep -qE "$text" out || fail "$name: not '$text'"
    count=$((count + 1))
}

# set_of FILE NAME EXPRESSION [RULE [FIELD]]: with one set, `ring` being in it if the expression is true.
set_of() {
    good "$1.c" "s#/\* more \*/#${4-}#;\$a static bool $2(const struct rl_ring *ring) { return $3; }\n\
static const struct rl_set SETS[] = {{\"$2\", \"\", $2, $2}};\n#define FIELDS LISTED(set, SETS), .target = 0${5-}"
}

good fine.c ''
for protocol in '-p fine.c' -pfine.c --protocol=fine.c; do
    # shellcheck disable=SC2086 # one word or two
    ends 0 elect $protocol -n 6 --until steps=100
    grep -q '^fine on a ring' out
done

# what the compiler says, at the user's line
bad syntax 's/r->leader = 0;/r->leader = ;/' 'syntax.c:9:[0-9]+: error'
bad unknown 's/r->leader = 0;/r->crown = 0;/' "unknown.c:9:[0-9]+: error.*crown"
bad call 's/r->leader = 0;/kill(r);/' "call.c:9:[0-9]+: .*(kill)"
bad include 's/agent.h/agents.h/' 'include.c:4:[0-9]+: fatal error'
printf '#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L")' >end.c
refuse end 2 'does not include ringleader/agent.h'
echo 'int x;' >plain.c
refuse plain 2 'does not define VARIABLES'
bad noleads '/^static inline bool leads/,$d' 'noleads.c: there is no function leads'
bad norule '/^static inline void meet/,/^}/d' 'norule.c: there is no function meet'
bad wide 's/SYMBOLS(leader, "", "L")/SYMBOLS(leader, "", "L") NUMBER(a, 9, 1u << 31, "a") NUMBER(b, 9, 1u << 31, "b") NUMBER(c, 9, 1u << 31, "c")/' 'the variables need more than 64 bits'

# what is no file, or too much of one
{ printf '/*%1100000s*/\n' ''; } >more.h
awk 'BEGIN { x = "x"; while (length(x) < 1e6) x = x x; print "\"" x "\"" }' >large.h
good large.c ''
i=0
while [ $((i += 1)) -le 66 ]; do echo '#include "large.h"'; done >>large.c
refuse large 3 'expanded.i cannot be read, or is too large'
bad more 's/static int calls;/&\n#include "more.h"/' 'more.h cannot be read, or is too large'
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
bad domain 's/r->leader = 0;/r->bullet = 3;/' "domain.c: when 'L' and 'L' meet, bullet becomes 3, which is not in its domain 0 .. 2"
bad random 's,/\* more \*/,if (++calls % 7 == 0) r->bullet = 1;,' "random.c: when .* meet, they become .* the first time and .* the next"
bad loop 's,/\* more \*/,while (r->bullet == 2) __asm__("");,' "loop.c: it never returns .* when '.?' and 'B' meet"
bad crash 's,/\* more \*/,if (r->bullet == 2) *(volatile int *)0 = 1;,' "crash.c: it crashes \\(Segmentation fault\\) when '.*' and 'B' meet"
bad ends 's,/\* more \*/,if (r->bullet == 2) _exit(0);,; 1i #include <unistd.h>' "ends.c: it calls exit when '.*' and 'B' meet"
bad waits 's,/\* more \*/,if (r->bullet == 2) pause();,; 1i #include <unistd.h>' "waits.c: it never returns .* when '.*' and 'B' meet"
good reads.c 's/SYMBOLS(bullet.*/NUMBER(dist, n, 16, "d")/'
ends 0 elect -p reads.c -n 6 --until steps=100
bad divide 's,/\* more \*/,r->bullet = 2 / (l->bullet + r->bullet) % 3;,' 'divide.c: it crashes \(Floating point exception\) when'
bad active '$a static bool is_active(const struct rl_params *p, bool o, rl_state l, rl_state r) { return (l & 1) != 0; }\n#define FIELDS .is_active = is_active' "active.c: when .* meet, no state changes, but is_active says that one does"
bad notclosed '$a static bool none(const struct rl_ring *ring) { return rl_ring_leaders(ring) >= 2; }\nstatic const struct rl_set SETS[] = {{"many", "two", none, none}};\n#define FIELDS LISTED(set, SETS), .target = 0' "notclosed.c: the set many is not closed: arc [0-9]+ leads out of it, from '.*' to '.*'"
bad target '$a static bool one(const struct rl_ring *ring) { return has_one_leader(ring); }\nstatic const struct rl_set SETS[] = {{"one", "one", one, one}};\n#define FIELDS LISTED(set, SETS), .target = 3' 'target.c: its target is set number 3, but there are only 1'
bad start '$a static enum rl_status f(struct rl_ring *ring, struct rl_random *r, struct rl_error *e) { for (uint32_t i = 0; i < ring->params.n; i++) rl_ring_set(ring, i, 6); return RL_OK; }\nstatic const struct rl_start STARTS[] = {{"odd", "odd", f}};\n#define FIELDS LISTED(start, STARTS)' "start.c: start 'odd' gives agent u_0 the word 6, which is not a state"
bad marks '$a static uint32_t marks(rl_state s) { return RL_MARK_LEADER; }\n#define FIELDS .marks = marks' "marks.c: '.*' does not lead by leads, but not by its marks"
bad fickle 's/return agent.leader/return ++calls % 2/' "fickle.c: leads says both yes and no about '.*'"
bad manysets '$a static const struct rl_set SETS[RL_MAX_SETS + 1];\n#define FIELDS LISTED(set, SETS), .target = 0' 'manysets.c: it has more than [0-9]+ sets, [0-9]+ gauges, [0-9]+ parameters or [0-9]+ parts'
bad noset '$a static const struct rl_set SETS[] = {{"none", "none", NULL, NULL}};\n#define FIELDS LISTED(set, SETS), .target = 0' 'noset.c: set none has no function that says what it contains'
bad crashstart '$a static enum rl_status f(struct rl_ring *ring, struct rl_random *r, struct rl_error *e) { return *(volatile int *)0; }\nstatic const struct rl_start STARTS[] = {{"odd", "odd", f}};\n#define FIELDS LISTED(start, STARTS)' "crashstart.c: it crashes \\(Segmentation fault\\) in start 'odd'"
bad crashset '$a static bool one(const struct rl_ring *ring) { return *(volatile int *)0; }\nstatic const struct rl_set SETS[] = {{"one", "one", one, one}};\n#define FIELDS LISTED(set, SETS), .target = 0' 'crashset.c: it crashes \(Segmentation fault\) in the test of set one'
bad crashleads 's/return agent.leader/return *(volatile int *)0/' 'crashleads.c: it crashes \(Segmentation fault\) in its declaration or in leads'
bad alike 's/"b", "B"/"L", "B"/' "alike.c: the text .* is not read back"
bad values 's/SYMBOLS(leader/NUMBER(age, 99, 4, "a") SYMBOLS(leader/' 'values.c: variable age has 99 values, but its list says at most 4'
bad prl '' 'prl.c: another protocol is already called prl'
good 'a b.c' ''
refuse 'a b' 2 "'a b' is not a name"
bad claim '3a #define CLAIM "O(n); N = 5 # x"' 'its CLAIM has a ;, a # or a new line, which a plan cannot hold'
bad norings '$a static enum rl_status check(const struct rl_params *p, struct rl_error *e) { return rl_error_set(e, RL_BAD_PARAMETER, "no ring is good enough"); }\n#define FIELDS .check = check' 'norings.c: it allows no ring of 4 to 16 agents .* no ring is good enough'

# a text that is not the first one is the empty one, or there is none
good second.c 's/"", "b", "B"/"b", "", "B"/'
ends 0 elect -p second.c -n 6 --until steps=100
good texts.c 's/"", "b", "B"/"a", "b", "B"/'
ends 0 elect -p texts.c -n 6 --until steps=100

# what is wrong in a way that only verify sees
set_of unsafe any 'rl_ring_leaders(ring) > 0' 'if (!l->leader \&\& !r->leader) r->leader = 1;'
deny unsafe 'shown by L L, arc 0 .any is not safe.' -n 2 --trace unsafe.rlt
ends 0 replay -p unsafe.c unsafe.rlt
refuse unsafe 2 'for a protocol from a file: give the file with -p' replay unsafe.rlt
set_of left two 'rl_ring_leaders(ring) > 1 \&\& ring->params.n > 4'
sed -i -e 's/SYMBOLS(bullet.*/NUMBER(bullet, 9, 16, "b")/' -e 's/#define FIELDS/& .check = check,/' \
    -e 's/^static bool two/static enum rl_status check(const struct rl_params *p, struct rl_error *e) { return p->n == 5 ? rl_error_set(e, RL_BAD_PARAMETER, "no rings of five") : RL_OK; }\n&/' left.c
deny left 'shown by - - - - L L, arc 4 .two is not closed.' -n 6 --only closure
deny left 'shown by - - .in a trap.' prove --trace left.rlt # of n = 2: it has no rings of five
"$program" replay -p left.c left.rlt >out || { cat out; exit 1; }
good lemma.c '$a static enum rl_verdict live(const struct rl_ring *a, uint32_t arc, const struct rl_ring *b) { return rl_ring_leaders(b) < rl_ring_leaders(a) ? RL_VIOLATED : RL_HOLDS; }\nstatic const struct rl_lemma LEMMAS[] = {{"leaders live", live}};\n#define FIELDS LISTED(lemma, LEMMAS)'
deny lemma 'shown by L L, arc 0 .not always: leaders live.' -n 2 --only lemmas
set_of claim one 'has_one_leader(ring) \&\& ring->params.n == 2' 'if (!l->leader \&\& !r->leader \&\& ++l->bullet == 3) l->bullet = 0, r->leader = 1;'
claims() # FILE SET: a claim that it takes a step at most
{
    echo "#undef FIELDS
#define FIELDS LISTED(set, SETS), .target = 0, LISTED(claim, CLAIMS)
static bool all(const struct rl_ring *ring) { return true; }
static uint64_t unit(const struct rl_params *params) { return 1; }
static const struct rl_claim CLAIMS[] = {{\"in a step\", all, $2, NULL, unit, \"step\", 1}};" >>"$1"
}
claims claim.c one
deny claim 'in a step .* 1  NO' -n 2
deny claim '"bound":1,"holds":false' -n 2 --json
set_of equal both 'agent_at(ring, 0).bullet \&\& agent_at(ring, 1).bullet' 'l->bullet = r->bullet = 1;'
claims equal.c both # exactly one step, which doubles cannot tell from a little more
deny equal '"bound":1,"holds":null' -n 2 --json
deny equal 'in a step .* 1  unknown' -n 2
# A counter to 60 that begins again: 2^60 steps and more, which doubles cannot tell apart from others.
set_of long full 'agent_at(ring, 0).bullet + agent_at(ring, 1).bullet == 120' \
    'if (l->bullet < 60) l->bullet++; if (r->bullet < 60) r->bullet = 0;'
sed -i 's/SYMBOLS(bullet.*/NUMBER(bullet, 61, 64, "b")/' long.c
deny long 'full: +worst unknown, mean unknown, note nothing could be proved' -n 2
deny long '"full":{"worst":null,"mean":null,"note":"nothing could be proved in doubles' -n 2 --json
good part.c 's,/\* more \*/,if (r->leader \&\& l->bullet == 2) r->leader = 0; else if (l->bullet == 1) l->bullet = 0;,
    $a static const struct rl_part PARTS[] = {{"alone", 1, RL_CREATION | RL_DEATH}};\n#define FIELDS LISTED(part, PARTS)'
echo 'b L -' >ring.txt
deny part '^confirmed  NO$' explore -n 3 --from ring.txt
set_of none none false
"$program" export -p none.c -n 2 --format prism | grep -q '^label "none" = false;$'
set_of cut first 'agent_at(ring, 0).bullet == 1'
refuse cut 2 'set first of cut depends on where the ring is cut' prove -p cut.c
set_of sees first 'agent_at(ring, 0).bullet == 1' '' ', .set_sees = (rl_sight *const[]){sight}'
echo 'static rl_state sight(const struct rl_params *p, rl_state state) { return state & 1; }' >>sees.c
refuse sees 2 'set first of protocol sees depends on more than it declares' verify -p sees.c -n 2
good fields.c 's/SYMBOLS(bullet.*/NUMBER(age, n - 3, 64, "a")/'
refuse fields 2 'an agent has no state with these parameters' verify -p fields.c -n 3
set_of grows one 'has_one_leader(ring)' 'if (world.n == 3) r->leader = 0;'
deny grows 'not compile without n' prove
refuse fine 2 'protocol fine declares no set that could be hit' \
    verify -p fine.c -n 2 --distribution fine.csv --start random
refuse fine 2 'fine declares no set that can be the target' prove -p fine.c --settled 9
refuse fine 2 "reaches takes a set of fine, not 'settled'" explore -p fine.c -n 3 --from random --reaches settled

set_of armed unarmed 'count(ring) == 0'
sed -i 's/^static bool unarmed/static uint32_t count(const struct rl_ring *ring) { uint32_t found = 0; for (uint32_t i = 0; i < ring->params.n; i++) found += agent_at(ring, i).leader \&\& agent_at(ring, i).bullet == 2; return found; }\n&/' armed.c
deny armed 'unarmed is not safe' prove --dot armed.dot
grep -q 'label="-, ' armed.dot # the letters of an arrow
"$program" new kin --like fj06 >out
sed -i '/^#define PROMISE/,+1d' kin.c
deny kin '2 or more leaders  fewer +3 ' prove
grep -q '^verdict  NO: not self-stabilizing for every n that it promises; but for every n' out

# a certificate of a protocol from a file is checked with the file
set_of silent none false 'if (!l->leader \&\& !r->leader) r->leader = 1;'
sed -i '1i #define ORACLE' silent.c
deny silent '^proof    proof .see ringleader prove --check.$' prove --certificate proof
ends 0 prove -p silent.c --check proof
refuse silent 3 'expected the name of a protocol' prove --check proof
refuse silent 2 "names its protocol; -p is only for a protocol file, not 'prl'" prove -p prl --check proof
row() {
    echo automaton 1
    echo "0 $1"
}
{
    sed '/^end/d; s/^from 0/from 2/' proof
    echo stage one 0 && row '0 0' && echo stage none 0 && row '0 0' && echo stage many 0 && row '0 0 0' && echo end
} >made
refuse silent 1 'made: leaders are made while the oracle is silent' prove -p silent.c --check made

# sets that no automaton has, as far as it looks; with one state there are few rings to look at
cat >far.c <<'END'
#define VARIABLES(NUMBER, SYMBOLS) NUMBER(leader, 1, 2, "")
#include "ringleader/agent.h"
static inline void meet(struct world world, struct agent *l, struct agent *r) {}
static inline bool leads(struct agent agent) { return agent.leader; }
static bool far(const struct rl_ring *ring) { return ring->params.n == 63; }
static bool all(const struct rl_ring *ring) { return true; }
static const struct rl_set SETS[] = {{"far", "", far, far}, {"all", "", all, all}};
#define FIELDS LISTED(set, SETS), .target = 0
END
deny far 'far was not learnt' prove
sed 's/target = 0/target = 1/' far.c >all.c
deny all '^  far +NO$' prove
deny all 'shown by 0 0 .all is not safe.' prove

# one that crashes only on a ring larger than those it is tried on: what is finished stays
good later.c 's,/\* more \*/,if (world.n > 40 \&\& ++calls > 30000000) *(volatile int *)0 = 1;,'
refuse later 3 'protocol later crashed in trial [0-9]+ with n = 50 from start random' \
    study --db later.db -p later.c -n 50 --settled 10000 --engine step --max-steps 1e4 --trials 9000 --jobs 1 --quiet
[ "$(sqlite3 later.db 'SELECT count(*) FROM trials')" -ge 20 ]
refuse later 3 'a protocol from a file crashed' \
    elect -p later.c -n 50 --engine step --until steps=1e9
good deep.c 's,^static inline void meet,static unsigned depth(volatile unsigned i) { return depth(i + 1) + depth(i + 2); }\n&,; s,/\* more \*/,if (world.n > 40 \&\& ++calls > 2000) r->bullet = depth(0) % 3;,'
refuse deep 3 'protocol deep crashed in trial [0-9]+ with n = 50' \
    study --db deep.db -p deep.c -n 50 --settled 10000 --engine step --max-steps 1e4 --trials 50 --jobs 2 --quiet
refuse deep 3 'a protocol from a file crashed' elect -p deep.c -n 50 --engine step --until steps=1e7

# one that changes during a study
"$program" study --db fine.db -p fine.c -n 10 --max-steps 1e4 --trials 2 --quiet
good fine.c 's/r->leader = 0/l->leader = 0/'
refuse fine 2 'protocol fine has changed since this study began' \
    study --db fine.db -p fine.c -n 10 --max-steps 1e4 --trials 2 --quiet

# names that a study has no room for
long=a_name_that_has_more_than_forty_seven_letters_in_it
good long.c '$a static enum rl_status f(struct rl_ring *ring, struct rl_random *r, struct rl_error *e) { for (uint32_t i = 0; i < ring->params.n; i++) rl_ring_set(ring, i, 0); return RL_OK; }\nstatic const struct rl_start STARTS[] = {{"'$long'", "odd", f}};\n#define GAUGES "'$long'"\nstatic void measure(const struct rl_ring *ring, uint64_t *out) { *out = 7; }\n#define FIELDS LISTED(start, STARTS), .measure = measure'
set -- study --db long.db -p long.c -n 5 --max-steps 1e3 --trials 1
refuse long 2 'the name of a start has at most 47 letters' "$@" --start "$long"
refuse long 2 "long has no gauge '$long'" "$@" --curve "$long"

# what is outside
good nocompiler.c 's/world/w/'
CC=/nowhere/cc refuse nocompiler 3 "no C compiler: '/nowhere/cc' cannot be run; install one"

cat >restless <<'END'
#!/bin/sh
cc "$@" && case " $* " in *' -E '*) date +'static int at_%N;' ;; esac
END
chmod +x restless
CC="$scratch/restless" refuse nocompiler 3 'nocompiler.c keeps changing'

# new leaves alone what is there
refuse fine 2 'fine.c already exists' new fine
refuse fj06 2 'there already is a protocol fj06' new fj06
refuse noname 2 "'a b' is not a name: use letters, digits, - and _, at most 39" new 'a b'
refuse noname 2 "'own.c' is not a name" new own.c
refuse noname 2 "'$long' is not a name" new "$long"
[ ! -e own.c.c ]
# --like has the rules in the file, and nothing that a changed rule would make false
"$program" new mine --like prl >out
grep -q '/\* 13 \*/' mine.c && grep -q '^#define PROVENANCE "own"' mine.c || { cat mine.c; exit 1; }
! grep -q 'is_active\|LISTED(set' mine.c || { echo "mine.c inherits what its first edit breaks"; exit 1; }
sed -i 's/l->bullet = 0; r->signal = 0; /l->bullet = 0; r->signal = 1; /' mine.c
ends 0 elect -p mine.c -n 9 --until steps=500
"$program" new begun >out
"$program" study --db begun.db -p begun.c,fj06 -n 9 --start leaderless --trials 2 --max-steps 1e5 --quiet
[ "$(sqlite3 begun.db "SELECT count(DISTINCT protocol) FROM trials WHERE start = 'leaderless'")" = 2 ]
refuse like 2 "there is no protocol 'nobody'" new like --like nobody
[ ! -e like.c ]
refuse nosuch 2 "no parameter|has no option" elect -p fine.c -n 6 --crowns 3

[ -z "$(find cache -name '*.errors' -o -name '*.i')" ]
echo "$count bad files and requests refused"
