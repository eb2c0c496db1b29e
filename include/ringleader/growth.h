/* SPDX-License-Identifier: MIT
 *
 * Growth: how samples taken at several x (n, say, or N) grow with x.
 *
 * Everything here is deterministic: the bootstrap draws from rl_random with a seed of its own.
 */
#ifndef RINGLEADER_GROWTH_H
#define RINGLEADER_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

#include "ringleader/status.h"

/* The forms compared. Each has two unknowns, so the one with the least weighted sum of squares (of
 * the logarithms) is also the one that AIC and BIC choose; `weight` is its Akaike weight,
 * exp(-chi2/2) over the sum for all forms compared. */
enum rl_growth_form {
    RL_GROWTH_POWER,       /* c x^a */
    RL_GROWTH_POWER_LOG,   /* c x^a log x */
    RL_GROWTH_EXPONENTIAL, /* c exp(a x) */
    RL_GROWTH_LINE,        /* c + a x; compared on request only */
    RL_GROWTH_FORMS
};

/* "n^a", "n^a log n", "exp(a n)", "c + a n". */
const char *rl_growth_name(enum rl_growth_form form);

/* Trials at one x (n, or N, or whatever grows). */
struct rl_growth_sample {
    double x;
    const double *values; /* not negative, with a positive mean */
    size_t count;
};

struct rl_growth {
    double exponent[RL_GROWTH_FORMS]; /* the a of each form, for the mean */
    double factor[RL_GROWTH_FORMS];   /* the c */
    double chi2[RL_GROWTH_FORMS];
    double weight[RL_GROWTH_FORMS];
    enum rl_growth_form best;
    double low, high;       /* 95 % interval of exponent[RL_GROWTH_POWER] */
    double median_exponent; /* the power form, for the median */
    double median_low, median_high;
};

enum { RL_GROWTH_ROUNDS = 1000 };

/* Fits the logarithm of the mean (and of the median) by weighted least squares, each x weighted by
 * one over the bootstrap variance of its logarithm. The intervals are percentiles over
 * RL_GROWTH_ROUNDS resamplings of the trials at each x. Where a median is 0 its exponent is NaN.
 * Needs 3 different x >= 2 and 2 values at each: RL_BAD_PARAMETER otherwise. Time: O(rounds *
 * values). */
RL_MUST_CHECK enum rl_status rl_growth_fit(const struct rl_growth_sample *samples, size_t count,
                                           bool with_line, struct rl_growth *growth_out);
/* The fitted curve of a form at x. */
double rl_growth_at(const struct rl_growth *growth, enum rl_growth_form form, double x);

#endif
