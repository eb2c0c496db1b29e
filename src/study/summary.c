/* SPDX-License-Identifier: MIT
 *
 * The summary of a study: trials and the statistics of points. Families are in family.c.
 */
#include "study/family.h"

#include <stdlib.h>
#include <string.h>

#include "ringleader/queue.h"
#include "simulate/grow.h"

void rl_summary_init(struct rl_summary *summary)
{
    *summary = (struct rl_summary){0};
}

void rl_summary_free(struct rl_summary *summary)
{
    for (size_t i = 0; summary->points && i < summary->plan.count; i++)
        free(summary->points[i].values);
    for (size_t i = 0; i < summary->family_count; i++)
        free(summary->families[i].points);
    free(summary->families);
    free(summary->points);
    free(summary->trials);
    rl_plan_free(&summary->plan);
    *summary = (struct rl_summary){0};
}

/* ---- loading ----------------------------------------------------------------------------------
 */

struct loader {
    struct rl_summary *summary;
    size_t *place; /* of a point of the store among ours */
    enum rl_status status;
};

static void add_trial(void *user, const struct rl_trial *trial)
{
    struct loader *loader = user;
    struct rl_summary *summary = loader->summary;
    if (!grow(&summary->trials, summary->trial_count, &summary->trial_room, sizeof *trial))
        loader->status = RL_NO_MEMORY;
    if (loader->status)
        return;
    summary->trials[summary->trial_count] = *trial;
    summary->trials[summary->trial_count++].point = (uint32_t)loader->place[trial->point];
}

enum rl_status rl_summary_add(struct rl_summary *summary, struct rl_store *store,
                              struct rl_error *error)
{
    struct rl_plan plan;
    struct loader loader = {.summary = summary};
    enum rl_status status = rl_store_points(store, &plan, error);
    if (!status) {
        loader.place = calloc(plan.count + 1, sizeof *loader.place);
        status = loader.place ? RL_OK : RL_NO_MEMORY;
    }
    for (size_t i = 0; i < plan.count && !status; i++)
        status = rl_plan_add(&summary->plan, &plan.points[i], &loader.place[i]);
    if (!status)
        status = rl_store_trials(store, &plan, add_trial, &loader, error);
    if (!status)
        status = loader.status;
    summary->dropped += status ? 0 : rl_store_dropped(store);
    free(loader.place);
    rl_plan_free(&plan);
    return status;
}

/* How many trials the plan wants: with a stopping rule that depends on those that are there. */
static enum rl_status count_wanted(struct rl_summary *summary)
{
    struct rl_queue queue;
    const enum rl_status status = rl_queue_init(&queue, &summary->plan, 0, 1);
    for (size_t i = 0; i < summary->trial_count && !status; i++)
        rl_queue_done(&queue, &summary->trials[i]);
    if (!status) {
        rl_queue_begin(&queue);
        summary->wanted = rl_queue_look(&queue).total;
    }
    rl_queue_free(&queue);
    return status;
}

/* ---- points -----------------------------------------------------------------------------------
 */

static int by_point_and_number(const void *a, const void *b)
{
    const struct rl_trial *x = a, *y = b;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

/* In order, and each once: two files may hold the same trial. */
static void sort_trials(struct rl_summary *summary)
{
    struct rl_trial *trials = summary->trials;
    size_t kept = 0;
    if (summary->trial_count == 0)
        return;
    qsort(trials, summary->trial_count, sizeof *trials, by_point_and_number);
    for (size_t i = 1; i < summary->trial_count; i++)
        if (by_point_and_number(&trials[kept], &trials[i]) != 0)
            trials[++kept] = trials[i];
    summary->trial_count = kept + 1;
}

/* `values` is sorted on return. */
static struct rl_summary_stats stats_of(double *values, size_t count)
{
    struct rl_summary_stats all = {0};
    if (count == 0)
        return all;
    all.stats = rl_stats_of(values, count);
    rl_stats_sort(values, count);
    all.p05 = rl_stats_quantile(values, count, 0.05);
    all.p25 = rl_stats_quantile(values, count, 0.25);
    all.median = rl_stats_quantile(values, count, 0.5);
    all.p75 = rl_stats_quantile(values, count, 0.75);
    all.p95 = rl_stats_quantile(values, count, 0.95);
    return all;
}

static void measure_point(struct rl_summary_point *point, double *scratch)
{
    for (size_t i = 0; i < point->count; i++)
        if (rl_trial_reached(point->point, &point->trials[i]))
            point->values[point->reached++] = rl_trial_measure(point->point, &point->trials[i]);
    memcpy(scratch, point->values, point->reached * sizeof *scratch);
    point->measure = stats_of(scratch, point->reached);
    for (size_t set = 0; set < point->point->protocol->set_count; set++) {
        const size_t faults = point->point->fault_count;
        const uint64_t since = faults ? point->point->faults[faults - 1].step : 0;
        size_t count = 0;
        for (size_t i = 0; i < point->count; i++)
            if (point->trials[i].hits[set] != RL_NEVER && point->trials[i].hits[set] >= since)
                scratch[count++] = (double)(point->trials[i].hits[set] - since);
        point->hits[set] = stats_of(scratch, count);
    }
}

static enum rl_status measure_points(struct rl_summary *summary)
{
    double *scratch = malloc((summary->trial_count + 1) * sizeof *scratch);
    enum rl_status status = scratch ? RL_OK : RL_NO_MEMORY;
    size_t at = 0;
    for (size_t i = 0; i < summary->plan.count && !status; i++) {
        struct rl_summary_point *point = &summary->points[i];
        point->point = &summary->plan.points[i];
        point->trials = summary->trials + at;
        while (at < summary->trial_count && summary->trials[at].point == i) {
            point->count++;
            at++;
        }
        point->values = malloc((point->count + 1) * sizeof *point->values);
        if (point->values)
            measure_point(point, scratch);
        else
            status = RL_NO_MEMORY;
    }
    free(scratch);
    return status;
}

enum rl_status rl_summary_finish(struct rl_summary *summary)
{
    sort_trials(summary);
    summary->points = calloc(summary->plan.count + 1, sizeof *summary->points);
    enum rl_status status = summary->points ? measure_points(summary) : RL_NO_MEMORY;
    if (!status)
        status = count_wanted(summary);
    if (!status)
        status = find_families(summary);
    return status;
}
