/* SPDX-License-Identifier: MIT
 *
 * Undirected rings: no layer of colouring, orientation and directed protocol looks at the ones
 * above it. What each layer does for itself is in test_undirected_layers.c.
 */
#include "registry.h"
#include "core/inside.h"

TEST(no_layer_looks_at_the_ones_above_it)
{
    static const char *const layers[] = {"colour", "marks", "coin", "ahead", "behind", "strong"};
    FREED(rl_ring) a, b;
    struct rl_random random = test_random(31, 0, RL_PURPOSE_START);
    assert_true(registry_ring(rl_protocol_named("prl-undirected"), 3, &a));
    assert_true(registry_ring(a.protocol, 3, &b));
    for (int t = 0; t < 50000; t++) {
        const size_t shared = t % 2 ? 3 : 6; /* colouring alone, or with orientation */
        a.params.value[1] = b.params.value[1] = t / 2 % 2;
        rl_ring_randomize(&a, &random);
        rl_ring_randomize(&b, &random);
        for (uint32_t i = 0; i < 3; i++)
            for (size_t v = 0; v < shared; v++)
                registry_put(&b, i, layers[v], registry_get(&a, i, layers[v]));
        const uint32_t arc = rl_random_below(&random, 6);
        rl_ring_interact(&a, arc);
        rl_ring_interact(&b, arc);
        for (uint32_t i = 0; i < 3; i++)
            for (size_t v = 0; v < shared; v++)
                assert_int_equal(registry_get(&a, i, layers[v]), registry_get(&b, i, layers[v]));
    }
}
