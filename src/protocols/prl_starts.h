/* SPDX-License-Identifier: MIT
 *
 * The named starts of P_RL. Part of prl.c.
 */
#include "protocols/prl_bare_starts.h"

START_ALIKE(leaders, .leader = 1)

START_ALIKE(shielded, .leader = 1, .shield = 1)

START_ALIKE(bullets, .bullet = 1)

/* Section 4.1: all agents are secure and yet a leader may be created beside another. The paper has
 * n = N = 100; u_0 is shielded and no agent has a signal, as C_PB demands. */
START(paper)
{
    const uint32_t n = ring->params.n, half = n / 2;
    if (n % 2 != 0 || n < 4 || ring->params.value[PARAMETER_N] != n)
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "start 'paper' is for an even n >= 4 with N = n");
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t to_leader = (half - i % half) % half;
        set_agent(ring, i, (struct agent){.dist = to_leader ? n - to_leader : 0});
    }
    set_agent(ring, 0, (struct agent){.leader = 1, .shield = 1});
    set_agent(ring, half, (struct agent){.leader = 1});
    set_agent(ring, half - 1, (struct agent){.bullet = 2, .dist = n - 1});
    return RL_OK;
}

/* A uniformly random member of S_RL.
 *
 * Put the leader at distance 0 and let m be the agent with the furthest live bullet, if any. Agents
 * up to m are bound by modesty (the leader shielded, no signals, dist <= d_L: i + 1 values), those
 * beyond only by security (N - n + i + 1 values of dist, no live bullet). So with
 *   free(i) = 2 shields * 2 bullets * 2 signals * (N - n + i + 1)   ways beyond m,
 *   live(i) = the ways of agents 0 .. i when m = i,
 *   all(i)  = the ways of agents 0 .. i when m <= i or absent = free(i) * all(i - 1) + live(i),
 * m is found from the right: it is i with probability live(i) / all(i), given that it is not
 * beyond. That ratio falls faster than (3/4)^i; past HORIZON it is below 10^-60 and taken as 0. */
enum { HORIZON = 512 };

static int furthest_live_bullet(const struct rl_params *params, struct rl_random *random)
{
    const uint32_t slack = params->value[PARAMETER_N] - params->n;
    const int last = params->n < HORIZON ? (int)params->n - 1 : HORIZON - 1;
    double probability[HORIZON];
    probability[0] = 1.0 / 9; /* live(0) = 1; all(0) = 8 without a live bullet + 1 */
    for (int i = 1; i <= last; i++) {
        /* live(i) = 3 bullets at i-1, now free * 2 shields * (i+1) dists of i * live(i-1); both
         * numbers below are over all(i-1). */
        const double live = 3.0 * 2.0 * (i + 1) * probability[i - 1];
        const double all = 8.0 * ((double)slack + i + 1) + live;
        probability[i] = live / all;
    }
    for (int i = last; i >= 0; i--)
        if ((double)(rl_random_next(random) >> 11) * 0x1p-53 < probability[i])
            return i;
    return -1;
}

static struct agent safe_agent(const struct rl_params *params, uint32_t i, int furthest,
                               struct rl_random *random)
{
    const uint64_t slack = (int64_t)i <= furthest ? 0 : params->value[PARAMETER_N] - params->n;
    struct agent u = {0};
    draw_peaceful(&u, i, furthest, random);
    if (i > 0)
        u.dist = rl_random_below(random, slack + i + 1);
    return u;
}

START(safe)
{
    const uint32_t n = ring->params.n;
    const uint32_t leader = rl_random_below(random, n);
    const int furthest = furthest_live_bullet(&ring->params, random);
    for (uint32_t i = 0; i < n; i++)
        set_agent(ring, (leader + i) % n, safe_agent(&ring->params, i, furthest, random));
    return RL_OK;
}

/* The ring of the lower bound (docs/proof.md): the w - 1 agents on either side of a safe ring's
 * leader, twice, and a few more at the end, w = floor((n + 2) / 4). Both leaders are in their right
 * state, and no agent can know better before one of the four seams has come to them. */
START(glued)
{
    const int64_t n = ring->params.n, w = (n + 2) / 4, cut = 2 * w - 1;
    const int furthest = furthest_live_bullet(&ring->params, random);
    for (uint32_t i = 0; i < n; i++) {
        const struct agent u = safe_agent(&ring->params, i, furthest, random);
        /* Counted from the leader, the agent is i to the right and n - i to the left of it. */
        for (int64_t j = (int64_t)i - n; j <= (int64_t)i; j += n) {
            if (w - 1 + j >= 0 && w - 1 + j < cut)
                set_agent(ring, (uint32_t)(w - 1 + j), u);
            if (3 * w - 2 + j >= cut && 3 * w - 2 + j < n)
                set_agent(ring, (uint32_t)(3 * w - 2 + j), u);
        }
    }
    return RL_OK;
}

static const struct rl_start STARTS[] = {
    {"leaderless", "all variables zero", start_leaderless},
    {"leaders", "every agent a leader, all else zero", start_leaders},
    {"shielded", "every agent a shielded leader; the worst for n = N = 3 and 4", start_shielded},
    {"bullets", "no leader, a dummy bullet at every agent; the worst for N well above n",
     start_bullets},
    {"opposite", "two leaders n/2 apart, all else zero", start_opposite},
    {"paper", "the example of section 4.1, for any even n = N", start_paper},
    {"safe", "a uniformly random member of S_RL", start_safe},
    {"glued", "two windows of a random member of S_RL, as in the proof of the lower bound",
     start_glued},
};
