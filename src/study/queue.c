/* SPDX-License-Identifier: MIT
 *
 * The queue of a study.
 */
#include "ringleader/study.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "core/inside.h"
#include "study/inside.h"

enum { FIRST_ROUND = 32 };

/* A task should take about this long, so that handing it out costs nothing beside it. */
static const double TASK_SECONDS = 0.05;

/* ---- which are ours, and which are done ---- */

/* Trials are dealt out to the shares like cards. The first of ours from `trial` on. */
static uint64_t first_of_ours(const struct rl_queue *queue, size_t point, uint64_t trial)
{
    const uint64_t holder = (trial + point) % queue->shares;
    return trial + (queue->share + queue->shares - holder) % queue->shares;
}

static uint64_t count_ours(const struct rl_queue *queue, size_t point, uint64_t end)
{
    const uint64_t first = first_of_ours(queue, point, 0);
    return first < end ? 1 + (end - 1 - first) / queue->shares : 0;
}

/* Where a trial is among those that are done, or would be. */
static size_t place_of(const struct rl_queue_point *point, uint64_t trial)
{
    size_t low = 0, high = point->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (point->trials[middle].trial < trial)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_done(const struct rl_queue_point *point, uint64_t trial)
{
    const size_t place = place_of(point, trial);
    return place < point->count && point->trials[place].trial == trial;
}

/* Moves `next` to the first trial that is ours and not done; false if the round has none left. */
static bool skip_done(struct rl_queue *queue, size_t index)
{
    struct rl_queue_point *point = &queue->points[index];
    do
        point->next = first_of_ours(queue, index, point->next);
    while (point->next < point->wanted && is_done(point, point->next) && ++point->next);
    return point->next < point->wanted;
}

/* ---- predictions ---- */

/* Work of a trial up to a factor, before any is known: n times n or the largest parameter. */
static double guess(const struct rl_point *point)
{
    const double n = point->run.params.n;
    double largest = n;
    for (size_t i = 0; i < point->run.protocol->parameter_count; i++)
        largest = fmax(largest, point->run.params.value[i]);
    return n * largest;
}

static double predicted(const struct rl_queue *queue, size_t index)
{
    const struct rl_queue_point *point = &queue->points[index];
    if (point->count > 0)
        return point->seconds / (double)point->count;
    return guess(&queue->plan->points[index]) *
           (queue->guessed > 0 ? queue->seconds / queue->guessed : 1e-8);
}

/* ---- the order ---- */

static int by_seconds(const void *a, const void *b)
{
    const struct rl_queue_place *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return (x->point > y->point) - (x->point < y->point);
}

/* The slowest first, as far as is known by now. */
static void sort_points(struct rl_queue *queue)
{
    const size_t count = queue->plan->count;
    for (size_t i = 0; i < count; i++)
        queue->order[i] = (struct rl_queue_place){predicted(queue, i), i};
    qsort(queue->order, count, sizeof *queue->order, by_seconds);
    for (size_t i = 0; i < count; i++)
        queue->points[queue->order[i].point].place = i;
    queue->at = 0;
}

/* Begins a round of trials, for whose point we may have to go back. Where rounds depend on what is
 * done, all trials are ours. */
static void open_round(struct rl_queue *queue, size_t index, uint64_t wanted)
{
    struct rl_queue_point *point = &queue->points[index];
    assert((queue->shares == 1 || point->count == 0) && "a rule needs all trials of a point");
    queue->total -= point->ours;
    queue->done -= point->done;
    point->wanted = wanted;
    point->ours = count_ours(queue, index, wanted);
    point->done = place_of(point, wanted);
    queue->total += point->ours;
    queue->done += point->done;
    queue->at = point->place < queue->at ? point->place : queue->at;
}

/* NaN: some gave up. */
static double mean_of(const struct rl_queue_point *point)
{
    double sum = 0;
    for (size_t i = 0; i < point->count && point->trials[i].trial < point->wanted; i++)
        sum += point->trials[i].value;
    return sum / (double)point->wanted;
}

/* Whether trials 0 .. wanted-1, which are all there, are precise enough. A mean over some that gave
 * up is not known at all. */
static bool is_precise(const struct rl_queue_point *point, double wanted_error)
{
    const double count = (double)point->wanted, mean = mean_of(point);
    double squares = 0;
    for (uint64_t k = 0; k < point->wanted; k++)
        squares += (point->trials[k].value - mean) * (point->trials[k].value - mean);
    return sqrt(squares / (count - 1)) / sqrt(count) <= wanted_error * mean;
}

/* Opens the next round of a point whose round is complete but not precise, unless nothing of it is
 * wanted. */
static void open_rounds(struct rl_queue *queue, size_t index)
{
    struct rl_queue_point *point = &queue->points[index];
    const struct rl_point *planned = &queue->plan->points[index];
    while (point->wanted > 0 && point->wanted < planned->trials && point->done == point->ours &&
           !is_precise(point, planned->until_error)) {
        const uint64_t larger = point->wanted + point->wanted / 2;
        open_round(queue, index, larger < planned->trials ? larger : planned->trials);
    }
}

/* Its trials, or the first round of them, are wanted from now on. */
static void begin_point(struct rl_queue *queue, size_t index)
{
    const struct rl_point *planned = &queue->plan->points[index];
    const bool rounds = planned->until_error > 0 && planned->trials > FIRST_ROUND;
    open_round(queue, index, rounds ? FIRST_ROUND : planned->trials);
    open_rounds(queue, index);
}

/* ---- easy starts ---- */

/* Whether two points differ in start and n only. */
static bool are_kin(const struct rl_queue *queue, size_t a, size_t b)
{
    return strcmp(queue->points[a].kin, queue->points[b].kin) == 0;
}

/* Whether the start of a point is easy. That is seen on the largest rings (n) smaller than all
 * where it may be left out (from `least` on); on the smallest ones none is. A start of which
 * nothing is known there is not easy, nor is any if trials gave up. */
struct judgement {
    uint32_t least, n;
    bool waits, easy;
    double mean, worst;
};

/* The least n of kin that is above a limit; of those only that may be left out, if so asked. */
static uint32_t least_above(const struct rl_queue *queue, size_t index, uint32_t limit, bool easy)
{
    const struct rl_point *points = queue->plan->points;
    uint32_t least = points[index].run.params.n;
    for (size_t i = 0; i < queue->plan->count; i++)
        if (points[i].run.params.n < least && points[i].run.params.n > limit &&
            (points[i].easy > 0 || !easy) && are_kin(queue, i, index))
            least = points[i].run.params.n;
    return least;
}

static struct judgement judge(const struct rl_queue *queue, size_t index)
{
    const struct rl_point *points = queue->plan->points;
    const uint32_t smallest = least_above(queue, index, 0, false);
    struct judgement found = {.least = least_above(queue, index, smallest, true), .mean = NAN};
    for (size_t i = 0; i < queue->plan->count; i++) {
        const uint32_t n = points[i].run.params.n;
        if (n >= found.least || n < found.n || !are_kin(queue, i, index))
            continue;
        if (n > found.n)
            found = (struct judgement){.least = found.least, .n = n, .mean = NAN};
        const double mean = mean_of(&queue->points[i]);
        found.waits |= queue->points[i].waits || queue->points[i].done < queue->points[i].ours;
        found.worst = mean > found.worst || isnan(mean) ? mean : found.worst;
        found.mean = strcmp(points[i].run.start, points[index].run.start) == 0 ? mean : found.mean;
    }
    found.easy = 100 * found.mean < (double)points[index].easy * found.worst;
    return found;
}

/* Points that wait for smaller rings, begun or left out as soon as those are complete. */
static void judge_all(struct rl_queue *queue)
{
    for (size_t i = 0; i < queue->plan->count && queue->waiting > 0; i++) {
        struct rl_queue_point *point = &queue->points[i];
        const struct judgement found = point->waits ? judge(queue, i) : (struct judgement){0};
        if (!point->waits || found.waits)
            continue;
        point->waits = false;
        queue->waiting--;
        point->left_out = found.easy;
        if (!found.easy)
            begin_point(queue, i);
    }
}

void rl_queue_tell_easy(const struct rl_queue *queue, const char *between, struct rl_text *text)
{
    for (size_t i = 0; i < queue->plan->count; i++) {
        const struct rl_point *point = &queue->plan->points[i];
        const bool left_out = queue->points[i].left_out;
        const struct judgement found = left_out ? judge(queue, i) : (struct judgement){0};
        if (!left_out || point->run.params.n > found.least)
            continue;
        rl_text_format(text,
                       "%s%s from %s for n >= %u, easy at n = %u: ", text->length ? between : "",
                       point->run.protocol->name, point->run.start, found.least, found.n);
        rl_text_format(text, "%s of ", rl_text_grouped((uint64_t)(found.mean + 0.5)).text);
        rl_text_format(text, "%s mean steps", rl_text_grouped((uint64_t)(found.worst + 0.5)).text);
    }
}

/* ---- the queue ---- */

static enum rl_status name_kin(struct rl_queue *queue)
{
    char label[RL_FAMILY_LABEL];
    for (size_t i = 0; i < queue->plan->count; i++) {
        rl_family_of_starts(&queue->plan->points[i], label);
        if (!(queue->points[i].kin = strdup(label)))
            return RL_NO_MEMORY;
    }
    return RL_OK;
}

enum rl_status rl_queue_init(struct rl_queue *queue, const struct rl_plan *plan, uint64_t share,
                             uint64_t shares)
{
    assert(share < shares && "there is no such share");
    *queue = (struct rl_queue){.plan = plan, .share = share, .shares = shares};
    queue->points = calloc(plan->count + 1, sizeof *queue->points);
    queue->order = calloc(plan->count + 1, sizeof *queue->order);
    if (!queue->points || !queue->order)
        return RL_NO_MEMORY;
    for (size_t i = 0; i < plan->count; i++) {
        queue->waiting += queue->points[i].waits = plan->points[i].easy > 0;
        if (!queue->points[i].waits)
            begin_point(queue, i);
    }
    return queue->waiting > 0 ? name_kin(queue) : RL_OK;
}

void rl_queue_free(struct rl_queue *queue)
{
    for (size_t i = 0; queue->points && i < queue->plan->count; i++) {
        free(queue->points[i].trials);
        free(queue->points[i].kin);
    }
    free(queue->points);
    free(queue->order);
    *queue = (struct rl_queue){0};
}

void rl_queue_done(struct rl_queue *queue, const struct rl_trial *trial)
{
    assert(trial->point < queue->plan->count && "the plan has no such point");
    struct rl_queue_point *point = &queue->points[trial->point];
    const struct rl_point *planned = &queue->plan->points[trial->point];
    /* (A curve may have been asked for since the trial was run.) */
    if (trial->trial >= planned->trials || is_done(point, trial->trial) ||
        (planned->curve[0] && trial->curve_count == 0))
        return;
    struct rl_queue_trial *trials =
        grown(point->trials, point->count, &point->room, sizeof *trials);
    if (!trials) {
        queue->status = RL_NO_MEMORY;
        return;
    }
    point->trials = trials;
    const size_t place = place_of(point, trial->trial);
    memmove(trials + place + 1, trials + place, (point->count++ - place) * sizeof *trials);
    trials[place] = (struct rl_queue_trial){
        trial->trial, rl_trial_reached(planned, trial) ? rl_trial_measure(planned, trial) : NAN};
    point->gave_up += isnan(trials[place].value) != 0;
    if (trial->trial < point->wanted &&
        first_of_ours(queue, trial->point, trial->trial) == trial->trial) {
        point->done++;
        queue->done++;
    }
    point->seconds += trial->wall_seconds;
    queue->seconds += trial->wall_seconds;
    queue->guessed += guess(planned);
    open_rounds(queue, trial->point);
    if (point->done == point->ours)
        judge_all(queue);
}

void rl_queue_begin(struct rl_queue *queue)
{
    judge_all(queue);
    sort_points(queue);
}

void rl_queue_leave(struct rl_queue *queue, size_t point)
{
    struct rl_queue_point *left = &queue->points[point];
    queue->total -= left->ours - left->done;
    left->wanted = 0;
    left->ours = left->done;
    queue->waiting -= left->waits;
    left->waits = false;
}

/* ---- giving out ---- */

static uint32_t task_size(const struct rl_queue_point *point, double seconds, uint32_t most)
{
    if (point->count == 0 || most <= 1)
        return 1;
    const double size = TASK_SECONDS / fmax(seconds, 1e-9);
    return size < 1 ? 1 : size > most ? most : (uint32_t)size;
}

bool rl_queue_next(struct rl_queue *queue, uint32_t most, struct rl_task *task_out)
{
    assert(most > 0 && "a task has a trial");
    size_t index = 0;
    for (;; queue->at++) {
        if (queue->at >= queue->plan->count && queue->probed)
            return false;
        if (queue->at >= queue->plan->count) {
            queue->probed = true;
            sort_points(queue);
        }
        index = queue->order[queue->at].point;
        if ((queue->probed || queue->points[index].count == 0) && skip_done(queue, index))
            break;
    }
    struct rl_queue_point *point = &queue->points[index];
    const uint32_t size = task_size(point, predicted(queue, index), most);
    *task_out = (struct rl_task){.point = (uint32_t)index, .first = point->next};
    while (task_out->count < size && point->next == task_out->first + task_out->count) {
        task_out->count++;
        point->next++;
        if (!skip_done(queue, index))
            break;
    }
    queue->at += !queue->probed;
    return true;
}

struct rl_queue_outlook rl_queue_look(const struct rl_queue *queue)
{
    struct rl_queue_outlook look = {.done = queue->done, .total = queue->total};
    for (size_t i = 0; i < queue->plan->count; i++) {
        const struct rl_queue_point *point = &queue->points[i];
        const double seconds = predicted(queue, i);
        look.gave_up += point->gave_up;
        look.left_out += point->left_out;
        look.seconds_left += seconds * (double)(point->ours - point->done);
        if (seconds > look.slowest_seconds && point->ours > point->done) {
            look.slowest_seconds = seconds;
            look.slowest = i;
        }
    }
    return look;
}
