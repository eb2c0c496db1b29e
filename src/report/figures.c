/* SPDX-License-Identifier: MIT
 *
 * Which plots a study gets, and what stands in them.
 *
 * A family is one series, and families that share their axes and their protocol share a figure,
 * eight at most: more could not be told apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/parts.h"

enum { FIT_POINTS = 64 };

/* ---- growth -----------------------------------------------------------------------------------
 */

static bool add_family_points(struct figure *figure, const struct rl_summary *summary,
                              const struct rl_family *family, unsigned style)
{
    struct numbers numbers;
    size_t count = 0;
    if (!report_new_series(figure, RL_PLOT_POINTS, style, family->label, family->count, &numbers))
        return false;
    for (size_t i = 0; i < family->count; i++) {
        const struct rl_summary_point *point = &summary->points[family->points[i]];
        if (point->reached == 0)
            continue;
        const struct rl_stats *stats = &point->measure.stats;
        numbers.x[count] = rl_summary_x(summary, family, family->points[i]);
        numbers.y[count] = stats->mean;
        numbers.low[count] = stats->count > 1 && stats->low > 0 ? stats->low : stats->mean;
        numbers.high[count++] = stats->count > 1 ? stats->high : stats->mean;
    }
    figure->series[figure->plot.count - 1].count = count;
    return true;
}

/* Where nothing is fitted the eye is led from point to point. `style` is the series' index. */
static bool join_points(struct figure *figure, unsigned style)
{
    const struct rl_plot_series *points = &figure->series[style];
    struct numbers numbers;
    if (!report_new_series(figure, RL_PLOT_LINE, style, NULL, points->count, &numbers))
        return false;
    memcpy(numbers.x, points->x, points->count * sizeof *numbers.x);
    memcpy(numbers.y, points->y, points->count * sizeof *numbers.y);
    return true;
}

static bool add_family_fit(struct figure *figure, const struct rl_summary *summary,
                           const struct rl_family *family, unsigned style)
{
    struct numbers numbers;
    if (family->axis == RL_FAMILY_FAULT)
        return join_points(figure, style);
    if (!family->fitted)
        return true;
    if (!report_new_series(figure, RL_PLOT_LINE, style, NULL, FIT_POINTS, &numbers))
        return false;
    const struct rl_growth *growth = &family->large;
    const double low = growth->from;
    const double high = rl_summary_x(summary, family, family->points[family->count - 1]);
    for (size_t i = 0; i < FIT_POINTS; i++) {
        numbers.x[i] = low * pow(high / low, (double)i / (FIT_POINTS - 1));
        numbers.y[i] = rl_growth_at(growth, growth->best, numbers.x[i]);
    }
    return true;
}

static bool has_faults(const struct rl_summary *summary, const struct rl_family *family)
{
    return summary->plan.points[family->points[0]].fault_count > 0;
}

/* The target's name if all points of the figure share the protocol. */
static const char *measured(const struct rl_summary *summary, const struct rl_family *family)
{
    const struct rl_protocol *protocol = summary->plan.points[family->points[0]].protocol;
    return protocol->sets[protocol->target].name;
}

/* Along a parameter the axes are plain, so that a straight line looks like one. */
static void set_growth_axes(struct figure *figure, enum rl_family_axis axis, const char *along,
                            const char *what)
{
    figure->plot.x.logarithmic = figure->plot.y.logarithmic = axis != RL_FAMILY_PARAMETER;
    snprintf(figure->x_label, sizeof figure->x_label, "%s%s", along,
             strcmp(along, "n") == 0 ? " (agents)" : "");
    snprintf(figure->y_label, sizeof figure->y_label, "%s (mean, 95 %% interval)", what);
    if (axis == RL_FAMILY_PARAMETER) {
        rl_plot_widen(&figure->plot.x, (double[]){0}, 1);
        rl_plot_widen(&figure->plot.y, (double[]){0}, 1);
    }
    report_widen_axes(figure);
    if (axis == RL_FAMILY_N)
        report_tick_at_values(figure);
}

/* A family for each of `chosen`, in one figure. */
static enum rl_status add_growth_figure(struct figures *figures, const struct rl_summary *summary,
                                        const struct rl_family *const *chosen, size_t count,
                                        const char *name)
{
    struct figure *figure = report_new_figure(figures, name);
    const struct rl_family *first = chosen[0];
    const bool recovery = has_faults(summary, first);
    char what[80];
    bool fine = true;
    if (!figure)
        return RL_OK;
    for (size_t i = 0; i < count && fine; i++)
        fine = add_family_points(figure, summary, chosen[i], (unsigned)i);
    for (size_t i = 0; i < count && fine; i++)
        fine = add_family_fit(figure, summary, chosen[i], (unsigned)i);
    bool same_target = true;
    for (size_t i = 1; i < count; i++)
        same_target &= strcmp(measured(summary, chosen[i]), measured(summary, first)) == 0;
    snprintf(what, sizeof what, recovery ? "steps from the fault to %s" : "steps to %s",
             same_target ? measured(summary, first) : "the target");
    set_growth_axes(figure, first->axis, first->axis_name, what);
    report_describe(figure, "Mean %s against %s, with 95 %% confidence intervals%s.", what,
                    first->axis_name,
                    first->axis == RL_FAMILY_FAULT
                        ? ""
                        : "; the curves are the forms that fit best, from where the fit begins");
    return fine ? RL_OK : RL_NO_MEMORY;
}

/* Whether two families share a figure. */
static bool go_together(const struct rl_summary *summary, const struct rl_family *a,
                        const struct rl_family *b)
{
    return a->axis == b->axis && strcmp(a->axis_name, b->axis_name) == 0 &&
           summary->plan.points[a->points[0]].protocol ==
               summary->plan.points[b->points[0]].protocol &&
           has_faults(summary, a) == has_faults(summary, b);
}

static enum rl_status add_growth_figures(struct figures *figures, const struct rl_summary *summary)
{
    bool *used = calloc(summary->family_count + 1, sizeof *used);
    enum rl_status status = used ? RL_OK : RL_NO_MEMORY;
    for (size_t i = 0; i < summary->family_count && !status; i++) {
        const struct rl_family *chosen[RL_PLOT_STYLES], *family = &summary->families[i];
        size_t count = 0;
        if (used[i])
            continue;
        for (size_t k = i; k < summary->family_count && count < RL_PLOT_STYLES; k++)
            if (!used[k] && go_together(summary, family, &summary->families[k])) {
                used[k] = true;
                chosen[count++] = &summary->families[k];
            }
        char name[80];
        const bool recovery = has_faults(summary, family);
        snprintf(name, sizeof name, "%02zu-%s-%s-%s", figures->count + 1,
                 recovery ? "recovery" : "growth",
                 summary->plan.points[family->points[0]].protocol->name, family->axis_name);
        status = add_growth_figure(figures, summary, chosen, count, name);
    }
    free(used);
    return status;
}

/* The hardest family along n of each protocol, if there are several protocols. */
static enum rl_status add_overview(struct figures *figures, const struct rl_summary *summary)
{
    const struct rl_family *chosen[RL_PLOT_STYLES];
    size_t count = 0;
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        const size_t last = family->points[family->count - 1];
        size_t k = 0;
        if (family->axis != RL_FAMILY_N || has_faults(summary, family))
            continue;
        while (k < count && summary->plan.points[chosen[k]->points[0]].protocol !=
                                summary->plan.points[last].protocol)
            k++;
        if (k == RL_PLOT_STYLES)
            continue;
        if (k == count)
            chosen[count++] = family;
        const size_t other = chosen[k]->points[chosen[k]->count - 1];
        if (summary->plan.points[last].params.n >= summary->plan.points[other].params.n &&
            summary->points[last].measure.stats.mean > summary->points[other].measure.stats.mean)
            chosen[k] = family;
    }
    return count > 1 ? add_growth_figure(figures, summary, chosen, count, "01-overview") : RL_OK;
}

/* ---- distributions ------------------------------------------------------------------------------
 */

static bool add_distribution(struct figure *figure, const struct rl_summary_point *point,
                             unsigned style, const char *label)
{
    struct numbers numbers;
    if (!report_new_series(figure, RL_PLOT_STAIRS, style, label, point->reached, &numbers))
        return false;
    memcpy(numbers.x, point->values, point->reached * sizeof *numbers.x);
    rl_stats_sort(numbers.x, point->reached);
    for (size_t i = 0; i < point->reached; i++)
        numbers.y[i] = (double)(i + 1) / (double)point->count;
    return true;
}

/* The distribution at the largest n of each family of a protocol. */
static enum rl_status add_distributions(struct figures *figures, const struct rl_summary *summary,
                                        const struct rl_protocol *protocol)
{
    struct figure *figure = NULL;
    unsigned style = 0;
    for (size_t i = 0; i < summary->family_count && style < RL_PLOT_STYLES; i++) {
        const struct rl_family *family = &summary->families[i];
        const struct rl_summary_point *point = &summary->points[family->points[family->count - 1]];
        char name[80], label[RL_FAMILY_LABEL];
        if (family->axis == RL_FAMILY_FAULT || point->point->protocol != protocol ||
            point->reached == 0)
            continue;
        snprintf(name, sizeof name, "%02zu-distribution-%s", figures->count + 1, protocol->name);
        if (!figure && !(figure = report_new_figure(figures, name)))
            return RL_OK;
        snprintf(label, sizeof label, "%.100s, %s=%.0f", family->label, family->axis_name,
                 rl_summary_x(summary, family, family->points[family->count - 1]));
        if (!add_distribution(figure, point, style++, label))
            return RL_NO_MEMORY;
    }
    if (!figure)
        return RL_OK;
    figure->plot.x.logarithmic = true;
    snprintf(figure->x_label, sizeof figure->x_label,
             "steps to the target (from the last fault, if any)");
    snprintf(figure->y_label, sizeof figure->y_label, "fraction of trials that hit it by then");
    report_widen_axes(figure);
    figure->plot.y.low = 0;
    figure->plot.y.high = 1;
    report_describe(figure,
                    "Distribution of the steps to the target for %s, at the largest %s of each "
                    "family.",
                    protocol->name, "n (or parameter)");
    return RL_OK;
}

/* ---- hits, stacked ------------------------------------------------------------------------------
 */

/* Sets that every trial of a point hit; a trial hits them in their order (rl_trial_possible). */
static size_t hit_sets(const struct rl_summary_point *point, size_t *order)
{
    size_t count = 0;
    for (size_t set = 0; set < point->point->protocol->set_count; set++)
        if (point->hits[set].stats.count == point->count)
            order[count++] = set;
    return count;
}

static bool add_stack(struct figure *figure, const struct rl_summary *summary,
                      const struct rl_family *family, const size_t *order, size_t sets)
{
    for (size_t s = 0; s < sets; s++) {
        const struct rl_protocol *protocol = summary->plan.points[family->points[0]].protocol;
        struct numbers numbers;
        char label[96];
        snprintf(label, sizeof label, s == 0 ? "to %s" : "then to %s",
                 protocol->sets[order[s]].name);
        if (!report_new_series(figure, RL_PLOT_BARS, (unsigned)s, label, family->count, &numbers))
            return false;
        for (size_t i = 0; i < family->count; i++) {
            const struct rl_summary_point *point = &summary->points[family->points[i]];
            const double n = point->point->params.n;
            numbers.x[i] = (double)i;
            numbers.y[i] = point->hits[order[s]].stats.mean / (n * n);
            numbers.low[i] = s ? point->hits[order[s - 1]].stats.mean / (n * n) : 0;
            numbers.high[i] = numbers.y[i];
        }
    }
    return true;
}

static void tick_bars(struct figure *figure, const struct rl_summary *summary,
                      const struct rl_family *family)
{
    struct rl_plot_axis *axis = &figure->plot.x;
    axis->low = -0.5;
    axis->high = (double)family->count - 0.5;
    for (size_t i = 0; i < family->count && i < RL_PLOT_TICKS; i++) {
        axis->ticks[i] = (double)i;
        snprintf(figure->tick_labels[i], sizeof figure->tick_labels[i], "%.0f",
                 rl_summary_x(summary, family, family->points[i]));
        axis->tick_labels[i] = figure->tick_labels[i];
        axis->tick_count++;
    }
}

static enum rl_status add_hits_figure(struct figures *figures, const struct rl_summary *summary,
                                      const struct rl_family *family)
{
    size_t order[RL_MAX_SETS];
    const struct rl_summary_point *last = &summary->points[family->points[family->count - 1]];
    const size_t sets = hit_sets(last, order);
    char name[256];
    for (size_t i = 0; i < family->count; i++)
        if (summary->points[family->points[i]].count == 0)
            return RL_OK;
    if (sets < 2 || family->axis == RL_FAMILY_FAULT || last->count == 0)
        return RL_OK;
    snprintf(name, sizeof name, "%02zu-hits-%s", figures->count + 1, family->label);
    struct figure *figure = report_new_figure(figures, name);
    if (!figure)
        return RL_OK;
    if (!add_stack(figure, summary, family, order, sets))
        return RL_NO_MEMORY;
    snprintf(figure->x_label, sizeof figure->x_label, "%s%s", family->axis_name,
             family->axis == RL_FAMILY_N ? " (agents)" : "");
    snprintf(figure->y_label, sizeof figure->y_label, "mean steps / n²");
    report_widen_axes(figure);
    figure->plot.y.low = 0;
    tick_bars(figure, summary, family);
    report_describe(figure,
                    "Where the steps go: mean hits of the closed sets, one on top of the other, "
                    "for %s.",
                    family->label);
    return RL_OK;
}

/* ---- all --------------------------------------------------------------------------------------
 */

enum rl_status report_make_figures(struct figures *figures, const struct rl_summary *summary)
{
    *figures = (struct figures){.at = calloc(RL_REPORT_PLOTS, sizeof *figures->at)};
    if (!figures->at)
        return RL_NO_MEMORY;
    enum rl_status status = add_overview(figures, summary);
    if (!status)
        status = add_growth_figures(figures, summary);
    const struct rl_protocol *protocol;
    for (size_t i = 0; !status && (protocol = rl_protocol_at(i)); i++)
        status = add_distributions(figures, summary, protocol);
    for (size_t i = 0; i < summary->family_count && !status; i++)
        status = add_hits_figure(figures, summary, &summary->families[i]);
    return status;
}
