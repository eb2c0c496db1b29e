/* SPDX-License-Identifier: MIT
 *
 * Waiting times: against exact probabilities, exact moments and libm.
 *
 * Seeds are fixed. Each statistical bound is five standard errors (or the chi-square quantile
 * named), so a correct program would have failed a given check for another seed with probability
 * below 10^-6.
 */
#include <math.h>

#include "test.h"

static struct rl_random stream(uint64_t seed)
{
    return test_random(seed, 0, RL_PURPOSE_SCHEDULE);
}

TEST(the_layers_of_the_ziggurat_have_equal_areas_under_the_density)
{
    struct rl_wait wait;
    rl_wait_init(&wait, 10);
    const double area = wait.edge[0] * wait.height[1];
    for (int i = 1; i < RL_WAIT_LAYERS; i++) {
        assert_near(wait.height[i], exp(-wait.edge[i]), 1e-15);
        assert_near(wait.edge[i] * (wait.height[i + 1] - wait.height[i]), area, 1e-14);
    }
    assert_near(wait.edge[RL_WAIT_LAYERS], 0, 0);
}

TEST(exponentials_have_the_right_moments_and_tail)
{
    enum { DRAWS = 4000000 };
    struct rl_wait wait;
    struct rl_random random = stream(1);
    rl_wait_init(&wait, 10);
    double sum = 0, squares = 0;
    int beyond[12] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const double x = rl_wait_exponential(&wait, &random);
        assert_true(x >= 0);
        sum += x;
        squares += x * x;
        for (int t = 1; t < 12 && x > t; t++)
            beyond[t]++;
    }
    assert_near(sum / DRAWS, 1, 5 * 1 / sqrt(DRAWS));
    assert_near(squares / DRAWS, 2, 5 * sqrt(20) / sqrt(DRAWS));
    for (int t = 1; t < 12; t++) { /* the tail of the ziggurat begins at 7.7 */
        const double p = exp(-t);
        assert_near(beyond[t] / (double)DRAWS, p, 5 * sqrt(p * (1 - p) / DRAWS));
    }
}

/* Chi-square of 10^6 draws over the values 0 .. 19 and "more". */
static double geometric_chi_square(uint64_t successes, uint64_t trials, uint64_t seed)
{
    enum { DRAWS = 1000000, VALUES = 20 };
    struct rl_wait wait;
    struct rl_random random = stream(seed);
    rl_wait_init(&wait, trials);
    int seen[VALUES + 1] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const uint64_t x = rl_wait_geometric(&wait, &random, rl_wait_per_unit(&wait, successes));
        seen[x < VALUES ? x : VALUES]++;
    }
    const double p = (double)successes / (double)trials;
    double left = DRAWS, chi = 0;
    for (int i = 0; i <= VALUES; i++) {
        const double expected = i < VALUES ? left * p : left;
        chi += (seen[i] - expected) * (seen[i] - expected) / expected;
        left -= expected;
    }
    return chi;
}

TEST(waiting_times_have_the_exact_probabilities)
{
    /* 20 degrees of freedom: 61.6 is exceeded with probability 4e-6. */
    assert_true(geometric_chi_square(1, 12, 2) < 61.6);
    assert_true(geometric_chi_square(1, 7, 3) < 61.6);
    assert_true(geometric_chi_square(166, 1000, 4) < 61.6);
    assert_true(geometric_chi_square(3, 8, 5) < 61.6);
}

TEST(long_waiting_times_have_the_right_mean_and_variance)
{
    enum { DRAWS = 200000 };
    static const uint64_t trials[] = {1000, 1000000, UINT64_C(1) << 26, UINT64_C(1) << 32};
    for (size_t k = 0; k < sizeof trials / sizeof trials[0]; k++) {
        struct rl_wait wait;
        struct rl_random random = stream(10 + k);
        rl_wait_init(&wait, trials[k]);
        const double p = 1.0 / (double)trials[k];
        const double mean = (1 - p) / p, deviation = sqrt(1 - p) / p;
        double sum = 0, squares = 0;
        for (int i = 0; i < DRAWS; i++) {
            const double z =
                ((double)rl_wait_geometric(&wait, &random, rl_wait_per_unit(&wait, 1)) - mean) /
                deviation;
            sum += z;
            squares += z * z;
        }
        assert_near(sum / DRAWS, 0, 5 / sqrt(DRAWS));
        assert_near(squares / DRAWS, 1, 5 * sqrt(8) / sqrt(DRAWS));
    }
}

TEST(rates_agree_with_libm_for_every_share)
{
    const uint64_t trials = 1000000;
    struct rl_wait wait;
    rl_wait_init(&wait, trials);
    for (uint64_t successes = 1; successes < trials; successes += 1 + successes / 50) {
        const double p = (double)successes / (double)trials;
        const double exact = -1 / log1p(-p);
        assert_near(rl_wait_remember(&wait, successes) / exact, 1, 1e-14);
    }
    assert_true(rl_wait_remember(&wait, trials) == 0); /* no failure can come first */
}

TEST(the_memo_does_not_change_what_is_drawn)
{
    struct rl_wait kept, fresh;
    struct rl_random a = stream(6), b = stream(6);
    rl_wait_init(&kept, 100000);
    for (int i = 0; i < 2000; i++) {
        const uint64_t successes = 1 + (uint64_t)(i * 7919 % 3000);
        rl_wait_init(&fresh, 100000);
        assert_int_equal(rl_wait_geometric(&kept, &a, rl_wait_per_unit(&kept, successes)),
                         rl_wait_geometric(&fresh, &b, rl_wait_per_unit(&fresh, successes)));
    }
}
