/* SPDX-License-Identifier: MIT
 *
 * The form of a protocol file: those in src/protocols, and your own that `-p FILE.c` runs.
 *
 * A file lists its variables, includes this header, and then defines what happens when two agents
 * meet and who leads:
 *
 *     #define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L")
 *     #include "ringleader/agent.h"
 *
 *     static inline void meet(struct world world, struct agent *l, struct agent *r)
 *     {
 *         (void)world;
 *         r->leader = r->leader && !l->leader;
 *     }
 *     static inline bool leads(struct agent agent) { return agent.leader; }
 *
 * The list gives you `struct agent` with a uint32_t for each variable, `pack` and `unpack` to
 * convert between it and an agent's packed word, and the tables that everything else reads. In text
 * an agent is written as its variables, one after the other, in the order of the list:
 *   SYMBOLS(name, "", "a", ...)      one value for each text; "" writes nothing;
 *   NUMBER(name, values, most, pre)  values 0 .. values-1, written as `pre` and the number, and
 *                                    left out for 0 unless `pre` is empty. `values` may use n and
 *                                    the parameters; `most` is a constant, never less than it.
 *
 * `meet` is the transition function: plain C, deterministic, and dependent only on its three
 * arguments. `struct world` has the parameters by name, n, and no_leader, the oracle's report. If a
 * file compiles without n, it is compiled without it (the build and `-p FILE.c` define
 * RL_WORLD_WITHOUT_N). Only for such files can anything be proved for every n.
 *
 * What else a file may define, before it includes this header:
 *   PARAMETERS(P)  P(name, default, "meaning") for each; the default may use n. Texts after the
 *                  meaning are the names of choices: P(way, 0, "which way round", "left", "right").
 *   ORACLE         there is an oracle (ring.h); its delay is one more parameter.
 *   BULLETS_FLY_LEFT
 *                  for pictures: bullets fly from r to l, and signals from l to r.
 *   PACKED(P)      P(name) for each: the variables from the lowest bit of the word up, if that is
 *                  not the order of the list.
 * and anywhere:
 *   NAME TITLE SOURCE PROVENANCE ASSUMPTION CLAIM STATES
 *                  texts, as in struct rl_protocol (protocol.h). NAME defaults to the file's name.
 *   PROMISE        which n it is for, as members of struct rl_promise: .least = 3, .modulus = 2,
 *                  .remainder = 1 means odd n from 3 on. The default is every n >= 2.
 *   GAUGES         names for a timeline, such as "bullets", "shields"; needs .measure.
 *   FIELDS         members of struct rl_protocol, as in an initialiser: LISTED(start, STARTS),
 *                  LISTED(set, SETS), .target = 1, .check = check, .is_active = is_active, ...
 *
 * Everything is freestanding and static, so a program contains only what it uses. A device that
 * needs only the rules includes a protocol file and calls `meet`.
 */
#if defined VARIABLES && !defined RINGLEADER_AGENT_H
#define RINGLEADER_AGENT_H

#include "ringleader/ring.h"
#include "ringleader/status.h"

#ifndef PARAMETERS
#define PARAMETERS(P)
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Among FIELDS: an array and its length. */
#define LISTED(thing, array) .thing##s = array, .thing##_count = COUNT(array)

/* An oracle's delay is a parameter, after the file's own. */
#ifdef ORACLE
#define FORM_PARAMETERS(P)                                                                         \
    PARAMETERS(P)                                                                                  \
    P(delay, 0, "steps that the ring must be without a leader before the oracle reports it")
#define FORM_ORACLE .oracle = true, .delay = PARAMETER_delay,
#else
#define FORM_PARAMETERS(P) PARAMETERS(P)
#define FORM_ORACLE
#endif

#ifdef BULLETS_FLY_LEFT
#define FORM_BULLETS .bullets_fly_left = true,
#else
#define FORM_BULLETS
#endif

/* ---- the world: what an interaction may depend on besides the two states ---- */

#define FORM_PLACE(name, ...) PARAMETER_##name,
enum { FORM_PARAMETERS(FORM_PLACE) PARAMETER_COUNT };

#define FORM_FIELD(name, ...) uint32_t name;
#ifdef RL_WORLD_WITHOUT_N
#define FORM_N(...)
#else
#define FORM_N(...) __VA_ARGS__
#endif
struct world {
    FORM_N(uint32_t n;)
    FORM_PARAMETERS(FORM_FIELD)
    bool no_leader;
};

static inline struct world world_of(const struct rl_params *params, bool no_leader)
{
#define FORM_VALUE(name, ...) .name = params->value[PARAMETER_##name],
    (void)params;
    return (struct world){FORM_N(.n = params->n, ) FORM_PARAMETERS(FORM_VALUE).no_leader =
                              no_leader};
}

/* ---- agents and words ---- */

struct agent {
    VARIABLES(FORM_FIELD, FORM_FIELD)
};

/* The bits that `most` values need. */
#define FORM_BITS_4(x)  ((x) <= 2 ? 1 : (x) <= 4 ? 2 : (x) <= 8 ? 3 : 4)
#define FORM_BITS_8(x)  ((x) <= 16 ? FORM_BITS_4(x) : 4 + FORM_BITS_4(((x) + 15) / 16))
#define FORM_BITS_16(x) ((x) <= 256 ? FORM_BITS_8(x) : 8 + FORM_BITS_8(((x) + 255) / 256))
#define FORM_BITS(x)                                                                               \
    (UINT64_C(0) + (x) <= 65536 ? FORM_BITS_16(UINT64_C(0) + (x))                                  \
                                : 16 + FORM_BITS_16((UINT64_C(65535) + (x)) / 65536))

#define FORM_NUMBER_BITS(name, values, most, prefix) BITS_##name = FORM_BITS(most),
#define FORM_SYMBOL_BITS(name, ...)                                                                \
    BITS_##name = FORM_BITS(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)),
enum { VARIABLES(FORM_NUMBER_BITS, FORM_SYMBOL_BITS) };

/* Each variable begins where the one before it ends: an enumerator is one more than the last. */
#define FORM_SHIFT(name, ...) SHIFT_##name, LAST_BIT_OF_##name = SHIFT_##name + BITS_##name - 1,
#ifndef PACKED
enum { VARIABLES(FORM_SHIFT, FORM_SHIFT) USED_BITS };
#else
enum { PACKED(FORM_SHIFT) USED_BITS };
#endif
_Static_assert(USED_BITS <= 64, "the variables need more than 64 bits");

/* A composition (undirected.h) has its own variables above these. */
#ifndef LEAST_WIDTH
#define LEAST_WIDTH 4
#endif
enum { WIDTH = USED_BITS <= 32 ? LEAST_WIDTH : 8 };

/* Words of 32 bits if the variables fit, which suits small machines. */
typedef __typeof__(__builtin_choose_expr(USED_BITS <= 32, (uint32_t)0, (uint64_t)0)) word;

static inline struct agent unpack(rl_state state)
{
#define FORM_UNPACK(name, ...)                                                                     \
    .name = (uint32_t)((word)state >> SHIFT_##name) & (uint32_t)((UINT64_C(1) << BITS_##name) - 1),
    return (struct agent){VARIABLES(FORM_UNPACK, FORM_UNPACK)};
}

static inline rl_state pack(struct agent agent)
{
#define FORM_PACK(name, ...) | (word)agent.name << SHIFT_##name
    return 0 VARIABLES(FORM_PACK, FORM_PACK);
}

/* ---- what the file defines ---- */

static inline void meet(struct world world, struct agent *l, struct agent *r);
static inline bool leads(struct agent agent);

/* The two in the form that struct rl_protocol needs. */
static inline void interact(const struct rl_params *params, bool no_leader, rl_state *l_word,
                            rl_state *r_word)
{
    struct agent l = unpack(*l_word), r = unpack(*r_word);
    meet(world_of(params, no_leader), &l, &r);
    *l_word = pack(l);
    *r_word = pack(r);
}

static inline bool state_leads(rl_state state)
{
    return leads(unpack(state));
}

/* ---- for predicates and starts ---- */

static inline struct agent agent_at(const struct rl_ring *ring, uint32_t i)
{
    return unpack(rl_word_get(ring->agents, WIDTH, rl_ring_place(ring, i)));
}

static inline void set_agent(struct rl_ring *ring, uint32_t i, struct agent agent)
{
    rl_word_set(ring->agents, WIDTH, rl_ring_place(ring, i), pack(agent));
}

static inline void set_all(struct rl_ring *ring, struct agent agent)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        set_agent(ring, i, agent);
}

/* START(name) { ... return RL_OK; } defines the function start_NAME of a start. It fills `ring` and
 * may use `random` and `error`. START_ALIKE(name, ...) is a start where all agents have these
 * values. */
#define START(name)                                                                                \
    static enum rl_status start_##name(struct rl_ring *ring,                                       \
                                       __attribute__((unused)) struct rl_random *random,           \
                                       __attribute__((unused)) struct rl_error *error)
#define START_ALIKE(name, ...)                                                                     \
    START(name)                                                                                    \
    {                                                                                              \
        set_all(ring, (struct agent){__VA_ARGS__});                                                \
        return RL_OK;                                                                              \
    }

/* Stops at the second leader. */
static inline bool has_one_leader(const struct rl_ring *ring)
{
    uint32_t leaders = 0;
    for (uint32_t i = 0; i < ring->params.n && leaders < 2; i++)
        leaders += leads(agent_at(ring, i));
    return leaders == 1;
}

#endif
