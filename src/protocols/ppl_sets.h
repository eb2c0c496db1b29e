/* SPDX-License-Identifier: MIT
 *
 * The target of P_PL, what keeps a ring out of it, and its gauges. Part of ppl.c.
 *
 * A ring is settled if it has one leader, all live bullets are peaceful, every dist and `last` is
 * what the leader's place makes it, the IDs of the segments grow by one (but for the last segment,
 * whose ID nobody compares), and no token will ever meet a bit that differs from its own. Then no
 * leader is created even where clocks have run out, and no bit changes; so the set is closed.
 */

#include "protocols/obstacles.h"

static struct view view_of(const struct rl_ring *ring)
{
    return (struct view){ring, ring->params.n, first_leader(ring)};
}

static uint32_t psi_of(const struct view *view)
{
    return view->ring->params.value[PARAMETER_psi];
}

/* Follows a token from the agent at distance i while all bits stay as they are: does it only ever
 * meet bits equal to its own? */
static bool is_harmless(const struct view *view, uint32_t i, uint32_t colour, struct token token)
{
    const uint32_t n = view->n, psi = psi_of(view);
    for (uint32_t moves = 0; moves < 4 * psi * psi; moves++) {
        const struct agent here = seen(view, i);
        if (!fits(psi, colour, &here, token))
            return true;
        i = token.pos > 0 ? (i + 1) % n : (i + n - 1) % n;
        const struct agent there = seen(view, i);
        if (token.pos > 0) {
            if (there.leader || there.last)
                return true;
            if (--token.pos > 0)
                continue;
            if (there.bit != token.bit)
                return false;
            if (offset_of(psi, colour, &there) == 2 * (int32_t)psi - 1)
                return true;
            token.pos = 1 - (int32_t)psi;
        } else if (++token.pos == 0) {
            token = next_bit(psi, there.bit, token.carry);
        }
    }
    return true;
}

static uint64_t id_of_segment(const struct view *view, uint32_t segment)
{
    uint64_t id = 0;
    for (uint32_t k = 0; k < psi_of(view); k++)
        id |= (uint64_t)seen(view, segment * psi_of(view) + k).bit << k;
    return id;
}

enum { WRONG_DIST = OTHERS, WRONG_BIT = 2 * OTHERS, WRONG_TOKEN = 4 * OTHERS };
enum { NOT_PEACEFUL = 8 * OTHERS };

static const struct rl_obstacle OBSTACLES[] = {
    LEADER_OBSTACLES(0),
    {"wrong dist", "dist or last does not match its place after the leader", 0},
    {"wrong bit", "the ID of its segment is not one more than that of the segment before", 0},
    {"wrong token", "its token will meet a bit that differs from its own", 0},
    {"not peaceful", UNPEACEFUL, 0},
};

/* The first of these that the agent at distance i has, or 0; tokens count if they are followed. */
static uint32_t flaw_at(const struct view *view, uint32_t i, bool follow)
{
    const uint32_t psi = psi_of(view), segment = i / psi, last_segment = (view->n - 1) / psi;
    const struct agent u = seen(view, i);
    if (u.dist != i % (2 * psi) || u.last != (segment == last_segment))
        return WRONG_DIST;
    if (segment > 0 && segment < last_segment &&
        u.bit != ((id_of_segment(view, segment - 1) + 1) >> i % psi & 1))
        return WRONG_BIT;
    for (uint32_t colour = 0; follow && colour < 2; colour++) {
        const struct token token = token_of(psi, u, colour);
        if (token.pos != 0 && !is_harmless(view, i, colour, token))
            return WRONG_TOKEN;
    }
    return 0;
}

static bool is_settled(const struct rl_ring *ring, uint8_t *flags)
{
    const struct view view = view_of(ring);
    const bool one_leader = flag_leaders(ring, flags);
    bool settled = one_leader;
    /* Tokens last: to follow one may take psi^2 moves, and mostly something else is wrong. */
    for (int follow = 0; follow < 2; follow++)
        for (uint32_t i = 0; one_leader && (settled || flags) && i < view.n; i++) {
            const uint32_t flaw = flaw_at(&view, i, follow);
            if (flaw)
                settled = flag(flags, (view.leader + i) % view.n, flaw);
        }
    if (flags)
        flag_unpeaceful(ring, NOT_PEACEFUL, flags);
    return settled && c_pb_contains(ring);
}

TARGET(settled)

static const struct rl_set SETS[] = {
    {"settled", "one leader, peaceful bullets, distances, IDs and tokens as they should be",
     settled_contains, NULL},
};

/* ---- gauges ---- */

#define GAUGES "live_bullets", "detecting", "tokens", "contradictions"

static void measure(const struct rl_ring *ring, uint64_t *values_out)
{
    const uint32_t psi = ring->params.value[PARAMETER_psi];
    for (size_t i = 0; i < 4; i++)
        values_out[i] = 0;
    struct agent l = agent_at(ring, ring->params.n - 1);
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const struct agent u = agent_at(ring, i);
        const uint32_t from = l.leader ? 0 : l.dist;
        values_out[0] += u.bullet == 2;
        values_out[1] += u.clock == ring->params.value[PARAMETER_kmax];
        values_out[2] += (u.black != 0) + (u.white != 0);
        values_out[3] += !u.leader && u.dist != (from + 1) % (2 * psi);
        l = u;
    }
}
