/* SPDX-License-Identifier: MIT
 *
 * Random numbers: streams, bounded draws and waiting times.
 */
#include "statistics.h"

static void streams_of_different_purposes_differ(void **state)
{
    (void)state;
    struct rl_random a, b, c, d;
    rl_random_init(&a, 1, 0, RL_PURPOSE_START);
    rl_random_init(&b, 1, 0, RL_PURPOSE_SCHEDULE);
    rl_random_init(&c, 1, 1, RL_PURPOSE_START);
    rl_random_init(&d, 2, 0, RL_PURPOSE_START);
    const uint64_t x = rl_random_next(&a);
    assert_int_not_equal(x, rl_random_next(&b));
    assert_int_not_equal(x, rl_random_next(&c));
    assert_int_not_equal(x, rl_random_next(&d));
}

static void neighbouring_seeds_and_trials_never_share_a_state(void **state)
{
    (void)state;
    uint64_t first[3 * 64 * 64];
    size_t count = 0;
    for (uint64_t seed = 0; seed < 64; seed++)
        for (uint64_t trial = 0; trial < 64; trial++)
            for (int purpose = 0; purpose < 3; purpose++) {
                struct rl_random random;
                rl_random_init(&random, seed, trial, (enum rl_purpose)purpose);
                first[count++] = random.s[0];
            }
    qsort(first, count, sizeof first[0], compare_counts);
    for (size_t i = 1; i < count; i++)
        assert_true(first[i - 1] != first[i]);
}

static void bounded_draws_stay_below_their_bound(void **state)
{
    (void)state;
    struct rl_random random;
    rl_random_init(&random, 7, 0, RL_PURPOSE_START);
    const uint64_t bounds[] = {1, 2, 3, 1000, UINT64_C(1) << 26, UINT64_C(1) << 32};
    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++)
        for (int i = 0; i < 1000; i++)
            assert_true(rl_random_below(&random, bounds[b]) < bounds[b]);
}

/* Error probability 10^-6 a bound. */
static void bounded_draws_are_uniform(void **state)
{
    (void)state;
    enum { TRIALS = 200000 };
    for (uint32_t bound = 2; bound <= 40; bound += 19) {
        struct rl_random random;
        rl_random_init(&random, 11, bound, RL_PURPOSE_SCHEDULE);
        uint64_t observed[41] = {0};
        double probability[40];
        for (int i = 0; i < TRIALS; i++)
            observed[rl_random_below(&random, bound)]++;
        for (uint32_t i = 0; i < bound; i++)
            probability[i] = 1.0 / bound;
        assert_distributed("below", observed, probability, bound - 1, TRIALS);
    }
}

/* Both ways of drawing: by trying, and through the exponential. Error probability 10^-6 each. */
static void geometric_draws_have_the_geometric_distribution(void **state)
{
    (void)state;
    enum { TRIALS = 200000, VALUES = 400 };
    const uint64_t cases[][2] = {{1, 1}, {1, 2}, {2, 5}, {1, 4}, {1, 5}, {3, 64}, {1, 40}};
    for (size_t c = 1; c < sizeof cases / sizeof cases[0]; c++) {
        const double p = (double)cases[c][0] / (double)cases[c][1];
        struct rl_random random;
        rl_random_init(&random, 12, c, RL_PURPOSE_SCHEDULE);
        uint64_t observed[VALUES + 1] = {0};
        double probability[VALUES];
        for (int i = 0; i < TRIALS; i++) {
            const uint64_t x = rl_random_geometric(&random, cases[c][0], cases[c][1]);
            observed[x < VALUES ? x : VALUES]++;
        }
        for (int i = 0; i < VALUES; i++)
            probability[i] = p * pow(1 - p, i);
        assert_distributed("geometric", observed, probability, VALUES, TRIALS);
    }
}

static void a_success_that_is_certain_has_no_failures_before_it(void **state)
{
    (void)state;
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_SCHEDULE);
    for (int i = 0; i < 100; i++)
        assert_int_equal(rl_random_geometric(&random, 5, 5), 0);
}

/* -ln of the number that the generator gave, by libm, over the whole range. */
static void exponential_draws_are_logarithms(void **state)
{
    (void)state;
    struct rl_random random, copy;
    rl_random_init(&random, 3, 0, RL_PURPOSE_SCHEDULE);
    for (int i = 0; i < 100000; i++) {
        copy = random;
        const double uniform = ((double)rl_random_next(&copy) + 0.5) * 0x1p-64;
        const double expected = -log(uniform);
        assert_near(rl_random_exponential(&random), expected, 4e-16 * expected + 2e-16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_different_purposes_differ),
        cmocka_unit_test(neighbouring_seeds_and_trials_never_share_a_state),
        cmocka_unit_test(bounded_draws_stay_below_their_bound),
        cmocka_unit_test(bounded_draws_are_uniform),
        cmocka_unit_test(geometric_draws_have_the_geometric_distribution),
        cmocka_unit_test(a_success_that_is_certain_has_no_failures_before_it),
        cmocka_unit_test(exponential_draws_are_logarithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
