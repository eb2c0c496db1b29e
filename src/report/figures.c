/* SPDX-License-Identifier: MIT
 *
 * Which plots a study gets, and what they show.
 *
 * A family is one series, and families that share their axes and their protocol share a figure,
 * eight at most: more could not be told apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/parts.h"
#include "draw/inside.h"
#include "study/inside.h"

enum { FIT_POINTS = 64 };

/* ---- growth ---- */

static const struct rl_protocol *protocol_of(const struct rl_family *family)
{
    return family->point->run.protocol;
}

static bool has_mean(const struct rl_summary_point *point)
{
    return point->count > 0 && point->reached == point->count;
}

/* The points all of whose trials reached the target: others have no mean. */
static void add_family_points(struct figure *figure, const struct rl_family *family, unsigned style,
                              bool normalised)
{
    struct rl_plot_series *series =
        report_new_series(figure, RL_PLOT_POINTS, style, family->count, "%s", family->label);
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) {
        const struct rl_family_point *at = &family->at[i];
        const struct rl_stats *stats = &at->point->measure.stats;
        const double unit = normalised ? at->claimed : 1;
        if (!has_mean(at->point))
            continue;
        series->x[count] = at->x;
        series->y[count] = stats->mean / unit;
        series->low[count] = (isfinite(stats->low) ? stats->low : stats->mean) / unit;
        series->high[count++] = (isfinite(stats->high) ? stats->high : stats->mean) / unit;
    }
    series->count = count;
}

/* The claim as it was fitted, c + b/x or c + b/sqrt(x), or the form that fits best, between the
 * first and the last point; where nothing is fitted the eye is led from point to point. `style` is
 * the index of the series of points. */
static void add_family_fit(struct figure *figure, const struct rl_family *family, unsigned style,
                           bool normalised)
{
    const struct rl_plot_series *points = &figure->series[style];
    const struct rl_growth *growth = &family->growth;
    if (points->count == 0 || (!family->fitted && family->axis != RL_FAMILY_FAULT))
        return;
    struct rl_plot_series *line = report_new_series(
        figure, RL_PLOT_LINE, style, family->fitted ? FIT_POINTS : points->count, "%s", "");
    const double low = points->x[0], high = points->x[points->count - 1];
    for (size_t i = 0; i < line->count; i++) {
        const double x = low * pow(high / low, (double)i / (FIT_POINTS - 1));
        line->x[i] = family->fitted ? x : points->x[i];
        line->y[i] = !family->fitted ? points->y[i]
                     : normalised    ? rl_growth_ratio_at(&growth->test, x)
                                     : rl_growth_at(growth, growth->best, x);
    }
}

/* The slope that is claimed, beside the points of the family of this style. */
static void add_reference(struct figure *figure, const struct rl_family *family, unsigned style)
{
    const struct rl_plot_series *points = &figure->series[style];
    char label[RL_PLAN_CLAIM + 20];
    if (!report_is_tested(family) || points->count < 2)
        return;
    snprintf(label, sizeof label, "slope of %s", family->claim);
    for (size_t i = 0; i < figure->plot.count; i++)
        if (strcmp(figure->series[i].label, label) == 0)
            return;
    struct rl_plot_series *slope =
        report_new_series(figure, RL_PLOT_REFERENCE, style, family->count, "%s", label);
    const double last = family->at[family->count - 1].claimed;
    for (size_t i = 0; i < slope->count; i++) {
        slope->x[i] = family->at[i].x;
        slope->y[i] = family->at[i].claimed * 2 * points->y[points->count - 1] / last;
    }
}

static bool has_faults(const struct rl_family *family)
{
    return family->point->run.fault_count > 0;
}

/* "S_RL"; never the same words for what is proved and what is observed. */
static void measured(const struct rl_family *const *chosen, size_t count, char *text, size_t size)
{
    bool same = true, observed = false;
    const char *name = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct rl_protocol *protocol = protocol_of(chosen[i]);
        const struct rl_set *target = &protocol->sets[protocol->target];
        same &= !name || strcmp(name, target->name) == 0;
        observed |= !target->contains;
        name = target->name;
    }
    snprintf(text, size, "%s%s", same ? name : "the target",
             !observed ? ""
             : same    ? " (observed)"
                       : " (or observed)");
}

static bool are_far_apart(const struct figure *figure)
{
    struct rl_plot plot = figure->plot;
    rl_plot_widen_all(&plot);
    return plot.y.high > 20 * plot.y.low;
}

static void name_x_axis(struct figure *figure, const struct rl_family *family)
{
    snprintf(figure->plot.x.label, RL_PLOT_LABEL, "%s%s", family->axis_name,
             family->axis == RL_FAMILY_N ? " (agents)" : "");
}

/* Along a parameter the axes are plain, so that a straight line looks like one. */
static void set_growth_axes(struct figure *figure, const struct rl_family *family, const char *what,
                            bool normalised)
{
    const bool plain = family->axis == RL_FAMILY_PARAMETER;
    figure->plot.x.logarithmic = !plain;
    figure->plot.y.logarithmic = normalised ? are_far_apart(figure) : !plain;
    name_x_axis(figure, family);
    snprintf(figure->plot.y.label, RL_PLOT_LABEL, "mean %s", what);
    rl_plot_widen(&figure->plot.x, (double[]){0}, plain);
    rl_plot_widen(&figure->plot.y, (double[]){0}, !figure->plot.y.logarithmic);
}

/* What the figure shows, and the verdict on each family in it. */
static void describe_growth(struct figure *figure, const struct rl_family *const *chosen,
                            size_t count, const char *what, bool normalised)
{
    char verdicts[2400] = "";
    struct rl_text text = rl_text_into(verdicts, sizeof verdicts);
    bool gave_up = false;
    for (size_t i = 0; i < count; i++) {
        gave_up |= chosen[i]->left_out > 0;
        if (report_is_tested(chosen[i]))
            rl_text_format(&text, "%s %s: %s", text.length ? ";" : ".", chosen[i]->label,
                           chosen[i]->verdict);
    }
    report_end_figure(
        figure, "Mean %s, against %s%s%s.%s", what, chosen[0]->axis_name,
        normalised ? ": where this becomes flat, the claim holds. Bars are 95 % intervals; the "
                     "curves are c + b/n or c + b/√n"
        : chosen[0]->axis == RL_FAMILY_FAULT
            ? ", with 95 % intervals"
            : ", with 95 % intervals; the curves are the forms that fit best, without the claim",
        verdicts, gave_up ? " Points where trials gave up are not drawn." : "");
}

/* A family for each of `chosen`, in one figure, if there is a mean to be drawn; `normalised`: over
 * what is claimed. */
static void add_growth_figure(struct writer *writer, const struct rl_family *const *chosen,
                              size_t count, const char *name, bool normalised)
{
    const struct rl_family *first = chosen[0];
    char target[120], what[200];
    size_t means = 0;
    for (size_t i = 0; i < count; i++)
        means += chosen[i]->count - chosen[i]->left_out;
    struct figure *figure = means ? report_new_figure(writer, "%s", name) : NULL;
    if (!figure)
        return;
    for (unsigned i = 0; i < count; i++)
        add_family_points(figure, chosen[i], i, normalised);
    for (unsigned i = 0; i < count; i++)
        add_family_fit(figure, chosen[i], i, normalised);
    for (unsigned i = 0; i < count && !normalised && first->axis == RL_FAMILY_N; i++)
        add_reference(figure, chosen[i], i);
    measured(chosen, count, target, sizeof target);
    snprintf(what, sizeof what, has_faults(first) ? "steps from the fault to %s" : "steps to %s%s",
             target, normalised ? " / claimed" : "");
    set_growth_axes(figure, first, what, normalised);
    describe_growth(figure, chosen, count, what, normalised);
}

/* Whether two families share a figure. */
static bool go_together(const struct rl_family *a, const struct rl_family *b)
{
    return a->axis == b->axis && strcmp(a->axis_name, b->axis_name) == 0 &&
           protocol_of(a) == protocol_of(b) && has_faults(a) == has_faults(b);
}

static void add_growth_figures(struct writer *writer, const struct rl_summary *summary)
{
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *chosen[RL_PLOT_STYLES], *family = &summary->families[i];
        size_t before = 0, count = 0;
        char name[80];
        for (size_t k = 0; k < i; k++)
            before += go_together(family, &summary->families[k]);
        for (size_t k = i; k < summary->family_count && count < RL_PLOT_STYLES; k++)
            if (go_together(family, &summary->families[k]))
                chosen[count++] = &summary->families[k];
        snprintf(name, sizeof name, "%s-%s-%s", has_faults(family) ? "recovery" : "growth",
                 protocol_of(family)->name, family->axis_name);
        if (before % RL_PLOT_STYLES == 0)
            add_growth_figure(writer, chosen, count, name, false);
    }
}

/* Families along n without faults, tested ones only if that is asked for: the hardest one of each
 * protocol, or, if there is but one protocol, as many as there are styles. */
static size_t choose_families(const struct rl_summary *summary, bool tested,
                              const struct rl_family **chosen)
{
    const struct rl_family *all[RL_PLOT_STYLES];
    size_t count = 0, total = 0;
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        size_t k = 0;
        if (family->axis != RL_FAMILY_N || has_faults(family) ||
            (tested && !report_is_tested(family)))
            continue;
        if (total < RL_PLOT_STYLES)
            all[total++] = family;
        while (k < count && protocol_of(chosen[k]) != protocol_of(family))
            k++;
        if (k == RL_PLOT_STYLES)
            continue;
        if (k == count)
            chosen[count++] = family;
        const struct rl_family_point *last = &family->at[family->count - 1],
                                     *other = &chosen[k]->at[chosen[k]->count - 1];
        if (last->x >= other->x &&
            last->point->measure.stats.mean > other->point->measure.stats.mean)
            chosen[k] = family;
    }
    if (count == 1)
        memcpy(chosen, all, total * sizeof *chosen);
    return count == 1 ? total : count;
}

/* What a report shows first: whether the claims hold; then all protocols beside each other. */
static void add_overview(struct writer *writer, const struct rl_summary *summary)
{
    const struct rl_family *chosen[RL_PLOT_STYLES];
    size_t count = choose_families(summary, true, chosen);
    if (count > 0)
        add_growth_figure(writer, chosen, count, "claims", true);
    count = choose_families(summary, false, chosen);
    if (count > 1 && protocol_of(chosen[0]) != protocol_of(chosen[1]))
        add_growth_figure(writer, chosen, count, "overview", false);
}

/* ---- distributions ---- */

static void add_distribution(struct figure *figure, const struct rl_family *family, unsigned style)
{
    const struct rl_family_point *last = &family->at[family->count - 1];
    const struct rl_summary_point *point = last->point;
    struct rl_plot_series *series =
        report_new_series(figure, RL_PLOT_STAIRS, style, point->reached, "%s, %s=%.0f",
                          family->label, family->axis_name, last->x);
    for (size_t i = 0; i < series->count; i++) {
        series->x[i] = point->values[i];
        series->y[i] = (double)(i + 1) / (double)point->count;
    }
    rl_stats_sort(series->x, series->count);
}

/* The distribution at the largest n of each family of a protocol. */
static void add_distributions(struct writer *writer, const struct rl_summary *summary,
                              const struct rl_protocol *protocol)
{
    struct figure *figure = NULL;
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        if (family->axis == RL_FAMILY_FAULT || protocol_of(family) != protocol ||
            family->at[family->count - 1].point->reached == 0)
            continue;
        if (!figure && !(figure = report_new_figure(writer, "distribution-%s", protocol->name)))
            return;
        if (figure->plot.count < RL_PLOT_STYLES)
            add_distribution(figure, family, (unsigned)figure->plot.count);
    }
    if (!figure)
        return;
    figure->plot.x.logarithmic = true;
    strcpy(figure->plot.x.label, "steps to the target (from the last fault, if any)");
    strcpy(figure->plot.y.label, "fraction of trials that hit it by then");
    figure->plot.y.low = 0;
    figure->plot.y.high = 1;
    report_end_figure(figure,
                      "Distribution of the steps to the target for %s, at the largest n (or "
                      "parameter) of each family.",
                      protocol->name);
}

/* ---- hits, stacked ---- */

/* From the hit of the set before this one to its own. */
static void add_layer(struct figure *figure, const struct rl_family *family, unsigned set)
{
    struct rl_plot_series *bars =
        report_new_series(figure, RL_PLOT_BARS, set, family->count, set ? "then to %s" : "to %s",
                          protocol_of(family)->sets[set].name);
    for (size_t i = 0; i < bars->count; i++) {
        const struct rl_summary_point *point = family->at[i].point;
        const double n = point->point->run.params.n;
        bars->x[i] = (double)i;
        bars->y[i] = bars->high[i] = point->hits[set].stats.mean / (n * n);
        bars->low[i] = set ? point->hits[set - 1].stats.mean / (n * n) : 0;
    }
}

/* A trial that hits the target has hit the sets before it (rl_trial_possible). */
static void add_hits_figure(struct writer *writer, const struct rl_family *family)
{
    const size_t sets = protocol_of(family)->target + 1;
    for (size_t i = 0; i < family->count; i++)
        if (!has_mean(family->at[i].point))
            return;
    struct figure *figure = sets < 2 || family->axis == RL_FAMILY_FAULT
                                ? NULL
                                : report_new_figure(writer, "hits-%s", family->label);
    if (!figure)
        return;
    for (unsigned set = 0; set < sets; set++)
        add_layer(figure, family, set);
    struct rl_plot_axis *axis = &figure->plot.x;
    name_x_axis(figure, family);
    axis->low = -0.5;
    axis->high = (double)family->count - 0.5;
    axis->ordinal = true;
    for (; axis->tick_count < family->count && axis->tick_count < RL_PLOT_TICKS; axis->tick_count++)
        axis->ticks[axis->tick_count] = family->at[axis->tick_count].x;
    strcpy(figure->plot.y.label, "mean steps / n^2");
    report_end_figure(figure,
                      "Where the steps go: mean hits of the closed sets, one on top of the other, "
                      "for %s.",
                      family->label);
}

/* ---- all ---- */

void report_write_figures(struct writer *writer, const struct rl_summary *summary)
{
    const struct rl_protocol *protocol;
    add_overview(writer, summary);
    report_add_curves(writer, summary);
    add_growth_figures(writer, summary);
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        add_distributions(writer, summary, protocol);
    for (size_t i = 0; i < summary->family_count; i++)
        add_hits_figure(writer, &summary->families[i]);
}
