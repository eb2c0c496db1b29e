/* SPDX-License-Identifier: MIT
 *
 * A study at work.
 */
#include "ringleader/study.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "study/clock.h"

enum { BATCH_MOST = 1024 };

static const double COMMIT_SECONDS = 0.1, WAIT_SECONDS = 0.05;

struct bench {
    struct rl_study *study;
    struct rl_trial *batch; /* done, not yet written; room for BATCH_MOST and a task */
    size_t count;
    size_t under_way;
    double committed; /* when */
};

static void tell_queue(void *user, const struct rl_trial *trial)
{
    rl_queue_done(user, trial);
}

enum rl_status rl_study_resume(struct rl_store *store, struct rl_queue *queue,
                               struct rl_error *error)
{
    const enum rl_status status = rl_store_trials(store, queue->plan, tell_queue, queue, error);
    rl_queue_begin(queue);
    return status;
}

static enum rl_status commit(struct bench *bench, struct rl_error *error)
{
    bench->committed = seconds_now();
    if (bench->count == 0)
        return RL_OK;
    const enum rl_status status =
        rl_store_write(bench->study->store, bench->study->plan, bench->batch, bench->count, error);
    bench->count = 0;
    return status;
}

/* Tasks shrink towards the end, so that the workers finish together. */
static uint32_t largest_task(const struct rl_study *study)
{
    const struct rl_queue_outlook look = rl_queue_look(study->queue);
    const uint64_t share = (look.total - look.done) / (4 * study->workers->count);
    return share > RL_TASK_MOST ? RL_TASK_MOST : share < 1 ? 1 : (uint32_t)share;
}

static enum rl_status hand_out(struct bench *bench)
{
    struct rl_study *study = bench->study;
    struct rl_task task;
    enum rl_status status = RL_OK;
    const uint32_t most = largest_task(study);
    while (!status && bench->under_way < RL_CREW_AHEAD * study->workers->count &&
           rl_queue_next(study->queue, most, &task)) {
        status = study->workers->give(study->workers->self, &task);
        bench->under_way++;
    }
    return status;
}

/* The protocol's declaration is not true; its trials would be dropped when they are read again. */
static enum rl_status say_impossible(const struct rl_point *point, struct rl_error *error)
{
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "a run of %s ended as none should: are its sets listed from the largest to "
                        "the smallest, and closed?",
                        point->protocol->name);
}

/* The trials behind those of the batch belong to it. */
static enum rl_status accept(struct bench *bench, size_t count, struct rl_error *error)
{
    struct rl_study *study = bench->study;
    const struct rl_trial *trials = bench->batch + bench->count;
    for (size_t i = 0; i < count; i++) {
        const struct rl_point *point = &study->plan->points[trials[i].point];
        if (trials[i].status)
            return trials[i].status;
        if (!rl_trial_possible(point, &trials[i]))
            return say_impossible(point, error);
        rl_queue_done(study->queue, &trials[i]);
    }
    bench->count += count;
    return RL_OK;
}

static enum rl_status take_in(struct bench *bench, struct rl_error *error)
{
    struct rl_crew *workers = bench->study->workers;
    const size_t count = workers->take(workers->self, WAIT_SECONDS, bench->batch + bench->count);
    bench->under_way -= count > 0;
    return accept(bench, count, error);
}

static enum rl_status go_round(struct bench *bench, struct rl_error *error)
{
    enum rl_status status = take_in(bench, error);
    const bool due = seconds_now() - bench->committed >= COMMIT_SECONDS;
    if (!status && (due || bench->count >= BATCH_MOST))
        status = commit(bench, error);
    return status ? status : hand_out(bench);
}

enum rl_status rl_study_work(struct rl_study *study, bool *finished_out, struct rl_error *error)
{
    assert(study->go_on && study->workers->count > 0 && "nobody to do the work, or to say go on");
    struct bench bench = {.study = study, .committed = seconds_now()};
    *finished_out = false;
    bench.batch = malloc((BATCH_MOST + RL_TASK_MOST) * sizeof *bench.batch);
    /* What stands for a protocol whose file is not there cannot be run. */
    for (size_t i = 0; i < study->plan->count; i++)
        if (!study->plan->points[i].protocol->interact)
            rl_queue_leave(study->queue, i);
    enum rl_status status = bench.batch ? hand_out(&bench) : RL_NO_MEMORY;
    while (!status && bench.under_way > 0 && study->go_on(study->user))
        status = go_round(&bench, error);
    *finished_out = !status && bench.under_way == 0;
    if (bench.batch) {
        const enum rl_status last = commit(&bench, error);
        status = status ? status : last;
    }
    free(bench.batch);
    return status;
}

/* ---- all of it at once ------------------------------------------------------------------------
 */

struct whole {
    const struct rl_study_options *options;
    struct rl_queue queue;
};

static bool ask_whether_to_go_on(void *user)
{
    const struct whole *whole = user;
    const struct rl_queue_outlook outlook = rl_queue_look(&whole->queue);
    return !whole->options->go_on || whole->options->go_on(whole->options->user, &outlook);
}

static enum rl_status work_with_threads(struct whole *whole, struct rl_store *store,
                                        const struct rl_plan *plan, bool *finished_out,
                                        struct rl_error *error)
{
    struct rl_crew workers;
    enum rl_status status = rl_study_resume(store, &whole->queue, error);
    const struct rl_queue_outlook outlook = rl_queue_look(&whole->queue);
    *finished_out = !status && outlook.done == outlook.total;
    if (status || *finished_out)
        return status;
    status = rl_crew_threads(&workers, plan, whole->options->jobs);
    if (status)
        return status;
    struct rl_study study = {store, plan, &whole->queue, &workers, whole, ask_whether_to_go_on};
    status = rl_store_begin_session(store, workers.count, error);
    if (!status)
        status = rl_study_work(&study, finished_out, error);
    workers.stop(workers.self);
    return status;
}

/* A plan with a mistake leaves no file. */
static enum rl_status open_with_plan(struct rl_store **store_out,
                                     const struct rl_study_options *options, struct rl_error *error)
{
    struct rl_plan plan = {0};
    enum rl_status status = RL_OK;
    if (options->plan)
        status = rl_plan_parse(&plan, options->plan, strlen(options->plan), RL_PLAN_STRICT, error);
    if (!status)
        status = rl_store_open(store_out, options->path, RL_STORE_WRITE, error);
    if (!status)
        status = rl_store_keep_protocols(*store_out, &plan, error);
    if (!status && options->plan)
        status = rl_store_add_plan(*store_out, options->plan, &plan, error);
    rl_plan_free(&plan);
    return status;
}

enum rl_status rl_study_run(const struct rl_study_options *options, bool *finished_out,
                            struct rl_error *error)
{
    struct whole whole = {.options = options};
    struct rl_store *store = NULL;
    struct rl_plan plan = {0};
    uint64_t share, shares;
    assert(options->path && options->jobs > 0 && "a study has a path and somebody to do it");
    *finished_out = false;
    enum rl_status status = open_with_plan(&store, options, error);
    if (!status)
        status = rl_store_points(store, &plan, error);
    if (!status)
        status = rl_store_share(store, &share, &shares, error);
    if (!status)
        status = rl_queue_init(&whole.queue, &plan, share, shares ? shares : 1);
    if (!status)
        status = work_with_threads(&whole, store, &plan, finished_out, error);
    rl_queue_free(&whole.queue);
    rl_plan_free(&plan);
    rl_store_close(store);
    return status;
}
