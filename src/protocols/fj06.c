/* SPDX-License-Identifier: MIT
 *
 * FJ06: leader election on directed rings with the oracle Omega?.
 *
 * Fischer and Jiang, "Self-stabilizing Leader Election in Networks of Finite-State Anonymous
 * Agents", OPODIS 2006. As restated: the rules follow published descriptions, not the paper's own
 * listing. Eight states, no knowledge of n; Theta(n^3) expected steps when the oracle reports at
 * once.
 *
 * Bullets move right and kill the leaders they meet; shields move left and swallow the bullets they
 * meet. A leader that meets its left neighbour fires. A shield that passes a leader makes it fire
 * at the same time, so in the end every bullet of the only leader is swallowed by the shield that
 * travels the other way. With two agents two leaders and one shield can go on for ever; so n >= 3.
 */
#include "protocols/common.h"
#include "ringleader/look.h"

#define ORACLE 1
#define NAME   "fj06"
#define TITLE  "leader election with the oracle Omega?, eight states"
#define SOURCE                                                                                     \
    "M. Fischer, H. Jiang: Self-stabilizing Leader Election in Networks of Finite-State "          \
    "Anonymous Agents, OPODIS 2006"
#define PROVENANCE "as restated"
#define ASSUMPTION "oracle Omega?, n >= 3"
#define CLAIM      "Theta(n^3)"
#define STATES     "8"

#ifndef WIDTH
#define WIDTH 4
#endif
enum { PARAMETER_DELAY = 0 };
enum { SHIFT_LEADER = 0, SHIFT_BULLET = 1, SHIFT_SHIELD = 2 };

struct fj06_agent {
    uint32_t leader;
    uint32_t bullet;
    uint32_t shield;
};

static inline struct fj06_agent unpack(rl_state state)
{
    return (struct fj06_agent){
        .leader = (uint32_t)state >> SHIFT_LEADER & 1,
        .bullet = (uint32_t)state >> SHIFT_BULLET & 1,
        .shield = (uint32_t)state >> SHIFT_SHIELD & 1,
    };
}

static inline rl_state pack(struct fj06_agent agent)
{
    return agent.leader << SHIFT_LEADER | agent.bullet << SHIFT_BULLET |
           agent.shield << SHIFT_SHIELD;
}

// clang-format off
static inline void meet(bool no_leader, struct fj06_agent *l, struct fj06_agent *r)
{
    if (no_leader) {
        r->leader = 1; r->bullet = 1; r->shield = 1;
    } else if (r->shield) {
        r->shield = 0; l->shield = 1; l->bullet = 0;
        if (r->leader) r->bullet = 1;
    } else if (l->bullet) {
        l->bullet = 0; r->bullet = 1; r->leader = 0;
    } else if (r->leader) {
        r->bullet = 1;
    }
}
// clang-format on

static inline void interact(const struct rl_params *params, rl_state *l_word, rl_state *r_word)
{
    struct fj06_agent l = unpack(*l_word), r = unpack(*r_word);
    meet(params->no_leader, &l, &r);
    *l_word = pack(l);
    *r_word = pack(r);
}

static inline bool leads(rl_state state)
{
    return state >> SHIFT_LEADER & 1;
}

#ifndef COMPOSED
/* Here shields travel, so followers show theirs too. */
static uint32_t marks(rl_state state)
{
    const struct fj06_agent u = unpack(state);
    return (u.leader ? RL_MARK_LEADER : 0) | (u.shield ? RL_MARK_SHIELD : 0) |
           (u.bullet ? RL_MARK_LIVE : 0);
}

#define MORE_FIELDS .marks = marks,
#endif

/* ---- the target -------------------------------------------------------------------------------
 */

static inline struct fj06_agent agent_at(const struct rl_ring *ring, uint32_t i)
{
    return unpack(rl_word_get(ring->agents, WIDTH, rl_ring_place(ring, i)));
}

/* One leader p; and from p to the left, up to and including the first agent with a shield, no
 * bullet, except perhaps at p itself. That shield swallows whatever p has fired before it. */
static bool guarded_contains(const struct rl_ring *ring)
{
    if (!has_one_leader(ring))
        return false;
    const uint32_t p = rl_ring_first_leader(ring);
    if (agent_at(ring, p).shield)
        return true;
    for (uint32_t q = rl_ring_left(ring, p); q != p; q = rl_ring_left(ring, q)) {
        if (agent_at(ring, q).bullet)
            return false;
        if (agent_at(ring, q).shield)
            return true;
    }
    return false;
}

/* The same, said of distances: with s the distance from the leader to the nearest shield on its
 * left and b that to the nearest bullet on its left, both counted from 1 for a shield or bullet
 * beside it: a shield is at the leader, or s < b. */
static bool guarded_by_definition(const struct rl_ring *ring)
{
    const uint32_t n = ring->params.n, none = n + 1;
    uint32_t shield = none, bullet = none;
    if (rl_ring_leaders(ring) != 1)
        return false;
    const uint32_t p = rl_ring_first_leader(ring);
    for (uint32_t d = n - 1; d >= 1; d--) {
        const struct fj06_agent u = agent_at(ring, (p + n - d) % n);
        shield = u.shield ? d : shield;
        bullet = u.bullet ? d : bullet;
    }
    return agent_at(ring, p).shield || (shield != none && shield < bullet);
}

static const struct rl_set SETS[] = {
    {"guarded", "one leader, and a shield before every bullet on its left", guarded_contains,
     guarded_by_definition},
};
enum { TARGET = 0 };

static const char *const GAUGES[] = {"bullets", "shields", MORE_GAUGES};

static void measure(const struct rl_ring *ring, uint64_t *values_out)
{
    values_out[0] = values_out[1] = 0;
    for (uint32_t i = 0; i < ring->params.n; i++) {
        values_out[0] += agent_at(ring, i).bullet;
        values_out[1] += agent_at(ring, i).shield;
    }
}

/* ---- starts -----------------------------------------------------------------------------------
 */

static enum rl_status start_leaderless(struct rl_ring *ring, struct rl_random *random,
                                       struct rl_error *error)
{
    (void)random, (void)error;
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, 0);
    return RL_OK;
}

static enum rl_status start_opposite(struct rl_ring *ring, struct rl_random *random,
                                     struct rl_error *error)
{
    const rl_state leader = pack((struct fj06_agent){.leader = 1, .shield = 1});
    const enum rl_status status = start_leaderless(ring, random, error);
    rl_ring_set(ring, 0, leader);
    rl_ring_set(ring, ring->params.n / 2, leader);
    return status;
}

static enum rl_status start_leaders(struct rl_ring *ring, struct rl_random *random,
                                    struct rl_error *error)
{
    (void)random, (void)error;
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, pack((struct fj06_agent){.leader = 1, .shield = 1}));
    return RL_OK;
}

/* A random leader p and a random place of the first shield on its left; no bullet between; all
 * else uniform. */
static enum rl_status start_safe(struct rl_ring *ring, struct rl_random *random,
                                 struct rl_error *error)
{
    (void)error;
    const uint32_t n = ring->params.n;
    const uint32_t p = rl_random_below(random, n), shield = rl_random_below(random, n);
    for (uint32_t d = 0; d < n; d++) {
        const bool free = d > shield;
        struct fj06_agent u = {.leader = d == 0, .shield = d == shield};
        u.bullet = free || d == 0 ? rl_random_below(random, 2) : 0;
        u.shield = free ? rl_random_below(random, 2) : u.shield;
        rl_ring_set(ring, (p + n - d) % n, pack(u));
    }
    return RL_OK;
}

static const struct rl_start STARTS[] = {
    {.name = "leaderless", .meaning = "all variables zero", .fill = start_leaderless},
    {.name = "opposite",
     .meaning = "two shielded leaders n/2 apart; hard: about 0.15 n^3 steps",
     .fill = start_opposite},
    {.name = "leaders", .meaning = "every agent a shielded leader", .fill = start_leaders},
    {.name = "safe", .meaning = "a random member of the target", .fill = start_safe},
};

/* ---- the declaration --------------------------------------------------------------------------
 */

static const char *const LEADER_TEXT[] = {"", "L"};
static const char *const BULLET_TEXT[] = {"", "B"};
static const char *const SHIELD_TEXT[] = {"", "s"};

static const struct rl_variable VARIABLES[] = {
    {.name = "leader", .shift = SHIFT_LEADER, .width = 1, .size = 2, .symbols = LEADER_TEXT},
    {.name = "bullet", .shift = SHIFT_BULLET, .width = 1, .size = 2, .symbols = BULLET_TEXT},
    {.name = "shield", .shift = SHIFT_SHIELD, .width = 1, .size = 2, .symbols = SHIELD_TEXT},
    MORE_VARIABLES};

static const struct rl_parameter PARAMETERS[] = {ORACLE_DELAY, MORE_PARAMETERS};

static enum rl_status check(const struct rl_params *params, struct rl_error *error)
{
    if (params->n < 3)
        return rl_error_set(error, RL_UNPROMISED,
                            "fj06 needs n >= 3: with two agents, two leaders and one shield can go "
                            "on for ever");
    return RL_OK;
}

#include "protocols/declare.h"
