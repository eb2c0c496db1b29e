/* SPDX-License-Identifier: MIT
 *
 * Doing a study, and telling how far it is.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "cli/study.h"

struct watch {
    struct progress *progress;
    const struct rl_queue *queue;
    const struct rl_plan *plan;
    size_t workers;
    uint64_t done_before;
    bool quiet;
};

static bool watch_work(void *user)
{
    struct watch *watch = user;
    if (!watch->quiet && progress_due(watch->progress)) {
        const struct rl_queue_outlook look = rl_queue_look(watch->queue);
        const double seconds = seconds_now() - watch->progress->began;
        progress_show(watch->progress, "%s/%s trials, %.3g a second, %s left; slowest %s (%.2g s)",
                      grouped(look.done), grouped(look.total),
                      (double)(look.done - watch->done_before) / seconds,
                      duration_text(look.seconds_left / (double)watch->workers),
                      point_label(&watch->plan->points[look.slowest]), look.slowest_seconds);
    }
    return !interrupted();
}

static bool has_own(const struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].protocol->hash)
            return true;
    return false;
}

static void tell_salvage(const struct study_request *request)
{
    const struct rl_store_salvaged *salvaged = &request->salvaged;
    printf("saved from %s: %s trials at %s points; up to %s are computed again from their seeds\n",
           request->salvage, grouped(salvaged->trials), grouped(salvaged->points),
           grouped(salvaged->again));
}

static void tell_end(const struct study_request *request, const struct rl_store *store,
                     const struct rl_plan *plan, const struct watch *watch, bool finished)
{
    const struct rl_queue_outlook look = rl_queue_look(watch->queue);
    const double seconds = seconds_now() - watch->progress->began;
    if (request->json) {
        struct rl_json json = rl_json_begin(stdout);
        rl_json_string(&json, "db", request->path);
        rl_json_count(&json, "points", plan->count);
        rl_json_count(&json, "trials", look.total);
        rl_json_count(&json, "done", look.done);
        rl_json_count(&json, "done_now", look.done - watch->done_before);
        rl_json_bool(&json, "finished", finished);
        rl_json_count(&json, "gave_up", look.gave_up);
        rl_json_count(&json, "dropped", rl_store_dropped(store));
        rl_json_count(&json, "workers", watch->workers);
        rl_json_real(&json, "wall_seconds", seconds);
        rl_json_end(&json);
    } else if (!request->quiet) {
        if (plan->skipped[0])
            printf("left out: %s\n", plan->skipped);
        if (request->salvage)
            tell_salvage(request);
        if (rl_store_dropped(store) > 0)
            printf("%s trials in the file were impossible and are done again\n",
                   grouped(rl_store_dropped(store)));
        printf("%s of %s trials at %s points in %s, %s of them now in %.1f s\n", grouped(look.done),
               grouped(look.total), grouped(plan->count), request->path,
               grouped(look.done - watch->done_before), seconds);
        if (look.gave_up > 0)
            printf("%s trials gave up before the target: the means of their points are lower "
                   "bounds\n",
                   grouped(look.gave_up));
        if (finished)
            printf("see them: ringleader report %s -o DIRECTORY\n", request->path);
        else
            printf("interrupted; to go on: ringleader study --db %s\n", request->path);
    }
}

static int hire(struct study_request *request, const struct rl_plan *plan, struct rl_crew *workers)
{
    const enum rl_status status = request->mpi ? rl_crew_mpi->hire(workers, plan)
                                               : rl_crew_threads(workers, plan, request->jobs);
    return status ? complain_status(status, NULL, "workers") : GO_ON;
}

static int work_through(struct study_request *request, struct rl_store *store, struct rl_plan *plan,
                        struct rl_queue *queue)
{
    struct rl_error error = {0};
    struct rl_crew workers;
    struct watch watch = {.progress = &request->progress, .queue = queue, .plan = plan};
    watch.quiet = request->quiet;
    request->progress = progress_begin();
    enum rl_status status = rl_study_resume(store, queue, &error);
    if (status)
        return complain_status(status, &error, NULL);
    const struct rl_queue_outlook look = rl_queue_look(queue);
    watch.done_before = look.done;
    bool finished = look.done == look.total;
    if (!finished) {
        request->served = true;
        const int outcome = hire(request, plan, &workers);
        if (outcome != GO_ON)
            return outcome;
        watch.workers = workers.count;
        if (has_own(plan))
            catch_hangs((unsigned)request->watchdog);
        struct rl_study study = {store, plan, queue, &workers, &watch, watch_work};
        status = rl_store_begin_session(store, workers.count, &error);
        if (!status)
            status = rl_study_work(&study, &finished, &error);
        progress_end(&request->progress);
        workers.stop(workers.self);
    }
    if (status)
        return complain_status(status, &error, NULL);
    snprintf(plan->skipped, sizeof plan->skipped, "%s", request->plan.skipped);
    tell_end(request, store, plan, &watch, finished);
    return finished ? EXIT_DONE : EXIT_NO;
}

static int work(struct study_request *request, struct rl_store *store, struct rl_plan *plan)
{
    struct rl_queue queue = {0};
    const enum rl_status status = rl_queue_init(&queue, plan, request->share, request->shares);
    const int result =
        status ? complain_status(status, NULL, NULL) : work_through(request, store, plan, &queue);
    rl_queue_free(&queue);
    return result;
}

/* Another program keeps us from writing: says so once, after a second, and waits. */
static bool wait_for_others(void *user, double seconds)
{
    struct study_request *request = user;
    if (seconds >= 1 && !request->told_to_wait) {
        request->told_to_wait = true;
        progress_end(&request->progress);
        fprintf(stderr, "ringleader: %s is in use by another program: waiting for it\n",
                request->path);
    }
    return !interrupted();
}

/* What was at the study's path before. */
enum before { ABSENT, EMPTY, HELD };

static enum before look_at(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return ABSENT;
    return S_ISREG(about.st_mode) && about.st_size == 0 ? EMPTY : HELD;
}

/* A request that was wrong has made no study. */
static void unmake(const char *path, enum before before)
{
    if (before == ABSENT)
        unlink(path);
    else if (before == EMPTY)
        (void)!truncate(path, 0);
}

int do_study(struct study_request *request)
{
    struct rl_error error = {0};
    struct rl_store *store = NULL;
    struct rl_plan plan = {0};
    const enum before before = look_at(request->path);
    int outcome = check_study(request, before != ABSENT);
    if (outcome != GO_ON)
        return outcome;
    enum rl_status status = rl_store_open(&store, request->path, RL_STORE_WRITE, &error);
    const bool opened = !status;
    if (!status)
        rl_store_be_patient(store, (struct rl_store_patience){request, wait_for_others});
    if (!status && request->salvage)
        status = rl_store_salvage(store, request->salvage, &request->salvaged, &error);
    const bool unsaved = request->salvage && status;
    outcome = status ? complain_status(status, &error, NULL) : settle_study(request, store, &plan);
    if (outcome == GO_ON)
        outcome = work(request, store, &plan);
    rl_plan_free(&plan);
    rl_store_close(store);
    /* What was saved, and nothing else asked for, stays: it may want a protocol's file to go on. */
    const bool saved = request->salvage && !request->text;
    if (opened && (unsaved || (outcome == EXIT_REQUEST && !saved)))
        unmake(request->path, before);
    return outcome;
}
