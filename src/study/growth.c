/* SPDX-License-Identifier: MIT
 *
 * How samples grow: weighted regression, bootstrap intervals, and which form fits best.
 *
 * The bootstrap is done once for each x: RL_GROWTH_ROUNDS resamplings, of which the mean and the
 * median are kept. Their spread gives the weight of the x in the regression, and fitting the k-th
 * resampling of every x together gives the k-th exponent; the percentiles of those are the
 * interval. The interval is about the noise of the trials, not about the form being wrong: for the
 * latter look at the weights of the forms and at the plot.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/growth.h"
#include "ringleader/random.h"
#include "ringleader/stats.h"

static const uint64_t BOOTSTRAP_SEED = 20201208;

/* A resampling of trials that took no step at all has no logarithm; half a step stands for it. */
static const double LEAST = 0.5;

const char *rl_growth_name(enum rl_growth_form form)
{
    static const char *const names[] = {"n^a", "n^a log n", "exp(a n)", "c + a n"};
    return names[form];
}

/* Logarithms of one statistic at every x: of the sample and of its resamplings. */
struct column {
    double *observed;  /* count */
    double *resampled; /* RL_GROWTH_ROUNDS * count, round by round */
    double *weight;    /* count */
};

/* Room for the largest sample. */
struct scratch {
    double *sorted;
    uint32_t *counts;
};

/* Room for what one fit is made from. */
struct abscissae {
    double *x, *y, *weight;
};

struct line {
    double slope, offset, chi2;
};

/* ln y = slope * abscissa + offset. */
static struct line fit_line(const double *abscissa, const double *y, const double *weight,
                            size_t count)
{
    double w = 0, x_mean = 0, y_mean = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        w += weight[i];
        x_mean += weight[i] * abscissa[i];
        y_mean += weight[i] * y[i];
    }
    x_mean /= w;
    y_mean /= w;
    for (size_t i = 0; i < count; i++) {
        xx += weight[i] * (abscissa[i] - x_mean) * (abscissa[i] - x_mean);
        xy += weight[i] * (abscissa[i] - x_mean) * (y[i] - y_mean);
    }
    struct line line = {.slope = xy / xx};
    line.offset = y_mean - line.slope * x_mean;
    for (size_t i = 0; i < count; i++) {
        const double rest = y[i] - line.offset - line.slope * abscissa[i];
        line.chi2 += weight[i] * rest * rest;
    }
    return line;
}

/* The form as a straight line: the abscissa, and what is taken off ln y first. */
static double abscissa_of(enum rl_growth_form form, double x)
{
    return form == RL_GROWTH_EXPONENTIAL ? x : log(x);
}
static double offset_of(enum rl_growth_form form, double x)
{
    return form == RL_GROWTH_POWER_LOG ? log(log(x)) : 0;
}

double rl_growth_at(const struct rl_growth *growth, enum rl_growth_form form, double x)
{
    if (form == RL_GROWTH_LINE)
        return growth->factor[form] + growth->exponent[form] * x;
    return growth->factor[form] *
           exp(growth->exponent[form] * abscissa_of(form, x) + offset_of(form, x));
}

/* ---- the bootstrap ----------------------------------------------------------------------------
 */

/* One over the variance of column `i` of the resamplings. If all are the same (trials without
 * spread), as if the spread were the rounding of one part in 10^6. */
static double weight_of(const double *resampled, size_t count, size_t i)
{
    double mean = 0, squares = 0;
    for (size_t k = 0; k < RL_GROWTH_ROUNDS; k++)
        mean += resampled[k * count + i] / RL_GROWTH_ROUNDS;
    for (size_t k = 0; k < RL_GROWTH_ROUNDS; k++)
        squares += pow(resampled[k * count + i] - mean, 2) / (RL_GROWTH_ROUNDS - 1);
    return 1 / fmax(squares, 1e-12);
}

/* The mean and the median of the values that were drawn counts[k] times each, `total` in all. */
static double drawn_mean(const double *sorted, const uint32_t *counts, size_t total)
{
    double sum = 0;
    for (size_t k = 0; k < total; k++)
        sum += counts[k] * sorted[k];
    return sum / (double)total;
}

static double drawn_median(const double *sorted, const uint32_t *counts, size_t total)
{
    const size_t lower = (total - 1) / 2, upper = total / 2;
    size_t k = 0, passed = counts[0];
    while (passed <= lower)
        passed += counts[++k];
    const double low = sorted[k];
    while (passed <= upper)
        passed += counts[++k];
    return 0.5 * (low + sorted[k]);
}

/* The statistics of sample `i` and of its resamplings, which are drawn as counts over the sorted
 * values: no resampling needs sorting. */
static void resample(const struct rl_growth_sample *sample, size_t i, size_t count,
                     struct scratch scratch, struct column *means, struct column *medians)
{
    struct rl_random random;
    rl_random_init(&random, BOOTSTRAP_SEED, i, RL_PURPOSE_START);
    const size_t total = sample->count;
    memcpy(scratch.sorted, sample->values, total * sizeof *scratch.sorted);
    rl_stats_sort(scratch.sorted, total);
    for (size_t k = 0; k < total; k++)
        scratch.counts[k] = 1;
    means->observed[i] = log(fmax(LEAST, drawn_mean(scratch.sorted, scratch.counts, total)));
    medians->observed[i] = log(fmax(LEAST, drawn_median(scratch.sorted, scratch.counts, total)));
    for (size_t round = 0; round < RL_GROWTH_ROUNDS; round++) {
        memset(scratch.counts, 0, total * sizeof *scratch.counts);
        for (size_t k = 0; k < total; k++)
            scratch.counts[rl_random_below(&random, total)]++;
        means->resampled[round * count + i] =
            log(fmax(LEAST, drawn_mean(scratch.sorted, scratch.counts, total)));
        medians->resampled[round * count + i] =
            log(fmax(LEAST, drawn_median(scratch.sorted, scratch.counts, total)));
    }
    means->weight[i] = weight_of(means->resampled, count, i);
    medians->weight[i] = weight_of(medians->resampled, count, i);
}

static void power_interval(const double *abscissa, const struct column *column, size_t count,
                           double *low_out, double *high_out)
{
    double slopes[RL_GROWTH_ROUNDS];
    for (size_t k = 0; k < RL_GROWTH_ROUNDS; k++)
        slopes[k] = fit_line(abscissa, column->resampled + k * count, column->weight, count).slope;
    rl_stats_sort(slopes, RL_GROWTH_ROUNDS);
    *low_out = rl_stats_quantile(slopes, RL_GROWTH_ROUNDS, 0.025);
    *high_out = rl_stats_quantile(slopes, RL_GROWTH_ROUNDS, 0.975);
}

/* ---- the forms --------------------------------------------------------------------------------
 */

/* A form that is a straight line in ln y. */
static void fit_form(const struct rl_growth_sample *samples, size_t count,
                     const struct column *means, enum rl_growth_form form, struct abscissae at,
                     struct rl_growth *out)
{
    for (size_t i = 0; i < count; i++) {
        at.x[i] = abscissa_of(form, samples[i].x);
        at.y[i] = means->observed[i] - offset_of(form, samples[i].x);
    }
    const struct line line = fit_line(at.x, at.y, means->weight, count);
    out->exponent[form] = line.slope;
    out->factor[form] = exp(line.offset);
    out->chi2[form] = line.chi2;
}

/* c + a x: fitted to y itself, with the weights that go with it, but judged by the logarithms like
 * the others. */
static void fit_straight(const struct rl_growth_sample *samples, size_t count,
                         const struct column *means, struct abscissae at, struct rl_growth *out)
{
    for (size_t i = 0; i < count; i++) {
        at.x[i] = samples[i].x;
        at.y[i] = exp(means->observed[i]);
        at.weight[i] = means->weight[i] / (at.y[i] * at.y[i]);
    }
    const struct line line = fit_line(at.x, at.y, at.weight, count);
    out->exponent[RL_GROWTH_LINE] = line.slope;
    out->factor[RL_GROWTH_LINE] = line.offset;
    out->chi2[RL_GROWTH_LINE] = 0;
    for (size_t i = 0; i < count; i++) {
        const double fitted = fmax(line.offset + line.slope * samples[i].x, LEAST);
        out->chi2[RL_GROWTH_LINE] += means->weight[i] * pow(means->observed[i] - log(fitted), 2);
    }
}

static void weigh_forms(struct rl_growth *out, int forms)
{
    double sum = 0;
    for (int form = 0; form < forms; form++)
        if (out->chi2[form] < out->chi2[out->best])
            out->best = (enum rl_growth_form)form;
    for (int form = 0; form < forms; form++)
        sum += exp(-0.5 * (out->chi2[form] - out->chi2[out->best]));
    for (int form = 0; form < forms; form++)
        out->weight[form] = exp(-0.5 * (out->chi2[form] - out->chi2[out->best])) / sum;
}

static enum rl_status check_samples(const struct rl_growth_sample *samples, size_t count,
                                    size_t *most_out)
{
    size_t different = 0;
    *most_out = 0;
    for (size_t i = 0; i < count; i++) {
        bool fresh = true;
        for (size_t k = 0; k < i; k++)
            fresh = fresh && samples[k].x != samples[i].x;
        different += fresh;
        if (samples[i].x < 2 || samples[i].count < 2)
            return RL_BAD_PARAMETER;
        *most_out = samples[i].count > *most_out ? samples[i].count : *most_out;
        bool positive = false;
        for (size_t k = 0; k < samples[i].count; k++)
            positive |= samples[i].values[k] > 0;
        if (!positive)
            return RL_BAD_PARAMETER;
    }
    return different >= 3 ? RL_OK : RL_BAD_PARAMETER;
}

static double smallest(const double *values, size_t count)
{
    double least = values[0];
    for (size_t i = 1; i < count; i++)
        least = fmin(least, values[i]);
    return least;
}

static void fit_all(const struct rl_growth_sample *samples, size_t count, bool with_line,
                    const struct column *means, const struct column *medians, struct abscissae at,
                    struct rl_growth *out)
{
    for (int form = 0; form < RL_GROWTH_LINE; form++)
        fit_form(samples, count, means, (enum rl_growth_form)form, at, out);
    fit_straight(samples, count, means, at, out);
    weigh_forms(out, with_line ? RL_GROWTH_FORMS : RL_GROWTH_LINE);
    for (size_t i = 0; i < count; i++)
        at.x[i] = log(samples[i].x);
    power_interval(at.x, means, count, &out->low, &out->high);
    out->median_exponent = out->median_low = out->median_high = NAN;
    if (smallest(medians->observed, count) < 0)
        return;
    out->median_exponent = fit_line(at.x, medians->observed, medians->weight, count).slope;
    power_interval(at.x, medians, count, &out->median_low, &out->median_high);
}

enum rl_status rl_growth_fit(const struct rl_growth_sample *samples, size_t count, bool with_line,
                             struct rl_growth *growth_out)
{
    size_t most;
    *growth_out = (struct rl_growth){0};
    if (check_samples(samples, count, &most))
        return RL_BAD_PARAMETER;
    const size_t columns = RL_GROWTH_ROUNDS * count + 2 * count;
    double *memory = malloc((2 * columns + 3 * count + 2 * most) * sizeof *memory);
    if (!memory)
        return RL_NO_MEMORY;
    double *rest = memory + 2 * columns;
    const struct abscissae at = {rest, rest + count, rest + 2 * count};
    const struct scratch scratch = {rest + 3 * count, (uint32_t *)(rest + 3 * count + most)};
    struct column means = {memory, memory + 2 * count, memory + count};
    struct column medians = {memory + columns, memory + columns + 2 * count,
                             memory + columns + count};
    for (size_t i = 0; i < count; i++)
        resample(&samples[i], i, count, scratch, &means, &medians);
    fit_all(samples, count, with_line, &means, &medians, at, growth_out);
    free(memory);
    return RL_OK;
}
