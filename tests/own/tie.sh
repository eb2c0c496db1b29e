#!/bin/sh
# What is proved for every n is the rule's for every n by construction: tie.sh RINGLEADER PROTOCOLS.
# Rules that change with n, openly and in secret, prove nothing; the same rule in other words does;
# and where an n that is promised fails, the answer is no.
. "$(dirname "$0")/../program.sh"
protocols=$(realpath "$2")
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache"
export LC_ALL=C
unset CC
count=0

# copy NAME SED...: fj06 under another name, changed. Without its words, which are about its rules.
copy() {
    name=$1
    shift
    sed -e "s/^#define NAME .*/#define NAME \"$name\"/" -e '/^#define BARE_FIELDS/,$d' \
        "$@" "$protocols/fj06.c" >"$name.c"
    echo '#define FIELDS LISTED(set, SETS), .target = 0, LISTED(start, STARTS)' >>"$name.c"
}

# says NAME STATUS TEXT [OPTION...]: of the file, for every n.
says() {
    name=$1 status=$2 text=$3
    shift 3
    ends "$status" prove -p "$name.c" "$@"
    tr "\n" " " <out | tr -s " " | grep -qE "$text" || fail "$name: not '$text'"
    count=$((count + 1))
}

first='s/^    if (world.no_leader) {/    if (SKIP) return;\n&/'
before='s/^static inline void meet/HIDDEN\n&/'
check='static enum rl_status look(const struct rl_params *params, struct rl_error *error)'
noted="$check { (void)error; hidden = params->n; return RL_OK; }"
more() {
    sed -i "s/^#define FIELDS/& $2,/" "$1.c"
}

copy same
says same 0 'verdict self-stabilizing for every n >= 3'
copy open -e "$first" -e 's/SKIP/world.n > 20/'
says open 1 "verdict DON'T KNOW: .*compile without n"
copy parameter -e "$first" -e 's/SKIP/world.late/' \
    -e 's/^#define ORACLE/&\n#define PARAMETERS(P) P(late, n > 20, "when n is large")/'
says parameter 1 "DON'T KNOW: its parameter late depends on n"
says parameter 0 'every size late 0' --late 0
copy values -e 's/SYMBOLS(shield, "", "s")/& NUMBER(spare, n > 20 ? 2 : 1, 2, "x")/'
says values 1 "DON'T KNOW: .*compile without n"
copy secret -e "$first" -e 's/SKIP/hidden > 20/' -e "$before" \
    -e "s/HIDDEN/static uint32_t hidden;\n$noted/"
more secret '.check = look'
says secret 1 "DON'T KNOW: .*not constant"
copy thread -e "$first" -e 's/SKIP/hidden > 20/' -e "$before" \
    -e "s/HIDDEN/static _Thread_local uint32_t hidden;\n$noted/"
more thread '.check = look'
says thread 1 "DON'T KNOW: .*not constant"
copy pointed -e "$first" -e 's/SKIP/*hiding[0] > 20/' -e "$before" \
    -e "s/HIDDEN/static uint32_t hidden;\nstatic uint32_t *const hiding[] = {\&hidden};\n$noted/"
more pointed '.check = look'
says pointed 1 "DON'T KNOW: .*not constant"
copy output -e "$before" -e "s/HIDDEN/static uint32_t hidden;\n$noted/" \
    -e 's/return agent.leader;/return agent.leader \&\& hidden < 20;/'
more output '.check = look'
says output 1 "DON'T KNOW: .*not constant"
copy numbers -e 's/^#define ORACLE/&\nstatic unsigned hidden = 2;/' -e "$before" \
    -e "s/HIDDEN/$noted/" -e 's/SYMBOLS(shield, "", "s")/& NUMBER(x, hidden > 20 ? 2 : 1, 2, "x")/'
more numbers '.check = look'
says numbers 1 "DON'T KNOW: .*not constant"
copy calls -e "$first" -e 's/SKIP/getenv("LATE") != NULL/' -e "$before" -e 's/HIDDEN/#include <stdlib.h>/'
says calls 1 "DON'T KNOW: .*call getenv"
copy ours -e "$before" -e 's/HIDDEN/\n/' -e 's/^static inline bool leads/static void by_n(const struct rl_params *params, bool told, rl_state *l, rl_state *r) { if (params->n <= 20) interact(params, told, l, r); }\n&/'
more ours '.interact = by_n'
says ours 1 "DON'T KNOW: .*brings its own parts"
# Nothing of the world tells n: not its size, nor its bytes. (The same object runs elections.)
copy bytes -e "$first" -e 's/SKIP/first_of(world) > 20/' -e "$before" \
    -e 's/HIDDEN/static uint32_t first_of(struct world world) { uint32_t n; __builtin_memcpy(\&n, \&world, sizeof n); return n; }/'
says bytes 0 'verdict self-stabilizing for every n >= 3'
ends 0 elect -p bytes.c -n 24 --max-steps 1e7
# Constant tables are no memory.
copy table -e "$first" -e 's/SKIP/never[r->bullet]/' -e "$before" \
    -e 's/HIDDEN/static const uint8_t never[] = {0, 0};/'
says table 0 'verdict self-stabilizing for every n >= 3'

# The built-in ones, each compiled as a file: their rules have nothing outside either.
for name in aaf08 prl-oracle; do
    sed "s/^#define NAME .*/#define NAME \"copy\"/" "$protocols/$name.c" >copy.c
    k=
    [ "$name" != aaf08 ] || k='--k 2'
    found=0
    "$program" prove -p copy.c $k --sweeps 1 --memory 50M >out 2>err || found=$?
    grep -q '^tied by  the rule' out || { echo "$name is not tied:"; cat out err; exit 1; }
done

# Which n is declared; a promised n that fails is a no.
copy promised -e '/^#define PROMISE/,+1c #define PROMISE .least = 2'
says promised 1 'verdict NO'
says promised 1 '"fails_at":\[2\].*"verdict":"no"|"verdict":"no".*"fails_at":\[2\]' --json
copy odd -e '/^#define PROMISE/,+1c #define PROMISE .least = 3, .modulus = 2, .remainder = 1'
says odd 0 'period 2 residues 1'
refused 2 'odd needs n with remainder 1 modulo 2, not n = 6' elect -p odd.c -n 6
copy never -e "$first" -e 's/SKIP/true/' -e '/^#define PROMISE/,+1c #define PROMISE .least = 2'
says never 1 'verdict NO'

echo "$count answers as expected"
