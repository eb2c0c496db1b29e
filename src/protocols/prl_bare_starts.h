/* SPDX-License-Identifier: MIT
 *
 * The starts that need nothing but leaders: shared by the protocols whose agents are P_RL's, with
 * or without dist. Part of prl.c and prl-oracle.c.
 */

START_ALIKE(leaderless, 0)

START(opposite)
{
    set_all(ring, (struct agent){0});
    set_agent(ring, 0, (struct agent){.leader = 1});
    set_agent(ring, ring->params.n / 2, (struct agent){.leader = 1});
    return RL_OK;
}
