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

RL_BEGIN

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
/* The form of a claim such as "O(n^2 log n)": told by a log or an exp in it, else a power. */
enum rl_growth_form rl_growth_claimed(const char *claim);

/* Trials at one x (n, or N, or whatever grows). */
struct rl_growth_sample {
    double x;
    const double *values; /* not negative, with a positive mean */
    size_t count;
};

/* A form, fitted to the means. */
struct rl_growth_curve {
    double factor;    /* c */
    double exponent;  /* a */
    double low, high; /* 95 % interval of a; NaN for RL_GROWTH_LINE */
    double chi2;
    double noise; /* probability that noise alone scatters the means about the curve as much */
    double weight;
};

struct rl_growth {
    double from;  /* the least x that went in */
    size_t count; /* how many went in */
    struct rl_growth_curve form[RL_GROWTH_FORMS];
    enum rl_growth_form best;
    double median_exponent; /* the power form, for the median */
    double median_low, median_high;
};

enum { RL_GROWTH_ROUNDS = 1000 };

/* A curve whose `noise` is below this does not fit: the means bend, or jump, beyond their noise. */
#define RL_GROWTH_DOUBT 0.05

/* Fits the logarithm of the mean (and of the median) by weighted least squares, each x weighted by
 * one over the bootstrap variance of its logarithm. Where the curve fits, the interval is that of
 * the percentiles over RL_GROWTH_ROUNDS resamplings of the trials at each x. Where it does not, the
 * interval is Student's, from the scatter of the means about the curve, and so takes in the misfit.
 * Where a median is 0 its exponent is NaN.
 *
 * `all_out` has all x. `large_out` (may be NULL) leaves out the smallest, one after the other,
 * until `form` fits what is left; if it fits no four of the largest or more, it has all x too.
 *
 * The samples stand in order of x. Needs 3 different x >= 2 and 2 values at each: RL_BAD_PARAMETER
 * otherwise. Time: O(rounds * values). Why so: docs/decisions/075-where-a-fit-begins.md. */
RL_MUST_CHECK enum rl_status rl_growth_fit(const struct rl_growth_sample *samples, size_t count,
                                           bool with_line, enum rl_growth_form form,
                                           struct rl_growth *all_out, struct rl_growth *large_out);
/* The fitted curve of a form at x. */
double rl_growth_at(const struct rl_growth *growth, enum rl_growth_form form, double x);

RL_END

#endif
