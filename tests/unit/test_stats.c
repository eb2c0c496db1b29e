/* SPDX-License-Identifier: MIT
 *
 * Statistics, against certified values.
 */
#include "test.h"

#include <math.h>

#include "ringleader/stats.h"

/* NIST Statistical Reference Datasets, univariate summary: NumAcc1 to NumAcc4. The last three have
 * 1001 values: a centre, then pairs 0.1 below and above it. */
static void mean_and_deviation_agree_with_the_reference_datasets_of_nist(void **state)
{
    (void)state;
    const double numacc1[] = {10000001, 10000003, 10000002};
    struct rl_stats stats = rl_stats_of(numacc1, 3);
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
        stats = rl_stats_of(values, 1001);
        assert_near(stats.mean, sets[i].centre, sets[i].tolerance);
        assert_near(stats.deviation, 0.1, sets[i].tolerance);
    }
}

/* Any table of Student's t, two-sided 95 % and 99 %. */
static void quantiles_of_student_agree_with_the_tables(void **state)
{
    (void)state;
    const struct {
        double q, degrees, t;
    } table[] = {{0.975, 1, 12.706205}, {0.975, 2, 4.302653},  {0.975, 5, 2.570582},
                 {0.975, 10, 2.228139}, {0.975, 30, 2.042272}, {0.975, 120, 1.979930},
                 {0.995, 4, 4.604095},  {0.995, 20, 2.845340}, {0.95, 7, 1.894579},
                 {0.025, 5, -2.570582}, {0.975, 1e6, 1.959966}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(rl_stats_student(table[i].q, table[i].degrees), table[i].t, 1e-6);
}

/* NIST/SEMATECH e-Handbook, 1.3.6.7.4, upper critical values; three decimals. */
static void tails_of_chi_squared_agree_with_the_tables(void **state)
{
    (void)state;
    const struct {
        double chi2;
        size_t degrees;
        double tail;
    } table[] = {{3.841, 1, 0.05},   {6.635, 1, 0.01},    {5.991, 2, 0.05},   {7.815, 3, 0.05},
                 {16.266, 3, 0.001}, {11.070, 5, 0.05},   {18.307, 10, 0.05}, {29.588, 10, 0.001},
                 {24.996, 15, 0.05}, {124.342, 100, 0.05}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(rl_stats_chi2_tail(table[i].chi2, table[i].degrees), table[i].tail, 3e-5);
    assert_near(rl_stats_chi2_tail(0, 1), 1, 0);
    assert_near(rl_stats_chi2_tail(0, 4), 1, 0);
    assert_near(rl_stats_chi2_tail(1e6, 3), 0, 0);
}

static void the_interval_of_a_mean_is_student_s(void **state)
{
    (void)state;
    /* Mean 5, deviation sqrt(10), so the interval is 5 +- 2.776445 sqrt(2). */
    const double values[] = {1, 3, 5, 7, 9};
    const struct rl_stats stats = rl_stats_of(values, 5);
    assert_near(stats.mean, 5, 0);
    assert_near(stats.standard_error, sqrt(2), 1e-12);
    assert_near(stats.high, 5 + 2.776445 * sqrt(2), 1e-5);
    assert_near(stats.low, 5 - 2.776445 * sqrt(2), 1e-5);
    assert_near(stats.least, 1, 0);
    assert_near(stats.most, 9, 0);
}

/* Type 7 of Hyndman and Fan, worked by hand. */
static void quantiles_interpolate_between_order_statistics(void **state)
{
    (void)state;
    double values[] = {4, 1, 3, 2};
    rl_stats_sort(values, 4);
    assert_near(rl_stats_quantile(values, 4, 0), 1, 0);
    assert_near(rl_stats_quantile(values, 4, 0.25), 1.75, 1e-15);
    assert_near(rl_stats_quantile(values, 4, 0.5), 2.5, 1e-15);
    assert_near(rl_stats_quantile(values, 4, 0.9), 3.7, 1e-15);
    assert_near(rl_stats_quantile(values, 4, 1), 4, 0);
    assert_near(rl_stats_quantile(values, 1, 0.3), 1, 0);
}

static void the_distance_of_two_samples_is_the_largest_gap_between_their_shares(void **state)
{
    (void)state;
    const double low[] = {1, 2, 3, 4}, high[] = {5, 6}, equal[] = {2, 2, 2, 3, 9};
    assert_near(rl_stats_distance(low, 4, low, 4), 0, 0);
    assert_near(rl_stats_distance(low, 4, high, 2), 1, 0);
    assert_near(rl_stats_distance(high, 2, low, 4), 1, 0);
    /* Up to 1: a quarter of one, none of the other. Equal values count together. */
    assert_near(rl_stats_distance(low, 4, equal, 5), 0.25, 1e-15);
    assert_near(rl_stats_distance_limit(30, 1000), 0.252, 5e-4);
}

static void a_single_value_has_no_interval(void **state)
{
    (void)state;
    const double value = 7;
    const struct rl_stats stats = rl_stats_of(&value, 1);
    assert_near(stats.mean, 7, 0);
    assert_true(isinf(stats.standard_error) && isinf(stats.low) && isinf(stats.high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_and_deviation_agree_with_the_reference_datasets_of_nist),
        cmocka_unit_test(quantiles_of_student_agree_with_the_tables),
        cmocka_unit_test(tails_of_chi_squared_agree_with_the_tables),
        cmocka_unit_test(the_interval_of_a_mean_is_student_s),
        cmocka_unit_test(quantiles_interpolate_between_order_statistics),
        cmocka_unit_test(the_distance_of_two_samples_is_the_largest_gap_between_their_shares),
        cmocka_unit_test(a_single_value_has_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
