/* SPDX-License-Identifier: MIT
 *
 * The starts that need nothing but leaders: shared by the protocols whose agents are P_RL's, with
 * or without dist. Part of prl.c and prl-oracle.c.
 */

static enum rl_status start_leaderless(struct rl_ring *ring, struct rl_random *random,
                                       struct rl_error *error)
{
    (void)random, (void)error;
    set_all(ring, (struct agent){0});
    return RL_OK;
}

static enum rl_status start_opposite(struct rl_ring *ring, struct rl_random *random,
                                     struct rl_error *error)
{
    (void)random, (void)error;
    set_all(ring, (struct agent){0});
    set_agent(ring, 0, (struct agent){.leader = 1});
    set_agent(ring, ring->params.n / 2, (struct agent){.leader = 1});
    return RL_OK;
}
