/* SPDX-License-Identifier: MIT
 *
 * The two statistical tests that the agreement tests use, each with its error probability.
 *
 * Seeds are fixed, so a test that passes once passes always; the error probability says how likely
 * a right program was to fail on the day the seed was chosen. All thresholds are set for one in a
 * million a test. See docs/decisions/010-statistical-tests.md.
 */
#ifndef RINGLEADER_TEST_STATISTICS_H
#define RINGLEADER_TEST_STATISTICS_H

#include <math.h>
#include <stdlib.h>

#include "test.h"

/* Standard normal quantile of 1 - 10^-6. */
#define ONE_SIDED 4.753

/* How far a chi-square value lies above its expectation, as a standard normal variable (the cube
 * root of Wilson and Hilferty, good to a few per cent of the tail for the sizes used here). */
static inline double chi_square_deviation(double value, double degrees)
{
    const double spread = 2 / (9 * degrees);
    return (cbrt(value / degrees) - (1 - spread)) / sqrt(spread);
}

/* Pearson's test of counts against probabilities: observed[i] of `trials` had value i, of which
 * value i has probability[i], for i < count; observed[count] had larger ones. Neighbours are pooled
 * until each class expects 20. Fails with probability 10^-6 if that is the distribution. */
static inline void assert_distributed(const char *what, const uint64_t *observed,
                                      const double *probability, size_t count, uint64_t trials)
{
    double value = 0, seen = 0, expected = 0, remaining = (double)trials;
    size_t classes = 0;
    for (size_t i = 0; i <= count; i++) {
        const double expects = i < count ? probability[i] * (double)trials : remaining;
        seen += (double)observed[i];
        expected += expects;
        remaining -= expects;
        if (i < count && (expected < 20 || remaining < 20))
            continue;
        value += (seen - expected) * (seen - expected) / expected;
        classes++;
        seen = expected = 0;
    }
    assert_true(classes >= 2);
    const double deviation = chi_square_deviation(value, (double)classes - 1);
    if (deviation > ONE_SIDED)
        fail_msg("%s: chi-square %g in %zu classes, %.1f standard deviations too large", what,
                 value, classes, deviation);
}

static inline int compare_counts(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The test of Kolmogorov and Smirnov for two samples of the same size, which it sorts: fails with
 * probability 10^-6 at most if they have one distribution (less, if values coincide). */
static inline void assert_same_distribution(const char *what, uint64_t *a, uint64_t *b, size_t size)
{
    qsort(a, size, sizeof *a, compare_counts);
    qsort(b, size, sizeof *b, compare_counts);
    size_t i = 0, j = 0, widest = 0;
    while (i < size && j < size) {
        const uint64_t at = a[i] < b[j] ? a[i] : b[j];
        while (i < size && a[i] == at)
            i++;
        while (j < size && b[j] == at)
            j++;
        const size_t apart = i > j ? i - j : j - i;
        widest = apart > widest ? apart : widest;
    }
    /* P(D > x sqrt(2 / size)) = 2 exp(-2 x^2), so x^2 = ln(2e6) / 2. */
    const double most = sqrt(log(2e6) / 2) * sqrt(2.0 * (double)size);
    if ((double)widest > most)
        fail_msg("%s: the samples differ by %zu of %zu; %.0f would be bad luck", what, widest, size,
                 most);
}

#endif
