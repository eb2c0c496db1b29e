/* SPDX-License-Identifier: MIT
 *
 * P_RL: time-optimal self-stabilizing leader election on directed rings.
 *
 * Yokota, Sudo, Masuzawa, "Time-Optimal Self-Stabilizing Leader Election on Rings in Population
 * Protocols" (2020), Algorithm 1, line for line. Every agent knows a bound N >= n; from any
 * configuration one leader remains after O(nN) expected steps; 24(N+1) states.
 *
 * Leaders shoot to the right. A leader that has learnt, by a bullet-absence signal from its right,
 * that its last bullet is gone fires anew at its next interaction: live and shielded if that is
 * with its right neighbour, dummy and unshielded if with its left one. So the scheduler tosses the
 * coin, and a leader that has fired live cannot be killed before another shielded leader exists.
 * `dist` counts the distance to the nearest leader on the left; a follower that counts to N becomes
 * a leader.
 *
 * Other protocols use the elimination part (lines 6-19) as it stands here: they define
 * PRL_RULES_ONLY and include this file. prl-dummy.c defines PRL_WITHOUT_LINE_13 and includes it
 * whole.
 */
#ifndef RINGLEADER_PRL_RULES
#define RINGLEADER_PRL_RULES

#include "ringleader/ring.h"

/* The variables of an agent. Facts that shaped the packing below: dist takes N + 1 values, so with
 * N <= 2^26 it needs 27 bits, and the other variables fill the word of 32 exactly. */
struct prl_agent {
    uint32_t leader; /* 0 or 1 */
    uint32_t bullet; /* 0 none, 1 dummy, 2 live */
    uint32_t shield; /* 0 or 1; ignored in followers */
    uint32_t signal; /* 0 or 1: a bullet-absence signal */
    uint32_t dist;   /* 0 .. N */
};

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// clang-format off
/* Algorithm 1. The numbers on the right are the paper's lines. Lines 1-5: leader creation. */
static inline void create(uint32_t N, struct prl_agent *l, struct prl_agent *r)
{
    if (l->leader == 1) l->dist = 0;                                                     /*  1 */
    if (r->leader == 1) r->dist = 0;                                                     /*  2 */
    else if (r->bullet == 0) r->dist = smaller(l->dist + 1, N);
    if (r->dist == N) {                                                                  /*  3 */
        r->leader = 1; r->bullet = 2; r->shield = 1; r->signal = 0; r->dist = 0;         /*  4 */
    }                                                                                    /*  5 */
}

/* Lines 6-19: leader elimination, with O(1) states. */
static inline void eliminate(struct prl_agent *l, struct prl_agent *r)
{
    if (l->leader == 1 && l->signal == 1) {                                              /*  6 */
        l->bullet = 2; l->shield = 1; l->signal = 0;                                     /*  7 */
    }                                                                                    /*  8 */
    if (r->leader == 1 && r->signal == 1) {                                              /*  9 */
        r->bullet = 1; r->shield = 0; r->signal = 0;                                     /* 10 */
    }                                                                                    /* 11 */
    if (l->bullet > 0 && r->leader == 1) {                                               /* 12 */
#ifndef PRL_WITHOUT_LINE_13
        if (l->bullet == 2 && r->shield == 0) r->leader = 0;                             /* 13 */
#endif
        l->bullet = 0;                                                                   /* 14 */
    } else if (l->bullet > 0 && r->leader == 0) {                                        /* 15 */
        if (r->bullet == 0) r->bullet = l->bullet;                                       /* 16 */
        l->bullet = 0; r->signal = 0;                                                    /* 17 */
    }                                                                                    /* 18 */
    l->signal = larger(l->signal, larger(r->signal, r->leader));                         /* 19 */
}
// clang-format on

#endif /* RINGLEADER_PRL_RULES */

#ifndef PRL_RULES_ONLY

#include "protocols/common.h"

#ifndef WIDTH
#define WIDTH 4
#endif
enum { PARAMETER_N = 0 };
enum { SHIFT_LEADER = 0, SHIFT_BULLET = 1, SHIFT_SHIELD = 3, SHIFT_SIGNAL = 4, SHIFT_DIST = 5 };

#define MAX_N (UINT32_C(1) << 26)

static inline struct prl_agent unpack(rl_state state)
{
    return (struct prl_agent){
        .leader = (uint32_t)state >> SHIFT_LEADER & 1,
        .bullet = (uint32_t)state >> SHIFT_BULLET & 3,
        .shield = (uint32_t)state >> SHIFT_SHIELD & 1,
        .signal = (uint32_t)state >> SHIFT_SIGNAL & 1,
        .dist = (uint32_t)state >> SHIFT_DIST,
    };
}

static inline rl_state pack(struct prl_agent agent)
{
    return agent.leader << SHIFT_LEADER | agent.bullet << SHIFT_BULLET |
           agent.shield << SHIFT_SHIELD | agent.signal << SHIFT_SIGNAL | agent.dist << SHIFT_DIST;
}

/* Algorithm 1 on packed words. */
static inline void interact(const struct rl_params *params, rl_state *l_word, rl_state *r_word)
{
    struct prl_agent l = unpack(*l_word);
    struct prl_agent r = unpack(*r_word);
    create(params->value[PARAMETER_N], &l, &r);
    eliminate(&l, &r);
    *l_word = pack(l);
    *r_word = pack(r);
}

static inline bool leads(rl_state state)
{
    return state & 1;
}

/* Would this interaction change a state? The same answer as doing it (a test compares all pairs of
 * states), but cheap for the two commonest cases: a bullet at l always moves or disappears, and
 * between two followers only dist and signals can change. */
#define HAS_ACTIVE
static inline bool is_active(const struct rl_params *params, rl_state l, rl_state r)
{
    const uint32_t N = params->value[PARAMETER_N];
    const struct prl_agent a = unpack(l), b = unpack(r);
    if (a.bullet > 0)
        return true;
    if (a.leader == 0 && b.leader == 0)
        return b.dist == N || a.signal < b.signal || (b.bullet == 0 && b.dist != a.dist + 1);
    rl_state l_after = l, r_after = r;
    interact(params, &l_after, &r_after);
    return l != l_after || r != r_after;
}

#include "protocols/prl_sets.h"
#include "protocols/prl_lemmas.h"
#include "protocols/prl_starts.h"
#ifndef COMPOSED
#include "protocols/prl_words.h"
#endif

static uint32_t dist_values(const struct rl_params *params)
{
    return params->value[PARAMETER_N] + 1;
}

static const char *const LEADER_TEXT[] = {"", "L"};
static const char *const BULLET_TEXT[] = {"", "b", "B"};
static const char *const SHIELD_TEXT[] = {"", "s"};
static const char *const SIGNAL_TEXT[] = {"", "!"};

static const struct rl_variable VARIABLES[] = {
    {.name = "dist", .shift = SHIFT_DIST, .width = 27, .size_for = dist_values, .prefix = ""},
    {.name = "leader", .shift = SHIFT_LEADER, .width = 1, .size = 2, .symbols = LEADER_TEXT},
    {.name = "bullet", .shift = SHIFT_BULLET, .width = 2, .size = 3, .symbols = BULLET_TEXT},
    {.name = "shield", .shift = SHIFT_SHIELD, .width = 1, .size = 2, .symbols = SHIELD_TEXT},
    {.name = "signal", .shift = SHIFT_SIGNAL, .width = 1, .size = 2, .symbols = SIGNAL_TEXT},
    MORE_VARIABLES};

static uint32_t same_as_n(uint32_t n)
{
    return n;
}

static const struct rl_parameter PARAMETERS[] = {
    {.name = "N", .meaning = "the bound on n that every agent knows", .default_for = same_as_n},
    MORE_PARAMETERS};

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    const uint32_t N = params->value[PARAMETER_N];
    if (N > MAX_N)
        return rl_error_set(error, RL_BAD_PARAMETER, "N = %u is above 2^26 = %u, the largest", N,
                            MAX_N);
    if (N < params->n)
        return rl_error_set(error, N > 0 ? RL_UNPROMISED : RL_BAD_PARAMETER,
                            "N = %u is below n = %u; the protocol needs 2 <= n <= N", N, params->n);
    return RL_OK;
}

enum { TARGET = 2 }; /* S_RL */

#ifndef PRL_WITHOUT_LINE_13
#define NAME  "prl"
#define TITLE "P_RL, Algorithm 1 of the paper"
#define CLAIM "O(nN)"
#else
#define NAME  "prl-dummy"
#define TITLE "P'_RL: P_RL without line 13, where no leader dies (proof of Lemma 12)"
#define CLAIM "none"
#endif
#define SOURCE                                                                                     \
    "D. Yokota, Y. Sudo, T. Masuzawa: Time-Optimal Self-Stabilizing Leader Election on Rings in "  \
    "Population Protocols, 2020"
#define PROVENANCE "as printed"
#define ASSUMPTION "a bound N >= n is known"
#define STATES     "24(N+1)"

#define MORE_FIELDS                                                                                \
    .set_sees = SET_SEES, .lemmas = LEMMAS, .lemma_count = COUNT(LEMMAS), .claims = CLAIMS,        \
    .claim_count = COUNT(CLAIMS), .explain = explain, .describe = describe,        \
    .obstacles = OBSTACLES, .obstacle_count = COUNT(OBSTACLES), .obstruct = obstruct,

#include "protocols/declare.h"

#endif /* PRL_RULES_ONLY */
