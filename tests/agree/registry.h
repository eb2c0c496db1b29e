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

/* How a configuration is told where a test fails. */
static inline const char *registry_text(const struct rl_ring *ring)
{
    static char memory[4096];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    rl_ring_print(ring, &text);
    return memory;
}

#endif
