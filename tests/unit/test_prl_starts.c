/* SPDX-License-Identifier: MIT
 *
 * The named starts of P_RL.
 */
#include "agree/brute.h"
#include "statistics.h"

static struct rl_ring ring_from(const char *start, uint32_t n, uint32_t N, uint64_t seed)
{
    struct rl_ring ring = test_ring("prl", n, N);
    struct rl_random random = test_random(seed, 0, RL_PURPOSE_START);
    assert_int_equal(rl_ring_start(&ring, start, &random, NULL), RL_OK);
    return ring;
}

static void start_is(const char *start, uint32_t n, const char *text)
{
    FREED(rl_ring) ring = ring_from(start, n, n, 1);
    assert_string_equal(test_text(&ring), text);
}

TEST(the_plain_starts_are_as_described)
{
    start_is("leaderless", 3, "0 0 0");
    start_is("leaders", 3, "0L 0L 0L");
    start_is("shielded", 3, "0Ls 0Ls 0Ls");
    start_is("bullets", 3, "0b 0b 0b");
    start_is("opposite", 2, "0L 0L");
    start_is("opposite", 5, "0L 0 0L 0 0");
    start_is("opposite", 6, "0L 0 0 0L 0 0");
}

TEST(the_papers_example_is_as_in_section_4_1)
{
    start_is("paper", 8, "0Ls 5 6 7B 0L 5 6 7");
    for (uint32_t n = 4; n <= 100; n += 2) {
        FREED(rl_ring) ring = ring_from("paper", n, n, 1);
        uint64_t gauges[RL_MAX_GAUGES];
        ring.protocol->measure(&ring, gauges);
        assert_int_equal(rl_ring_leaders(&ring), 2);
        assert_true(test_set(&ring, "C_PB")->by_definition(&ring));
        assert_false(test_set(&ring, "C_NI")->by_definition(&ring));
        assert_int_equal(gauges[3], 0); /* insecure agents */
    }
}

/* "If u_49 and u_50 have two interactions in a row" a leader dies and comes back. */
TEST(the_papers_example_creates_a_leader_beside_another)
{
    FREED(rl_ring) ring = ring_from("paper", 100, 100, 1);
    assert_true(rl_ring_interact(&ring, 49));
    assert_int_equal(rl_ring_leaders(&ring), 1);
    assert_true(rl_ring_interact(&ring, 49));
    assert_int_equal(rl_ring_leaders(&ring), 2);
    assert_true(ring.protocol->leads(rl_ring_get(&ring, 50)));
}

TEST(the_papers_example_needs_an_even_n_equal_to_N)
{
    static const uint32_t wrong[][2] = {{5, 5}, {2, 2}, {8, 9}};
    for (size_t i = 0; i < 3; i++) {
        FREED(rl_ring) ring = test_ring("prl", wrong[i][0], wrong[i][1]);
        struct rl_error error = {0};
        struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
        assert_int_equal(rl_ring_start(&ring, "paper", &random, &error), RL_BAD_PARAMETER);
        assert_string_equal(error.text, "start 'paper' is for an even n >= 4 with N = n");
    }
}

/* All members of S_RL are equally likely and nothing else occurs. Error probability 10^-6 each. */
TEST(the_safe_start_is_uniform_over_S_RL)
{
    static const int sizes[][2] = {{2, 2}, {2, 4}, {3, 3}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int n = sizes[s][0], N = sizes[s][1];
        const uint64_t configurations = brute_configurations(n, N);
        int32_t *place = malloc(configurations * sizeof *place);
        size_t members = 0;
        for (uint64_t code = 0; code < configurations; code++) {
            struct brute_agent agents[BRUTE_MOST_AGENTS];
            brute_decode(n, N, code, agents);
            place[code] = brute_in_s_rl(n, N, agents) ? (int32_t)members++ : -1;
        }
        const uint64_t trials = 40 * members;
        uint64_t *observed = calloc(members + 1, sizeof *observed);
        double *probability = malloc(members * sizeof *probability);
        for (size_t i = 0; i < members; i++)
            probability[i] = 1.0 / (double)members;
        FREED(rl_ring) ring = test_ring("prl", (uint32_t)n, (uint32_t)N);
        struct rl_random random = test_random(31, s, RL_PURPOSE_START);
        for (uint64_t t = 0; t < trials; t++) {
            assert_int_equal(rl_ring_start(&ring, "safe", &random, NULL), RL_OK);
            const int32_t at = place[code_of_ring(&ring)];
            assert_true(at >= 0);
            observed[at]++;
        }
        assert_distributed("safe", observed, probability, members - 1, trials);
        free(place);
        free(observed);
        free(probability);
    }
}

TEST(the_safe_start_is_in_S_RL_on_rings_of_every_size)
{
    for (uint32_t n = 2; n < 3000; n += 1 + n / 3)
        for (uint64_t seed = 0; seed < 40; seed++) {
            FREED(rl_ring) ring = ring_from("safe", n, n + (uint32_t)(seed % 3) * n, seed);
            assert_true(test_set(&ring, "S_RL")->contains(&ring));
        }
}

/* The two windows are alike. One of them, with followers that have nothing for the rest of the
 * ring, is in S_RL. */
TEST(the_glued_start_is_two_windows_of_a_safe_ring)
{
    for (uint32_t n = 2; n < 3000; n += 1 + n / 3)
        for (uint64_t seed = 0; seed < 40; seed++) {
            FREED(rl_ring) ring = ring_from("glued", n, n + (uint32_t)(seed % 3) * n, seed);
            const uint32_t w = (n + 2) / 4;
            assert_int_equal(rl_ring_leaders(&ring), 2);
            FREED(rl_ring) safe = ring_from("leaderless", n, ring.params.value[0], seed);
            for (uint32_t i = 0; i < 2 * w - 1; i++) {
                assert_int_equal(rl_ring_get(&ring, i), rl_ring_get(&ring, 2 * w - 1 + i));
                rl_ring_set(&safe, i, rl_ring_get(&ring, i));
            }
            assert_true(test_set(&safe, "S_RL")->contains(&safe));
        }
}
