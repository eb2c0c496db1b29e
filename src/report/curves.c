/* SPDX-License-Identifier: MIT
 *
 * Curves: a gauge over time, for all protocols of a study in one figure.
 *
 * If leaders meet like random walks, about n^1.5/sqrt(t) are left after t steps; if they shoot at
 * each other, n^2/t. Each law is drawn beside the first curve that it fits, and the caption has the
 * factor for every curve.
 */
#include <math.h>
#include <string.h>

#include "report/parts.h"
#include "draw/inside.h"
#include "study/inside.h"

enum { CAPTION = 2400, LAW_STEPS = 4 };
static const double LAW_SPREAD = 1.4;

struct law {
    const char *name;
    double power; /* n^(1 + power) / t^power */
    bool drawn;
};

bool report_has_curves(const struct rl_summary *summary)
{
    bool any = false;
    for (size_t i = 0; i < summary->plan.count; i++)
        any |= summary->points[i].curve_count > 0;
    return any;
}

/* Whether another point has the same curve on a larger ring, or further up in the plan. */
static bool is_outdone(const struct rl_summary *summary, const struct rl_point *point)
{
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_point *other = &summary->plan.points[i];
        if (summary->points[i].curve_count && other->run.protocol == point->run.protocol &&
            strcmp(other->curve, point->curve) == 0 &&
            strcmp(other->run.start, point->run.start) == 0 &&
            other->run.fault_count == point->run.fault_count &&
            (other->run.params.n > point->run.params.n ||
             (other->run.params.n == point->run.params.n && other < point)))
            return true;
    }
    return false;
}

static double law_at(const struct law *law, double n, double step)
{
    return n * pow(n / step, law->power);
}

static void add_curve(struct figure *figure, const struct rl_summary_point *point)
{
    const double n = point->point->run.params.n;
    size_t count = 0, first = 1;
    struct rl_plot_series *series = report_new_series(
        figure, RL_PLOT_LINE, (unsigned)figure->plot.count, point->curve_count, "%s, %s, n=%.0f",
        point->point->run.protocol->name, point->point->run.start, n);
    /* Of the time in which nothing happens the end is enough. */
    while (first + 1 < point->curve_count &&
           fabs(point->curve[first + 1].stats.mean - point->curve[0].stats.mean) <
               0.01 * point->curve[0].stats.mean)
        first++;
    for (size_t k = first; k < series->count; k++)
        if (point->curve[k].stats.mean > 0) {
            series->x[count] = (double)rl_curve_step(k) / (n * n);
            series->y[count++] = point->curve[k].stats.mean;
        }
    series->count = count;
}

/* The factor of a law between a sixteenth of the ring and two leaders, where it must hold up to
 * LAW_SPREAD; 0: it does not fit. */
static double fit_law(const struct law *law, const struct rl_summary_point *point)
{
    const double n = point->point->run.params.n;
    double least = INFINITY, most = 0, sum = 0;
    size_t count = 0;
    for (size_t k = 1; k < point->curve_count; k++) {
        const double mean = point->curve[k].stats.mean;
        const double ratio = mean / law_at(law, n, (double)rl_curve_step(k));
        if (mean < 2 || mean > n / 16)
            continue;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
        sum += log(ratio);
        count++;
    }
    return count >= LAW_STEPS && most <= LAW_SPREAD * least ? exp(sum / (double)count) : 0;
}

/* Tells which law a curve fits, and draws it from a quarter of the ring to one leader. */
static void add_law(struct figure *figure, const struct rl_summary_point *point, unsigned style,
                    struct law *law, struct rl_text *caption)
{
    const double n = point->point->run.params.n, factor = fit_law(law, point);
    char label[80];
    if (!(factor > 0))
        return;
    snprintf(label, sizeof label, "%.2g %s", factor, law->name);
    rl_text_format(caption, "%s%s from %s: %s",
                   caption->length ? "; " : ". What fits, from n/16 down to two: ",
                   point->point->run.protocol->name, point->point->run.start, label);
    if (law->drawn)
        return;
    law->drawn = true;
    struct rl_plot_series *series =
        report_new_series(figure, RL_PLOT_REFERENCE, style, 2, "%s", label);
    for (size_t i = 0; i < series->count; i++) {
        series->y[i] = i ? 1 : n / 4;
        series->x[i] = pow(factor * n / series->y[i], 1 / law->power) / n;
    }
}

/* The curves of one gauge, on the largest ring of each protocol and start. */
static void add_gauge(struct writer *writer, const struct rl_summary *summary, const char *gauge)
{
    const struct rl_summary_point *chosen[RL_PLOT_STYLES];
    struct law laws[] = {{"n^2/t", 1, false}, {"n^1.5/√t", 0.5, false}};
    const size_t used = strcmp(gauge, "leaders") == 0 ? sizeof laws / sizeof laws[0] : 0;
    size_t count = 0, left_out = 0;
    char words[CAPTION] = "";
    struct rl_text caption = rl_text_into(words, sizeof words);
    struct figure *figure = report_new_figure(writer, "curve-%s", gauge);
    if (!figure)
        return;
    for (size_t i = 0; i < summary->plan.count; i++) {
        const struct rl_summary_point *point = &summary->points[i];
        if (!point->curve_count || strcmp(point->point->curve, gauge) != 0 ||
            is_outdone(summary, point->point))
            continue;
        if (count < RL_PLOT_STYLES)
            chosen[count++] = point;
        else
            left_out++;
    }
    for (size_t i = 0; i < count; i++)
        add_curve(figure, chosen[i]);
    for (unsigned i = 0; i < count * used; i++)
        add_law(figure, chosen[i / used], i / (unsigned)used, &laws[i % used], &caption);
    if (left_out)
        rl_text_format(&caption, "; %zu more curves are in curves.csv", left_out);
    figure->plot.x.logarithmic = figure->plot.y.logarithmic = true;
    strcpy(figure->plot.x.label, "steps / n^2");
    snprintf(figure->plot.y.label, RL_PLOT_LABEL, "mean %s", gauge);
    report_end_figure(
        figure,
        "How many %s there are after t steps, on the largest ring of each protocol and "
        "start: the mean of all trials%s.",
        gauge, words);
}

void report_add_curves(struct writer *writer, const struct rl_summary *summary)
{
    for (size_t i = 0; i < summary->plan.count; i++) {
        const char *const gauge = summary->plan.points[i].curve;
        bool first = summary->points[i].curve_count > 0;
        for (size_t k = 0; k < i && first; k++)
            first = !summary->points[k].curve_count ||
                    strcmp(summary->plan.points[k].curve, gauge) != 0;
        if (first)
            add_gauge(writer, summary, gauge);
    }
}
