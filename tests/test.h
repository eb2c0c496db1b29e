/* SPDX-License-Identifier: MIT
 *
 * What every test needs: cmocka in the order it wants, and doubles compared as doubles.
 */
#ifndef RINGLEADER_TEST_H
#define RINGLEADER_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ringleader.h"

/* |a - b| <= tolerance, told with all digits where it fails. */
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        const double near_a = (a), near_b = (b), near_t = (tolerance);                             \
        if (!(near_a - near_b <= near_t && near_b - near_a <= near_t))                             \
            fail_msg("%s = %.17g is not within %g of %s = %.17g", #a, near_a, near_t, #b, near_b); \
    } while (0)

/* A ring of zero words with memory of its own, to be freed with test_done. */
static inline struct rl_ring test_ring(const char *protocol, uint32_t n, uint32_t first_parameter)
{
    struct rl_ring ring = {.protocol = rl_protocol_named(protocol),
                           .params = {.n = n, .value = {first_parameter}}};
    ring.agents = calloc(n, 8);
    return ring;
}

/* Parses a configuration that is right. */
static inline void test_fill(struct rl_ring *ring, const char *text)
{
    struct rl_error error = {0};
    if (rl_ring_parse(ring, text, strlen(text), &error))
        fail_msg("'%s': column %u: %s", text, error.column, error.text);
}

/* The configuration as text, in memory that the next call but three reuses. */
static inline const char *test_text(const struct rl_ring *ring)
{
    static char texts[4][4096];
    static unsigned next;
    char *memory = texts[next++ % 4];
    struct rl_text text = rl_text_into(memory, sizeof texts[0]);
    rl_ring_print(ring, &text);
    assert_true(text.length < sizeof texts[0]);
    return memory;
}

static inline void test_done(struct rl_ring *ring)
{
    free(ring->agents);
    ring->agents = NULL;
}

/* The set of that name, which the protocol has. */
static inline const struct rl_set *test_set(const struct rl_ring *ring, const char *name)
{
    const int index = rl_protocol_set(ring->protocol, name);
    assert_true(index >= 0);
    return &ring->protocol->sets[index];
}

#endif
