/* SPDX-License-Identifier: MIT
 *
 * Statistics, against certified values.
 */
#include "test.h"

#include <math.h>

#include "ringleader/study.h"
#include "skewed.h"

/* NIST Statistical Reference Datasets, univariate summary: NumAcc1 to NumAcc4. The last three have
 * 1001 values: a centre, then pairs 0.1 below and above it. */
TEST(mean_and_deviation_agree_with_the_reference_datasets_of_nist)
{
    const double numacc1[] = {10000001, 10000003, 10000002};
    struct rl_stats stats = rl_stats_of(numacc1, 3, 0, 0);
    assert_near(stats.mean, 10000002, 0);
    assert_near(stats.deviation, 1, 0);
    const struct {
        double centre, low, high, tolerance;
    } sets[] = {{1.2, 1.1, 1.3, 1e-12},
                {1000000.2, 1000000.1, 1000000.3, 1e-8},
                {10000000.2, 10000000.1, 10000000.3, 1e-7}};
    for (size_t i = 0; i < 3; i++) {
        double values[1001] = {sets[i].centre};
        for (size_t k = 1; k < 1001; k++)
            values[k] = k % 2 ? sets[i].low : sets[i].high;
        stats = rl_stats_of(values, 1001, 0, 0);
        assert_near(stats.mean, sets[i].centre, sets[i].tolerance);
        assert_near(stats.deviation, 0.1, sets[i].tolerance);
    }
}

/* Any table of Student's t, two-sided 95 % and 99 %. */
TEST(quantiles_of_student_agree_with_the_tables)
{
    const struct {
        double q, degrees, t;
    } table[] = {{0.975, 1, 12.706205}, {0.975, 2, 4.302653},  {0.975, 5, 2.570582},
                 {0.975, 10, 2.228139}, {0.975, 30, 2.042272}, {0.975, 120, 1.979930},
                 {0.995, 4, 4.604095},  {0.995, 20, 2.845340}, {0.95, 7, 1.894579},
                 {0.025, 5, -2.570582}, {0.975, 1e6, 1.959966}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(rl_stats_student(table[i].q, table[i].degrees), table[i].t, 1e-6);
}

/* NIST/SEMATECH e-Handbook, 1.3.6.7.3 and 1.3.6.7.4, upper critical values; three decimals. Where
 * there is no end to the degrees below, it is chi-squared over its degrees. */
TEST(tails_of_f_agree_with_the_tables)
{
    const struct {
        double ratio, above, below, tail;
    } table[] = {{161.448, 1, 1, 0.05},        {4.965, 1, 10, 0.05},
                 {3.326, 5, 10, 0.05},         {3.493, 3, 12, 0.05},
                 {2.348, 10, 20, 0.05},        {3.841, 1, 1e7, 0.05},
                 {7.815 / 3, 3, 1e7, 0.05},    {16.266 / 3, 3, 1e7, 0.001},
                 {18.307 / 10, 10, 1e7, 0.05}, {124.342 / 100, 100, 1e7, 0.05}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(rl_stats_f_tail(table[i].ratio, table[i].above, table[i].below), table[i].tail,
                    3e-4);
    assert_near(rl_stats_f_tail(0, 3, 9), 1, 0);
    assert_near(rl_stats_f_tail(1e9, 3, 9), 0, 1e-12);
}

TEST(the_interval_of_a_mean_is_student_s_on_a_logarithmic_scale)
{
    /* Mean 5, deviation sqrt(10), so ln 5 +- 2.776445 sqrt(2) / 5, times sqrt(6/5). */
    const double values[] = {1, 3, 5, 7, 9}, reach = 2.776445 * sqrt(2) / 5 * sqrt(1.2);
    const struct rl_stats stats = rl_stats_of(values, 5, 0, 0);
    assert_near(stats.mean, 5, 0);
    assert_near(stats.standard_error, sqrt(2), 1e-12);
    assert_near(stats.high, 5 * exp(reach), 1e-5);
    assert_near(stats.low, 5 * exp(-reach), 1e-5);
    assert_near(stats.least, 1, 0);
    assert_near(stats.most, 9, 0);
    const double nothing[5] = {0};
    assert_near(rl_stats_of(nothing, 5, 0, 0).high, 0, 0);
}

/* Two of five gave up at 6: the mean is at least that with 6 in their place, its error unknown. */
TEST(trials_that_gave_up_make_the_mean_a_lower_bound)
{
    const double values[] = {1, 3, 5};
    const struct rl_stats stats = rl_stats_of(values, 3, 2, 6);
    assert_int_equal(stats.count, 5);
    assert_int_equal(stats.gave_up, 2);
    assert_near(stats.mean, 21.0 / 5, 1e-12);
    assert_near(stats.deviation, sqrt(18.8 / 4), 1e-12);
    assert_true(isinf(stats.standard_error) && isnan(stats.low) && isnan(stats.high));
    assert_near(stats.most, 5, 0);
    assert_near(rl_stats_quantile(values, 3, 5, 0.5), 5, 0);
    assert_near(rl_stats_quantile(values, 3, 5, 0.25), 3, 0);
    assert_true(isnan(rl_stats_quantile(values, 3, 5, 0.51)));
    assert_true(isnan(rl_stats_quantile(values, 3, 5, 0.95)));
    assert_true(isnan(rl_stats_of(NULL, 0, 3, 6).most));
    assert_near(rl_stats_of(NULL, 0, 3, 6).mean, 6, 0);
}

/* Type 7 of Hyndman and Fan, worked by hand. */
TEST(quantiles_interpolate_between_order_statistics)
{
    double values[] = {4, 1, 3, 2};
    rl_stats_sort(values, 4);
    assert_near(rl_stats_quantile(values, 4, 4, 0), 1, 0);
    assert_near(rl_stats_quantile(values, 4, 4, 0.25), 1.75, 1e-15);
    assert_near(rl_stats_quantile(values, 4, 4, 0.5), 2.5, 1e-15);
    assert_near(rl_stats_quantile(values, 4, 4, 0.9), 3.7, 1e-15);
    assert_near(rl_stats_quantile(values, 4, 4, 1), 4, 0);
    assert_near(rl_stats_quantile(values, 1, 1, 0.3), 1, 0);
}

TEST(a_single_value_has_no_interval)
{
    const double value = 7;
    const struct rl_stats stats = rl_stats_of(&value, 1, 0, 0);
    assert_near(stats.mean, 7, 0);
    assert_true(isinf(stats.standard_error) && isnan(stats.low) && isnan(stats.high));
}

/* How often the interval holds the true mean, of samples with the skew of steps to a target (gamma,
 * of shape 10, 4 and 1): printed for docs/coverage-of-intervals.md. If it were 93 %, fewer than
 * 4,570 of 5,000 would have probability 1e-5. */
TEST(intervals_of_means_hold_the_truth)
{
    const size_t trials[] = {5, 10, 30, 100}, shapes[] = {10, 4, 1};
    enum { SEEDS = 5000 };
    for (size_t s = 0; s < 3; s++)
        for (size_t t = 0; t < 4; t++) {
            size_t held = 0;
            struct rl_random random = test_random(7, 10 * s + t, RL_PURPOSE_START);
            for (size_t seed = 0; seed < SEEDS; seed++) {
                double values[100];
                for (size_t i = 0; i < trials[t]; i++)
                    values[i] = skewed(&random, shapes[s]);
                const struct rl_stats stats = rl_stats_of(values, trials[t], 0, 0);
                held += stats.low <= 1 && 1 <= stats.high;
            }
            print_message("mean, shape %zu, %zu trials: %.1f %%\n", shapes[s], trials[t],
                          100.0 * (double)held / SEEDS);
            assert_true(held >= 4570);
        }
    const double few[] = {1, 2, 3, 4};
    assert_true(isnan(rl_stats_of(few, 4, 0, 0).low));
}
