/* SPDX-License-Identifier: MIT
 *
 * A study: its file and its request brought together, and the work.
 *
 * Everything that can be wrong with a request is found before anything is written. Then the plan,
 * the share and what was salvaged are one commit, which also creates a new file.
 */
#include "ringleader/study.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "study/inside.h"
#include "study/store_sqlite.h"

static const double COMMIT_SECONDS = 0.1, WAIT_SECONDS = 0.05;

struct bench {
    struct rl_study *study;
    struct rl_crew *workers;
    size_t under_way;
    double committed, asked; /* when */
};

/* ---- opening ---- */

static void check_request(const struct rl_study_options *options, struct rl_store *store)
{
    const char *path = options->path;
    if (options->salvage && access(path, F_OK) == 0)
        store_fail(store, RL_BAD_PARAMETER, "%s already exists: --salvage needs a new file", path);
    if (options->salvage && access(options->salvage, R_OK) != 0)
        store_fail(store, RL_BAD_PARAMETER, "there is no file %s", options->salvage);
    if (!options->plan && !options->salvage && store->plan.count == 0)
        store_fail(store, RL_BAD_PARAMETER, "%s has no plan yet: give -n, --plan or --preset",
                   path);
}

/* The share is the file's: said once, it stays. */
static void settle_share(const struct rl_study_options *options, struct rl_store *store)
{
    if (store->shares == 0) {
        store->share = options->share;
        store->shares = options->shares ? options->shares : 1;
    }
    if (options->shares && (store->share != options->share || store->shares != options->shares))
        store_fail(store, RL_BAD_PARAMETER,
                   "%s is for share %llu/%llu of the trials: another share needs its own file",
                   options->path, (unsigned long long)store->share + 1,
                   (unsigned long long)store->shares);
}

/* A protocol from a file can only be run with the file; a rule about all trials of a point needs
 * all of them. */
static void check_points(struct rl_study *study, const struct rl_study_options *options)
{
    for (size_t i = 0; i < study->plan->count; i++) {
        const struct rl_point *point = &study->plan->points[i];
        if (study->store->shares > 1 && (point->until_error > 0 || point->easy > 0))
            store_fail(study->store, RL_BAD_PARAMETER,
                       "--share and --%s cannot be combined: the rule needs all trials of a point",
                       point->easy > 0 ? "easy" : "until-error");
        if (point->run.protocol->interact)
            continue;
        study->left_alone++;
        study->left_name = point->run.protocol->name;
    }
    /* What was salvaged stays: it may want a protocol's file to go on. */
    if (study->left_alone > 0 && !options->plan && !options->look && !options->salvage)
        store_fail(study->store, RL_BAD_PARAMETER,
                   "the study has a protocol from a file, %s: give that file with -p, together "
                   "with the rest of the grid",
                   study->left_name);
}

static void tell_queue(void *user, const struct rl_trial *trial)
{
    rl_queue_done(user, trial);
}

/* The file as it is going to be; what it takes to be so is written, not committed. */
static void settle(struct rl_study *study, const struct rl_study_options *options,
                   const struct rl_plan *ours)
{
    struct rl_store *store = study->store;
    check_request(options, store);
    if (options->salvage && !store->status)
        store_salvage(store, options->salvage, &study->salvaged);
    settle_share(options, store);
    if (options->plan)
        store_settle_plan(store, options->plan, ours, options->extend);
}

static enum rl_status open_study(struct rl_study *study, const struct rl_study_options *options,
                                 const struct rl_plan *ours, struct rl_error *error)
{
    const enum rl_store_mode mode = options->look ? RL_STORE_READ : RL_STORE_WRITE;
    const enum rl_status status = rl_store_open(&study->store, options->path, mode, error);
    struct rl_store *store = study->store;
    if (status)
        return status;
    study->interrupted = store->interrupted;
    study->plan = &store->plan;
    if (!options->look) {
        settle(study, options, ours);
    } else {
        study->at_work = store_is_locked(store);
        study->workers = (uint64_t)store_number(store, "SELECT workers FROM session"
                                                       " ORDER BY id DESC LIMIT 1");
        study->age = (double)store_number(store, "SELECT unixepoch() - unixepoch(max(began))"
                                                 " FROM session");
    }
    check_points(study, options);
    if (options->plan || options->salvage)
        store_commit(store);
    if (!store->status)
        store->status = rl_queue_init(&study->queue, study->plan, store->share, store->shares);
    if (store->status || rl_store_trials(store, tell_queue, &study->queue, error))
        return store->status;
    study->dropped = store->dropped;
    rl_queue_begin(&study->queue);
    return study->queue.status;
}

enum rl_status rl_study_open(struct rl_study *study, const struct rl_study_options *options,
                             struct rl_error *error)
{
    assert(options->path && "a study has a path");
    struct rl_plan ours = {0};
    enum rl_status status = RL_OK;
    *study = (struct rl_study){0};
    if (options->plan)
        status =
            rl_plan_parse(&ours, options->plan, strlen(options->plan), options->resolver, error);
    if (!status)
        status = open_study(study, options, &ours, error);
    rl_plan_free(&ours);
    return status;
}

void rl_study_close(struct rl_study *study)
{
    rl_queue_free(&study->queue);
    rl_store_close(study->store);
    *study = (struct rl_study){0};
}

bool rl_study_is_finished(const struct rl_study *study)
{
    return study->queue.done == study->queue.total;
}

/* ---- the work ---- */

static enum rl_status commit(struct bench *bench)
{
    struct rl_store *store = bench->study->store;
    bench->committed = seconds_now();
    return store->in_transaction ? store_commit(store) : store->status;
}

/* Tasks shrink towards the end, so that the workers finish together. */
static uint32_t largest_task(const struct bench *bench)
{
    const struct rl_queue *queue = &bench->study->queue;
    const uint64_t share = (queue->total - queue->done) / (4 * bench->workers->count);
    return share > RL_TASK_MOST ? RL_TASK_MOST : share < 1 ? 1 : (uint32_t)share;
}

static enum rl_status hand_out(struct bench *bench)
{
    struct rl_crew *workers = bench->workers;
    struct rl_task task;
    enum rl_status status = RL_OK;
    const uint32_t most = largest_task(bench);
    while (!status && bench->under_way < RL_CREW_AHEAD * workers->count &&
           rl_queue_next(&bench->study->queue, most, &task)) {
        status = workers->give(workers->self, &task);
        bench->under_way++;
    }
    return status;
}

static enum rl_status take_in(struct bench *bench, struct rl_error *error)
{
    struct rl_study *study = bench->study;
    struct rl_trial trials[RL_TASK_MOST];
    const size_t count = bench->workers->take(bench->workers->self, WAIT_SECONDS, trials);
    bench->under_way -= count > 0;
    for (size_t i = 0; i < count; i++) {
        const struct rl_point *point = &study->plan->points[trials[i].point];
        if (trials[i].status)
            return trials[i].status;
        /* Its declaration is not true: such trials would be dropped when they are read again. */
        if (!rl_trial_possible(point, &trials[i]))
            return rl_error_set(error, RL_BAD_PARAMETER,
                                "a run of %s ended in an impossible way: are its sets listed from "
                                "the largest to the smallest, and closed?",
                                point->run.protocol->name);
        rl_queue_done(&study->queue, &trials[i]);
        store_insert_trial(study->store, point, &trials[i]);
    }
    return study->queue.status ? study->queue.status : study->store->status;
}

static enum rl_status go_round(struct bench *bench, struct rl_error *error)
{
    enum rl_status status = take_in(bench, error);
    if (!status && seconds_now() - bench->committed >= COMMIT_SECONDS)
        status = commit(bench);
    return status ? status : hand_out(bench);
}

/* An outlook takes time that goes by the points. */
static bool is_wanted(struct bench *bench, void *user, rl_study_go_on go_on)
{
    if (!go_on || seconds_now() - bench->asked < WAIT_SECONDS)
        return true;
    const struct rl_queue_outlook outlook = rl_queue_look(&bench->study->queue);
    bench->asked = seconds_now();
    return go_on(user, &outlook);
}

enum rl_status rl_study_work(struct rl_study *study, struct rl_crew *workers, void *user,
                             rl_study_go_on go_on, struct rl_error *error)
{
    assert(workers->count > 0 && "nobody to do the work");
    struct bench bench = {.study = study, .workers = workers, .committed = seconds_now()};
    /* What stands for a protocol whose file is not there cannot be run. */
    for (size_t i = 0; i < study->plan->count; i++)
        if (!study->plan->points[i].run.protocol->interact)
            rl_queue_leave(&study->queue, i);
    enum rl_status status = rl_store_begin_session(study->store, workers->count, error);
    if (!status)
        status = hand_out(&bench);
    while (!status && bench.under_way > 0 && is_wanted(&bench, user, go_on))
        status = go_round(&bench, error);
    const enum rl_status last = commit(&bench);
    return status ? status : last;
}

/* ---- all of it at once ---- */

enum rl_status rl_study_run(const struct rl_study_options *options, bool *finished_out,
                            struct rl_error *error)
{
    assert(options->jobs > 0 && "a study has somebody to do it");
    struct rl_study study;
    struct rl_crew workers;
    enum rl_status status = rl_study_open(&study, options, error);
    if (!status && !rl_study_is_finished(&study)) {
        status = rl_crew_threads(&workers, study.plan, options->jobs);
        if (!status) {
            status = rl_study_work(&study, &workers, options->user, options->go_on, error);
            workers.stop(workers.self);
        }
    }
    *finished_out = !status && rl_study_is_finished(&study);
    rl_study_close(&study);
    return status;
}
