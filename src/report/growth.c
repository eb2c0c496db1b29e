/* SPDX-License-Identifier: MIT
 *
 * How means grow: tests the claim, and finds the form that fits best without it.
 *
 * All fits are weighted straight lines. The weight of a mean follows from the relative variance of
 * its trials. Few trials say little about it, and in skewed samples a mean that is too small comes
 * with a variance that is too small. So every x borrows from all others, as if PRIOR more trials
 * had the variance of all together. Intervals are Student's, on a logarithmic scale: steps to a
 * target are skewed, and there such intervals contain the truth more often.
 *
 * The means often cannot tell which of the two corrections is the true one, and the limit depends
 * on it. Then the interval covers both. docs/coverage-of-intervals.md says how often intervals
 * contain the truth.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "report/parts.h"
#include "study/inside.h"

static const double PRIOR = 100;

/* A correction whose chi-squared is larger by more is ruled out: one in 370 by chance. */
static const double RULED_OUT = 9;

const char *rl_growth_name(enum rl_growth_form form)
{
    static const char *const names[] = {"n^a", "n^a log n", "exp(a n)"};
    return names[form];
}

/* ---- claims ---- */

enum rl_growth_form rl_growth_claimed(const char *claim)
{
    if (strstr(claim, "exp"))
        return RL_GROWTH_EXPONENTIAL;
    return strstr(claim, "log") ? RL_GROWTH_POWER_LOG : RL_GROWTH_POWER;
}

/* The value of the longest name that the text begins with; 0 if it begins with none. */
static double read_name(const char **at, const struct rl_protocol *protocol,
                        const struct rl_params *params)
{
    size_t longest = **at == 'n';
    double value = longest ? params->n : 0;
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        const size_t length = strlen(protocol->parameters[i].name);
        if (length > longest && strncmp(*at, protocol->parameters[i].name, length) == 0) {
            longest = length;
            value = params->value[i];
        }
    }
    *at += longest;
    return value;
}

static double read_power(const char **at)
{
    char *end;
    if (**at != '^')
        return 1;
    const double power = plain_read(*at + 1, &end);
    *at = end;
    return power;
}

double rl_growth_claimed_at(const char *claim, const struct rl_protocol *protocol,
                            const struct rl_params *params)
{
    const char *at = strchr(claim, '('), *const end = strchr(claim, ')');
    double product = 1;
    if (!at || !end || at + 1 >= end)
        return 0;
    at++;
    while (at < end) {
        const char *const before = at;
        const bool logarithm = strncmp(at, "log", 3) == 0;
        at += logarithm ? 3 : 0;
        double power = read_power(&at);
        at += strspn(at, " ");
        const double name = read_name(&at, protocol, params);
        if (!logarithm)
            power = read_power(&at);
        at += strspn(at, " ");
        product *= pow(logarithm ? log2(name) : name, power);
        if (at == before || name <= 0)
            return 0;
    }
    return isfinite(product) && product > 0 ? product : 0;
}

/* ---- straight lines ---- */

struct work {
    const struct rl_growth_sample *samples;
    size_t count;
    double degrees;           /* of the variances, all x together, ... */
    double reach;             /* ... and how many standard errors an interval reaches then */
    bool intervals;           /* whether there are trials enough */
    double *relative, *x, *y; /* relative variance of the mean; what the line is fitted to */
    double *weight;
};

struct line {
    double slope, offset, chi2;
    double slope_error, offset_error;
};

/* The relative variance of each mean. In skewed samples the estimate is too small by about one part
 * in the number of trials. */
static void weigh_means(struct work *work)
{
    double pooled = 0;
    work->degrees = 0;
    work->intervals = true;
    for (size_t i = 0; i < work->count; i++) {
        const struct rl_growth_sample *sample = &work->samples[i];
        const double trials = (double)sample->count;
        work->relative[i] = pow(sample->deviation / sample->mean, 2) * (1 + 1 / trials);
        pooled += (trials - 1) * work->relative[i];
        work->degrees += trials - 1;
        work->intervals &= sample->count >= RL_GROWTH_TRIALS;
    }
    pooled /= work->degrees;
    work->reach = rl_stats_student(0.975, work->degrees);
    for (size_t i = 0; i < work->count; i++) {
        const double own = (double)work->samples[i].count - 1;
        const double variance = (PRIOR * pooled + own * work->relative[i]) / (PRIOR + own);
        work->relative[i] = fmax(variance, 1e-12) / (own + 1);
    }
}

static struct line fit_once(const struct work *work)
{
    double w = 0, x_mean = 0, y_mean = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < work->count; i++) {
        w += work->weight[i];
        x_mean += work->weight[i] * work->x[i];
        y_mean += work->weight[i] * work->y[i];
    }
    x_mean /= w;
    y_mean /= w;
    for (size_t i = 0; i < work->count; i++) {
        const double apart = work->x[i] - x_mean;
        xx += work->weight[i] * apart * apart;
        xy += work->weight[i] * apart * (work->y[i] - y_mean);
    }
    struct line line = {.slope = xy / xx, .slope_error = 1 / sqrt(xx)};
    line.offset = y_mean - line.slope * x_mean;
    line.offset_error = sqrt(1 / w + x_mean * x_mean / xx);
    for (size_t i = 0; i < work->count; i++) {
        const double rest = work->y[i] - line.offset - line.slope * work->x[i];
        line.chi2 += work->weight[i] * rest * rest;
    }
    return line;
}

/* Of logarithms: the relative variances are their variances, but for terms of higher order. */
static struct line fit_logarithms(struct work *work)
{
    for (size_t i = 0; i < work->count; i++)
        work->weight[i] = 1 / (work->relative[i] * (1 + work->relative[i] / 2));
    return fit_once(work);
}

/* Of the means themselves: the variance goes by where the line passes, which does not know of the
 * noise of that mean. */
static struct line fit_means(struct work *work)
{
    struct line line = {0};
    for (int round = 0; round < 6; round++) {
        for (size_t i = 0; i < work->count; i++) {
            const double passed = line.offset + line.slope * work->x[i];
            const double about = round ? fmax(passed, work->y[i] / 5) : work->y[i];
            work->weight[i] = 1 / (work->relative[i] * about * about);
        }
        line = fit_once(work);
    }
    return line;
}

/* The variances are themselves measured: hence not chi-squared's tail. */
static double noise_of(const struct work *work, double chi2)
{
    const double degrees = (double)(work->count - 2);
    return rl_stats_f_tail(chi2 / degrees, degrees, work->degrees);
}

/* How far an interval reaches, for a standard error of 1: where the line does not fit, the scatter
 * of the means tells their error. NaN: no interval. */
static double reach_of(const struct work *work, double chi2)
{
    const double degrees = (double)(work->count - 2);
    if (!work->intervals)
        return NAN;
    if (noise_of(work, chi2) >= RL_GROWTH_DOUBT)
        return work->reach;
    return rl_stats_student(0.975, degrees) * sqrt(chi2 / degrees);
}

/* ---- the claim ---- */

double rl_growth_ratio_at(const struct rl_growth_test *test, double x)
{
    return test->factor + test->bend / (test->root ? sqrt(x) : x);
}

static struct rl_growth_test fit_claim(struct work *work, bool root)
{
    for (size_t i = 0; i < work->count; i++) {
        const struct rl_growth_sample *sample = &work->samples[i];
        work->x[i] = 1 / (root ? sqrt(sample->x) : sample->x);
        work->y[i] = sample->mean / sample->claimed;
    }
    const struct line line = fit_means(work);
    struct rl_growth_test test = {.factor = line.offset,
                                  .bend = line.slope,
                                  .root = root,
                                  .chi2 = line.chi2,
                                  .degrees = work->count - 2,
                                  .noise = noise_of(work, line.chi2)};
    const double reach = reach_of(work, line.chi2) * line.offset_error;
    const bool narrow = reach < test.factor;
    test.low = narrow ? test.factor * exp(-reach / test.factor) : test.factor - reach;
    test.high = narrow ? test.factor * exp(reach / test.factor) : test.factor + reach;
    return test;
}

/* Whether mean over claimed falls (-1) or rises (1), beyond doubt. */
static int trend_of(struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        work->x[i] = log(work->samples[i].x);
        work->y[i] = log(work->samples[i].mean / work->samples[i].claimed);
    }
    const struct line line = fit_logarithms(work);
    const double reach = reach_of(work, line.chi2) * line.slope_error;
    return (line.slope - reach > 0) - (line.slope + reach < 0);
}

/* Whether the limit is there to be seen: not a multiple or a small part of the last ratio. */
static bool is_near(const struct work *work, const struct rl_growth_test *test)
{
    const double last = rl_growth_ratio_at(test, work->samples[work->count - 1].x);
    return test->low > 0 && test->factor < 2 * last && last < 2 * test->factor;
}

static struct rl_growth_test test_claim(struct work *work)
{
    for (size_t i = 0; i < work->count; i++)
        if (!(work->samples[i].claimed > 0))
            return (struct rl_growth_test){.verdict = RL_GROWTH_UNTESTED};
    const struct rl_growth_test plain = fit_claim(work, false), root = fit_claim(work, true);
    const struct rl_growth_test other = plain.chi2 <= root.chi2 ? root : plain;
    struct rl_growth_test test = plain.chi2 <= root.chi2 ? plain : root;
    if (other.chi2 - test.chi2 <= RULED_OUT) {
        test.low = fmin(test.low, other.low);
        test.high = fmax(test.high, other.high);
    }
    const bool fits = test.noise >= RL_GROWTH_DOUBT;
    const int trend = trend_of(work);
    if (!work->intervals)
        test.verdict = RL_GROWTH_UNDECIDED;
    else if (fits && is_near(work, &test))
        test.verdict = RL_GROWTH_AGREES;
    else if (trend < 0)
        test.verdict = RL_GROWTH_SLOWER;
    else if (fits)
        test.verdict = RL_GROWTH_UNDECIDED;
    else
        test.verdict = trend > 0 ? RL_GROWTH_DISAGREES : RL_GROWTH_UNEVEN;
    return test;
}

/* ---- words ---- */

/* "5.01 ± 0.08 times nN", or with the interval itself where it is wide. */
static void tell_factor(const struct rl_growth_test *test, const char *claim, char *text,
                        size_t size)
{
    const double half = (test->high - test->low) / 2;
    const int digits = half > 0 ? (int)fmax(0, fmin(9, 1 - floor(log10(half)))) : 3;
    const char *const what = strchr(claim, '(') + 1;
    const int length = (int)strcspn(what, ")");
    if (half > 0.1 * test->factor || test->factor - test->low > 1.5 * half ||
        test->high - test->factor > 1.5 * half)
        plain_print(text, size, "%.*f (%.*f .. %.*f) times %.*s", digits, test->factor, digits,
                    test->low, digits, test->high, length, what);
    else
        plain_print(text, size, "%.*f ± %.*f times %.*s", digits, test->factor, digits, half,
                    length, what);
}

void rl_growth_print(const struct rl_growth *growth, enum rl_growth_form form, const char *x,
                     char text[RL_GROWTH_PRINTED])
{
    const double a = growth->form[form].exponent;
    if (form == RL_GROWTH_EXPONENTIAL)
        plain_print(text, RL_GROWTH_PRINTED, "%.2f^%s", exp(a), x);
    else if (form == RL_GROWTH_POWER)
        plain_print(text, RL_GROWTH_PRINTED, "%s^%.2f", x, a);
    else
        plain_print(text, RL_GROWTH_PRINTED, "%s^%.2f log %s", x, a, x);
}

void rl_growth_tell(const struct rl_growth *growth, const char *claim, const char *x,
                    struct rl_text *text)
{
    static const char *const words[] = {
        [RL_GROWTH_UNTESTED] = "nothing is claimed that can be tested",
        [RL_GROWTH_AGREES] = "agrees with %s: %s",
        [RL_GROWTH_SLOWER] = "agrees with %s, and grows more slowly",
        [RL_GROWTH_UNEVEN] = ("agrees with %s but for jumps: mean over claimed neither rises "
                              "nor falls, but noise does not explain it (%s)"),
        [RL_GROWTH_DISAGREES] = "does not agree with %s: mean over claimed rises (%s)",
        [RL_GROWTH_UNDECIDED] = "too few trials to say whether it agrees with %s"};
    const struct rl_growth_test *test = &growth->test;
    const bool exponential = growth->best == RL_GROWTH_EXPONENTIAL;
    const char *told = words[test->verdict];
    char detail[2 * RL_PLAN_CLAIM];
    plain_print(detail, sizeof detail, "chi-squared %.0f at %zu degrees of freedom", test->chi2,
                test->degrees);
    if (test->verdict == RL_GROWTH_AGREES)
        tell_factor(test, claim, detail, sizeof detail);
    if (test->verdict == RL_GROWTH_SLOWER && strncmp(claim, "O(", 2) != 0)
        told = "does not agree with %s: grows more slowly";
    /* An exponential has no factor to test: it is set against the powers. */
    if (test->verdict == RL_GROWTH_UNTESTED && rl_growth_claimed(claim) == RL_GROWTH_EXPONENTIAL) {
        rl_growth_print(growth, growth->best, x, detail);
        claim = detail;
        told = exponential ? "an exponential, %s, fits better than a power"
                           : "over these sizes %s fits better than an exponential";
    }
    rl_text_format(text, told, claim, detail);
}

/* ---- forms without the claim ---- */

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
    return curve->factor * exp(curve->exponent * abscissa_of(form, x) + offset_of(form, x));
}

static struct rl_growth_curve fit_form(struct work *work, enum rl_growth_form form)
{
    for (size_t i = 0; i < work->count; i++) {
        const struct rl_growth_sample *sample = &work->samples[i];
        work->x[i] = abscissa_of(form, sample->x);
        work->y[i] = log(sample->mean) - offset_of(form, sample->x);
    }
    const struct line line = fit_logarithms(work);
    const double reach = reach_of(work, line.chi2) * line.slope_error;
    return (struct rl_growth_curve){.factor = exp(line.offset),
                                    .exponent = line.slope,
                                    .low = line.slope - reach,
                                    .high = line.slope + reach,
                                    .chi2 = line.chi2,
                                    .noise = noise_of(work, line.chi2)};
}

static void weigh_forms(struct rl_growth *out)
{
    double sum = 0;
    for (int form = 0; form < RL_GROWTH_FORMS; form++)
        if (out->form[form].chi2 < out->form[out->best].chi2)
            out->best = (enum rl_growth_form)form;
    const double least = out->form[out->best].chi2;
    for (int form = 0; form < RL_GROWTH_FORMS; form++)
        sum += exp(-0.5 * (out->form[form].chi2 - least));
    for (int form = 0; form < RL_GROWTH_FORMS; form++)
        out->form[form].weight = exp(-0.5 * (out->form[form].chi2 - least)) / sum;
}

/* ---- all of it ---- */

static bool can_be_fitted(const struct rl_growth_sample *samples, size_t count)
{
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        assert((i == 0 || samples[i - 1].x <= samples[i].x) && "samples stand in order of x");
        different += i == 0 || samples[i - 1].x != samples[i].x;
        if (samples[i].x < 2 || samples[i].count < 2 || !(samples[i].mean > 0))
            return false;
    }
    return different >= 3;
}

enum rl_status rl_growth_fit(const struct rl_growth_sample *samples, size_t count,
                             struct rl_growth *out)
{
    *out = (struct rl_growth){.count = count};
    if (!can_be_fitted(samples, count))
        return RL_BAD_PARAMETER;
    double *const memory = malloc(4 * count * sizeof *memory);
    if (!memory)
        return RL_NO_MEMORY;
    struct work work = {.samples = samples,
                        .count = count,
                        .relative = memory,
                        .x = memory + count,
                        .y = memory + 2 * count,
                        .weight = memory + 3 * count};
    weigh_means(&work);
    out->test = test_claim(&work);
    for (int form = 0; form < RL_GROWTH_FORMS; form++)
        out->form[form] = fit_form(&work, (enum rl_growth_form)form);
    weigh_forms(out);
    free(memory);
    return RL_OK;
}
