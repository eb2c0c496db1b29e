/* SPDX-License-Identifier: MIT
 *
 * The target of P_PL, twice, what keeps a ring out of it, and its gauges. Part of ppl.c.
 *
 * A ring is settled if it has one leader, all live bullets are peaceful, every dist and `last` is
 * what the leader's place makes it, the IDs of the segments grow by one (but for the last segment,
 * whose ID nobody compares), and no token will ever meet a bit that differs from its own. Then no
 * leader is created even where clocks have run out, and no bit changes; so the set is closed.
 *
 * The definition follows each token on its whole journey. The fast form says at once where it goes:
 * a token that goes to bit k of a segment must have that bit and, if it goes on from there, the
 * right carry, which is 1 iff the first zero of its own segment is beyond k. A token that will
 * enter the last segment or meet the leader dies there and may carry anything; so may one that goes
 * left over the leader, for it comes to be in the last two segments.
 */

#include "protocols/obstacles.h"

static struct view view_of(const struct rl_ring *ring)
{
    return (struct view){ring, ring->params.n, rl_ring_first_leader(ring)};
}

static uint32_t psi_of(const struct view *view)
{
    return view->ring->params.value[PARAMETER_psi];
}

/* ---- by definition ---- */

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

static bool settled_by_definition(const struct rl_ring *ring)
{
    if (rl_ring_leaders(ring) != 1 || !c_pb_by_definition(ring))
        return false;
    const struct view view = view_of(ring);
    const uint32_t last_segment = (view.n - 1) / psi_of(&view);
    for (uint32_t i = 0; i < view.n; i++) {
        const struct agent u = seen(&view, i);
        if (u.dist != i % (2 * psi_of(&view)) || u.last != (i / psi_of(&view) == last_segment))
            return false;
    }
    for (uint32_t segment = 1; segment < last_segment; segment++)
        if (id_of_segment(&view, segment) !=
            (id_of_segment(&view, segment - 1) + 1) % (UINT64_C(1) << psi_of(&view)))
            return false;
    for (uint32_t i = 0; i < view.n; i++)
        for (uint32_t colour = 0; colour < 2; colour++) {
            const struct token token = token_of(psi_of(&view), seen(&view, i), colour);
            if (token.pos != 0 && !is_harmless(&view, i, colour, token))
                return false;
        }
    return true;
}

/* ---- fast ---- */

/* Offset of the first zero bit in the segment that begins at distance `begin`, or psi. */
static uint32_t first_zero(const struct view *view, uint32_t begin)
{
    uint32_t k = 0;
    while (k < psi_of(view) && begin + k < view->n && seen(view, begin + k).bit)
        k++;
    return k;
}

/* The token of u, at distance i, given the first zeros of its segment and of the one before. */
static bool is_right(const struct view *view, uint32_t i, const struct agent *u, uint32_t colour,
                     const uint32_t *zero)
{
    const int32_t psi = (int32_t)psi_of(view), n = (int32_t)view->n;
    const int32_t last_begins = (n - 1) / psi * psi;
    const struct token token = token_of(psi_of(view), *u, colour);
    if (token.pos == 0 || !fits(psi_of(view), colour, u, token))
        return true;
    const int32_t offset = offset_of(psi_of(view), colour, u);
    const int32_t goal = (int32_t)i + token.pos;
    const int32_t begin = (int32_t)i - offset; /* of its own segment; below 0: over the leader */
    const int32_t own_zero = (int32_t)zero[offset < psi ? 0 : 1];
    if (token.pos < 0)
        return goal < 0 || goal + psi >= last_begins ||
               token.carry == (goal - begin <= own_zero ? 1u : 0u);
    if (goal >= last_begins)
        return true;
    const int32_t k = offset + token.pos - psi;
    return seen(view, (uint32_t)goal).bit == token.bit &&
           (begin < 0 || k == psi - 1 || token.carry == (k < own_zero ? 1u : 0u));
}

enum { WRONG_DIST = OTHERS, WRONG_BIT = 2 * OTHERS, WRONG_TOKEN = 4 * OTHERS };

/* The first of these that the agent at distance i has, or 0. Called for one agent after the other:
 * `zero` has the first zeros of the present segment and of the one before. */
static uint32_t flaw_at(const struct view *view, uint32_t i, uint32_t *zero)
{
    const uint32_t psi = psi_of(view), last_begins = (view->n - 1) / psi * psi;
    const struct agent u = seen(view, i);
    if (i % psi == 0) {
        zero[1] = zero[0];
        zero[0] = first_zero(view, i);
    }
    if (u.dist != i % (2 * psi) || u.last != (i >= last_begins))
        return WRONG_DIST;
    const uint32_t carry = i % psi <= zero[1];
    if (i >= psi && i < last_begins && u.bit != (seen(view, i - psi).bit ^ carry))
        return WRONG_BIT;
    const bool right = is_right(view, i, &u, 0, zero) && is_right(view, i, &u, 1, zero);
    return right ? 0 : WRONG_TOKEN;
}

static bool settled_contains(const struct rl_ring *ring)
{
    if (!has_one_leader(ring))
        return false;
    const struct view view = view_of(ring);
    uint32_t zero[2] = {0};
    for (uint32_t i = 0; i < view.n; i++)
        if (flaw_at(&view, i, zero))
            return false;
    return c_pb_contains(ring);
}

/* ---- what is missing ---- */

enum { NOT_PEACEFUL = 8 * OTHERS };

static const struct rl_obstacle OBSTACLES[] = {
    LEADER_OBSTACLES,
    {"wrong dist", "dist or last does not match its place after the leader", 0},
    {"wrong bit", "the ID of its segment is not one more than that of the segment before", 0},
    {"wrong token", "its token will meet a bit that differs from its own", 0},
    {"not peaceful", UNPEACEFUL, 0},
};

static void obstruct(const struct rl_ring *ring, uint8_t *flags_out)
{
    const bool one_leader = obstruct_leaders(ring, flags_out);
    const struct view view = view_of(ring);
    uint32_t zero[2] = {0};
    for (uint32_t i = 0; i < view.n && one_leader; i++)
        flags_out[(view.leader + i) % view.n] |= (uint8_t)flaw_at(&view, i, zero);
    flag_unpeaceful(ring, NOT_PEACEFUL, flags_out);
}

static const struct rl_set SETS[] = {
    {"settled", "one leader, peaceful bullets, distances, IDs and tokens as they should be",
     settled_contains, settled_by_definition},
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
