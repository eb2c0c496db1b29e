/* SPDX-License-Identifier: MIT
 *
 * Brute force on tiny rings: see brute.h.
 */
#include "agree/brute.h"

#include <stdlib.h>
#include <string.h>

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

void brute_interact(int N, bool kill, struct brute_agent *l, struct brute_agent *r)
{
    l->dist = l->leader == 1 ? 0 : l->dist;
    r->dist = r->leader == 1 ? 0 : r->leader == 0 && r->bullet == 0 ? min(l->dist + 1, N) : r->dist;
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
    l->signal = max(l->signal, max(r->signal, r->leader));
}

/* ---- the sets ---- */

/* Steps to the nearest leader in direction -1 (left) or 1 (right); -1 for infinite. */
static int distance(int n, const struct brute_agent *agents, int i, int direction)
{
    for (int j = 0; j < n; j++)
        if (agents[((i + direction * j) % n + n) % n].leader == 1)
            return j;
    return -1;
}

static bool peaceful(int n, const struct brute_agent *agents, int i)
{
    const int d = distance(n, agents, i, -1);
    if (d < 0 || agents[(i - d + n) % n].shield != 1)
        return false;
    for (int j = 0; j <= d; j++)
        if (agents[(i - j + n) % n].signal != 0)
            return false;
    return true;
}

static bool modest(int n, const struct brute_agent *agents, int i)
{
    if (!peaceful(n, agents, i))
        return false;
    for (int j = 0; j <= distance(n, agents, i, -1); j++) {
        const int k = (i - j + n) % n;
        if (agents[k].dist > distance(n, agents, k, -1))
            return false;
    }
    return true;
}

static bool secure(int n, int N, const struct brute_agent *agents, int i)
{
    const int d = distance(n, agents, i, 1);
    return agents[i].leader == 1 ? agents[i].dist == 0 : d >= 0 && agents[i].dist <= N - d;
}

static int leaders(int n, const struct brute_agent *agents)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += agents[i].leader;
    return count;
}

bool brute_in_c_pb(int n, int N, const struct brute_agent *agents)
{
    (void)N;
    for (int i = 0; i < n; i++)
        if (agents[i].bullet == 2 && !peaceful(n, agents, i))
            return false;
    return leaders(n, agents) > 0;
}

bool brute_in_c_ni(int n, int N, const struct brute_agent *agents)
{
    for (int i = 0; i < n; i++)
        if (!secure(n, N, agents, i) || (agents[i].bullet == 2 && !modest(n, agents, i)))
            return false;
    return brute_in_c_pb(n, N, agents);
}

bool brute_in_s_rl(int n, int N, const struct brute_agent *agents)
{
    return leaders(n, agents) == 1 && brute_in_c_ni(n, N, agents);
}

/* ---- configurations as numbers ---- */

int brute_states(int N)
{
    return 24 * (N + 1);
}

struct brute_agent brute_agent_of(int N, int state)
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

int brute_state_of(int N, struct brute_agent a)
{
    return a.dist + (N + 1) * (a.bullet + 3 * (a.leader + 2 * a.shield + 4 * a.signal));
}

void brute_decode(int n, int N, uint64_t code, struct brute_agent *agents_out)
{
    const uint64_t base = (uint64_t)brute_states(N);
    for (int i = 0; i < n; i++, code /= base)
        agents_out[i] = brute_agent_of(N, (int)(code % base));
}

uint64_t brute_encode(int n, int N, const struct brute_agent *agents)
{
    uint64_t code = 0;
    for (int i = n - 1; i >= 0; i--)
        code = code * (uint64_t)brute_states(N) + (uint64_t)brute_state_of(N, agents[i]);
    return code;
}

uint64_t brute_configurations(int n, int N)
{
    uint64_t count = 1;
    for (int i = 0; i < n; i++)
        count *= (uint64_t)brute_states(N);
    return count;
}

/* ---- the chain ---- */

static void *memory(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (!new)
        abort();
    return new;
}

static void expand(struct brute_chain *chain, size_t node)
{
    const int n = chain->n, N = chain->N;
    struct brute_agent agents[BRUTE_MOST_AGENTS];
    uint64_t code;
    memcpy(&code, found_key(&chain->nodes, (uint32_t)node), sizeof code);
    brute_decode(n, N, code, agents);
    chain->next = memory(chain->next, (node + 1) * (size_t)n * sizeof *chain->next);
    chain->in_target = memory(chain->in_target, (node + 1) * sizeof *chain->in_target);
    chain->in_target[node] = brute_in_s_rl(n, N, agents);
    for (int arc = 0; arc < n; arc++) {
        struct brute_agent after[BRUTE_MOST_AGENTS];
        memcpy(after, agents, sizeof after);
        brute_interact(N, true, &after[arc], &after[(arc + 1) % n]);
        code = brute_encode(n, N, after);
        chain->next[node * (size_t)n + (size_t)arc] = found_add(&chain->nodes, &code);
    }
}

struct brute_chain brute_chain_from(int n, int N, const uint64_t *codes, size_t count)
{
    struct brute_chain chain = {.n = n, .N = N, .nodes.size = sizeof *codes};
    if (!codes)
        count = brute_configurations(n, N);
    for (uint64_t i = 0; i < count; i++)
        found_add(&chain.nodes, codes ? &codes[i] : &i);
    for (size_t i = 0; i < chain.nodes.count; i++)
        expand(&chain, i);
    return chain;
}

void brute_chain_free(struct brute_chain *chain)
{
    found_free(&chain->nodes);
    free(chain->next);
    free(chain->in_target);
}

double brute_step(const struct brute_chain *chain, bool absorb, const double *weight,
                  double *weight_out)
{
    const size_t n = (size_t)chain->n;
    double absorbed = 0;
    memset(weight_out, 0, chain->nodes.count * sizeof *weight_out);
    for (size_t i = 0; i < chain->nodes.count; i++) {
        if (weight[i] == 0)
            continue;
        if (absorb && chain->in_target[i]) {
            absorbed += weight[i];
            continue;
        }
        for (size_t k = 0; k < n; k++)
            weight_out[chain->next[i * n + k]] += weight[i] / (double)n;
    }
    return absorbed;
}

void brute_hits(const struct brute_chain *chain, double *weight, size_t count,
                double *probability_out)
{
    double *other = memory(NULL, chain->nodes.count * sizeof *other);
    double *from = weight, *to = other;
    for (size_t t = 0; t < count; t++) {
        probability_out[t] = brute_step(chain, true, from, to);
        double *swap = from;
        from = to;
        to = swap;
    }
    free(other);
}
