/* SPDX-License-Identifier: MIT
 *
 * Random numbers: streams and bounded draws. (Waiting times are in test_wait.c.)
 */
#include "statistics.h"

TEST(neighbouring_seeds_and_trials_never_share_a_state)
{
    uint64_t first[3 * 64 * 64];
    size_t count = 0;
    for (uint64_t seed = 0; seed < 64; seed++)
        for (uint64_t trial = 0; trial < 64; trial++)
            for (int purpose = 0; purpose < 3; purpose++) {
                struct rl_random random = test_random(seed, trial, (enum rl_purpose)purpose);
                first[count++] = random.s[0];
            }
    qsort(first, count, sizeof first[0], compare_counts);
    for (size_t i = 1; i < count; i++)
        assert_true(first[i - 1] != first[i]);
}

/* Error probability 10^-6 a bound. */
TEST(bounded_draws_are_uniform)
{
    enum { TRIALS = 200000 };
    for (uint32_t bound = 2; bound <= 40; bound += 19) {
        struct rl_random random = test_random(11, bound, RL_PURPOSE_SCHEDULE);
        uint64_t observed[41] = {0};
        double probability[40];
        for (int i = 0; i < TRIALS; i++)
            observed[rl_random_below(&random, bound)]++;
        for (uint32_t i = 0; i < bound; i++)
            probability[i] = 1.0 / bound;
        assert_distributed("below", observed, probability, bound - 1, TRIALS);
    }
}
