/* SPDX-License-Identifier: MIT
 *
 * P_RL in words: what an interaction does, with the lines of Algorithm 1 that do it, and the
 * paper's predicates of an agent. Part of prl.c.
 *
 * The explanation follows the algorithm part by part: `create` itself is called, and lines 6-19
 * have their words in prl_elimination_words.h. A test checks over all pairs of states that there is
 * something to say wherever a state changes.
 */

#include "protocols/prl_elimination_words.h"

/* Lines 1-5, already done: `l_before` and `r_before` became l and r. */
static void explain_creation(struct agent l_before, struct agent r_before, struct agent l,
                             struct agent r, uint32_t l_index, uint32_t r_index, uint32_t N,
                             struct rl_text *text)
{
    if (l.dist != l_before.dist)
        rl_text_format(text, "u_%u is a leader and set its dist to 0: line 1\n", l_index);
    if (r.leader != r_before.leader)
        rl_text_format(text,
                       "u_%u counted to N = %u and became a leader, with a live bullet and a "
                       "shield: lines 2-5\n",
                       r_index, N);
    else if (r.dist != r_before.dist && r.leader)
        rl_text_format(text, "u_%u is a leader and set its dist to 0: line 2\n", r_index);
    else if (r.dist != r_before.dist)
        rl_text_format(text, "u_%u.dist went from %u to %u: line 2\n", r_index, r_before.dist,
                       r.dist);
}

static void explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    (void)no_leader;
    const uint32_t l_index = rl_ring_initiator(ring, arc);
    const uint32_t r_index = rl_ring_responder(ring, arc);
    const uint32_t N = ring->params.value[PARAMETER_N];
    const struct agent l_before = agent_at(ring, l_index), r_before = agent_at(ring, r_index);
    struct agent l = l_before, r = r_before;
    create(N, &l, &r);
    explain_creation(l_before, r_before, l, r, l_index, r_index, N, text);
    explain_elimination(l, r, l_index, r_index, text);
}

static void describe_distance(struct rl_text *text, const char *name, uint32_t distance)
{
    rl_text_format(text, "%s = ", name);
    if (distance == INFINITE)
        rl_text_string(text, "infinite: there is no leader\n");
    else
        rl_text_format(text, "%u\n", distance);
}

static void describe(const struct rl_ring *ring, uint32_t i, struct rl_text *text)
{
    describe_distance(text, "d_L", d_L(ring, i));
    describe_distance(text, "d_R", d_R(ring, i));
    rl_text_string(text, is_secure(ring, i) ? "secure\n" : "not secure: it may yet count to N\n");
    if (agent_at(ring, i).bullet != 2)
        return;
    rl_text_string(text, is_peaceful(ring, i) ? "its live bullet is peaceful"
                                              : "its live bullet is not peaceful");
    rl_text_string(text, is_modest(ring, i) ? " and modest\n" : ", not modest\n");
}

/* ---- what is missing ---- */

enum { NO_LEADER = 1, NOT_PEACEFUL = 2, NOT_MODEST = 4, INSECURE = 8, RIVAL = 16 };

static const struct rl_obstacle OBSTACLES[] = {
    {"no leader", "there is no leader on the ring: an agent will count to N and become one", 0},
    {"not peaceful", UNPEACEFUL, 0},
    {"not modest",
     "a live bullet that has a dist above d_L on the way back to its leader: it may kill a leader, "
     "and that agent may then count to N",
     1},
    {"not secure",
     "dist + d_R is above N, or a leader's dist is not 0: it may count to N and become a leader "
     "although there is one",
     1},
    {"rival", "a leader that is not the only one: live bullets will kill all but one", 2},
};

/* Bullets, on a walk to the right that begins at a leader, and agents, on one to the left. */
static void obstruct(const struct rl_ring *ring, uint8_t *flags_out)
{
    const uint32_t n = ring->params.n, N = ring->params.value[PARAMETER_N];
    struct walk walk = {0};
    bool humble = false;
    uint32_t leaders = 0, begin = 0, to_leader = 0;
    for (uint32_t i = 0; i < n; i++) {
        flags_out[i] = 0;
        if (!agent_at(ring, i).leader)
            continue;
        leaders++;
        begin = i;
    }
    for (uint32_t k = 0, i = begin, j = begin; k < n;
         k++, i = rl_ring_right(ring, i), j = rl_ring_left(ring, j)) {
        const struct agent u = agent_at(ring, i), v = agent_at(ring, j);
        walk_to(&walk, u);
        humble = is_humble(&walk, u, humble);
        if (u.bullet == 2 && !(walk.peaceful && humble))
            flags_out[i] |= walk.peaceful ? NOT_MODEST : NOT_PEACEFUL;
        to_leader = v.leader ? 0 : to_leader + 1;
        if (leaders == 0)
            flags_out[j] |= NO_LEADER;
        else if (v.leader ? v.dist != 0 : (uint64_t)v.dist + to_leader > N)
            flags_out[j] |= INSECURE;
        if (leaders > 1 && v.leader)
            flags_out[j] |= RIVAL;
    }
}
