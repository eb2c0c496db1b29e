/* SPDX-License-Identifier: MIT
 *
 * Statistics of one sample.
 *
 * Student's quantile inverts its distribution function by bisection; the distribution function is
 * the regularised incomplete beta function by its continued fraction (Lentz's method). It is
 * called a few times a report, so sixty halvings cost nothing.
 */
#include "ringleader/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct rl_stats rl_stats_of(const double *values, size_t count)
{
    assert(count > 0 && "a sample has values");
    struct rl_stats stats = {.count = count, .least = values[0], .most = values[0]};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        stats.least = fmin(stats.least, values[i]);
        stats.most = fmax(stats.most, values[i]);
    }
    stats.mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - stats.mean) * (values[i] - stats.mean);
    stats.standard_error = INFINITY;
    stats.low = -INFINITY;
    stats.high = INFINITY;
    if (count < 2)
        return stats;
    stats.deviation = sqrt(squares / (double)(count - 1));
    stats.standard_error = stats.deviation / sqrt((double)count);
    const double reach = rl_stats_student(0.975, (double)(count - 1)) * stats.standard_error;
    stats.low = stats.mean - reach;
    stats.high = stats.mean + reach;
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

double rl_stats_quantile(const double *sorted, size_t count, double q)
{
    assert(count > 0 && q >= 0 && q <= 1 && "a quantile is between 0 and 1");
    const double place = q * (double)(count - 1);
    const size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
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
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double rl_stats_distance(const double *a, size_t a_count, const double *b, size_t b_count)
{
    double distance = 0;
    assert(a_count > 0 && b_count > 0 && "two samples that are not empty");
    for (size_t i = 0, k = 0; i < a_count && k < b_count;) {
        const double x = a[i] < b[k] ? a[i] : b[k];
        while (i < a_count && a[i] <= x)
            i++;
        while (k < b_count && b[k] <= x)
            k++;
        distance = fmax(distance, fabs((double)i / (double)a_count - (double)k / (double)b_count));
    }
    return distance;
}

double rl_stats_distance_limit(size_t a_count, size_t b_count)
{
    return 1.358 * sqrt(1 / (double)a_count + 1 / (double)b_count);
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
    for (int i = 0; i < 100; i++) {
        const double t = 0.5 * (low + high);
        if (incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5) > 2 * (1 - q))
            low = t;
        else
            high = t;
    }
    return 0.5 * (low + high);
}

/* The upper incomplete gamma function at degrees / 2, by its recurrence from 1/2 or 1. */
double rl_stats_chi2_tail(double chi2, size_t degrees)
{
    assert(chi2 >= 0 && degrees >= 1 && "chi-squared is not negative");
    const double x = chi2 / 2;
    double a = degrees % 2 ? 0.5 : 1;
    double tail = degrees % 2 ? erfc(sqrt(x)) : exp(-x);
    for (; x > 0 && 2 * a < (double)degrees; a++)
        tail += exp(a * log(x) - x - lgamma(a + 1));
    return fmin(1, x > 0 ? tail : 1);
}
