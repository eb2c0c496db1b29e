/* SPDX-License-Identifier: MIT
 *
 * The starts that need nothing but leaders: shared by the protocols whose agents are P_RL's, with
 * or without dist. Part of prl.c and prl-oracle.c, which define `pack`.
 */

static void fill_all(struct rl_ring *ring, struct prl_agent agent)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, pack(agent));
}

static enum rl_status start_leaderless(struct rl_ring *ring, struct rl_random *random,
                                       struct rl_error *error)
{
    (void)random, (void)error;
    fill_all(ring, (struct prl_agent){0});
    return RL_OK;
}

static enum rl_status start_opposite(struct rl_ring *ring, struct rl_random *random,
                                     struct rl_error *error)
{
    (void)random, (void)error;
    fill_all(ring, (struct prl_agent){0});
    rl_ring_set(ring, 0, pack((struct prl_agent){.leader = 1}));
    rl_ring_set(ring, ring->params.n / 2, pack((struct prl_agent){.leader = 1}));
    return RL_OK;
}
