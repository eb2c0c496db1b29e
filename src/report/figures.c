/* SPDX-License-Identifier: MIT
 *
 * Which plots a study gets, and what stands in them.
 *
 * A family is one series, and families that share their axes and their protocol share a figure,
 * eight at most: more could not be told apart.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/parts.h"
#include "draw/inside.h"
#include "study/inside.h"

enum { FIT_POINTS = 64 };

/* ---- growth -----------------------------------------------------------------------------------
 */

/* What is claimed of a point; 1 if the figure does not divide by it. */
static double unit_of(const struct rl_summary *summary, const struct rl_family *family,
                      const struct rl_summary_point *point, bool normalised)
{
    return normalised ? rl_growth_claimed_at(rl_summary_claim(summary, family),
                                             point->point->protocol, &point->point->params)
                      : 1;
}

/* The points all of whose trials reached the target: others have no mean. */
static bool add_family_points(struct figure *figure, const struct rl_summary *summary,
                              const struct rl_family *family, unsigned style, bool normalised)
{
    struct numbers numbers;
    size_t count = 0;
    if (!report_new_series(figure, RL_PLOT_POINTS, style, family->label, family->count, &numbers))
        return false;
    for (size_t i = 0; i < family->count; i++) {
        const struct rl_summary_point *point = &summary->points[family->points[i]];
        const struct rl_stats *stats = &point->measure.stats;
        const double unit = unit_of(summary, family, point, normalised);
        if (point->count == 0 || point->reached < point->count)
            continue;
        numbers.x[count] = rl_summary_x(summary, family, family->points[i]);
        numbers.y[count] = stats->mean / unit;
        numbers.low[count] = (isfinite(stats->low) ? stats->low : stats->mean) / unit;
        numbers.high[count++] = (isfinite(stats->high) ? stats->high : stats->mean) / unit;
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

/* The form that fits best, between the first and the last point. */
static bool add_best_form(struct figure *figure, const struct rl_family *family, unsigned style)
{
    const struct rl_plot_series *points = &figure->series[style];
    const struct rl_growth *growth = &family->growth;
    struct numbers numbers;
    if (!report_new_series(figure, RL_PLOT_LINE, style, NULL, FIT_POINTS, &numbers))
        return false;
    const double low = points->x[0], high = points->x[points->count - 1];
    for (size_t i = 0; i < FIT_POINTS; i++) {
        numbers.x[i] = low * pow(high / low, (double)i / (FIT_POINTS - 1));
        numbers.y[i] = rl_growth_at(growth, growth->best, numbers.x[i]);
    }
    return true;
}

/* The claim as it was fitted: c + b/x, or c + b/sqrt(x). */
static bool add_ratio(struct figure *figure, const struct rl_family *family, unsigned style)
{
    const struct rl_plot_series *points = &figure->series[style];
    struct numbers numbers;
    if (!report_new_series(figure, RL_PLOT_LINE, style, NULL, FIT_POINTS, &numbers))
        return false;
    const double low = points->x[0], high = points->x[points->count - 1];
    for (size_t i = 0; i < FIT_POINTS; i++) {
        numbers.x[i] = low * pow(high / low, (double)i / (FIT_POINTS - 1));
        numbers.y[i] = rl_growth_ratio_at(&family->growth.test, numbers.x[i]);
    }
    return true;
}

static bool add_family_fit(struct figure *figure, const struct rl_family *family, unsigned style,
                           bool normalised)
{
    if (figure->series[style].count == 0)
        return true;
    if (family->axis == RL_FAMILY_FAULT)
        return join_points(figure, style);
    if (!family->fitted)
        return true;
    return normalised ? add_ratio(figure, family, style) : add_best_form(figure, family, style);
}

/* "Θ(n³)" from "Theta(n^3)". */
static void print_claim(const char *claim, char *text, size_t size)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    struct rl_text out = rl_text_into(text, size);
    while (*claim)
        if (strncmp(claim, "Theta(", 6) == 0) {
            rl_text_string(&out, "Θ(");
            claim += 6;
        } else if (claim[0] == '^' && claim[1] >= '0' && claim[1] <= '9' && claim[2] != '.') {
            rl_text_string(&out, raised[claim[1] - '0']);
            claim += 2;
        } else
            rl_text_char(&out, *claim++);
}

/* The slope that is claimed, beside the points of the family of this style. */
static bool add_reference(struct figure *figure, const struct rl_summary *summary,
                          const struct rl_family *family, unsigned style)
{
    const struct rl_plot_series *points = &figure->series[style];
    char claim[RL_PLAN_CLAIM], label[RL_PLAN_CLAIM + 20];
    struct numbers numbers;
    if (!family->fitted || family->growth.test.verdict == RL_GROWTH_UNTESTED || points->count < 2)
        return true;
    print_claim(rl_summary_claim(summary, family), claim, sizeof claim);
    snprintf(label, sizeof label, "slope of %s", claim);
    for (size_t i = 0; i < figure->plot.count; i++)
        if (figure->series[i].label && strcmp(figure->series[i].label, label) == 0)
            return true;
    if (!report_new_series(figure, RL_PLOT_REFERENCE, 0, label, family->count, &numbers))
        return false;
    double last = 0;
    for (size_t i = 0; i < family->count; i++) {
        numbers.x[i] = rl_summary_x(summary, family, family->points[i]);
        numbers.y[i] = last = unit_of(summary, family, &summary->points[family->points[i]], true);
    }
    for (size_t i = 0; i < family->count; i++)
        numbers.y[i] *= 2 * points->y[points->count - 1] / last;
    return true;
}

static bool has_faults(const struct rl_summary *summary, const struct rl_family *family)
{
    return summary->plan.points[family->points[0]].fault_count > 0;
}

/* "S_RL"; never the same words for what is proved and what is observed. */
static void measured(const struct rl_summary *summary, const struct rl_family *const *chosen,
                     size_t count, char *text, size_t size)
{
    bool same = true, observed = false;
    const struct rl_set *target = NULL;
    assert(count > 0 && "a figure is of something");
    for (size_t i = 0; i < count; i++) {
        const struct rl_protocol *protocol = summary->plan.points[chosen[i]->points[0]].protocol;
        const struct rl_set *other = &protocol->sets[protocol->target];
        same &= !target || strcmp(target->name, other->name) == 0;
        observed |= !other->contains;
        target = other;
    }
    snprintf(text, size, "%s%s", same && target ? target->name : "the target",
             !observed ? ""
             : same    ? " (observed)"
                       : " (or observed)");
}

static bool are_far_apart(const struct figure *figure)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < figure->plot.count; i++)
        for (size_t k = 0; k < figure->series[i].count; k++) {
            least = fmin(least, figure->series[i].y[k]);
            most = fmax(most, figure->series[i].y[k]);
        }
    return most > 20 * least;
}

/* Along a parameter the axes are plain, so that a straight line looks like one. */
static void set_growth_axes(struct figure *figure, enum rl_family_axis axis, const char *along,
                            const char *what, bool normalised)
{
    figure->plot.x.logarithmic = axis != RL_FAMILY_PARAMETER;
    figure->plot.y.logarithmic = normalised ? are_far_apart(figure) : axis != RL_FAMILY_PARAMETER;
    snprintf(figure->x_label, sizeof figure->x_label, "%s%s", along,
             strcmp(along, "n") == 0 ? " (agents)" : "");
    snprintf(figure->y_label, sizeof figure->y_label, "mean %s", what);
    report_typeset(figure->y_label, sizeof figure->y_label);
    if (axis == RL_FAMILY_PARAMETER)
        rl_plot_widen(&figure->plot.x, (double[]){0}, 1);
    if (!figure->plot.y.logarithmic)
        rl_plot_widen(&figure->plot.y, (double[]){0}, 1);
    report_widen_axes(figure);
    if (axis == RL_FAMILY_N)
        report_tick_at_values(figure);
}

/* What the figure shows, and the verdict on each family in it. */
static void describe_claims(struct figure *figure, const struct rl_summary *summary,
                            const struct rl_family *const *chosen, size_t count, const char *what)
{
    char verdicts[2400];
    struct rl_text text = rl_text_into(verdicts, sizeof verdicts);
    for (size_t i = 0; i < count; i++) {
        rl_text_format(&text, "%s %s: ", i ? ";" : "", chosen[i]->label);
        rl_growth_tell(&chosen[i]->growth, rl_summary_claim(summary, chosen[i]),
                       chosen[i]->axis_name, &text);
    }
    report_describe(figure,
                    "Mean %s, against n: where this becomes flat, the claim holds. Bars are 95 %% "
                    "intervals; the curves are c + b/n or c + b/√n.%s.",
                    what, verdicts);
}

/* Whether there is a mean to be drawn. */
static bool have_means(const struct rl_summary *summary, const struct rl_family *const *chosen,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < chosen[i]->count; k++) {
            const struct rl_summary_point *point = &summary->points[chosen[i]->points[k]];
            if (point->count > 0 && point->reached == point->count)
                return true;
        }
    return false;
}

/* A family for each of `chosen`, in one figure; `normalised`: over what is claimed. */
static enum rl_status add_growth_figure(struct figures *figures, const struct rl_summary *summary,
                                        const struct rl_family *const *chosen, size_t count,
                                        const char *name, bool normalised)
{
    const struct rl_family *first = chosen[0];
    char target[120], what[200];
    bool fine = true;
    struct figure *figure =
        have_means(summary, chosen, count) ? report_new_figure(figures, name) : NULL;
    if (!figure)
        return RL_OK;
    for (size_t i = 0; i < count && fine; i++)
        fine = add_family_points(figure, summary, chosen[i], (unsigned)i, normalised);
    for (size_t i = 0; i < count && fine; i++)
        fine = add_family_fit(figure, chosen[i], (unsigned)i, normalised);
    for (size_t i = 0; i < count && fine && !normalised && first->axis == RL_FAMILY_N; i++)
        fine = add_reference(figure, summary, chosen[i], (unsigned)i);
    measured(summary, chosen, count, target, sizeof target);
    snprintf(what, sizeof what,
             has_faults(summary, first) ? "steps from the fault to %s" : "steps to %s%s", target,
             normalised ? " / claimed" : "");
    set_growth_axes(figure, first->axis, first->axis_name, what, normalised);
    if (normalised)
        describe_claims(figure, summary, chosen, count, what);
    else
        report_describe(figure, "Mean %s against %s, with 95 %% intervals%s.", what,
                        first->axis_name,
                        first->axis == RL_FAMILY_FAULT
                            ? ""
                            : "; the curves are the forms that fit best, without the claim");
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
        status = add_growth_figure(figures, summary, chosen, count, name, false);
    }
    free(used);
    return status;
}

/* Families along n without faults, of which `wanted` is true: the hardest one of each protocol, or,
 * if there is but one protocol, as many as there are styles. */
static size_t choose_families(const struct rl_summary *summary,
                              bool (*wanted)(const struct rl_family *family),
                              const struct rl_family **chosen)
{
    const struct rl_family *all[RL_PLOT_STYLES];
    size_t count = 0, total = 0;
    for (size_t i = 0; i < summary->family_count; i++) {
        const struct rl_family *family = &summary->families[i];
        const size_t last = family->points[family->count - 1];
        size_t k = 0;
        if (family->axis != RL_FAMILY_N || has_faults(summary, family) || !wanted(family))
            continue;
        if (total < RL_PLOT_STYLES)
            all[total++] = family;
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
    if (count == 1)
        memcpy(chosen, all, total * sizeof *chosen);
    return count == 1 ? total : count;
}

static bool is_tested(const struct rl_family *family)
{
    return family->fitted && family->growth.test.verdict != RL_GROWTH_UNTESTED;
}

static bool any_family(const struct rl_family *family)
{
    (void)family;
    return true;
}

/* What a report shows first: whether the claims hold; then all protocols beside each other. */
static enum rl_status add_overview(struct figures *figures, const struct rl_summary *summary)
{
    const struct rl_family *chosen[RL_PLOT_STYLES];
    size_t count = choose_families(summary, is_tested, chosen);
    enum rl_status status = RL_OK;
    if (count > 0)
        status = add_growth_figure(figures, summary, chosen, count, "01-claims", true);
    count = choose_families(summary, any_family, chosen);
    const bool several = count > 1 && summary->plan.points[chosen[0]->points[0]].protocol !=
                                          summary->plan.points[chosen[1]->points[0]].protocol;
    if (!status && several)
        status = add_growth_figure(figures, summary, chosen, count, "02-overview", false);
    return status;
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
        if (point->hits[set].stats.gave_up == 0)
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
        report_typeset(label, sizeof label);
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
        if (summary->points[family->points[i]].count == 0 ||
            summary->points[family->points[i]].measure.stats.gave_up > 0)
            return RL_OK;
    if (sets < 2 || family->axis == RL_FAMILY_FAULT || last->count == 0)
        return RL_OK;
    snprintf(name, sizeof name, "%02zu-hits-%.60s", figures->count + 1, family->label);
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

enum rl_status report_make_figures(struct figures *figures, const struct rl_summary *summary,
                                   double width)
{
    *figures = (struct figures){.at = calloc(RL_REPORT_PLOTS, sizeof *figures->at), .width = width};
    if (!figures->at)
        return RL_NO_MEMORY;
    enum rl_status status = add_overview(figures, summary);
    if (!status)
        status = report_add_curves(figures, summary);
    if (!status)
        status = add_growth_figures(figures, summary);
    const struct rl_protocol *protocol;
    for (size_t i = 0; !status && (protocol = rl_protocol_at(i)); i++)
        status = add_distributions(figures, summary, protocol);
    for (size_t i = 0; i < summary->family_count && !status; i++)
        status = add_hits_figure(figures, summary, &summary->families[i]);
    return status;
}
