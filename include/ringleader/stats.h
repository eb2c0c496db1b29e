/* SPDX-License-Identifier: MIT
 *
 * Statistics of one sample, an array of doubles.
 *
 * Why this is not a library: docs/decisions/042-statistics.md.
 */
#ifndef RINGLEADER_STATS_H
#define RINGLEADER_STATS_H

#include <stddef.h>

#include "ringleader/api.h"

RL_BEGIN

struct rl_stats {
    size_t count;
    double mean;
    double deviation;      /* with divisor count - 1; 0 for a single value */
    double standard_error; /* of the mean; infinite for a single value */
    double low, high;      /* 95 % confidence interval of the mean (Student's t) */
    double least, most;
};

/* Two passes, so exact for large values of small spread; the order of the values decides the last
 * bits. `count` is positive. Time: O(count). */
struct rl_stats rl_stats_of(const double *values, size_t count);

/* Sorts in place. */
void rl_stats_sort(double *values, size_t count);
/* The q-quantile of sorted values, 0 <= q <= 1, by linear interpolation between order statistics
 * (type 7 of Hyndman and Fan 1996). */
double rl_stats_quantile(const double *sorted, size_t count, double q);

/* Kolmogorov and Smirnov's distance of two samples, both sorted and not empty: the largest
 * difference of the shares of values up to x. If both are of one distribution it stays below
 * rl_stats_distance_limit in about 95 % of cases, for samples of some ten values or more. */
double rl_stats_distance(const double *a, size_t a_count, const double *b, size_t b_count);
double rl_stats_distance_limit(size_t a_count, size_t b_count);

/* The q-quantile of Student's t with `degrees` > 0 degrees of freedom, 0 < q < 1. */
double rl_stats_student(double q, double degrees);

/* The probability that chi-squared with `degrees` >= 1 degrees of freedom is at least `chi2` >= 0.
 * Time: O(degrees). */
double rl_stats_chi2_tail(double chi2, size_t degrees);

RL_END

#endif
