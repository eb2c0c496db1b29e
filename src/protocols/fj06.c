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
 * travels the other way. With two agents, two leaders and one shield can go on forever; so n >= 3.
 */
#define NAME  "fj06"
#define TITLE "leader election with the oracle Omega?, eight states"
#define SOURCE                                                                                     \
    "M. Fischer, H. Jiang: Self-stabilizing Leader Election in Networks of Finite-State "          \
    "Anonymous Agents, OPODIS 2006"
#define PROVENANCE "as restated"
#define ASSUMPTION "oracle Omega?, n >= 3"
#define CLAIM      "Theta(n^3)"
#define STATES     "8"
#define PROMISE    .least = 3, .below = "with two agents, two leaders and one shield can go on forever"

#define ORACLE
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "B")                                                                       \
    SYMBOLS(shield, "", "s")
#include "ringleader/agent.h"

// clang-format off
static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (world.no_leader) {
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

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

/* Here shields travel, so followers show theirs too. */
static uint32_t marks(rl_state state)
{
    const struct agent u = unpack(state);
    return (u.leader ? RL_MARK_LEADER : 0) | (u.shield ? RL_MARK_SHIELD : 0) |
           (u.bullet ? RL_MARK_LIVE : 0);
}

/* ---- the target ---- */

#include "protocols/obstacles.h"

enum { LOOSE_BULLET = OTHERS, NO_SHIELD = 2 * OTHERS };

static const struct rl_obstacle OBSTACLES[] = {
    LEADER_OBSTACLES(0),
    {"loose bullet",
     "to the left of the leader, before the first shield: it may reach the leader and kill it", 0},
    {"no shield", "no shield on the ring will absorb what the leader fires", 0},
};

/* One leader p; and from p to the left, up to and including the first agent with a shield, no
 * bullet, except perhaps at p itself. That shield swallows whatever p has fired before it. */
static bool is_guarded(const struct rl_ring *ring, uint8_t *flags)
{
    if (!flag_leaders(ring, flags))
        return false;
    const uint32_t p = rl_ring_first_leader(ring);
    uint32_t q = p;
    bool guarded = true;
    while (!agent_at(ring, q).shield) {
        q = rl_ring_left(ring, q);
        if (q == p)
            return flag(flags, p, NO_SHIELD);
        if (agent_at(ring, q).bullet)
            guarded = flag(flags, q, LOOSE_BULLET);
    }
    return guarded;
}

TARGET(guarded)

static const struct rl_set SETS[] = {
    {"guarded", "one leader, and a shield in front of every bullet on its left", guarded_contains,
     NULL},
};

#define GAUGES "bullets", "shields"

static void measure(const struct rl_ring *ring, uint64_t *values_out)
{
    values_out[0] = values_out[1] = 0;
    for (uint32_t i = 0; i < ring->params.n; i++) {
        values_out[0] += agent_at(ring, i).bullet;
        values_out[1] += agent_at(ring, i).shield;
    }
}

/* ---- starts ---- */

START_ALIKE(leaderless, 0)

START(opposite)
{
    const struct agent leader = {.leader = 1, .shield = 1};
    set_all(ring, (struct agent){0});
    set_agent(ring, 0, leader);
    set_agent(ring, ring->params.n / 2, leader);
    return RL_OK;
}

START_ALIKE(leaders, .leader = 1, .shield = 1)

/* A random leader p and a random place of the first shield on its left; no bullet between; all
 * else uniform. */
START(safe)
{
    const uint32_t n = ring->params.n;
    const uint32_t p = rl_random_below(random, n), shield = rl_random_below(random, n);
    for (uint32_t d = 0; d < n; d++) {
        const bool free = d > shield;
        struct agent u = {.leader = d == 0, .shield = d == shield};
        u.bullet = free || d == 0 ? rl_random_below(random, 2) : 0;
        u.shield = free ? rl_random_below(random, 2) : u.shield;
        set_agent(ring, (p + n - d) % n, u);
    }
    return RL_OK;
}

static const struct rl_start STARTS[] = {
    {"leaderless", "all variables zero", start_leaderless},
    {"opposite", "two shielded leaders n/2 apart; hard: about 0.15 n^3 steps", start_opposite},
    {"leaders", "every agent a shielded leader", start_leaders},
    {"safe", "a random member of the target", start_safe},
};

#define BARE_FIELDS                                                                                \
    .marks = marks, LISTED(set, SETS), .target = 0, LISTED(start, STARTS),                         \
    LISTED(obstacle, OBSTACLES), .obstruct = obstruct
#ifndef COPY /* what `ringleader new --like` leaves behind */
/* In words, with the lines of the listing in docs/protocols/fj06.md. */
static void explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    const uint32_t l_index = rl_ring_initiator(ring, arc);
    const uint32_t r_index = rl_ring_responder(ring, arc);
    const struct agent l = agent_at(ring, l_index), r = agent_at(ring, r_index);
    if (no_leader)
        rl_text_format(text,
                       "the oracle says that there is no leader: u_%u became one, with a bullet "
                       "and a shield: line 1\n",
                       r_index);
    else if (r.shield) {
        rl_text_format(text,
                       l.shield ? "the shield of u_%u joined that of u_%u"
                                : "a shield moved from u_%u to u_%u",
                       r_index, l_index);
        if (l.bullet)
            rl_text_string(text, " and absorbed the bullet there");
        if (r.leader && !r.bullet)
            rl_text_format(text, ", and the leader u_%u fired", r_index);
        rl_text_string(text, ": line 2\n");
    } else if (l.bullet)
        rl_text_format(text,
                       r.leader ? "the bullet of u_%u hit u_%u, who is no longer a leader: line 3\n"
                       : r.bullet ? "the bullet of u_%u joined that of u_%u: line 3\n"
                                  : "a bullet moved from u_%u to u_%u: line 3\n",
                       l_index, r_index);
    else
        rl_text_format(text, "the leader u_%u fired: line 4\n", r_index);
}

#define FIELDS BARE_FIELDS, .explain = explain
#else
#define FIELDS BARE_FIELDS
#endif
