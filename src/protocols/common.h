/* SPDX-License-Identifier: MIT
 *
 * What the files of protocols share: the parameter of an oracle, the places where a composition
 * adds variables, parameters and gauges of its own (undirected.h), and a test that most targets
 * begin with.
 */
#ifndef RINGLEADER_PROTOCOLS_COMMON_H
#define RINGLEADER_PROTOCOLS_COMMON_H

#include "ringleader/ring.h"
#include "ringleader/text.h"

#ifndef MORE_VARIABLES
#define MORE_VARIABLES
#define MORE_PARAMETERS
#define MORE_GAUGES
#endif

static inline uint32_t oracle_at_once(uint32_t n)
{
    (void)n;
    return 0;
}

#define ORACLE_DELAY                                                                               \
    {                                                                                              \
        .name = "delay",                                                                           \
        .meaning = "steps for which the absence of leaders must have lasted when "                 \
                   "the oracle reports it",                                                        \
        .default_for = oracle_at_once                                                              \
    }

static inline bool leads(rl_state state);

/* Stops at the second leader. */
static inline bool has_one_leader(const struct rl_ring *ring)
{
    uint32_t leaders = 0;
    for (uint32_t i = 0; i < ring->params.n && leaders < 2; i++)
        leaders += leads(rl_ring_get(ring, i));
    return leaders == 1;
}

#endif
