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
/* A square that small rings fall short of, by a half at 64 and a sixteenth at 512. */
static double bent(double x)
{
    return 3 * x * x * (1 - 32 / x);
}
/* A square, and every other size takes three times as long. */
static double jumping(double x)
{
    return square(x) * ((int)log2(x) % 2 ? 3 : 1);
}

static struct rl_growth fitted(bool with_line)
{
    struct rl_growth growth;
    assert_int_equal(rl_growth_fit(samples, SIZES, with_line, RL_GROWTH_POWER, &growth, NULL),
                     RL_OK);
    return growth;
}

static struct rl_growth fitted_large(enum rl_growth_form form)
{
    struct rl_growth all, large;
    assert_int_equal(rl_growth_fit(samples, SIZES, false, form, &all, &large), RL_OK);
    assert_near(all.from, 64, 0);
    assert_int_equal(all.count, SIZES);
    return large;
}

static void samples_without_spread_give_their_law_exactly(void **state)
{
    (void)state;
    make(square, 0, 5, 1);
    const struct rl_growth growth = fitted(false);
    assert_near(growth.form[RL_GROWTH_POWER].exponent, 2, 1e-9);
    assert_near(growth.form[RL_GROWTH_POWER].factor, 3, 1e-6);
    assert_near(growth.median_exponent, 2, 1e-9);
    assert_near(growth.form[RL_GROWTH_POWER].low, 2, 1e-9);
    assert_near(growth.form[RL_GROWTH_POWER].high, 2, 1e-9);
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
        assert_true(growth.form[growth.best].weight > 0.9);
        assert_near(growth.form[growth.best].exponent, cases[i].exponent, 0.02 * cases[i].exponent);
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
        assert_true(growth.form[RL_GROWTH_POWER].low < growth.form[RL_GROWTH_POWER].exponent);
        assert_true(growth.form[RL_GROWTH_POWER].exponent < growth.form[RL_GROWTH_POWER].high);
        held += growth.form[RL_GROWTH_POWER].low <= 2 && 2 <= growth.form[RL_GROWTH_POWER].high;
    }
    assert_in_range(held, 172, 199);
}

static void samples_of_one_law_are_all_kept(void **state)
{
    (void)state;
    make(square, 0.3, MOST, 3);
    assert_near(fitted_large(RL_GROWTH_POWER).from, 64, 0);
    make(square_log, 0.02, MOST, 5);
    assert_near(fitted_large(RL_GROWTH_POWER_LOG).from, 64, 0);
    assert_true(fitted_large(RL_GROWTH_POWER).form[RL_GROWTH_POWER].noise < RL_GROWTH_DOUBT);
}

static void sizes_that_bend_are_left_out(void **state)
{
    (void)state;
    make(bent, 0.3, MOST, 3);
    const struct rl_growth large = fitted_large(RL_GROWTH_POWER);
    const struct rl_growth_curve all = fitted(false).form[RL_GROWTH_POWER];
    assert_true(all.noise < 1e-6);
    assert_true(large.form[RL_GROWTH_POWER].noise >= RL_GROWTH_DOUBT);
    assert_in_range((int)large.from, 128, 256);
    assert_true(fabs(large.form[RL_GROWTH_POWER].exponent - 2) < fabs(all.exponent - 2) / 2);
}

/* The interval must then come from the scatter: that of the resamplings is 0.01 wide. */
static void a_law_that_fits_nowhere_gets_a_wide_interval(void **state)
{
    (void)state;
    make(jumping, 0.1, MOST, 3);
    const struct rl_growth large = fitted_large(RL_GROWTH_POWER);
    const struct rl_growth_curve *curve = &large.form[RL_GROWTH_POWER];
    assert_int_equal(large.count, SIZES);
    assert_true(curve->noise < 1e-6);
    assert_true(curve->high - curve->low > 0.5);
    assert_true(curve->low < 2 && 2 < curve->high);
}

/* Each form's own, where that form made the samples: 200 intervals of each, as above. */
static void every_form_has_an_interval(void **state)
{
    (void)state;
    int held[2] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        make(square_log, 1, 30, 2000 + seed);
        const struct rl_growth_curve log_curve = fitted(false).form[RL_GROWTH_POWER_LOG];
        held[0] += log_curve.low <= 2 && 2 <= log_curve.high;
        make(exponential, 1, 30, 3000 + seed);
        const struct rl_growth_curve exp_curve = fitted(false).form[RL_GROWTH_EXPONENTIAL];
        held[1] += exp_curve.low <= 0.01 && 0.01 <= exp_curve.high;
    }
    assert_in_range(held[0], 172, 199);
    assert_in_range(held[1], 172, 199);
}

/* Where noise is all there is, its probability is uniform over 0 .. 1: the mean of 200 is within
 * 0.08 of a half but with probability 1e-4. The variances are estimated from 30 trials each, which
 * makes it smaller by 0.02. */
static void noise_alone_is_taken_for_noise(void **state)
{
    (void)state;
    double mean = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        make(square, 1, 30, 4000 + seed);
        mean += fitted(false).form[RL_GROWTH_POWER].noise / 200;
    }
    assert_near(mean, 0.48, 0.08);
}

static void a_claim_tells_its_form(void **state)
{
    (void)state;
    assert_int_equal(rl_growth_claimed("O(nN)"), RL_GROWTH_POWER);
    assert_int_equal(rl_growth_claimed("O(n^2 log n)"), RL_GROWTH_POWER_LOG);
    assert_int_equal(rl_growth_claimed("exponential"), RL_GROWTH_EXPONENTIAL);
    assert_int_equal(rl_growth_claimed(""), RL_GROWTH_POWER);
}

static void a_noisy_size_pulls_less_than_a_sharp_one(void **state)
{
    (void)state;
    make(square, 0.01, MOST, 9);
    for (size_t k = 0; k < MOST; k++)
        values[SIZES - 1][k] = square(2048) * (k % 2 ? 0.1 : 3.5);
    assert_near(fitted(false).form[RL_GROWTH_POWER].exponent, 2, 0.02);
}

static void too_few_sizes_or_trials_are_refused(void **state)
{
    (void)state;
    struct rl_growth growth;
    make(square, 0.1, 5, 1);
    assert_int_equal(rl_growth_fit(samples, 2, false, RL_GROWTH_POWER, &growth, NULL),
                     RL_BAD_PARAMETER);
    samples[2].x = samples[1].x;
    assert_int_equal(rl_growth_fit(samples, 3, false, RL_GROWTH_POWER, &growth, NULL),
                     RL_BAD_PARAMETER);
    make(square, 0.1, 1, 1);
    assert_int_equal(rl_growth_fit(samples, SIZES, false, RL_GROWTH_POWER, &growth, NULL),
                     RL_BAD_PARAMETER);
}

static void medians_of_zero_have_no_exponent(void **state)
{
    (void)state;
    make(square, 0.1, 5, 1);
    for (size_t i = 0; i < SIZES; i++)
        values[i][0] = values[i][1] = values[i][2] = 0;
    const struct rl_growth growth = fitted(false);
    assert_true(isnan(growth.median_exponent));
    assert_near(growth.form[RL_GROWTH_POWER].exponent, 2, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_without_spread_give_their_law_exactly),
        cmocka_unit_test(the_form_that_made_the_samples_is_chosen),
        cmocka_unit_test(the_line_is_not_chosen_unasked),
        cmocka_unit_test(intervals_hold_the_truth_about_as_often_as_they_say),
        cmocka_unit_test(samples_of_one_law_are_all_kept),
        cmocka_unit_test(sizes_that_bend_are_left_out),
        cmocka_unit_test(a_law_that_fits_nowhere_gets_a_wide_interval),
        cmocka_unit_test(every_form_has_an_interval),
        cmocka_unit_test(noise_alone_is_taken_for_noise),
        cmocka_unit_test(a_claim_tells_its_form),
        cmocka_unit_test(a_noisy_size_pulls_less_than_a_sharp_one),
        cmocka_unit_test(too_few_sizes_or_trials_are_refused),
        cmocka_unit_test(medians_of_zero_have_no_exponent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
