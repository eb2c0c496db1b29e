/* SPDX-License-Identifier: MIT
 *
 * A study as people see it: how far it is, and how it ended. The library does it.
 */
#include "cli/study.h"

struct work {
    struct study_request *request;
    struct rl_study study;
    struct rl_crew workers;
    struct progress progress;
    uint64_t done_before;
    bool told_to_wait;
};

static bool watch_work(void *user)
{
    struct work *work = user;
    const struct rl_study *study = &work->study;
    if (!work->request->quiet && progress_due(&work->progress)) {
        const struct rl_queue_outlook look = rl_queue_look(&study->queue);
        const double seconds = seconds_now() - work->progress.began;
        progress_show(&work->progress, "%s/%s trials, %.3g a second, %s left; slowest %s (%.2g s)",
                      grouped(look.done), grouped(look.total),
                      (double)(look.done - work->done_before) / seconds,
                      duration_text(look.seconds_left / (double)work->workers.count),
                      point_label(&study->plan.points[look.slowest]), look.slowest_seconds);
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

/* Points of protocols whose files were not given stay as they are, beside those asked for; a copy
 * of a study at work lacks what stands in its log. */
static void tell_beforehand(const struct work *work)
{
    const char *path = work->request->options.path;
    if (rl_store_was_interrupted(work->study.store))
        complain("%s was not ended, and there is no %s-wal: if this is a copy, copy that file too; "
                 "what is missing is computed again",
                 path, path);
    if (work->study.left_alone > 0 && !work->request->quiet)
        complain("%zu points stay as they are, for their files were not given: %s",
                 work->study.left_alone, work->study.left_name);
}

static void tell_end(struct work *work)
{
    const struct study_request *request = work->request;
    const struct rl_study *study = &work->study;
    const char *path = request->options.path;
    const struct rl_store_salvaged *salvaged = &study->salvaged;
    const struct rl_queue_outlook look = rl_queue_look(&study->queue);
    const uint64_t dropped = rl_store_dropped(study->store), now = look.done - work->done_before;
    const double seconds = seconds_now() - work->progress.began;
    struct answer answer = answer_begin(request->json);
    put(&answer,
        "db=%s points=%zu trials=%ju done=%ju done_now=%ju finished=%d gave_up=%ju dropped=%ju "
        "workers=%zu wall_seconds=%g",
        path, study->plan.count, look.total, look.done, now, rl_study_is_finished(study),
        look.gave_up, dropped, work->workers.count, seconds);
    if (study->skipped[0])
        line(&answer, "left out: %s\n", study->skipped);
    if (request->options.salvage)
        line(&answer,
             "saved from %s: %s trials at %s points; up to %s are computed again from their "
             "seeds\n",
             request->options.salvage, grouped(salvaged->trials), grouped(salvaged->points),
             grouped(salvaged->again));
    if (dropped > 0)
        line(&answer, "%s trials in the file were impossible and are done again\n",
             grouped(dropped));
    line(&answer, "%s of %s trials at %s points in %s, %s of them now in %.1f s\n",
         grouped(look.done), grouped(look.total), grouped(study->plan.count), path, grouped(now),
         seconds);
    if (look.gave_up > 0)
        line(&answer,
             "%s trials gave up before the target: the means of their points are lower bounds\n",
             grouped(look.gave_up));
    if (rl_study_is_finished(study))
        line(&answer, "see them: ringleader report %s -o DIRECTORY\n", path);
    else
        line(&answer, "interrupted; to go on: ringleader study --db %s\n", path);
    answer_end(&answer);
}

/* Another program keeps us from writing: says so once, after a second, and waits. */
static bool wait_for_others(void *user, double seconds)
{
    struct work *work = user;
    if (seconds >= 1 && !work->told_to_wait) {
        work->told_to_wait = true;
        progress_end(&work->progress);
        complain("%s is in use by another program: waiting for it", work->request->options.path);
    }
    return !interrupted();
}

/* What is wrong with the plan is told of its file, or of the option that it stands in. */
static void check_open(const struct study_request *request, enum rl_status status,
                       struct rl_error *error)
{
    const char *what = request->plan_name;
    if (status && !what && error->line > 0) {
        what = error->line <= request->key_count ? dashed(request->keys[error->line - 1]) : NULL;
        error->line = 0;
    }
    check(status, status && error->line == 0 && request->plan_name ? NULL : what);
}

static void close_work(void *thing)
{
    struct work *work = thing;
    if (work->workers.stop)
        work->workers.stop(work->workers.self);
    rl_study_close(&work->study);
}

int do_study(struct study_request *request)
{
    struct work *work = claim(sizeof *work, close_work);
    work->request = request;
    request->options.patience = (struct rl_store_patience){work, wait_for_others};
    work->progress = progress_begin();
    struct rl_error *error = why();
    check_open(request, rl_study_open(&work->study, &request->options, error), error);
    tell_beforehand(work);
    work->done_before = work->study.queue.done;
    if (!rl_study_is_finished(&work->study)) {
        *request->served_out = true;
        const struct rl_plan *plan = &work->study.plan;
        check(request->mpi ? rl_crew_mpi->hire(&work->workers, plan)
                           : rl_crew_threads(&work->workers, plan, request->jobs),
              "workers");
        if (has_own(plan))
            catch_hangs((unsigned)request->watchdog);
        const enum rl_status status =
            rl_study_work(&work->study, &work->workers, work, watch_work, why());
        progress_end(&work->progress);
        check(status, NULL);
    }
    if (!request->quiet)
        tell_end(work);
    return rl_study_is_finished(&work->study) ? EXIT_DONE : EXIT_NO;
}
