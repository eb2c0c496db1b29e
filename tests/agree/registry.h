/* SPDX-License-Identifier: MIT
 *
 * What the tests that loop over the registry share: a ring of any protocol, at sizes it allows.
 */
#ifndef RINGLEADER_TEST_REGISTRY_H
#define RINGLEADER_TEST_REGISTRY_H

#include "test.h"

/* The parameters of a ring of n agents, with the oracle's delay if there is an oracle. False if the
 * protocol refuses n. */
static inline bool registry_params(const struct rl_protocol *protocol, uint32_t n, uint32_t delay,
                                   struct rl_params *params_out)
{
    bool given[RL_MAX_PARAMETERS] = {false};
    *params_out = (struct rl_params){.n = n};
    if (protocol->oracle) {
        params_out->value[protocol->delay] = delay;
        given[protocol->delay] = true;
    }
    return rl_protocol_complete(protocol, params_out, given, NULL) == RL_OK;
}

/* A ring with memory of its own, to be freed. */
static inline bool registry_ring(const struct rl_protocol *protocol, uint32_t n,
                                 struct rl_ring *ring_out)
{
    *ring_out = (struct rl_ring){.protocol = protocol};
    if (!registry_params(protocol, n, 0, &ring_out->params))
        return false;
    ring_out->agents = calloc(n, protocol->width);
    assert_non_null(ring_out->agents);
    return true;
}

/* The name of start `index`, "random" first; NULL after the last. */
static inline const char *registry_start(const struct rl_protocol *protocol, size_t index)
{
    if (index == 0)
        return "random";
    return index <= protocol->start_count ? protocol->starts[index - 1].name : NULL;
}

static inline const struct rl_variable *registry_variable(const struct rl_protocol *protocol,
                                                          const char *name)
{
    for (size_t i = 0; i < protocol->variable_count; i++)
        if (strcmp(protocol->variables[i].name, name) == 0)
            return &protocol->variables[i];
    fail_msg("%s has no variable %s", protocol->name, name);
    return NULL;
}

/* A variable of an agent by name. The index may be too large by a few rounds. */
static inline uint32_t registry_get(const struct rl_ring *ring, uint32_t i, const char *name)
{
    return rl_variable_get(registry_variable(ring->protocol, name),
                           rl_ring_get(ring, i % ring->params.n));
}

static inline void registry_put(struct rl_ring *ring, uint32_t i, const char *name, uint32_t value)
{
    const struct rl_variable *variable = registry_variable(ring->protocol, name);
    rl_ring_set(ring, i, rl_variable_set(variable, rl_ring_get(ring, i), value));
}

static const uint32_t REGISTRY_SIZES[] = {2, 3, 4, 5, 7, 8, 12, 21};
enum { REGISTRY_SIZE_COUNT = sizeof REGISTRY_SIZES / sizeof REGISTRY_SIZES[0] };

/* Calls `check` for every protocol, size and start, several times, at the start itself. */
static inline void registry_for_starts(int times, void (*check)(struct rl_ring *ring,
                                                                struct rl_random *random))
{
    const struct rl_protocol *protocol;
    const char *start;
    struct rl_ring ring;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t k = 0; k < REGISTRY_SIZE_COUNT; k++) {
            if (!registry_ring(protocol, REGISTRY_SIZES[k], &ring))
                continue;
            for (size_t s = 0; (start = registry_start(protocol, s)); s++)
                for (int t = 0; t < times; t++) {
                    struct rl_random random = test_random(11, (uint64_t)t, RL_PURPOSE_START);
                    if (rl_ring_start(&ring, start, &random, NULL) == RL_OK)
                        check(&ring, &random);
                }
            free(ring.agents);
        }
}

#endif
