/* SPDX-License-Identifier: MIT
 *
 * What people see of a study: its progress, how it ended, the state of one in a file. The library
 * does the work.
 */
#include "cli/study.h"

/* "1:02:03"; stays until the next. */
static const char *duration_text(double seconds)
{
    static char text[32];
    const unsigned long long s = (unsigned long long)(seconds + 0.5);
    snprintf(text, sizeof text, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    return text;
}

/* A copy of a study at work lacks what stands in its log. */
static void warn_of_copy(const struct rl_study *study, const char *path, const char *consequence)
{
    if (study->interrupted)
        complain(
            "%s was not closed, and %s-wal is missing: if this is a copy, copy that file too%s",
            path, path, consequence);
}

/* ---- at work ---- */

struct work {
    struct study_request *request;
    bool quiet, json;
    struct rl_study study;
    struct rl_crew workers;
    struct progress progress;
    uint64_t done_before;
};

static bool watch_work(void *user, const struct rl_queue_outlook *look)
{
    struct work *work = user;
    const struct rl_study *study = &work->study;
    if (!work->quiet && progress_due(&work->progress)) {
        const double seconds = seconds_now() - work->progress.began;
        progress_show(
            &work->progress, "%s/%s trials, %.3g per second, %s left; slowest %s (%.2g s)",
            grouped(look->done), grouped(look->total),
            (double)(look->done - work->done_before) / seconds,
            duration_text(look->seconds_left / (double)work->workers.count),
            rl_plan_line(&study->plan->points[look->slowest]).text, look->slowest_seconds);
    }
    return !interrupted();
}

/* Points of protocols whose files were not given stay as they are, beside those asked for. */
static void tell_beforehand(const struct work *work)
{
    const char *path = work->request->options.path;
    warn_of_copy(&work->study, path, "; missing trials are run again");
    if (work->study.left_alone > 0 && !work->quiet)
        complain("%zu points are left alone, because their files were not given: %s",
                 work->study.left_alone, work->study.left_name);
}

/* Starts that are not measured on large rings, and why. */
static void tell_easy(const struct answer *answer, const struct rl_queue *queue)
{
    char words[4000];
    struct rl_text text = rl_text_into(words, sizeof words);
    rl_queue_tell_easy(queue, "\nleft out: ", &text);
    if (words[0])
        line(answer, "left out: %s\n", words);
}

static void tell_end(struct work *work)
{
    const struct study_request *request = work->request;
    const struct rl_study *study = &work->study;
    const char *path = request->options.path;
    const struct rl_store_salvaged *salvaged = &study->salvaged;
    const struct rl_queue_outlook look = rl_queue_look(&study->queue);
    const uint64_t dropped = study->dropped, now = look.done - work->done_before;
    const double seconds = seconds_now() - work->progress.began;
    struct answer answer = answer_begin(work->json);
    put(&answer,
        "db=%s points=%zu trials=%ju done=%ju done_now=%ju finished=%d gave_up=%ju left_out=%zu "
        "dropped=%ju workers=%zu wall_seconds=%g",
        path, study->plan->count, look.total, look.done, now, rl_study_is_finished(study),
        look.gave_up, look.left_out, dropped, work->workers.count, seconds);
    tell_easy(&answer, &study->queue);
    if (request->options.salvage)
        line(&answer,
             "saved from %s: %s trials at %s points; up to %s are run again from their seeds, and "
             "hunts begin anew\n",
             request->options.salvage, grouped(salvaged->trials), grouped(salvaged->points),
             grouped(salvaged->again));
    if (dropped > 0)
        line(&answer, "%s trials in the file were impossible and are run again\n",
             grouped(dropped));
    line(&answer, "%s of %s trials at %s point%s in %s, %s of them now in %.1f s\n",
         grouped(look.done), grouped(look.total), grouped(study->plan->count),
         study->plan->count == 1 ? "" : "s", path, grouped(now), seconds);
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

int do_study(struct study_request *request, const struct arguments *arguments)
{
    struct work *work = claim(sizeof *work, close_work);
    uint64_t watchdog = WATCHDOG;
    read_count(arguments, "watchdog", 0, &watchdog);
    work->quiet = argument(arguments, "quiet");
    work->json = argument(arguments, "json");
    work->request = request;
    work->progress = progress_begin();
    struct rl_error *error = why();
    check_open(request, rl_study_open(&work->study, &request->options, error), error);
    tell_beforehand(work);
    work->done_before = work->study.queue.done;
    if (!rl_study_is_finished(&work->study)) {
        *request->served_out = true;
        const struct rl_plan *plan = work->study.plan;
        check(request->mpi ? rl_crew_mpi->hire(&work->workers, plan)
                           : rl_crew_threads(&work->workers, plan, choose_jobs(arguments)),
              "workers");
        bool own = false;
        for (size_t i = 0; i < plan->count; i++)
            own |= plan->points[i].protocol->hash != NULL;
        if (own)
            catch_hangs((unsigned)watchdog);
        const enum rl_status status =
            rl_study_work(&work->study, &work->workers, work, watch_work, why());
        progress_end(&work->progress);
        check(status, NULL);
    }
    if (!work->quiet)
        tell_end(work);
    return rl_study_is_finished(&work->study) ? EXIT_DONE : EXIT_NO;
}

/* ---- one in a file ---- */

static void tell_points(const struct answer *answer, const struct rl_queue *queue)
{
    line(answer, "\n  %15s %9s %14s  %s\n", "trials", "gave up", "seconds each", "point");
    for (size_t i = 0; i < queue->plan->count; i++) {
        const struct rl_queue_point *point = &queue->points[i];
        char progress[48], seconds[32] = "-";
        snprintf(progress, sizeof progress, point->left_out ? "left out" : "%s/%s",
                 grouped(point->done), grouped(point->ours));
        if (point->count > 0)
            snprintf(seconds, sizeof seconds, "%.2g", point->seconds / (double)point->count);
        line(answer, "  %15s %9s %14s  %s\n", progress, grouped(point->gave_up), seconds,
             rl_plan_line(&queue->plan->points[i]).text);
    }
}

static void tell_status(const struct rl_study *study, const char *path, bool json)
{
    const struct rl_queue *queue = &study->queue;
    const struct rl_queue_outlook look = rl_queue_look(queue);
    const double workers = study->workers > 0 ? (double)study->workers : 1;
    const bool left = look.done < look.total;
    struct answer answer = answer_begin(json);
    put(&answer,
        "db=%s points=%zu trials=%ju done=%ju gave_up=%ju left_out=%zu at_work=%d workers=%ju "
        "worker_seconds_left=%g",
        path, queue->plan->count, look.total, look.done, look.gave_up, look.left_out,
        study->at_work, study->workers, look.seconds_left);
    if (queue->plan->count == 0)
        line(&answer, "%s has hunts, but no plan\n", path);
    else
        line(&answer, "%s: %s of %s trials done\n", path, grouped(look.done), grouped(look.total));
    if (study->at_work)
        line(&answer, "running for %s with %s workers\n", duration_text(study->age),
             grouped(study->workers));
    else
        line(&answer, "nobody is working on it%s\n",
             left ? "; to go on: ringleader study --db FILE" : "");
    if (left)
        line(&answer, "about %s left; slowest %s (%.2g s)\n",
             duration_text(look.seconds_left / workers),
             rl_plan_line(&queue->plan->points[look.slowest]).text, look.slowest_seconds);
    tell_easy(&answer, queue);
    if (answer.people)
        tell_points(&answer, queue);
    answer_end(&answer);
}

static void close_study(void *thing)
{
    rl_study_close(thing);
}

int show_study_status(const char *path, bool json)
{
    struct rl_study *study = claim(sizeof *study, close_study);
    check(rl_study_open(study, &(struct rl_study_options){.path = path, .look = true}, why()),
          NULL);
    warn_of_copy(study, path, "");
    tell_status(study, path, json);
    return EXIT_DONE;
}
