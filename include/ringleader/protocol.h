/* SPDX-License-Identifier: MIT
 *
 * Protocols: what one declares, random numbers, tables of rules.
 */
#ifndef RINGLEADER_PROTOCOL_H
#define RINGLEADER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringleader/status.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * Random numbers: xoshiro256++, one stream for each (seed, trial, purpose).
 *
 * The same seed and trial give the same run on every machine and in the browser. So a generator is
 * a value, never global, and nothing here depends on the platform's libm.
 * docs/decisions/001-random-numbers.md says why we chose this generator and this seeding.
 */

/* Stored with every result. Raise it whenever a change affects which numbers a run draws, or in
 * which order. */
#define RL_STREAM_VERSION 4

/* What a stream is for. Streams for different purposes are independent. So adding a fault to a run,
 * for example, does not change the interactions before the fault. */
enum rl_purpose {
    RL_PURPOSE_START = 0,
    RL_PURPOSE_SCHEDULE = 1,
    RL_PURPOSE_FAULT = 2,
};

struct rl_random {
    uint64_t s[4];
};

/* Streams with different (seed, trial, purpose) start from different hashes of 256 bits. */
void rl_random_init(struct rl_random *random, uint64_t seed, uint64_t trial,
                    enum rl_purpose purpose);

static inline uint64_t rl_random_rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* The next 64 random bits. */
static inline uint64_t rl_random_next(struct rl_random *random)
{
    uint64_t *s = random->s;
    const uint64_t result = rl_random_rotate(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rl_random_rotate(s[3], 45);
    return result;
}

/* Turns 64 random bits into a uniform number in 0 .. bound-1, without bias (Lemire's multiply and
 * reject). If it returns false, draw again; the probability of that is at most bound / 2^64, so the
 * test costs next to nothing. `bound` is positive and at most 2^32. */
static inline bool rl_random_fit(uint64_t bits, uint64_t bound, uint32_t *number_out)
{
    /* bits * bound has 96 bits: the high 32 are the number; the low 64 decide whether to reject it.
     */
#if defined __SIZEOF_INT128__ && !defined __wasm__
    __extension__ const unsigned __int128 product = (unsigned __int128)bits * bound;
    const uint64_t rest = (uint64_t)product;
    *number_out = (uint32_t)(product >> 64);
#else
    const uint64_t low = (bits & 0xffffffffu) * bound;
    const uint64_t high = (bits >> 32) * bound + (low >> 32);
    const uint64_t rest = (high << 32) | (low & 0xffffffffu);
    *number_out = (uint32_t)(high >> 32);
#endif
    return rest >= bound || rest >= (0 - bound) % bound;
}

/* Uniform in 0 .. bound-1, without bias; 1 <= bound <= 2^32. */
static inline uint32_t rl_random_below(struct rl_random *random, uint64_t bound)
{
    uint32_t number;
    while (!rl_random_fit(rl_random_next(random), bound, &number))
        continue;
    return number;
}

/* -------------------------------------------------------------------------------------------------
 *
 * Waiting times: the number of null interactions before the next event.
 *
 * When `successes` of `trials` equally likely arcs are active, the number of null steps before the
 * next event is geometric. It is drawn for every event, so every event has its exact step; a draw
 * takes a few nanoseconds. The arithmetic is plain IEEE without libm, so the numbers are the same
 * on every machine. docs/decisions/003-waiting.md says why it works this way and how exact it is.
 */

enum { RL_WAIT_LAYERS = 256, RL_WAIT_MEMO = 256 };

/* Tables for a fixed number of trials; a value, never shared. */
struct rl_wait {
    uint64_t trials;
    /* The ziggurat of the exponential density: edges x_0 > x_1 > ... > x_256 = 0, heights e^-x. */
    double edge[RL_WAIT_LAYERS + 1];
    double height[RL_WAIT_LAYERS + 1];
    /* successes -> 1 / -ln(1 - successes / trials), for the most recent requests. */
    struct {
        uint64_t successes; /* 0: empty */
        double per_unit;
    } memo[RL_WAIT_MEMO];
};

/* The rare cases of the two draws below. */
double rl_wait_edge_case(const struct rl_wait *wait, struct rl_random *random, uint64_t bits,
                         double x);
double rl_wait_remember(struct rl_wait *wait, uint64_t successes);

/* Exponential with mean 1, from 64 random bits (Marsaglia and Tsang's ziggurat); if it returns
 * false, which it does in 1.1 % of all cases, rl_wait_edge_case has to finish the work. */
static inline bool rl_wait_fit(const struct rl_wait *wait, uint64_t bits, double *x_out)
{
    const unsigned layer = bits & (RL_WAIT_LAYERS - 1);
    *x_out = (double)(bits >> 11) / 9007199254740992.0 * wait->edge[layer];
    return *x_out < wait->edge[layer + 1];
}

static inline double rl_wait_exponential(const struct rl_wait *wait, struct rl_random *random)
{
    const uint64_t bits = rl_random_next(random);
    double x;
    if (__builtin_expect(rl_wait_fit(wait, bits, &x), 1))
        return x;
    struct rl_random copy = *random; /* so that the caller's need not be in memory */
    x = rl_wait_edge_case(wait, &copy, bits, x);
    *random = copy;
    return x;
}

/* 1 / -ln(1 - p) for p = successes / trials, for rl_wait_geometric. 0 < successes <= trials. */
static inline double rl_wait_per_unit(struct rl_wait *wait, uint64_t successes)
{
    const unsigned slot = successes & (RL_WAIT_MEMO - 1);
    if (__builtin_expect(wait->memo[slot].successes != successes, 0))
        return rl_wait_remember(wait, successes);
    return wait->memo[slot].per_unit;
}

/* Geometric: the number of failures before the first success. It is the number of pieces of length
 * -ln(1 - p) that fit into an exponential. It stays below 2^63, because the tail has at most 2^39
 * pieces. */
static inline uint64_t rl_wait_geometric(const struct rl_wait *wait, struct rl_random *random,
                                         double per_unit)
{
    return (uint64_t)(int64_t)(rl_wait_exponential(wait, random) * per_unit);
}

/* -------------------------------------------------------------------------------------------------
 *
 * The one interface between protocols and everything else.
 *
 * A protocol is one constant `struct rl_protocol`. The engines, the verifier, the studies, the
 * pictures and the page work from this struct alone; none of them names a protocol. You can fill it
 * in by hand: only `name`, `interact`, `leads`, `width` and the variables are required. Or it is
 * made from a file in the form that agent.h describes, as ours are. Such a file is compiled
 * together with the engines' inner loops and runs ten times as fast.
 *
 * An agent's state is a packed word, in which each variable has a fixed place. A protocol uses
 * words of 4 or 8 bytes; `rl_state` holds either.
 */

/* A step that never comes: not hit, or no limit. */
#define RL_NEVER UINT64_MAX

typedef uint64_t rl_state;

enum {
    RL_MAX_PARAMETERS = 4,
    RL_MAX_SETS = 8,
    RL_MAX_GAUGES = 8,
    RL_MAX_PARTS = 4,
    RL_MAX_OBSTACLES = 8
};

/* Rings have 2 .. 2^27 - 1 agents (a protocol may allow fewer). */
#define RL_MAX_AGENTS ((UINT32_C(1) << 27) - 1)

/* What stays the same throughout an execution: the number of agents, and the protocol's parameters
 * in the order in which it declares them. */
struct rl_params {
    uint32_t n;
    uint32_t value[RL_MAX_PARAMETERS];
    const void *data; /* the protocol's */
};

/* A parameter, such as N. `default_for` gives its value on a ring of n agents if the user does not.
 * A parameter that is a choice lists the names in `choices`, with NULL after the last. Its value is
 * an index into that list; people and files use the name (experiment.h). */
struct rl_parameter {
    const char *name;
    const char *meaning;
    uint32_t (*default_for)(uint32_t n);
    const char *const *choices;
};

/* A variable of an agent: bits [shift, shift + width) of its word.
 *
 * Its domain is 0 .. size-1, where the size is `size`, or `size_for(params)` if that is given. In
 * text a value is written as symbols[value], which may be empty. Without symbols it is written as
 * `prefix` and a decimal number, and left out for value 0 unless the prefix is empty. */
struct rl_variable {
    const char *name;
    uint8_t shift;
    uint8_t width;
    uint32_t size;
    uint32_t (*size_for)(const struct rl_params *params);
    const char *const *symbols;
    const char *prefix;
};

struct rl_ring;
struct rl_text;

/* A named way to choose the initial configuration. `fill` writes every agent of `ring`. It fails
 * with RL_BAD_PARAMETER if the parameters do not allow this start.
 *
 * A start may stand for a whole family of configurations (one for each word of some kind, say).
 * Then `fill` gives the first member, and `next` turns a member into the next one or returns false
 * after the last. The verifier uses this to go through them all. */
struct rl_start {
    const char *name;
    const char *meaning;
    enum rl_status (*fill)(struct rl_ring *ring, struct rl_random *random, struct rl_error *error);
    bool (*next)(struct rl_ring *ring);
};

/* Numbers the states 0 .. count-1 of a protocol whose variables depend on each other, so that not
 * every combination of values is a state. `index` may be called with any combination. */
struct rl_numbering {
    uint64_t (*count)(const struct rl_params *params);
    rl_state (*state)(const struct rl_params *params, uint64_t index);
    uint64_t (*index)(const struct rl_params *params, rl_state state);
};

/* Changes of output: an interaction turns a follower into a leader, or a leader into a follower. */
enum { RL_CREATION = 1, RL_DEATH = 2 };

/* A part of a protocol: some of its variables, which evolve on their own as long as no output
 * changes, and the changes of output that depend only on them. The verifier can then check one part
 * at a time. The result is exact however the parts are chosen (explore.h). */
struct rl_part {
    const char *name;
    uint64_t variables; /* bit i: variable i belongs to it; those that `leads` reads always do */
    unsigned changes;   /* of RL_CREATION and RL_DEATH */
};

/* What a predicate sees of an agent: the state, with everything that the predicate ignores set to a
 * fixed value. Replacing every agent by what is seen of it must not change predicate(ring). The
 * verifier uses this to merge states. NULL: the predicate may look at everything. Tests check each
 * of these promises on every configuration of small rings. */
typedef rl_state rl_sight(const struct rl_params *params, rl_state state);

/* A named closed set of configurations: once inside, an execution stays inside. The engines rely on
 * that, and the verifier checks it. `contains` takes O(n). `by_definition` follows the words of the
 * paper and is there to test `contains`; it may be NULL.
 *
 * A protocol that declares no sets gets RL_SETTLED instead. That is not a set of configurations but
 * an observation, not a proof: there is exactly one leader, and no output has changed for a given
 * number of steps (run.h). Its `contains` is NULL. */
struct rl_set {
    const char *name;
    const char *meaning;
    bool (*contains)(const struct rl_ring *ring);
    bool (*by_definition)(const struct rl_ring *ring);
};

#define RL_SETTLED                                                                                 \
    {                                                                                              \
        "settled", "one leader, and no output changed for long: observed, not proved", NULL, NULL  \
    }

/* What one interaction shows about a lemma. */
enum rl_verdict { RL_NOT_CONCERNED, RL_HOLDS, RL_VIOLATED };

/* A lemma about single interactions. The verifier checks it for every configuration and arc of a
 * small ring (of at most 64 agents). `check` gets the configuration before and after. */
struct rl_lemma {
    const char *name;
    enum rl_verdict (*check)(const struct rl_ring *before, uint32_t arc,
                             const struct rl_ring *after);
    rl_sight *sees;
};

/* A lemma about expected steps: from every configuration in `from` to the first one in `to`, in
 * units of unit(params) steps. `bound` is the number of units that the source allows. If the source
 * gives only an O(...), `bound` is 0 and the verifier reports what it finds. */
struct rl_claim {
    const char *name;
    bool (*from)(const struct rl_ring *ring);
    bool (*to)(const struct rl_ring *ring);
    rl_sight *sees; /* of both */
    uint64_t (*unit)(const struct rl_params *params);
    const char *unit_name;
    uint32_t bound;
};

/* For people: something you can point at that keeps a configuration out of a closed set, such as an
 * agent or the bullet it carries. */
struct rl_obstacle {
    const char *name;
    const char *meaning; /* a sentence: what it is and what it can do */
    size_t set;          /* it keeps the configuration out of this set and all later ones */
};

struct rl_engine;
struct rl_batch;

/* The engines' inner loops, compiled with the protocol's `interact` inlined
 * (simulate/specialise.c). */
struct rl_loops {
    /* Random arcs, one per step. */
    void (*steps)(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);
    /* Events only, chosen from the list of arcs. With an oracle, also stops when the ring gets its
     * first leader or loses its last. */
    void (*events)(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);
    /* Fills the list; false if it has no room for all active arcs. Time: O(n). */
    bool (*list)(struct rl_engine *engine);
};

/* Which n a protocol is for: all n >= least, or only those with n % m == remainder, or only those
 * with n % m != remainder. For any other n it promises nothing (RL_UNPROMISED). m is `modulus` or,
 * if `by` is not 0, the value of parameter by - 1. */
struct rl_promise {
    uint32_t least;    /* 0: 2 */
    const char *below; /* why not fewer, or NULL */
    uint32_t modulus;  /* 0 or 1: every n from `least` on */
    uint32_t remainder;
    bool other; /* n % m must not be the remainder, instead of must be */
    uint8_t by;
    const char *without; /* why not the other n, or NULL */
};

/* The parts of a protocol that were compiled without n in `struct world` (agent.h), or that are
 * tables. By construction they are the same for every n. */
struct rl_without_n {
    void (*interact)(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r);
    bool (*leads)(rl_state state);
    const struct rl_variable *variables;
    const struct rl_numbering *numbering; /* NULL: every combination of values is a state */
};

#define RL_START_RANDOM "random"

struct rl_protocol {
    const char *name;
    const char *title;
    const char *source; /* authors, where it appeared, year */
    /* For the table of protocols: what it assumes about the ring; how the steps to its target are
     * claimed to grow; the number of states, as a formula; and how close it is to its source: as
     * printed, as restated, a reconstruction, or our design. */
    const char *assumption;
    const char *claim;
    const char *states;
    const char *provenance;

    /* The transition function T, deterministic. It may depend only on the two states, the
     * parameters and, if the protocol has an oracle, on what the oracle reports at this step
     * (otherwise false). */
    void (*interact)(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r);
    /* Would `interact` change a state? A cheaper way to find out; may be NULL. */
    bool (*is_active)(const struct rl_params *params, bool no_leader, rl_state l, rl_state r);
    /* The output of a state: leader or follower. */
    bool (*leads)(rl_state state);
    /* Bytes in a packed word: 4 or 8. */
    uint8_t width;
    /* There is an oracle that reports when the ring has no leader. */
    bool oracle;
    uint8_t delay; /* with an oracle: the parameter that holds its delay in steps (ring.h) */
    /* The ring is undirected: each pair of neighbours interacts in both orders (see ring.h). */
    bool undirected;

    const struct rl_parameter *parameters;
    size_t parameter_count;
    /* Returns RL_OK; or RL_BAD_PARAMETER, with the reason, if there is nothing to compute; or
     * RL_UNPROMISED, with the reason, if the protocol can be run but promises nothing. Then the
     * user may insist (`verify --force`). `n` is at least 2 and at most RL_MAX_AGENTS. NULL:
     * everything is allowed. */
    enum rl_status (*check)(const struct rl_params *params, struct rl_error *error);
    struct rl_promise promise; /* which n it is for, in addition to what `check` says */
    /* NULL: what two agents do may depend on n. `prove` needs it, and requires that the protocol
     * has these very parts (prove.h). */
    const struct rl_without_n *without_n;

    const struct rl_variable *variables;
    size_t variable_count;
    const struct rl_numbering *numbering; /* NULL: every combination of values is a state */

    /* Every change of output belongs to one of the parts. If there are none, the protocol is not
     * divided. */
    const struct rl_part *parts;
    size_t part_count;

    /* In addition to RL_START_RANDOM (uniform over all states), which every protocol has. */
    const struct rl_start *starts;
    size_t start_count;

    /* From the largest to the smallest: each contains the next. */
    const struct rl_set *sets;
    size_t set_count;
    size_t target; /* the set whose hit ends a run */

    /* For the verifier: what each set sees of an agent, in the order of the sets (NULL:
     * everything), and the lemmas. */
    rl_sight *const *set_sees;
    const struct rl_lemma *lemmas;
    size_t lemma_count;
    const struct rl_claim *claims;
    size_t claim_count;

    /* What a timeline shows of a configuration: the names of its gauges, and a function that
     * measures them all in O(n). The number of leaders is always shown first and is not one of
     * these. */
    const char *const *gauges;
    size_t gauge_count;
    void (*measure)(const struct rl_ring *ring, uint64_t *values_out);

    /* For people. Each may be NULL; then the names of the variables decide, as ring.h says.
     * `marks`: the marks (enum rl_mark) of a state in a picture. `explain`: what the interaction of
     * an arc is about to do. `describe`: facts about an agent. Both write one line of text per
     * fact. */
    uint32_t (*marks)(rl_state state);
    /* On an undirected ring: has agent i chosen left as its direction? NULL: never. */
    bool (*faces_left)(const struct rl_ring *ring, uint32_t i);
    /* Bullets fly against that direction, signals along it. */
    bool bullets_fly_left;
    /* Does a barrier stand between agent i and its right neighbour? NULL: there are none. */
    bool (*has_barrier)(const struct rl_ring *ring, uint32_t i);
    void (*explain)(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text);
    void (*describe)(const struct rl_ring *ring, uint32_t i, struct rl_text *text);

    /* Bit k of flags_out[i] means that obstacle k is at u_i. A configuration is in set s if and
     * only if no agent has an obstacle to s or to an earlier set. Time: O(n). */
    const struct rl_obstacle *obstacles;
    size_t obstacle_count;
    void (*obstruct)(const struct rl_ring *ring, uint8_t *flags_out);

    /* NULL: the engines use the pointers above, with the same result. */
    const struct rl_loops *loops;

    /* If the protocol came from a file: the hash of its text, the text, and the path it was loaded
     * from (NULL: not known). Otherwise NULL. */
    const char *hash;
    const char *text;
    const char *path;

    /* Anything its functions need; those that get parameters find it in there. */
    const void *data;
};

/* The list of protocols, by index. NULL after the last. */
const struct rl_protocol *rl_protocol_at(size_t index);
/* By name, or by the path it was loaded from; NULL if there is none. */
const struct rl_protocol *rl_protocol_named(const char *name);
/* Adds a protocol to the list for the rest of the process; it must not change afterwards. Returns
 * false if the name is taken or there is no room (for 16). A placeholder for the same text
 * (study.h) is replaced. Do not call this while another thread reads the list. */
bool rl_protocol_add(const struct rl_protocol *protocol);

/* How many sets a configuration can be in: none if RL_SETTLED stands in for them. */
size_t rl_protocol_set_count(const struct rl_protocol *protocol);
/* Gives RL_SETTLED as its target to a protocol that declares no sets. How long outputs must stay
 * unchanged becomes one more parameter, if there is room. The protocol's parameters are then kept
 * in `parameters`. */
void rl_protocol_settle(struct rl_protocol *protocol,
                        struct rl_parameter parameters[RL_MAX_PARAMETERS]);

/* The default parameters on a ring of n agents. The protocol may not allow them. */
struct rl_params rl_protocol_usual(const struct rl_protocol *protocol, uint32_t n);
/* Fills in the parameters that are not `given` and checks them all, as the protocol's `check` does.
 */
RL_MUST_CHECK enum rl_status rl_protocol_complete(const struct rl_protocol *protocol,
                                                  struct rl_params *params, const bool *given,
                                                  struct rl_error *error);
/* Does the protocol allow these parameters? RL_OK, or RL_BAD_PARAMETER with the reason. */
RL_MUST_CHECK enum rl_status rl_protocol_allows(const struct rl_protocol *protocol,
                                                const struct rl_params *params,
                                                struct rl_error *error);
/* The index of a parameter, set or gauge; -1 if there is none of that name. */
int rl_protocol_parameter(const struct rl_protocol *protocol, const char *name);
int rl_protocol_set(const struct rl_protocol *protocol, const char *name);
int rl_protocol_gauge(const struct rl_protocol *protocol, const char *name);

/* The domain size of a variable, and its value in a state. */
static inline uint32_t rl_variable_size(const struct rl_variable *variable,
                                        const struct rl_params *params)
{
    return variable->size_for ? variable->size_for(params) : variable->size;
}
static inline uint32_t rl_variable_get(const struct rl_variable *variable, rl_state state)
{
    return (uint32_t)((state >> variable->shift) & ((UINT64_C(1) << variable->width) - 1));
}
static inline rl_state rl_variable_set(const struct rl_variable *variable, rl_state state,
                                       uint32_t value)
{
    const rl_state mask = ((UINT64_C(1) << variable->width) - 1) << variable->shift;
    return (state & ~mask) | ((rl_state)value << variable->shift);
}

/* The number of states of an agent. They are numbered 0 .. count-1, by the protocol's own numbering
 * or otherwise in mixed radix over all combinations of values; the first variable varies fastest.
 * Time: O(variables). */
uint64_t rl_protocol_states(const struct rl_protocol *protocol, const struct rl_params *params);
/* Is this word a state? Every variable must be in its domain, and their combination must be
 * allowed. */
bool rl_protocol_is_state(const struct rl_protocol *protocol, const struct rl_params *params,
                          rl_state word);
/* Uniform over all states. */
rl_state rl_protocol_random_state(const struct rl_protocol *protocol,
                                  const struct rl_params *params, struct rl_random *random);

/* -------------------------------------------------------------------------------------------------
 *
 * A rulebook: a protocol that is a table. If you have a rule in another language, ask it once about
 * every pair of states and write the answers down here. The engines run the table as fast as a
 * compiled protocol.
 *
 *     struct rl_rulebook book;
 *     rl_rulebook_init(&book, memory, bits, oracle);
 *     ...its variables and texts into book.protocol, as in protocol.h...
 *     for every state: rl_rulebook_add(&book, word, leads);
 *     for every pair:  rl_rulebook_rule(&book, no_leader, l, r, l_after, r_after);
 *     ...&book.protocol is a protocol...
 *
 * A word holds the bits of the variables, below 2^bits, and in its highest bit the output. So use
 * rl_rulebook_word to make a word from values.
 */

enum { RL_RULEBOOK_BITS = 12 };

/* What two agents become. `l` also has RL_RULE_CHANGES if one of them changes. */
struct rl_rule {
    uint32_t l, r;
};
#define RL_RULE_CHANGES (UINT32_C(1) << 30)

/* Must not be moved: its protocol points to it. */
struct rl_rulebook {
    struct rl_protocol protocol; /* name, variables, sets (RL_SETTLED until then) and starts are
                                    the caller's */
    uint16_t bits;               /* no loop stores this type, so it is loaded once */
    uint32_t count;              /* states */
    uint32_t *states;            /* [index]: words */
    uint32_t *indices;           /* [word without output]: index, or UINT32_MAX */
    struct rl_rule *rules[2];    /* [no_leader][l << bits | r], of words without output */
};

/* The memory that words of `bits` bits need, in bytes; `bits` is 1 to RL_RULEBOOK_BITS. */
size_t rl_rulebook_bytes(uint32_t bits, bool oracle);
/* An empty book in the caller's memory, which must be aligned for uint32_t and outlive the book. Do
 * not move or copy the book afterwards. Every pair of its states must get a rule. */
void rl_rulebook_init(struct rl_rulebook *book, void *memory, uint32_t bits, bool oracle);
/* Adds a state. Time: O(1). */
void rl_rulebook_add(struct rl_rulebook *book, uint32_t values, bool leads);
/* The word of a state that was added, given by the bits of its variables. */
uint32_t rl_rulebook_word(const struct rl_rulebook *book, uint32_t values);
/* What l and r become; all four are given by the bits of their variables. */
void rl_rulebook_rule(struct rl_rulebook *book, bool no_leader, uint32_t l, uint32_t r,
                      uint32_t l_after, uint32_t r_after);

RL_END

#endif
