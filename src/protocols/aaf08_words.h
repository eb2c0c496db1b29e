/* SPDX-License-Identifier: MIT
 *
 * AAF08 in words: what an interaction does, with the lines of the listing in
 * docs/protocols/aaf08.md, and what keeps a ring out of the target. Part of aaf08.c.
 */

#include "protocols/obstacles.h"

/* Lines 3-5: a barrier stands between l and r. */
static void explain_barrier(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                            struct rl_text *text)
{
    if (l.probe && l.leader)
        rl_text_format(text, "the leader u_%u absorbed the probe that reached it: line 3\n",
                       l_index);
    else if (l.probe)
        rl_text_format(text,
                       "the probe at u_%u reached a barrier without meeting a leader: u_%u became "
                       "one: line 3\n",
                       l_index, l_index);
    if (l.phase == 0)
        rl_text_format(text, "the barrier between u_%u and u_%u %s: line 4\n", l_index, r_index,
                       r.leader ? "may advance now" : "sent out a probe");
    else if (!r.probe)
        rl_text_format(text, "the barrier to the left of u_%u moved to its right%s: line 5\n",
                       r_index, r.bullet ? " and absorbed the bullet there" : "");
}

/* Lines 7-8: r leads. */
static void explain_hit_or_shot(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                                struct rl_text *text)
{
    if (r.bullet) {
        rl_text_format(text,
                       "the bullet that reached u_%u hit it: u_%u is no longer a leader: line 7\n",
                       r_index, r_index);
        return;
    }
    if (!l.bullet)
        rl_text_format(text, "the leader u_%u fired a bullet to u_%u: line 8\n", r_index, l_index);
    if (l.probe)
        rl_text_format(text, "the leader u_%u absorbed the probe of u_%u: line 8\n", r_index,
                       l_index);
}

/* Lines 10-11: bullets go left, probes right. */
static void explain_flight(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                           struct rl_text *text)
{
    if (r.bullet)
        rl_text_format(text, "a bullet moved from u_%u to u_%u: line 10\n", r_index, l_index);
    if (l.probe)
        rl_text_format(text, "a probe moved from u_%u to u_%u: line 11\n", l_index, r_index);
}

static void explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    (void)no_leader;
    const uint32_t l_index = rl_ring_initiator(ring, arc);
    const uint32_t r_index = rl_ring_responder(ring, arc);
    const struct agent l = agent_at(ring, l_index), r = agent_at(ring, r_index);
    if (is_barrier(ring, l, r))
        explain_barrier(l, r, l_index, r_index, text);
    else if (r.leader)
        explain_hit_or_shot(l, r, l_index, r_index, text);
    else
        explain_flight(l, r, l_index, r_index, text);
}

/* ---- what is missing ---- */

enum { NOT_ONE_BARRIER = OTHERS, LOOSE_BULLET = 2 * OTHERS, LOOSE_PROBE = 4 * OTHERS };

static const struct rl_obstacle OBSTACLES[] = {
    LEADER_OBSTACLES,
    {"barrier too many", "there is a barrier to its right, and it is not the only one", 0},
    {"loose bullet",
     "between the leader and the barrier to its right, which will not absorb it: it may kill the "
     "leader",
     0},
    {"loose probe",
     "between the leader and the barrier to its right: it may reach that barrier and make another "
     "leader",
     0},
};

static bool has_barrier_at(const struct rl_ring *ring, uint32_t i)
{
    return is_barrier(ring, agent_at(ring, i), agent_at(ring, rl_ring_right(ring, i)));
}

/* Flags the barriers if there are several, every agent if there is none, and gives the place of the
 * only one, or n. */
static uint32_t obstruct_barriers(const struct rl_ring *ring, uint8_t *flags_out)
{
    const uint32_t n = ring->params.n;
    uint32_t count = 0, place = n;
    for (uint32_t i = 0; i < n; i++)
        if (has_barrier_at(ring, i)) {
            count++;
            place = i;
        }
    for (uint32_t i = 0; i < n && count != 1; i++)
        if (count == 0 || has_barrier_at(ring, i))
            flags_out[i] |= NOT_ONE_BARRIER;
    return count == 1 ? place : n;
}

/* The barrier stands between u and v; what is harmful stands from the leader to u. */
static void obstruct(const struct rl_ring *ring, uint8_t *flags_out)
{
    const bool one_leader = obstruct_leaders(ring, flags_out);
    const uint32_t u = obstruct_barriers(ring, flags_out);
    if (!one_leader || u == ring->params.n)
        return;
    const uint32_t p = rl_ring_first_leader(ring), v = rl_ring_right(ring, u);
    for (uint32_t q = p;; q = rl_ring_right(ring, q)) {
        if (agent_at(ring, q).bullet && v != p)
            flags_out[q] |= LOOSE_BULLET;
        if (agent_at(ring, q).probe && u != p)
            flags_out[q] |= LOOSE_PROBE;
        if (q == u)
            return;
    }
}
