/* SPDX-License-Identifier: MIT
 *
 * The queue of a study.
 */
#include "ringleader/queue.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "ringleader/stats.h"

enum { FIRST_ROUND = 32 };

/* A task should take about this long, so that handing it out costs nothing beside it. */
static const double TASK_SECONDS = 0.05;

/* Trials are dealt out to the shares like cards. */
static bool is_ours(const struct rl_queue *queue, size_t point, uint64_t trial)
{
    return (trial + point) % queue->shares == queue->share;
}

/* Begins a round of `wanted` trials. */
static void set_round(struct rl_queue *queue, size_t index, uint64_t wanted)
{
    struct rl_queue_point *point = &queue->points[index];
    point->wanted = wanted;
    point->ours = point->done = 0;
    for (uint64_t k = 0; k < wanted; k++) {
        point->ours += is_ours(queue, index, k);
        point->done += is_ours(queue, index, k) && !isnan(point->values[k]);
    }
}

enum rl_status rl_queue_init(struct rl_queue *queue, const struct rl_plan *plan, uint64_t share,
                             uint64_t shares)
{
    assert(share < shares && "there is no such share");
    *queue = (struct rl_queue){.plan = plan, .share = share, .shares = shares};
    queue->points = calloc(plan->count + 1, sizeof *queue->points);
    if (!queue->points)
        return RL_NO_MEMORY;
    for (size_t i = 0; i < plan->count; i++) {
        struct rl_queue_point *point = &queue->points[i];
        const uint64_t trials = plan->points[i].trials;
        point->values = malloc(trials * sizeof *point->values);
        if (!point->values)
            return RL_NO_MEMORY;
        for (uint64_t k = 0; k < trials; k++)
            point->values[k] = NAN;
        const bool rounds = plan->points[i].until_error > 0 && trials > FIRST_ROUND;
        set_round(queue, i, rounds ? FIRST_ROUND : trials);
    }
    return RL_OK;
}

void rl_queue_free(struct rl_queue *queue)
{
    for (size_t i = 0; queue->points && i < queue->plan->count; i++)
        free(queue->points[i].values);
    free(queue->points);
    *queue = (struct rl_queue){0};
}

/* Whether trials 0 .. wanted-1 are all there and precise enough. Where some gave up nothing is. */
static bool is_precise(const struct rl_queue_point *point, double wanted_error)
{
    const struct rl_stats stats = rl_stats_of(point->values, point->wanted, 0, 0);
    return stats.standard_error <= wanted_error * stats.mean;
}

/* Opens the next round of a point whose round is complete but not precise. */
static void open_rounds(struct rl_queue *queue, size_t index)
{
    struct rl_queue_point *point = &queue->points[index];
    const struct rl_point *planned = &queue->plan->points[index];
    while (point->wanted < planned->trials && point->done == point->ours &&
           !is_precise(point, planned->until_error)) {
        const uint64_t larger = point->wanted + point->wanted / 2;
        set_round(queue, index, larger < planned->trials ? larger : planned->trials);
    }
}

void rl_queue_done(struct rl_queue *queue, const struct rl_trial *trial)
{
    assert(trial->point < queue->plan->count && "the plan has no such point");
    struct rl_queue_point *point = &queue->points[trial->point];
    const struct rl_point *planned = &queue->plan->points[trial->point];
    if (trial->trial >= planned->trials || !isnan(point->values[trial->trial]))
        return;
    point->values[trial->trial] =
        rl_trial_reached(planned, trial) ? rl_trial_measure(planned, trial) : INFINITY;
    point->gave_up += isinf(point->values[trial->trial]) != 0;
    if (trial->trial < point->wanted && is_ours(queue, trial->point, trial->trial))
        point->done++;
    point->seconds += trial->wall_seconds;
    point->timed++;
    if (planned->until_error > 0)
        open_rounds(queue, trial->point);
}

void rl_queue_begin(struct rl_queue *queue)
{
    for (size_t i = 0; i < queue->plan->count; i++)
        if (queue->plan->points[i].until_error > 0)
            open_rounds(queue, i);
}

void rl_queue_leave(struct rl_queue *queue, size_t point)
{
    queue->points[point].wanted = 0;
    queue->points[point].ours = queue->points[point].done;
}

/* ---- predictions ------------------------------------------------------------------------------
 */

/* Work of a trial up to a factor, before any is known: n times n or the largest parameter. */
static double guess(const struct rl_point *point)
{
    const double n = point->params.n;
    double largest = n;
    for (size_t i = 0; i < point->protocol->parameter_count; i++)
        largest = fmax(largest, point->params.value[i]);
    return n * largest;
}

/* Seconds for each unit of `guess`, over everything timed. */
static double scale_of(const struct rl_queue *queue)
{
    double seconds = 0, guessed = 0;
    for (size_t i = 0; i < queue->plan->count; i++) {
        seconds += queue->points[i].seconds;
        guessed += guess(&queue->plan->points[i]) * (double)queue->points[i].timed;
    }
    return guessed > 0 ? seconds / guessed : 1e-8;
}

static double predicted(const struct rl_queue *queue, size_t index, double scale)
{
    const struct rl_queue_point *point = &queue->points[index];
    if (point->timed > 0)
        return point->seconds / (double)point->timed;
    return scale * guess(&queue->plan->points[index]);
}

/* ---- giving out -------------------------------------------------------------------------------
 */

/* Moves `next` to the first trial that is ours and not done; false if the round has none left. */
static bool skip_done(struct rl_queue *queue, size_t index)
{
    struct rl_queue_point *point = &queue->points[index];
    while (point->next < point->wanted &&
           (!isnan(point->values[point->next]) || !is_ours(queue, index, point->next)))
        point->next++;
    return point->next < point->wanted;
}

static uint32_t task_size(const struct rl_queue_point *point, double seconds, uint32_t most)
{
    if (point->timed == 0 || most <= 1)
        return 1;
    const double size = TASK_SECONDS / fmax(seconds, 1e-9);
    return size < 1 ? 1 : size > most ? most : (uint32_t)size;
}

/* Whether nothing is known of a point and nobody has been sent to find out. */
static bool needs_probe(const struct rl_queue_point *point)
{
    return point->timed == 0 && !point->probed;
}

bool rl_queue_next(struct rl_queue *queue, uint32_t most, struct rl_task *task_out)
{
    assert(most > 0 && "a task has a trial");
    const double scale = scale_of(queue);
    size_t best = SIZE_MAX;
    double longest = -1;
    for (size_t i = 0; i < queue->plan->count; i++) {
        const double seconds = predicted(queue, i, scale);
        const bool probe = needs_probe(&queue->points[i]);
        const bool probe_best = best != SIZE_MAX && needs_probe(&queue->points[best]);
        const bool before = probe != probe_best ? probe : seconds > longest;
        if ((best == SIZE_MAX || before) && skip_done(queue, i)) {
            best = i;
            longest = seconds;
        }
    }
    if (best == SIZE_MAX)
        return false;
    struct rl_queue_point *point = &queue->points[best];
    const uint32_t size = task_size(point, longest, most);
    point->probed = true;
    *task_out = (struct rl_task){.point = (uint32_t)best, .first = point->next};
    while (task_out->count < size && point->next == task_out->first + task_out->count) {
        task_out->count++;
        point->next++;
        if (!skip_done(queue, best))
            break;
    }
    return true;
}

struct rl_queue_outlook rl_queue_look(const struct rl_queue *queue)
{
    struct rl_queue_outlook look = {0};
    const double scale = scale_of(queue);
    for (size_t i = 0; i < queue->plan->count; i++) {
        const struct rl_queue_point *point = &queue->points[i];
        const double seconds = predicted(queue, i, scale);
        look.total += point->ours;
        look.done += point->done;
        look.gave_up += point->gave_up;
        look.seconds_left += seconds * (double)(point->ours - point->done);
        if (seconds > look.slowest_seconds && point->ours > point->done) {
            look.slowest_seconds = seconds;
            look.slowest = i;
        }
    }
    return look;
}
