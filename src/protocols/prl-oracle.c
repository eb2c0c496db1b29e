/* SPDX-License-Identifier: MIT
 *
 * P_RL with an oracle instead of distances: the paper's remark that its leader elimination (lines
 * 6-19) takes O(1) states and O(n^2) steps, so that with an oracle which reports the absence of
 * leaders at once the whole takes constant states and O(n^2) expected steps.
 *
 * 24 states. Told that there is no leader, the responder becomes one, with a live bullet and a
 * shield, exactly as in line 4; lines 6-19 follow in the same interaction, as they stand.
 * Provenance: lines 6-19 as printed; the two lines that listen to the oracle are our design.
 */
#define NAME  "prl-oracle"
#define TITLE "P_RL's elimination with an oracle instead of distances"
#define SOURCE                                                                                     \
    "after a remark of D. Yokota, Y. Sudo, T. Masuzawa: Time-Optimal Self-Stabilizing Leader "     \
    "Election on Rings in Population Protocols, 2020"
#define PROVENANCE "lines 6-19 as printed, creation by the oracle our design"
#define ASSUMPTION "oracle Omega?"
#define CLAIM      "O(n^2)"
#define STATES     "24"

#define ORACLE
#define VARIABLES(NUMBER, SYMBOLS)                                                                 \
    SYMBOLS(leader, "", "L")                                                                       \
    SYMBOLS(bullet, "", "b", "B")                                                                  \
    SYMBOLS(shield, "", "s")                                                                       \
    SYMBOLS(signal, "", "!")
#include "ringleader/agent.h"

#include "protocols/prl_elimination.h"

static inline void meet(struct world world, struct agent *l, struct agent *r)
{
    if (world.no_leader)
        *r = (struct agent){.leader = 1, .bullet = 2, .shield = 1};
    eliminate(l, r);
}

static inline bool leads(struct agent agent)
{
    return agent.leader;
}

/* ---- the target ---- */

#include "protocols/prl_bullets.h"

static bool one_contains(const struct rl_ring *ring)
{
    return has_one_leader(ring) && c_pb_contains(ring);
}

static bool one_by_definition(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 1 && c_pb_by_definition(ring);
}

static const struct rl_set SETS[] = {
    {"C_PB", "some leader, and every live bullet is peaceful", c_pb_contains, c_pb_by_definition},
    {"one", "in C_PB with exactly one leader", one_contains, one_by_definition},
};

#define GAUGES "live_bullets", "dummy_bullets", "signals"

static void measure(const struct rl_ring *ring, uint64_t *values_out)
{
    measure_bullets(ring, values_out);
}

/* ---- starts ---- */

#include "protocols/prl_bare_starts.h"

START_ALIKE(leaders, .leader = 1, .shield = 1)

/* A random leader; the furthest live bullet at a random distance from it, or none: up to there no
 * signals, beyond no live bullets. */
START(safe)
{
    const uint32_t n = ring->params.n, leader = rl_random_below(random, n);
    const int64_t furthest = draw_furthest(n, random);
    for (uint32_t i = 0; i < n; i++) {
        struct agent u;
        draw_peaceful(&u, i, furthest, random);
        set_agent(ring, (leader + i) % n, u);
    }
    return RL_OK;
}

static const struct rl_start STARTS[] = {
    {"leaderless", "all variables zero", start_leaderless},
    {"leaders", "every agent a shielded leader", start_leaders},
    {"opposite", "two leaders n/2 apart, all else zero; hard", start_opposite},
    {"safe", "a random member of the target", start_safe},
};

/* ---- in words ---- */

#ifndef COPY /* what `ringleader new --like` leaves behind */
#include "protocols/prl_elimination_words.h"

static void explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    const uint32_t l_index = rl_ring_initiator(ring, arc);
    const uint32_t r_index = rl_ring_responder(ring, arc);
    const struct agent l = agent_at(ring, l_index);
    struct agent r = agent_at(ring, r_index);
    if (no_leader) {
        rl_text_format(text,
                       "the oracle says that there is no leader: u_%u became one, with a live "
                       "bullet and a shield: line 4\n",
                       r_index);
        r = (struct agent){.leader = 1, .bullet = 2, .shield = 1};
    }
    explain_elimination(l, r, l_index, r_index, text);
}

#include "protocols/obstacles.h"

enum { NOT_PEACEFUL = OTHERS };

static const struct rl_obstacle OBSTACLES[] = {
    LEADER_OBSTACLES(1),
    {"not peaceful", UNPEACEFUL, 0},
};

static void obstruct(const struct rl_ring *ring, uint8_t *flags_out)
{
    flag_leaders(ring, flags_out);
    flag_unpeaceful(ring, NOT_PEACEFUL, flags_out);
}

#define FIELDS                                                                                     \
    LISTED(set, SETS), .target = 1, LISTED(start, STARTS), .explain = explain,                     \
                       LISTED(obstacle, OBSTACLES), .obstruct = obstruct
#else
#define FIELDS LISTED(set, SETS), .target = 1, LISTED(start, STARTS)
#endif
