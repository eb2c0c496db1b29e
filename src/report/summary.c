/* SPDX-License-Identifier: MIT
 *
 * The summary of a study: trials and the statistics of points. Families are in family.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "report/parts.h"
#include "study/inside.h"

void rl_summary_free(struct rl_summary *summary)
{
    for (size_t i = 0; summary->points && i < summary->plan.count; i++)
        free(summary->points[i].curve);
    for (size_t i = 0; i < summary->family_count; i++)
        free(summary->families[i].at);
    free(summary->families);
    free(summary->points);
    free(summary->trials);
    free(summary->values);
    rl_plan_free(&summary->plan);
    *summary = (struct rl_summary){0};
}

/* ---- loading ---- */

struct loader {
    struct rl_summary *summary;
    size_t *place; /* of a point of the store among ours */
    enum rl_status status;
};

static void add_trial(void *user, const struct rl_trial *trial)
{
    struct loader *loader = user;
    struct rl_summary *summary = loader->summary;
    if (loader->status)
        return;
    struct rl_trial *trials =
        grown(summary->trials, summary->trial_count, &summary->trial_room, sizeof *trials);
    if (!trials) {
        loader->status = RL_NO_MEMORY;
        return;
    }
    summary->trials = trials;
    summary->trials[summary->trial_count] = *trial;
    summary->trials[summary->trial_count++].point = (uint32_t)loader->place[trial->point];
}

/* Two points that look the same but for the text of their start would be two rows that nobody can
 * tell apart. */
static enum rl_status refuse_namesake(const struct rl_plan *plan, const struct rl_point *point,
                                      struct rl_error *error)
{
    for (size_t i = 0; point->run.start_text && i < plan->count; i++)
        if (strcmp(rl_plan_line(&plan->points[i]).text, rl_plan_line(point).text) == 0 &&
            !rl_plan_same_point(&plan->points[i], point))
            return rl_error_set(error, RL_BAD_STUDY,
                                "the files have different starts called %s: make a report of each",
                                point->run.start);
    return RL_OK;
}

enum rl_status rl_summary_add(struct rl_summary *summary, struct rl_store *store,
                              struct rl_error *error)
{
    const struct rl_plan *plan = rl_store_points(store);
    struct loader loader = {.summary = summary};
    loader.place = calloc(plan->count + 1, sizeof *loader.place);
    enum rl_status status = loader.place ? RL_OK : RL_NO_MEMORY;
    for (size_t i = 0; i < plan->count && !status; i++) {
        status = refuse_namesake(&summary->plan, &plan->points[i], error);
        if (!status)
            status = rl_plan_add(&summary->plan, &plan->points[i], &loader.place[i]);
    }
    if (!status)
        status = rl_store_trials(store, add_trial, &loader, error);
    if (!status)
        status = loader.status;
    summary->dropped += status ? 0 : rl_store_dropped(store);
    free(loader.place);
    return status;
}

/* How many trials the plan wants: with a stopping rule that depends on those that are there. */
static enum rl_status count_wanted(struct rl_summary *summary)
{
    struct rl_queue queue;
    struct rl_text easy = rl_text_into(summary->easy, sizeof summary->easy);
    const enum rl_status status = rl_queue_init(&queue, &summary->plan, 0, 1);
    for (size_t i = 0; i < summary->trial_count && !status; i++)
        rl_queue_done(&queue, &summary->trials[i]);
    if (!status) {
        rl_queue_begin(&queue);
        summary->wanted = queue.total;
        rl_queue_tell_easy(&queue, "; ", &easy);
    }
    const enum rl_status kept = queue.status;
    rl_queue_free(&queue);
    return status ? status : kept;
}

/* ---- points ---- */

static int by_point_and_number(const void *a, const void *b)
{
    const struct rl_trial *x = a, *y = b;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

static bool same_result(const struct rl_trial *a, const struct rl_trial *b)
{
    return a->steps == b->steps && a->events == b->events && a->leaders == b->leaders &&
           a->leader == b->leader && memcmp(a->hits, b->hits, sizeof a->hits) == 0 &&
           (a->curve_count == 0 || b->curve_count == 0 ||
            memcmp(a->curve, b->curve, sizeof a->curve) == 0);
}

/* In order, and each once: two files may hold the same trial. */
static enum rl_status sort_trials(struct rl_summary *summary, struct rl_error *error)
{
    struct rl_trial *trials = summary->trials;
    size_t kept = 0;
    if (summary->trial_count == 0)
        return RL_OK;
    qsort(trials, summary->trial_count, sizeof *trials, by_point_and_number);
    for (size_t i = 1; i < summary->trial_count; i++) {
        const struct rl_trial *last = &trials[kept], *next = &trials[i];
        if (by_point_and_number(last, next) != 0)
            trials[++kept] = *next;
        else if (same_result(last, next))
            trials[kept] = last->curve_count ? *last : *next;
        else
            return rl_error_set(error, RL_IO,
                                "two files contradict each other: trial %llu of %s has %llu steps "
                                "and %llu events in one, %llu and %llu in the other",
                                (unsigned long long)last->trial,
                                rl_plan_line(&summary->plan.points[last->point]).text,
                                (unsigned long long)last->steps, (unsigned long long)last->events,
                                (unsigned long long)next->steps, (unsigned long long)next->events);
    }
    summary->trial_count = kept + 1;
    return RL_OK;
}

/* Of the values that are known and those that exceed `limit`. `values` is sorted on return. */
static struct rl_summary_stats stats_of(double *values, size_t known, size_t count, double limit)
{
    struct rl_summary_stats all = {0};
    if (count == 0)
        return all;
    all.stats = rl_stats_of(values, known, count - known, limit);
    rl_stats_sort(values, known);
    all.p05 = rl_stats_quantile(values, known, count, 0.05);
    all.p25 = rl_stats_quantile(values, known, count, 0.25);
    all.median = rl_stats_quantile(values, known, count, 0.5);
    all.p75 = rl_stats_quantile(values, known, count, 0.75);
    all.p95 = rl_stats_quantile(values, known, count, 0.95);
    return all;
}

/* "S_RL", or "settled (observed, not proved: no output changed for 20 n^2 steps)". */
static void tell_target(struct rl_summary_point *out)
{
    const struct rl_protocol *protocol = out->point->run.protocol;
    const struct rl_set *target = &protocol->sets[protocol->target];
    const int settled = rl_protocol_parameter(protocol, "settled");
    struct rl_text text = rl_text_into(out->target, sizeof out->target);
    rl_text_string(&text, target->name);
    if (!target->contains && settled >= 0)
        rl_text_format(&text, " (observed, not proved: no output changed for %u n steps)",
                       out->point->run.params.value[settled]);
    else if (!target->contains)
        rl_text_string(&text, " (observed, not proved: no output changed for 20 n^2 steps)");
}

/* All that give up do so at the same step, and count from the last fault. */
static void measure_point(struct rl_summary_point *point, double *scratch)
{
    const size_t faults = point->point->run.fault_count;
    const uint64_t since = faults ? point->point->run.faults[faults - 1].step : 0;
    double limit = INFINITY;
    for (size_t i = 0; i < point->count; i++) {
        const double measure = rl_trial_measure(point->point, &point->trials[i]);
        if (rl_trial_reached(point->point, &point->trials[i]))
            point->values[point->reached++] = measure;
        else
            limit = fmin(limit, measure);
    }
    memcpy(scratch, point->values, point->reached * sizeof *scratch);
    point->measure = stats_of(scratch, point->reached, point->count, limit);
    for (size_t set = 0; set < point->point->run.protocol->set_count; set++) {
        size_t known = 0;
        for (size_t i = 0; i < point->count; i++)
            if (point->trials[i].hits[set] != RL_NEVER && point->trials[i].hits[set] >= since)
                scratch[known++] = (double)(point->trials[i].hits[set] - since);
        point->hits[set] = stats_of(scratch, known, point->count, limit);
    }
}

/* Up to which step the curves of all trials are known. In the target a ring keeps its leader, so
 * that a run need not go on; what other gauges show after a run nobody has looked at. */
static size_t known_steps(const struct rl_summary_point *point)
{
    const bool leaders = strcmp(point->point->curve, "leaders") == 0;
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < point->count; i++) {
        const struct rl_trial *trial = &point->trials[i];
        if (trial->curve_count == 0)
            continue;
        if (!leaders || !rl_trial_reached(point->point, trial))
            least = trial->curve_count < least ? trial->curve_count : least;
        most = trial->curve_count > most ? trial->curve_count : most;
    }
    return least <= most ? least : most + (most && most < RL_CURVE_STEPS);
}

/* The gauge of a point at each step of a curve, over all trials that have one. */
static enum rl_status measure_curve(struct rl_summary_point *point, double *scratch)
{
    const size_t steps = known_steps(point);
    point->curve = steps ? calloc(steps, sizeof *point->curve) : NULL;
    if (steps && !point->curve)
        return RL_NO_MEMORY;
    for (size_t k = 0; k < steps; k++) {
        size_t count = 0;
        for (size_t i = 0; i < point->count; i++) {
            const struct rl_trial *trial = &point->trials[i];
            if (trial->curve_count)
                scratch[count++] = k < trial->curve_count ? trial->curve[k] : trial->leaders;
        }
        point->curve[point->curve_count++] = stats_of(scratch, count, count, 0);
    }
    return RL_OK;
}

static enum rl_status measure_points(struct rl_summary *summary)
{
    double *scratch = malloc((summary->trial_count + 1) * sizeof *scratch);
    summary->values = malloc((summary->trial_count + 1) * sizeof *summary->values);
    enum rl_status status = scratch && summary->values ? RL_OK : RL_NO_MEMORY;
    size_t at = 0;
    for (size_t i = 0; i < summary->plan.count && !status; i++) {
        struct rl_summary_point *point = &summary->points[i];
        point->point = &summary->plan.points[i];
        tell_target(point);
        point->trials = summary->trials + at;
        point->values = summary->values + at;
        while (at < summary->trial_count && summary->trials[at].point == i) {
            point->count++;
            at++;
        }
        measure_point(point, scratch);
        status = measure_curve(point, scratch);
    }
    free(scratch);
    return status;
}

enum rl_status rl_summary_finish(struct rl_summary *summary, struct rl_error *error)
{
    enum rl_status status = sort_trials(summary, error);
    if (status)
        return status;
    summary->points = calloc(summary->plan.count + 1, sizeof *summary->points);
    status = summary->points ? measure_points(summary) : RL_NO_MEMORY;
    if (!status)
        status = count_wanted(summary);
    if (!status)
        status = find_families(summary);
    return status;
}
