/* SPDX-License-Identifier: MIT
 *
 * Growth: exponents, intervals and forms, on samples whose truth is known.
 */
#include "test.h"

#include <math.h>

#include "ringleader/growth.h"

enum { SIZES = 6, MOST = 60 };

static double values[SIZES][MOST];
static struct rl_growth_sample samples[SIZES];

/* Samples at x = 64, 128, ...: the truth times noise of the given relative spread, of mean 1 (a sum
 * of two uniform variables). */
static void make(double (*truth)(double x), double spread, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < SIZES; i++) {
        struct rl_random random;
        const double x = 64 * pow(2, (double)i);
        rl_random_init(&random, seed, i, RL_PURPOSE_START);
        for (size_t k = 0; k < count; k++) {
            const double u = (double)(rl_random_next(&random) >> 11) * 0x1p-53;
            const double v = (double)(rl_random_next(&random) >> 11) * 0x1p-53;
            values[i][k] = truth(x) * (1 + spread * (u + v - 1));
        }
        samples[i] = (struct rl_growth_sample){x, values[i], count};
    }
}

static double square(double x)
{
    return 3 * x * x;
}
static double square_log(double x)
{
    return 0.5 * x * x * log(x);
}
static double exponential(double x)
{
    return 10 * exp(0.01 * x);
}
static double line(double x)
{
    return 5000 + 7 * x;
}

static struct rl_growth fitted(bool with_line)
{
    struct rl_growth growth;
    assert_int_equal(rl_growth_fit(samples, SIZES, with_line, &growth), RL_OK);
    return growth;
}

static void samples_without_spread_give_their_law_exactly(void **state)
{
    (void)state;
    make(square, 0, 5, 1);
    const struct rl_growth growth = fitted(false);
    assert_near(growth.exponent[RL_GROWTH_POWER], 2, 1e-9);
    assert_near(growth.factor[RL_GROWTH_POWER], 3, 1e-6);
    assert_near(growth.median_exponent, 2, 1e-9);
    assert_near(growth.low, 2, 1e-9);
    assert_near(growth.high, 2, 1e-9);
    assert_near(rl_growth_at(&growth, RL_GROWTH_POWER, 1000), 3e6, 1);
}

static void the_form_that_made_the_samples_is_chosen(void **state)
{
    (void)state;
    const struct {
        double (*truth)(double x);
        enum rl_growth_form form;
        double exponent;
    } cases[] = {{square, RL_GROWTH_POWER, 2},
                 {square_log, RL_GROWTH_POWER_LOG, 2},
                 {exponential, RL_GROWTH_EXPONENTIAL, 0.01},
                 {line, RL_GROWTH_LINE, 7}};
    for (size_t i = 0; i < 4; i++) {
        make(cases[i].truth, 0.02, MOST, 5);
        const struct rl_growth growth = fitted(true);
        assert_int_equal(growth.best, cases[i].form);
        assert_true(growth.weight[growth.best] > 0.9);
        assert_near(growth.exponent[growth.best], cases[i].exponent, 0.02 * cases[i].exponent);
        assert_near(rl_growth_at(&growth, growth.best, 500), cases[i].truth(500),
                    0.02 * cases[i].truth(500));
    }
}

static void the_line_is_not_chosen_unasked(void **state)
{
    (void)state;
    make(line, 0.02, MOST, 5);
    assert_int_not_equal(fitted(false).best, RL_GROWTH_LINE);
}

/* Of 200 intervals, 190 should hold the truth. With true coverage 0.93 (the bootstrap is a little
 * narrow for 30 trials) fewer than 172 has probability 1e-4. */
static void intervals_hold_the_truth_about_as_often_as_they_say(void **state)
{
    (void)state;
    int held = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        make(square, 1, 30, 1000 + seed);
        const struct rl_growth growth = fitted(false);
        assert_true(growth.low < growth.exponent[RL_GROWTH_POWER]);
        assert_true(growth.exponent[RL_GROWTH_POWER] < growth.high);
        held += growth.low <= 2 && 2 <= growth.high;
    }
    assert_in_range(held, 172, 199);
}

static void a_noisy_size_pulls_less_than_a_sharp_one(void **state)
{
    (void)state;
    make(square, 0.01, MOST, 9);
    for (size_t k = 0; k < MOST; k++)
        values[SIZES - 1][k] = square(2048) * (k % 2 ? 0.1 : 3.5);
    assert_near(fitted(false).exponent[RL_GROWTH_POWER], 2, 0.02);
}

static void too_few_sizes_or_trials_are_refused(void **state)
{
    (void)state;
    struct rl_growth growth;
    make(square, 0.1, 5, 1);
    assert_int_equal(rl_growth_fit(samples, 2, false, &growth), RL_BAD_PARAMETER);
    samples[2].x = samples[1].x;
    assert_int_equal(rl_growth_fit(samples, 3, false, &growth), RL_BAD_PARAMETER);
    make(square, 0.1, 1, 1);
    assert_int_equal(rl_growth_fit(samples, SIZES, false, &growth), RL_BAD_PARAMETER);
}

static void medians_of_zero_have_no_exponent(void **state)
{
    (void)state;
    make(square, 0.1, 5, 1);
    for (size_t i = 0; i < SIZES; i++)
        values[i][0] = values[i][1] = values[i][2] = 0;
    const struct rl_growth growth = fitted(false);
    assert_true(isnan(growth.median_exponent));
    assert_near(growth.exponent[RL_GROWTH_POWER], 2, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_without_spread_give_their_law_exactly),
        cmocka_unit_test(the_form_that_made_the_samples_is_chosen),
        cmocka_unit_test(the_line_is_not_chosen_unasked),
        cmocka_unit_test(intervals_hold_the_truth_about_as_often_as_they_say),
        cmocka_unit_test(a_noisy_size_pulls_less_than_a_sharp_one),
        cmocka_unit_test(too_few_sizes_or_trials_are_refused),
        cmocka_unit_test(medians_of_zero_have_no_exponent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
