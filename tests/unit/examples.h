/* SPDX-License-Identifier: MIT
 *
 * Tests of a protocol line by line: examples of what one interaction makes of two agents.
 */
#ifndef RINGLEADER_TEST_EXAMPLES_H
#define RINGLEADER_TEST_EXAMPLES_H

#include "agree/registry.h"

struct example {
    const char *before;
    const char *after;
};

/* The bits of the named variables, a list that ends in NULL. */
static inline rl_state example_bits(const struct rl_protocol *protocol,
                                    const char *const *variables)
{
    rl_state bits = 0;
    for (; *variables; variables++) {
        const struct rl_variable *variable = registry_variable(protocol, *variables);
        bits |= rl_variable_set(variable, 0, (1u << variable->width) - 1);
    }
    return bits;
}

/* Only the given variables are looked at; the ring has two agents. */
static inline void check_examples(struct rl_ring *ring, const struct example *examples,
                                  size_t count, const char *const *variables)
{
    const rl_state seen = example_bits(ring->protocol, variables);
    for (size_t i = 0; i < count; i++) {
        test_fill(ring, examples[i].before);
        rl_ring_interact_told(ring, 0, false);
        for (uint32_t u = 0; u < 2; u++)
            rl_ring_set(ring, u, rl_ring_get(ring, u) & seen);
        if (strcmp(test_text(ring), examples[i].after) != 0)
            fail_msg("%s became %s, not %s", examples[i].before, test_text(ring),
                     examples[i].after);
    }
}

#define EXAMPLE_COUNT(examples) (sizeof(examples) / sizeof((examples)[0]))

#endif
