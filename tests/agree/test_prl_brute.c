/* SPDX-License-Identifier: MIT
 *
 * P_RL against brute force: every transition and every set on tiny rings. (What engines make of
 * them is in test_distributions.c.)
 */
#include "agree/brute.h"

TEST(every_transition_is_that_of_the_paper)
{
    for (int N = 2; N <= 7; N++)
        for (int kill = 0; kill <= 1; kill++) {
            FREED(rl_ring) ring = test_ring(kill ? "prl" : "prl-dummy", 2, (uint32_t)N);
            const uint64_t pairs = brute_configurations(2, N);
            for (uint64_t code = 0; code < pairs; code++) {
                struct brute_agent agents[2];
                ring_from_code(&ring, code);
                rl_ring_interact(&ring, 0);
                brute_decode(2, N, code, agents);
                brute_interact(N, kill, &agents[0], &agents[1]);
                assert_true(code_of_ring(&ring) == brute_encode(2, N, agents));
            }
        }
}

/* Both forms of the library against brute force's, on every configuration. */
TEST(every_set_contains_what_its_definition_says_on_tiny_rings)
{
    static const int sizes[][2] = {{2, 2}, {2, 3}, {2, 5}, {3, 3}, {3, 4}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int n = sizes[s][0], N = sizes[s][1];
        FREED(rl_ring) ring = test_ring("prl", (uint32_t)n, (uint32_t)N);
        const struct rl_set *sets = ring.protocol->sets;
        const uint64_t configurations = brute_configurations(n, N);
        uint64_t members[3] = {0};
        for (uint64_t code = 0; code < configurations; code++) {
            struct brute_agent agents[BRUTE_MOST_AGENTS];
            brute_decode(n, N, code, agents);
            ring_from_code(&ring, code);
            const bool in[3] = {brute_in_c_pb(n, N, agents), brute_in_c_ni(n, N, agents),
                                brute_in_s_rl(n, N, agents)};
            for (int i = 0; i < 3; i++) {
                members[i] += in[i];
                if (sets[i].contains(&ring) != in[i] || sets[i].by_definition(&ring) != in[i])
                    fail_msg("%s and '%s', N = %d", sets[i].name, test_text(&ring), N);
            }
        }
        for (int i = 0; i < 3; i++)
            assert_true(members[i] > 0 && members[i] < configurations);
    }
}
