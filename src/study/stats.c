/* SPDX-License-Identifier: MIT
 *
 * Statistics of one sample.
 *
 * Student's quantile inverts its distribution function by bisection; the distribution function is
 * the regularised incomplete beta function by its continued fraction (Lentz's method). It is
 * called a few times a report, so sixty halvings cost nothing.
 */
#include "ringleader/study.h"
#include "study/inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* On a logarithmic scale, and by one part in the number of values wider: in a skewed sample a
 * deviation that is too small comes with a mean that is too small. */
void rl_stats_interval(struct rl_stats *stats)
{
    const double count = (double)stats->count;
    stats->low = stats->high = NAN;
    if (stats->count < RL_STATS_TRIALS || stats->gave_up > 0)
        return;
    const double relative = stats->mean > 0 ? stats->standard_error / stats->mean : 0;
    const double reach = rl_stats_student(0.975, count - 1) * relative * sqrt(1 + 1 / count);
    stats->low = stats->mean * exp(-reach);
    stats->high = stats->mean * exp(reach);
}

struct rl_stats rl_stats_of(const double *values, size_t known, size_t gave_up, double limit)
{
    assert(known + gave_up > 0 && "a sample has values");
    struct rl_stats stats = {
        .count = known + gave_up, .gave_up = gave_up, .least = NAN, .most = NAN};
    const double count = (double)stats.count, missing = (double)gave_up;
    double sum = gave_up ? missing * limit : 0, squares = 0;
    for (size_t i = 0; i < known; i++) {
        sum += values[i];
        stats.least = fmin(stats.least, values[i]);
        stats.most = fmax(stats.most, values[i]);
    }
    stats.mean = sum / count;
    for (size_t i = 0; i < known; i++)
        squares += (values[i] - stats.mean) * (values[i] - stats.mean);
    squares += gave_up ? missing * (limit - stats.mean) * (limit - stats.mean) : 0;
    stats.deviation = stats.count > 1 ? sqrt(squares / (count - 1)) : 0;
    stats.standard_error =
        stats.count > 1 && gave_up == 0 ? stats.deviation / sqrt(count) : INFINITY;
    rl_stats_interval(&stats);
    return stats;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void rl_stats_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
}

double rl_stats_quantile(const double *sorted, size_t known, size_t count, double q)
{
    assert(count > 0 && known <= count && q >= 0 && q <= 1 && "a quantile is between 0 and 1");
    const double place = q * (double)(count - 1), rest = place - floor(place);
    const size_t below = (size_t)place;
    if (below >= known || (rest > 0 && below + 1 >= known))
        return NAN;
    return rest > 0 ? sorted[below] + rest * (sorted[below + 1] - sorted[below]) : sorted[below];
}

/* The continued fraction of the incomplete beta function, for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double fraction = d;
    for (int m = 1; m < 10000; m++) {
        double change = 1;
        for (int half = 0; half < 2; half++) {
            const double k = m, top = half == 0 ? k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
                                                : -(a + k) * (a + b + k) * x /
                                                      ((a + 2 * k) * (a + 2 * k + 1));
            d = 1 + top * d;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = 1 + top / c;
            c = fabs(c) < tiny ? tiny : c;
            change = c * d;
            fraction *= change;
        }
        if (fabs(change - 1) < 1e-15)
            break;
    }
    return fraction;
}

static double incomplete_beta(double x, double a, double b)
{
    if (x <= 0 || x >= 1)
        return x >= 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double rl_stats_student(double q, double degrees)
{
    assert(q > 0 && q < 1 && degrees > 0 && "a quantile is between 0 and 1");
    if (q < 0.5)
        return -rl_stats_student(1 - q, degrees);
    /* P(T > t) = I_{v/(v+t^2)}(v/2, 1/2) / 2, decreasing in t. */
    double low = 0, high = 1;
    while (incomplete_beta(degrees / (degrees + high * high), degrees / 2, 0.5) > 2 * (1 - q))
        high *= 2;
    for (int i = 0; i < 60; i++) {
        const double t = 0.5 * (low + high);
        if (incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5) > 2 * (1 - q))
            low = t;
        else
            high = t;
    }
    return 0.5 * (low + high);
}

double rl_stats_f_tail(double ratio, double above, double below)
{
    assert(ratio >= 0 && above > 0 && below > 0 && "F is not negative");
    return ratio > 0 ? incomplete_beta(below / (below + above * ratio), below / 2, above / 2) : 1;
}
