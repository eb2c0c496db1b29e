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
    size_t count;          /* with those that gave up */
    size_t gave_up;        /* of these only a limit is known, which their values exceed */
    double mean;           /* with the limits in their place, so a lower bound if any gave up */
    double deviation;      /* with divisor count - 1; 0 for a single value */
    double standard_error; /* of the mean; infinite for a single value, or if any gave up */
    double low, high;      /* 95 % confidence interval of the mean; NaN: none */
    double least, most;    /* of the known values; NaN: none */
};

enum { RL_STATS_TRIALS = 5 }; /* fewer values get no interval */

/* Of `known` values, which are not negative, and `gave_up` more that exceed `limit`; together at
 * least one. The interval is Student's on a logarithmic scale, a little widened, for the steps of
 * runs are skewed: docs/coverage-of-intervals.md has how often it holds the truth. Two passes, so
 * exact for large values of small spread; the order of the values decides the last bits. Time:
 * O(known). */
struct rl_stats rl_stats_of(const double *values, size_t known, size_t gave_up, double limit);

/* Sorts in place. */
void rl_stats_sort(double *values, size_t count);
/* The q-quantile of `count` values, 0 <= q <= 1, of which the `known` smallest are there, sorted,
 * by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). NaN where it
 * depends on a value that is not known. (Where all trials give up at one limit, that is Kaplan and
 * Meier's estimate.) */
double rl_stats_quantile(const double *sorted, size_t known, size_t count, double q);

/* The q-quantile of Student's t with `degrees` > 0 degrees of freedom, 0 < q < 1. */
double rl_stats_student(double q, double degrees);

/* The probability that Fisher's F, with these degrees of freedom above and below, is at least
 * `ratio` >= 0. With very many below, `ratio * above` is chi-squared. */
double rl_stats_f_tail(double ratio, double above, double below);

RL_END

#endif
