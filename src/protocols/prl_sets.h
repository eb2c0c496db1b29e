/* SPDX-License-Identifier: MIT
 *
 * The paper's predicates and sets for P_RL, each twice: as the definition reads (the oracle,
 * O(n^2)) and fast (one pass). Part of prl.c.
 *
 * The fast forms rest on one walk to the right that begins at a leader. Everything the predicates
 * ask of u_i looks back to its nearest left leader, so three facts carried along the walk decide
 * peaceful and modest. Security looks ahead to the nearest right leader; for a follower at distance
 * a from its left leader, in a gap of g arcs between leaders, d_R = g - a, so all of a gap are
 * secure iff max(dist - a) + g <= N, which is known when the walk reaches the next leader.
 */

#include "protocols/prl_bullets.h"

/* ---- as the paper defines them ---- */

/* u_{i+j}, for 0 <= j <= n. */
static uint32_t right_of(const struct rl_ring *ring, uint32_t i, uint32_t j)
{
    return (i + j) % ring->params.n;
}

/* d_R(i) = min{ j >= 0 | u_{i+j}.leader = 1 } */
static uint32_t d_R(const struct rl_ring *ring, uint32_t i)
{
    for (uint32_t j = 0; j < ring->params.n; j++)
        if (agent_at(ring, right_of(ring, i, j)).leader == 1)
            return j;
    return INFINITE;
}

/* Modest(i): of a live bullet at u_i. */
static bool is_modest(const struct rl_ring *ring, uint32_t i)
{
    if (!is_peaceful(ring, i))
        return false;
    const uint32_t d = d_L(ring, i);
    for (uint32_t j = 0; j <= d; j++) {
        const uint32_t at = left_of(ring, i, j);
        if (agent_at(ring, at).dist > d_L(ring, at))
            return false;
    }
    return true;
}

/* Secure(i): of an agent. */
static bool is_secure(const struct rl_ring *ring, uint32_t i)
{
    const struct agent u = agent_at(ring, i);
    const uint32_t N = ring->params.value[PARAMETER_N];
    if (u.leader == 1)
        return u.dist == 0;
    const uint32_t d = d_R(ring, i);
    return d != INFINITE && (uint64_t)u.dist + d <= N;
}

static bool c_ni_by_definition(const struct rl_ring *ring)
{
    if (!c_pb_by_definition(ring))
        return false;
    for (uint32_t i = 0; i < ring->params.n; i++) {
        if (!is_secure(ring, i))
            return false;
        if (agent_at(ring, i).bullet == 2 && !is_modest(ring, i))
            return false;
    }
    return true;
}

static bool s_rl_by_definition(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 1 && c_ni_by_definition(ring);
}

/* ---- fast ---- */

/* Every agent since the leader, up to u, where the walk now stands, has dist <= d_L; `before` says
 * so of those before u. */
static inline bool is_humble(const struct walk *walk, struct agent u, bool before)
{
    return (u.leader || before) && u.dist <= walk->from_leader;
}

/* In C_NI with at most `most` leaders. */
static bool c_ni_with(const struct rl_ring *ring, uint32_t most)
{
    const int32_t N = (int32_t)ring->params.value[PARAMETER_N];
    const uint32_t begin = first_leader(ring);
    if (begin == ring->params.n)
        return false;
    struct walk walk = {0};
    uint32_t leaders = 0, i = begin;
    int32_t excess = INT32_MIN / 2; /* max(dist - d_L) of the followers since the leader */
    do {
        const struct agent u = agent_at(ring, i);
        if (u.leader) {
            if (u.dist != 0 || ++leaders > most)
                return false;
            if (excess + (int32_t)walk.from_leader >= N)
                return false;
            excess = INT32_MIN / 2;
        }
        walk_to(&walk, u);
        const int32_t ahead = (int32_t)u.dist - (int32_t)walk.from_leader;
        if (!u.leader && ahead > excess)
            excess = ahead;
        /* Modest: peaceful, and nobody since the leader has dist > d_L. */
        if (u.bullet == 2 && !(walk.peaceful && excess <= 0))
            return false;
        i = rl_ring_right(ring, i);
    } while (i != begin);
    return excess + (int32_t)walk.from_leader < N;
}

static bool c_ni_contains(const struct rl_ring *ring)
{
    return c_ni_with(ring, ring->params.n);
}

static bool s_rl_contains(const struct rl_ring *ring)
{
    return has_one_leader(ring) && c_ni_with(ring, 1);
}

static const struct rl_set SETS[] = {
    {"C_PB", "some leader, and every live bullet is peaceful", c_pb_contains, c_pb_by_definition},
    {"C_NI", "in C_PB, every agent secure and every live bullet modest", c_ni_contains,
     c_ni_by_definition},
    {"S_RL", "in C_NI with exactly one leader", s_rl_contains, s_rl_by_definition},
};
enum { S_RL = 2 }; /* its place */

/* ---- gauges ---- */

#define GAUGES "live_bullets", "dummy_bullets", "signals", "insecure_agents", "maximal_dist"

static void measure(const struct rl_ring *ring, uint64_t *values_out)
{
    const uint32_t N = ring->params.value[PARAMETER_N];
    uint64_t insecure = 0, maximal = 0;
    const uint32_t begin = first_leader(ring);
    const bool leaderless = begin == ring->params.n;
    /* To the left from a leader, so that the distance to the nearest right leader is known. */
    uint32_t i = leaderless ? 0 : begin;
    uint32_t to_leader = 0;
    for (uint32_t k = 0; k < ring->params.n; k++, i = rl_ring_left(ring, i)) {
        const struct agent u = agent_at(ring, i);
        to_leader = u.leader ? 0 : to_leader + 1;
        insecure += u.leader ? u.dist != 0 : leaderless || (uint64_t)u.dist + to_leader > N;
        maximal = u.dist > maximal ? u.dist : maximal;
    }
    measure_bullets(ring, values_out);
    values_out[3] = insecure;
    values_out[4] = maximal;
}
