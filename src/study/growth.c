/* SPDX-License-Identifier: MIT
 *
 * How samples grow: weighted regression, intervals, which form fits best, and from which x on.
 *
 * The bootstrap is done once for each x: RL_GROWTH_ROUNDS resamplings, of which the mean and the
 * median are kept. Their spread gives the weight of the x in the regression, and fitting the k-th
 * resampling of every x together gives the k-th exponent; the percentiles of those are the
 * interval. Such an interval is about the noise of the trials, not about the form being wrong. So
 * the scatter about the curve is compared with the noise (chi-squared), and a curve that does not
 * fit gets the wider interval that follows from the scatter.
 */
#include <assert.h>
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

enum rl_growth_form rl_growth_claimed(const char *claim)
{
    if (strstr(claim, "exp"))
        return RL_GROWTH_EXPONENTIAL;
    return strstr(claim, "log") ? RL_GROWTH_POWER_LOG : RL_GROWTH_POWER;
}

/* Fits of fewer of the largest x would say little. */
enum { LEAST_LARGE = 4 };

/* Logarithms of one statistic at every x: of the sample and of its resamplings. */
struct column {
    double *observed;  /* one for each x */
    double *resampled; /* one for each x, round by round */
    double *weight;    /* one for each x */
    size_t stride;     /* from round to round */
};

/* Samples with their statistics: all, or the largest. */
struct points {
    const struct rl_growth_sample *samples;
    size_t count;
    struct column means, medians;
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
    double spread; /* weighted sum of squares of the abscissae about their mean */
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
    struct line line = {.slope = xy / xx, .spread = xx};
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
    const struct rl_growth_curve *curve = &growth->form[form];
    if (form == RL_GROWTH_LINE)
        return curve->factor + curve->exponent * x;
    return curve->factor * exp(curve->exponent * abscissa_of(form, x) + offset_of(form, x));
}

/* ---- the bootstrap ----------------------------------------------------------------------------
 */

/* One over the variance of column `i` of the resamplings. If all are the same (trials without
 * spread), as if the spread were the rounding of one part in 10^6. */
static double weight_of(const struct column *column, size_t i)
{
    const double *resampled = column->resampled + i;
    double mean = 0, squares = 0;
    for (size_t k = 0; k < RL_GROWTH_ROUNDS; k++)
        mean += resampled[k * column->stride] / RL_GROWTH_ROUNDS;
    for (size_t k = 0; k < RL_GROWTH_ROUNDS; k++)
        squares += pow(resampled[k * column->stride] - mean, 2) / (RL_GROWTH_ROUNDS - 1);
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
static void resample(const struct rl_growth_sample *sample, size_t i, struct scratch scratch,
                     struct column *means, struct column *medians)
{
    struct rl_random random;
    rl_random_init(&random, BOOTSTRAP_SEED, i, RL_PURPOSE_START);
    const size_t total = sample->count;
    assert(total > 0 && total <= UINT32_MAX);
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
        means->resampled[round * means->stride + i] =
            log(fmax(LEAST, drawn_mean(scratch.sorted, scratch.counts, total)));
        medians->resampled[round * medians->stride + i] =
            log(fmax(LEAST, drawn_median(scratch.sorted, scratch.counts, total)));
    }
    means->weight[i] = weight_of(means, i);
    medians->weight[i] = weight_of(medians, i);
}

/* ---- intervals --------------------------------------------------------------------------------
 */

static double noise_of(double chi2, size_t count)
{
    return rl_stats_chi2_tail(chi2, count - 2);
}

/* The percentiles of the slopes of all resamplings. */
static void slope_percentiles(const double *abscissa, const struct column *column, size_t count,
                              double *low_out, double *high_out)
{
    double slopes[RL_GROWTH_ROUNDS];
    for (size_t k = 0; k < RL_GROWTH_ROUNDS; k++)
        slopes[k] =
            fit_line(abscissa, column->resampled + k * column->stride, column->weight, count).slope;
    rl_stats_sort(slopes, RL_GROWTH_ROUNDS);
    *low_out = rl_stats_quantile(slopes, RL_GROWTH_ROUNDS, 0.025);
    *high_out = rl_stats_quantile(slopes, RL_GROWTH_ROUNDS, 0.975);
}

/* The interval of the slope of `line`, which was fitted to a column less something that is the same
 * in every resampling and has the slope `less`. */
static void slope_interval(const double *abscissa, const struct column *column, size_t count,
                           struct line line, double less, double *low_out, double *high_out)
{
    if (noise_of(line.chi2, count) < RL_GROWTH_DOUBT) {
        const double degrees = (double)(count - 2);
        const double reach =
            rl_stats_student(0.975, degrees) * sqrt(line.chi2 / degrees / line.spread);
        *low_out = line.slope - reach;
        *high_out = line.slope + reach;
        return;
    }
    slope_percentiles(abscissa, column, count, low_out, high_out);
    *low_out -= less;
    *high_out -= less;
}

/* ---- the forms --------------------------------------------------------------------------------
 */

/* A form that is a straight line in ln y; at.x are its abscissae then. */
static struct line fit_means(const struct points *points, enum rl_growth_form form,
                             struct abscissae at)
{
    for (size_t i = 0; i < points->count; i++) {
        at.x[i] = abscissa_of(form, points->samples[i].x);
        at.y[i] = points->means.observed[i] - offset_of(form, points->samples[i].x);
    }
    return fit_line(at.x, at.y, points->means.weight, points->count);
}

static struct rl_growth_curve fit_form(const struct points *points, enum rl_growth_form form,
                                       struct abscissae at)
{
    const struct line line = fit_means(points, form, at);
    for (size_t i = 0; i < points->count; i++)
        at.y[i] = offset_of(form, points->samples[i].x);
    const double less = fit_line(at.x, at.y, points->means.weight, points->count).slope;
    struct rl_growth_curve curve = {.factor = exp(line.offset),
                                    .exponent = line.slope,
                                    .chi2 = line.chi2,
                                    .noise = noise_of(line.chi2, points->count)};
    slope_interval(at.x, &points->means, points->count, line, less, &curve.low, &curve.high);
    return curve;
}

/* c + a x: fitted to y itself, with the weights that go with it, but judged by the logarithms like
 * the others. */
static struct rl_growth_curve fit_straight(const struct points *points, struct abscissae at)
{
    const struct column *means = &points->means;
    for (size_t i = 0; i < points->count; i++) {
        at.x[i] = points->samples[i].x;
        at.y[i] = exp(means->observed[i]);
        at.weight[i] = means->weight[i] / (at.y[i] * at.y[i]);
    }
    const struct line line = fit_line(at.x, at.y, at.weight, points->count);
    struct rl_growth_curve curve = {
        .factor = line.offset, .exponent = line.slope, .low = NAN, .high = NAN};
    for (size_t i = 0; i < points->count; i++) {
        const double fitted = fmax(line.offset + line.slope * at.x[i], LEAST);
        curve.chi2 += means->weight[i] * pow(means->observed[i] - log(fitted), 2);
    }
    curve.noise = noise_of(curve.chi2, points->count);
    return curve;
}

static void weigh_forms(struct rl_growth *out, int forms)
{
    double sum = 0;
    for (int form = 0; form < forms; form++)
        if (out->form[form].chi2 < out->form[out->best].chi2)
            out->best = (enum rl_growth_form)form;
    const double least = out->form[out->best].chi2;
    for (int form = 0; form < forms; form++)
        sum += exp(-0.5 * (out->form[form].chi2 - least));
    for (int form = 0; form < forms; form++)
        out->form[form].weight = exp(-0.5 * (out->form[form].chi2 - least)) / sum;
}

static size_t different(const struct rl_growth_sample *samples, size_t count)
{
    size_t number = count > 0;
    for (size_t i = 1; i < count; i++) {
        assert(samples[i - 1].x <= samples[i].x && "samples stand in order of x");
        number += samples[i - 1].x != samples[i].x;
    }
    return number;
}

static enum rl_status check_samples(const struct rl_growth_sample *samples, size_t count,
                                    size_t *most_out)
{
    *most_out = 0;
    for (size_t i = 0; i < count; i++) {
        if (samples[i].x < 2 || samples[i].count < 2)
            return RL_BAD_PARAMETER;
        *most_out = samples[i].count > *most_out ? samples[i].count : *most_out;
        bool positive = false;
        for (size_t k = 0; k < samples[i].count; k++)
            positive |= samples[i].values[k] > 0;
        if (!positive)
            return RL_BAD_PARAMETER;
    }
    return different(samples, count) >= 3 ? RL_OK : RL_BAD_PARAMETER;
}

static double smallest(const double *values, size_t count)
{
    double least = values[0];
    for (size_t i = 1; i < count; i++)
        least = fmin(least, values[i]);
    return least;
}

static void fit_points(const struct points *points, bool with_line, struct abscissae at,
                       struct rl_growth *out)
{
    const struct column *medians = &points->medians;
    *out = (struct rl_growth){.from = points->samples[0].x, .count = points->count};
    for (int form = 0; form < RL_GROWTH_LINE; form++)
        out->form[form] = fit_form(points, (enum rl_growth_form)form, at);
    out->form[RL_GROWTH_LINE] = fit_straight(points, at);
    weigh_forms(out, with_line ? RL_GROWTH_FORMS : RL_GROWTH_LINE);
    out->median_exponent = out->median_low = out->median_high = NAN;
    if (smallest(medians->observed, points->count) < 0)
        return;
    for (size_t i = 0; i < points->count; i++)
        at.x[i] = log(points->samples[i].x);
    const struct line line = fit_line(at.x, medians->observed, medians->weight, points->count);
    out->median_exponent = line.slope;
    slope_interval(at.x, medians, points->count, line, 0, &out->median_low, &out->median_high);
}

static struct column column_from(struct column column, size_t first)
{
    return (struct column){column.observed + first, column.resampled + first, column.weight + first,
                           column.stride};
}

static struct points points_from(const struct points *points, size_t first)
{
    return (struct points){points->samples + first, points->count - first,
                           column_from(points->means, first), column_from(points->medians, first)};
}

/* The most of the largest points that the form fits; all of them if it fits none. */
static struct points large_points(const struct points *all, enum rl_growth_form form,
                                  struct abscissae at)
{
    for (size_t first = 0; first < all->count; first++) {
        const struct points large = points_from(all, first);
        if (different(large.samples, large.count) < LEAST_LARGE)
            break;
        if (noise_of(fit_means(&large, form, at).chi2, large.count) >= RL_GROWTH_DOUBT)
            return large;
    }
    return *all;
}

enum rl_status rl_growth_fit(const struct rl_growth_sample *samples, size_t count, bool with_line,
                             enum rl_growth_form form, struct rl_growth *all_out,
                             struct rl_growth *large_out)
{
    size_t most;
    assert(form != RL_GROWTH_LINE && "a line is compared, not claimed");
    if (check_samples(samples, count, &most))
        return RL_BAD_PARAMETER;
    const size_t columns = RL_GROWTH_ROUNDS * count + 2 * count;
    double *memory = malloc((2 * columns + 3 * count + 2 * most) * sizeof *memory);
    if (!memory)
        return RL_NO_MEMORY;
    double *rest = memory + 2 * columns;
    const struct abscissae at = {rest, rest + count, rest + 2 * count};
    void *const picks = rest + 3 * count + most;
    const struct scratch scratch = {rest + 3 * count, picks};
    struct points points = {samples, count, {memory, memory + 2 * count, memory + count, count}};
    points.medians = (struct column){memory + columns, memory + columns + 2 * count,
                                     memory + columns + count, count};
    for (size_t i = 0; i < count; i++)
        resample(&samples[i], i, scratch, &points.means, &points.medians);
    fit_points(&points, with_line, at, all_out);
    if (large_out) {
        const struct points large = large_points(&points, form, at);
        fit_points(&large, with_line, at, large_out);
    }
    free(memory);
    return RL_OK;
}
