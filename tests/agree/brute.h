/* SPDX-License-Identifier: MIT
 *
 * Brute force: Algorithm 1 on tiny rings, written from the paper a second time.
 *
 * Nothing here comes from the library but the last part, which goes between its packed states and
 * these: agents are plain ints, a configuration is a number in mixed radix. It is what the
 * library's answers are compared with, so it is kept as plain as possible.
 */
#ifndef RINGLEADER_TEST_BRUTE_H
#define RINGLEADER_TEST_BRUTE_H

#include "test.h"

enum { BRUTE_MOST_AGENTS = 4 };

struct brute_agent {
    int leader, bullet, shield, signal, dist;
};

static inline int brute_max(int a, int b)
{
    return a > b ? a : b;
}

static inline int brute_min(int a, int b)
{
    return a < b ? a : b;
}

/* One interaction; `kill` is false for P'_RL. */
static inline void brute_interact(int N, bool kill, struct brute_agent *l, struct brute_agent *r)
{
    l->dist = l->leader == 1 ? 0 : l->dist;
    r->dist = r->leader == 1                     ? 0
              : r->leader == 0 && r->bullet == 0 ? brute_min(l->dist + 1, N)
                                                 : r->dist;
    if (r->dist == N) {
        r->leader = 1;
        r->bullet = 2;
        r->shield = 1;
        r->signal = 0;
        r->dist = 0;
    }
    if (l->leader == 1 && l->signal == 1) {
        l->bullet = 2;
        l->shield = 1;
        l->signal = 0;
    }
    if (r->leader == 1 && r->signal == 1) {
        r->bullet = 1;
        r->shield = 0;
        r->signal = 0;
    }
    if (l->bullet > 0 && r->leader == 1) {
        if (kill)
            r->leader = l->bullet == 2 && r->shield == 0 ? 0 : 1;
        l->bullet = 0;
    } else if (l->bullet > 0 && r->leader == 0) {
        r->bullet = r->bullet == 0 ? l->bullet : r->bullet;
        l->bullet = 0;
        r->signal = 0;
    }
    l->signal = brute_max(l->signal, brute_max(r->signal, r->leader));
}

/* ---- the sets ---- */

/* Steps to the nearest leader in direction -1 (left) or 1 (right); -1 for infinite. */
static inline int brute_distance(int n, const struct brute_agent *agents, int i, int direction)
{
    for (int j = 0; j < n; j++)
        if (agents[((i + direction * j) % n + n) % n].leader == 1)
            return j;
    return -1;
}

static inline bool brute_peaceful(int n, const struct brute_agent *agents, int i)
{
    const int d = brute_distance(n, agents, i, -1);
    if (d < 0 || agents[(i - d + n) % n].shield != 1)
        return false;
    for (int j = 0; j <= d; j++)
        if (agents[(i - j + n) % n].signal != 0)
            return false;
    return true;
}

static inline bool brute_modest(int n, const struct brute_agent *agents, int i)
{
    if (!brute_peaceful(n, agents, i))
        return false;
    for (int j = 0; j <= brute_distance(n, agents, i, -1); j++) {
        const int k = (i - j + n) % n;
        if (agents[k].dist > brute_distance(n, agents, k, -1))
            return false;
    }
    return true;
}

static inline bool brute_secure(int n, int N, const struct brute_agent *agents, int i)
{
    const int d = brute_distance(n, agents, i, 1);
    return agents[i].leader == 1 ? agents[i].dist == 0 : d >= 0 && agents[i].dist <= N - d;
}

static inline int brute_leaders(int n, const struct brute_agent *agents)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += agents[i].leader;
    return count;
}

static inline bool brute_in_c_pb(int n, int N, const struct brute_agent *agents)
{
    (void)N;
    for (int i = 0; i < n; i++)
        if (agents[i].bullet == 2 && !brute_peaceful(n, agents, i))
            return false;
    return brute_leaders(n, agents) > 0;
}

static inline bool brute_in_c_ni(int n, int N, const struct brute_agent *agents)
{
    for (int i = 0; i < n; i++)
        if (!brute_secure(n, N, agents, i) ||
            (agents[i].bullet == 2 && !brute_modest(n, agents, i)))
            return false;
    return brute_in_c_pb(n, N, agents);
}

static inline bool brute_in_s_rl(int n, int N, const struct brute_agent *agents)
{
    return brute_leaders(n, agents) == 1 && brute_in_c_ni(n, N, agents);
}

/* ---- configurations as numbers: states are 0 .. brute_states(N)-1, and the digits ---- */

static inline int brute_states(int N)
{
    return 24 * (N + 1);
}

static inline struct brute_agent brute_agent_of(int N, int state)
{
    struct brute_agent agent;
    agent.dist = state % (N + 1);
    state /= N + 1;
    agent.bullet = state % 3;
    state /= 3;
    agent.leader = state & 1;
    agent.shield = state >> 1 & 1;
    agent.signal = state >> 2 & 1;
    return agent;
}

static inline int brute_state_of(int N, struct brute_agent a)
{
    return a.dist + (N + 1) * (a.bullet + 3 * (a.leader + 2 * a.shield + 4 * a.signal));
}

static inline void brute_decode(int n, int N, uint64_t code, struct brute_agent *agents_out)
{
    const uint64_t base = (uint64_t)brute_states(N);
    for (int i = 0; i < n; i++, code /= base)
        agents_out[i] = brute_agent_of(N, (int)(code % base));
}

static inline uint64_t brute_encode(int n, int N, const struct brute_agent *agents)
{
    uint64_t code = 0;
    for (int i = n - 1; i >= 0; i--)
        code = code * (uint64_t)brute_states(N) + (uint64_t)brute_state_of(N, agents[i]);
    return code;
}

static inline uint64_t brute_configurations(int n, int N)
{
    uint64_t count = 1;
    for (int i = 0; i < n; i++)
        count *= (uint64_t)brute_states(N);
    return count;
}

/* ---- to the library and back, by the names of variables ---- */

static inline int *brute_variable(struct brute_agent *agent, const char *name)
{
    return strcmp(name, "leader") == 0   ? &agent->leader
           : strcmp(name, "bullet") == 0 ? &agent->bullet
           : strcmp(name, "shield") == 0 ? &agent->shield
           : strcmp(name, "signal") == 0 ? &agent->signal
                                         : &agent->dist;
}

static inline rl_state word_of(const struct rl_protocol *protocol, struct brute_agent agent)
{
    rl_state word = 0;
    for (size_t v = 0; v < protocol->variable_count; v++)
        word = rl_variable_set(&protocol->variables[v], word,
                               (uint32_t)*brute_variable(&agent, protocol->variables[v].name));
    return word;
}

static inline struct brute_agent agent_of(const struct rl_protocol *protocol, rl_state word)
{
    struct brute_agent agent = {0};
    for (size_t v = 0; v < protocol->variable_count; v++)
        *brute_variable(&agent, protocol->variables[v].name) =
            (int)rl_variable_get(&protocol->variables[v], word);
    return agent;
}

/* Sets the ring to the configuration of that code. */
static inline void ring_from_code(struct rl_ring *ring, uint64_t code)
{
    const int n = (int)ring->params.n, N = (int)ring->params.value[0];
    struct brute_agent agents[BRUTE_MOST_AGENTS];
    brute_decode(n, N, code, agents);
    for (int i = 0; i < n; i++)
        rl_ring_set(ring, (uint32_t)i, word_of(ring->protocol, agents[i]));
}

static inline uint64_t code_of_ring(const struct rl_ring *ring)
{
    const int n = (int)ring->params.n, N = (int)ring->params.value[0];
    struct brute_agent agents[BRUTE_MOST_AGENTS];
    for (int i = 0; i < n; i++)
        agents[i] = agent_of(ring->protocol, rl_ring_get(ring, (uint32_t)i));
    return brute_encode(n, N, agents);
}

#endif
