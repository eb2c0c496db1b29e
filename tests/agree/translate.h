/* SPDX-License-Identifier: MIT
 *
 * Between the library's packed states and brute force's plain ints, by the names of variables.
 */
#ifndef RINGLEADER_TEST_TRANSLATE_H
#define RINGLEADER_TEST_TRANSLATE_H

#include "agree/brute.h"
#include "test.h"

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
