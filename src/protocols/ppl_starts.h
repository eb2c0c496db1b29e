/* SPDX-License-Identifier: MIT
 *
 * The named starts of P_PL. Part of ppl.c.
 */

START_ALIKE(leaderless, .sigR = ring->params.value[PARAMETER_kmax])

START_ALIKE(leaders, .leader = 1, .shield = 1)

/* The agent at distance i from a leader at u_0, as it should be; the first ID is `id`. */
static struct agent agent_in_place(const struct rl_ring *ring, uint32_t i, uint64_t id)
{
    const uint32_t n = ring->params.n, psi = ring->params.value[PARAMETER_psi];
    return (struct agent){.dist = i % (2 * psi),
                          .last = i / psi == (n - 1) / psi,
                          .bit = (uint32_t)((id + i / psi) >> i % psi & 1)};
}

START(disguised)
{
    for (uint32_t i = 0; i < ring->params.n; i++) {
        struct agent u = agent_in_place(ring, i, 0);
        u.sigR = ring->params.value[PARAMETER_kmax];
        set_agent(ring, i, u);
    }
    return RL_OK;
}

/* A random leader, a random first ID, and tokens drawn at random and kept if they are harmless; all
 * that the target leaves free is random. */
static void fill_settled(struct rl_ring *ring, struct rl_random *random, uint32_t leader)
{
    const uint32_t n = ring->params.n, psi = ring->params.value[PARAMETER_psi];
    const uint32_t kmax = ring->params.value[PARAMETER_kmax];
    const int64_t furthest = draw_furthest(n, random);
    const uint64_t id = rl_random_next(random) >> (64 - psi);
    for (uint32_t i = 0; i < n; i++) {
        struct agent u = agent_in_place(ring, i, id);
        draw_peaceful(&u, i, furthest, random);
        u.hits = rl_random_below(random, psi);
        u.sigR = rl_random_below(random, kmax + 1);
        u.clock = rl_random_below(random, kmax + 1);
        if (u.last)
            u.bit = rl_random_below(random, 2);
        set_agent(ring, (leader + i) % n, u);
    }
}

START(safe)
{
    const uint32_t n = ring->params.n, psi = ring->params.value[PARAMETER_psi];
    fill_settled(ring, random, rl_random_below(random, n));
    const struct view view = view_of(ring);
    for (uint32_t i = 0; i < n; i++) {
        struct agent u = seen(&view, i);
        for (uint32_t colour = 0; colour < 2; colour++) {
            const uint32_t number = rl_random_below(random, 8 * psi - 3);
            const struct token token = unpack_token(psi, number);
            if (number > 0 && is_harmless(&view, i, colour, token))
                *token_at(&u, colour) = number;
        }
        set_agent(ring, (view.leader + i) % n, u);
    }
    return RL_OK;
}

/* ---- clean rings, one after the other ---- */

/* The agents whose bits are free: the first segment, which gives the other IDs, and the last. */
static bool has_free_bit(const struct rl_ring *ring, uint32_t i)
{
    const uint32_t psi = ring->params.value[PARAMETER_psi];
    return i < psi || i / psi == (ring->params.n - 1) / psi;
}

START(clean)
{
    for (uint32_t i = 0; i < ring->params.n; i++) {
        struct agent u = agent_in_place(ring, i, 0);
        u.leader = i == 0;
        if (has_free_bit(ring, i))
            u.bit = 0;
        set_agent(ring, i, u);
    }
    return RL_OK;
}

/* The free bits count up; the others follow. */
static bool next_clean(struct rl_ring *ring)
{
    const uint32_t n = ring->params.n, psi = ring->params.value[PARAMETER_psi];
    uint64_t id = 0;
    bool carry = true;
    for (uint32_t i = 0; i < n; i++) {
        struct agent u = agent_at(ring, i);
        if (has_free_bit(ring, i)) {
            const bool was = u.bit;
            u.bit = was != carry;
            carry = carry && was;
            if (i < psi)
                id |= (uint64_t)u.bit << i;
        } else {
            u.bit = agent_in_place(ring, i, id).bit;
        }
        set_agent(ring, i, u);
    }
    return !carry;
}

static const struct rl_start STARTS[] = {
    {"leaderless", "no leader, signals of one everywhere, all else zero; hard", start_leaderless},
    {"disguised", "no leader, but distances, IDs and signals as if u_0 were one; hard",
     start_disguised},
    {"leaders", "every agent a shielded leader", start_leaders},
    {"safe", "a random member of the target", start_safe},
    {"clean", "one leader at u_0, no bullets and no tokens, each first and last ID in turn",
     start_clean, next_clean},
};
