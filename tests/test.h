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

/* A ring with memory of its own, which the test frees. */
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

#endif
