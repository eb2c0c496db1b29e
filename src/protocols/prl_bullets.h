/* SPDX-License-Identifier: MIT
 *
 * Peaceful bullets: the part of the paper's predicates that concerns leader elimination alone
 * (lines 6-19), for every protocol that uses it. Each predicate stands here twice: as the
 * definition reads (the oracle, O(n^2)) and fast (one pass).
 *
 * The including file has struct agent, `unpack` into it and WIDTH. The fast form is one walk to
 * the right that begins at a leader: what is asked of u_i looks back to its nearest left leader.
 */

/* The ring as seen from its only leader. */
struct view {
    const struct rl_ring *ring;
    uint32_t n, leader;
};

/* The agent at distance i to the right of the leader. */
static inline struct agent seen(const struct view *view, uint32_t i)
{
    const uint32_t at = view->leader + i;
    return agent_at(view->ring, at < view->n ? at : at - view->n);
}

/* ---- as the paper defines them ---- */

#define INFINITE UINT32_MAX

/* u_{i-j}, for 0 <= j <= n. */
static uint32_t left_of(const struct rl_ring *ring, uint32_t i, uint32_t j)
{
    const uint32_t n = ring->params.n;
    return (i + n - j) % n;
}

/* d_L(i) = min{ j >= 0 | u_{i-j}.leader = 1 } */
static uint32_t d_L(const struct rl_ring *ring, uint32_t i)
{
    for (uint32_t j = 0; j < ring->params.n; j++)
        if (agent_at(ring, left_of(ring, i, j)).leader == 1)
            return j;
    return INFINITE;
}

/* Peaceful(i): of a live bullet at u_i. Without a leader no bullet is peaceful. */
static bool is_peaceful(const struct rl_ring *ring, uint32_t i)
{
    const uint32_t d = d_L(ring, i);
    if (d == INFINITE || agent_at(ring, left_of(ring, i, d)).shield != 1)
        return false;
    for (uint32_t j = 0; j <= d; j++)
        if (agent_at(ring, left_of(ring, i, j)).signal != 0)
            return false;
    return true;
}

static inline bool c_pb_by_definition(const struct rl_ring *ring)
{
    bool leader = false;
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const struct agent u = agent_at(ring, i);
        leader |= u.leader == 1;
        if (u.bullet == 2 && !is_peaceful(ring, i))
            return false;
    }
    return leader;
}

/* ---- fast ---- */

/* What a walk to the right knows of the agents since the nearest left leader, inclusive. */
struct walk {
    uint32_t from_leader; /* d_L of the present agent */
    bool peaceful;        /* that leader has a shield, and no agent since a signal */
};

static inline void walk_to(struct walk *walk, struct agent u)
{
    if (u.leader)
        *walk = (struct walk){0, u.shield > u.signal};
    else {
        walk->from_leader++;
        walk->peaceful &= u.signal == 0;
    }
}

/* Index of the first leader, or n. */
static uint32_t first_leader(const struct rl_ring *ring)
{
    uint32_t i = 0;
    while (i < ring->params.n && !agent_at(ring, i).leader)
        i++;
    return i;
}

/* Whether a live bullet is not peaceful, seen from u_begin, a leader if there is one. `flag` is set
 * at every such bullet; without `flags_out` (NULL) the first one is enough. */
static inline bool find_unpeaceful(const struct rl_ring *ring, uint32_t begin, uint8_t flag,
                                   uint8_t *flags_out)
{
    struct walk walk = {0};
    bool found = false;
    uint32_t i = begin;
    do {
        const struct agent u = agent_at(ring, i);
        walk_to(&walk, u);
        if (u.bullet == 2 && !walk.peaceful) {
            if (!flags_out)
                return true;
            flags_out[i] |= flag;
            found = true;
        }
        i = rl_ring_right(ring, i);
    } while (i != begin);
    return found;
}

static bool c_pb_contains(const struct rl_ring *ring)
{
    const uint32_t begin = first_leader(ring);
    return begin != ring->params.n && !find_unpeaceful(ring, begin, 0, NULL);
}

/* Sets `flag` at every live bullet that is not peaceful; without a leader none is. */
static inline void flag_unpeaceful(const struct rl_ring *ring, uint8_t flag, uint8_t *flags_out)
{
    find_unpeaceful(ring, first_leader(ring) % ring->params.n, flag, flags_out);
}

/* What it is as an obstacle. */
#define UNPEACEFUL                                                                                 \
    "a live bullet whose nearest left leader has no shield, or with a signal on the way back to "  \
    "that leader: it may kill the last leader"

/* What is random in u, the agent at distance i from the only leader, where bullets are peaceful and
 * the furthest live one is at distance `furthest`; -1: there is none. */
static inline void draw_peaceful(struct agent *u, uint32_t i, int64_t furthest,
                                 struct rl_random *random)
{
    const bool bound = i <= furthest;
    u->leader = i == 0;
    u->shield = bound && i == 0 ? 1 : rl_random_below(random, 2);
    u->signal = bound ? 0 : rl_random_below(random, 2);
    u->bullet = i == furthest ? 2 : rl_random_below(random, bound ? 3 : 2);
}

/* A distance below n, or none. */
static inline int64_t draw_furthest(uint32_t n, struct rl_random *random)
{
    const uint32_t furthest = rl_random_below(random, n + 1);
    return furthest < n ? (int64_t)furthest : -1;
}

/* Gauges: live bullets, dummy bullets, signals. */
static inline void measure_bullets(const struct rl_ring *ring, uint64_t *values_out)
{
    values_out[0] = values_out[1] = values_out[2] = 0;
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const struct agent u = agent_at(ring, i);
        values_out[0] += u.bullet == 2;
        values_out[1] += u.bullet == 1;
        values_out[2] += u.signal;
    }
}
