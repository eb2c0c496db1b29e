/* SPDX-License-Identifier: MIT
 *
 * FJ06 in words: what an interaction does, with the lines of the listing in docs/protocols/fj06.md,
 * and what keeps a ring out of the target. Part of fj06.c.
 */

#include "protocols/obstacles.h"

/* Line 2: r has a shield. */
static void explain_shield(struct agent l, struct agent r, uint32_t l_index, uint32_t r_index,
                           struct rl_text *text)
{
    rl_text_format(text,
                   l.shield ? "the shield of u_%u joined that of u_%u"
                            : "a shield moved from u_%u to u_%u",
                   r_index, l_index);
    if (l.bullet)
        rl_text_string(text, " and absorbed the bullet there");
    if (r.leader && !r.bullet)
        rl_text_format(text, ", and the leader u_%u fired", r_index);
    rl_text_string(text, ": line 2\n");
}

/* Line 3: l has a bullet. */
static void explain_bullet(struct agent r, uint32_t l_index, uint32_t r_index, struct rl_text *text)
{
    if (r.leader)
        rl_text_format(text, "the bullet of u_%u hit u_%u: u_%u is no longer a leader: line 3\n",
                       l_index, r_index, r_index);
    else
        rl_text_format(text,
                       r.bullet ? "the bullet of u_%u joined that of u_%u: line 3\n"
                                : "a bullet moved from u_%u to u_%u: line 3\n",
                       l_index, r_index);
}

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
    else if (r.shield)
        explain_shield(l, r, l_index, r_index, text);
    else if (l.bullet)
        explain_bullet(r, l_index, r_index, text);
    else
        rl_text_format(text, "the leader u_%u fired: line 4\n", r_index);
}

/* ---- what is missing ---- */

enum { LOOSE_BULLET = OTHERS, NO_SHIELD = 2 * OTHERS };

static const struct rl_obstacle OBSTACLES[] = {
    LEADER_OBSTACLES,
    {"loose bullet",
     "to the left of the leader, before the first shield: it may reach the leader and kill it", 0},
    {"no shield", "no shield on the ring will absorb what the leader fires", 0},
};

/* From the leader to the left, up to the first shield. */
static void obstruct(const struct rl_ring *ring, uint8_t *flags_out)
{
    if (!obstruct_leaders(ring, flags_out))
        return;
    const uint32_t p = rl_ring_first_leader(ring);
    if (agent_at(ring, p).shield)
        return;
    uint32_t q = rl_ring_left(ring, p);
    for (; q != p; q = rl_ring_left(ring, q)) {
        const struct agent u = agent_at(ring, q);
        if (u.bullet)
            flags_out[q] |= LOOSE_BULLET;
        if (u.shield)
            return;
    }
    flags_out[p] |= NO_SHIELD;
}
