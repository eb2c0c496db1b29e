/* SPDX-License-Identifier: MIT
 *
 * Doing a study, and telling how it stands.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/study.h"

/* ---- the file ---------------------------------------------------------------------------------
 */

/* Looks for our plan among those in the file. */
struct plan_search {
    const struct rl_plan *ours;
    size_t count;
    bool found, no_memory;
};

static bool visit_plan(void *user, const char *text)
{
    struct plan_search *search = user;
    struct rl_plan plan;
    search->count++;
    const enum rl_status status =
        rl_plan_parse(&plan, text, strlen(text), RL_PLAN_SKIP_UNKNOWN, NULL);
    search->no_memory = status == RL_NO_MEMORY;
    search->found = !status && rl_plan_same(&plan, search->ours, NULL);
    rl_plan_free(&plan);
    return !search->found && !search->no_memory;
}

/* Puts our plan into the file, or finds that it is there, or complains. */
static int settle_plan(const struct study_request *request, struct rl_store *store)
{
    struct rl_error error = {0};
    struct rl_plan held;
    struct plan_search search = {.ours = &request->plan};
    enum rl_status status = rl_store_plans(store, visit_plan, &search, &error);
    if (search.no_memory)
        status = RL_NO_MEMORY;
    if (!status && request->text)
        status = rl_store_keep_protocols(store, &request->plan, &error);
    if (status)
        return complain_status(status, &error, NULL);
    if (!request->text && search.count == 0)
        return complain(EXIT_REQUEST, "%s holds no plan: give -n, --plan or --preset",
                        request->path);
    if (!request->text || search.found)
        return GO_ON;
    if (search.count > 0 && !request->extend) {
        char difference[200];
        struct rl_text text = rl_text_into(difference, sizeof difference);
        status = rl_store_points(store, &held, &error);
        if (!status)
            rl_plan_same(&held, &request->plan, &text);
        rl_plan_free(&held);
        return status ? complain_status(status, &error, request->path)
                      : complain(EXIT_REQUEST, "%s holds another plan: %s; --extend adds to it",
                                 request->path, difference);
    }
    status = rl_store_add_plan(store, request->text, &request->plan, &error);
    return status ? complain_status(status, &error, NULL) : GO_ON;
}

/* A protocol from a file can only be run with the file, a ring of processes only on one machine. */
static int check_points(const struct study_request *request, const struct rl_plan *plan)
{
    if (request->mpi && rl_plan_has_rings(plan))
        return complain(EXIT_REQUEST,
                        "rings of real processes are held by one process, not by ranks");
    for (size_t i = 0; i < plan->count && !request->text; i++)
        if (!plan->points[i].protocol->interact)
            return complain(EXIT_REQUEST,
                            "the study has a protocol from a file, %s: give that file with -p, and "
                            "the rest of the grid",
                            plan->points[i].protocol->name);
    return check_rings(plan);
}

/* Points of protocols whose files were not given stay as they are, beside those asked for. */
static void tell_left_alone(const struct study_request *request, const struct rl_plan *plan)
{
    size_t count = 0;
    const char *name = NULL;
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->points[i].protocol->interact) {
            count++;
            name = plan->points[i].protocol->name;
        }
    if (count > 0 && !request->quiet)
        fprintf(stderr,
                "ringleader: %zu points stay as they are, for their files were not given: %s\n",
                count, name);
}

/* The share is the file's: said once, it stays. */
static int settle_share(struct study_request *request, struct rl_store *store)
{
    struct rl_error error = {0};
    uint64_t share, shares;
    enum rl_status status = rl_store_share(store, &share, &shares, &error);
    if (!status && shares == 0) {
        share = request->share;
        shares = request->shares ? request->shares : 1;
        status = rl_store_set_share(store, share, shares, &error);
    }
    if (status)
        return complain_status(status, &error, NULL);
    if (request->shares && (share != request->share || shares != request->shares))
        return complain(EXIT_REQUEST,
                        "%s is for share %llu/%llu of the trials: another share wants a file of "
                        "its own",
                        request->path, (unsigned long long)share + 1, (unsigned long long)shares);
    request->share = share;
    request->shares = shares;
    return GO_ON;
}

/* ---- the work ---------------------------------------------------------------------------------
 */

struct watch {
    struct progress *progress;
    const struct rl_queue *queue;
    const struct rl_plan *plan;
    size_t workers;
    uint64_t done_before;
    const int *rings; /* as in the request */
    bool quiet;
    /* The watchdog: for protocols from files, which may not come back. */
    struct rl_crew *crew; /* NULL: not needed */
    double patience;
    bool is_stuck;
    struct rl_task stuck;
};

static const char *duration(double seconds)
{
    static char text[32];
    const unsigned long long s = (unsigned long long)(seconds + 0.5);
    snprintf(text, sizeof text, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    return text;
}

/* "prl n=64 N=64 leaderless fault=1@0": what tells a point from all others. */
static const char *point_label(const struct rl_point *point)
{
    static char label[RL_PLAN_LINE];
    struct rl_text text = rl_text_into(label, sizeof label);
    rl_text_format(&text, "%s n=%s", point->protocol->name, grouped(point->params.n));
    for (size_t i = 0; i < point->protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &point->protocol->parameters[i];
        rl_text_format(&text, " %s=%s", parameter->name,
                       parameter_text(parameter, point->params.value[i]));
    }
    rl_text_format(&text, " %s", point->start);
    if (point->engine != RL_ENGINE_EVENT)
        rl_text_format(&text, " engine=%s", rl_engine_name(point->engine));
    if (point->fault_count > 0)
        rl_text_format(&text, " fault=%s", rl_plan_faults(point).text);
    if (point->seed != 1)
        rl_text_format(&text, " seed=%llu", (unsigned long long)point->seed);
    if (point->max_steps != RL_NEVER)
        rl_text_format(&text, " max-steps=%llu", (unsigned long long)point->max_steps);
    return label;
}

static bool watch_work(void *user)
{
    struct watch *watch = user;
    if (!watch->quiet && progress_due(watch->progress)) {
        const struct rl_queue_outlook look = rl_queue_look(watch->queue);
        const double seconds = seconds_now() - watch->progress->began;
        progress_show(watch->progress, "%s/%s trials, %.3g a second, %s left; slowest %s (%.2g s)",
                      grouped(look.done), grouped(look.total),
                      (double)(look.done - watch->done_before) / seconds,
                      duration(look.seconds_left / (double)watch->workers),
                      point_label(&watch->plan->points[look.slowest]), look.slowest_seconds);
    }
    watch->is_stuck = watch->crew && watch->crew->stuck &&
                      watch->crew->stuck(watch->crew->self, watch->patience, &watch->stuck);
    return !interrupted() && !has_crashed() && !watch->is_stuck && *watch->rings == GO_ON;
}

static bool has_own(const struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].protocol->hash)
            return true;
    return false;
}

/* A worker stands still, or runs, for ever. What is finished is in the file. */
static void end_with_crash(const struct watch *watch, struct rl_store *store)
{
    if (!has_crashed() && !watch->is_stuck)
        return;
    rl_store_close(store);
    _exit(has_crashed() ? tell_crash()
                        : tell_stuck(&watch->plan->points[watch->stuck.point], watch->stuck.first,
                                     watch->patience));
}

static void tell_salvage(const struct study_request *request)
{
    const struct rl_store_salvaged *salvaged = &request->salvaged;
    printf("saved from %s: %s trials at %s points\n", request->salvage, grouped(salvaged->trials),
           grouped(salvaged->points));
    if (salvaged->points_lost > 0)
        printf("what %s more points were cannot be read: ask for them again with --extend\n",
               grouped(salvaged->points_lost));
    if (salvaged->dropped > 0)
        printf("%s trials were left out: impossible, or of points that cannot be read\n",
               grouped(salvaged->dropped));
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
        rl_json_count(&json, "dropped", rl_store_dropped(store) + request->salvaged.dropped);
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
        if (finished)
            printf("see them: ringleader report %s -o DIRECTORY\n", request->path);
        else
            printf("interrupted; to go on: ringleader study --db %s\n", request->path);
    }
}

static int hire(struct study_request *request, const struct rl_plan *plan, struct rl_crew *workers)
{
    const enum rl_status status =
        request->mpi              ? rl_crew_mpi->hire(workers, plan)
        : rl_plan_has_rings(plan) ? hire_with_rings(workers, plan, request->jobs, &request->rings)
                                  : rl_crew_threads(workers, plan, request->jobs);
    return status ? complain_status(status, NULL, "workers") : GO_ON;
}

static int work(struct study_request *request, struct rl_store *store, struct rl_plan *plan,
                struct rl_queue *queue)
{
    struct rl_error error = {0};
    struct rl_crew workers;
    struct watch watch = {.progress = &request->progress, .queue = queue, .plan = plan};
    watch.quiet = request->quiet;
    watch.rings = &request->rings;
    request->rings = GO_ON;
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
        watch.crew = has_own(plan) ? &workers : NULL;
        watch.patience = (double)request->watchdog;
        struct rl_study study = {store, plan, queue, &workers, &watch, watch_work};
        status = rl_store_begin_session(store, workers.count, &error);
        if (!status)
            status = rl_study_work(&study, &finished, &error);
        progress_end(&request->progress);
        end_with_crash(&watch, store);
        workers.stop(workers.self);
    }
    if (status)
        return complain_status(status, &error, NULL);
    if (request->rings != GO_ON)
        return request->rings;
    snprintf(plan->skipped, sizeof plan->skipped, "%s", request->plan.skipped);
    tell_end(request, store, plan, &watch, finished);
    return finished ? EXIT_DONE : EXIT_NO;
}

static int check_share(const struct study_request *request, const struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->count && request->shares > 1; i++)
        if (plan->points[i].until_error > 0)
            return complain(EXIT_REQUEST, "--share and --until-error do not go together: the rule "
                                          "needs all trials of a point");
    return GO_ON;
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
    struct rl_queue queue = {0};
    int outcome = GO_ON;
    enum rl_status status = RL_OK;
    const enum before before = look_at(request->path);
    if (request->salvage && before != ABSENT)
        return complain(EXIT_REQUEST, "%s is there already: --salvage wants a new file",
                        request->path);
    if (request->salvage && access(request->salvage, R_OK) != 0)
        return complain(EXIT_REQUEST, "there is no file %s", request->salvage);
    if (!request->text && !request->salvage && before == ABSENT)
        return complain(EXIT_REQUEST, "there is no file %s yet: give -n, --plan or --preset",
                        request->path);
    if (request->text)
        outcome = check_points(request, &request->plan);
    if (request->text && outcome == GO_ON)
        outcome = prepare_safe(&request->plan, request->jobs, request->mpi);
    if (outcome != GO_ON)
        return outcome;
    if (access(request->path, R_OK) == 0)
        outcome = recall_protocols(&request->path, 1);
    if (outcome != GO_ON)
        return outcome;
    status = rl_store_open(&store, request->path, RL_STORE_WRITE, &error);
    const bool opened = !status;
    if (!status)
        rl_store_be_patient(store, (struct rl_store_patience){request, wait_for_others});
    if (!status && request->salvage)
        status = rl_store_salvage(store, request->salvage, &request->salvaged, &error);
    const bool unsaved = request->salvage && status;
    if (!status)
        outcome = settle_plan(request, store);
    if (!status && outcome == GO_ON)
        outcome = settle_share(request, store);
    if (!status && outcome == GO_ON)
        status = rl_store_points(store, &plan, &error);
    if (!status && outcome == GO_ON)
        outcome = check_share(request, &plan);
    if (!status && outcome == GO_ON)
        outcome = check_points(request, &plan);
    if (!status && outcome == GO_ON)
        tell_left_alone(request, &plan);
    if (!status && outcome == GO_ON)
        outcome = prepare_safe(&plan, request->jobs, request->mpi);
    if (!status && outcome == GO_ON)
        status = rl_queue_init(&queue, &plan, request->share, request->shares);
    if (status)
        outcome = complain_status(status, &error, NULL);
    if (outcome == GO_ON)
        outcome = work(request, store, &plan, &queue);
    rl_queue_free(&queue);
    rl_plan_free(&plan);
    rl_store_close(store);
    /* What was saved, and nothing else asked for, stays: it may want a protocol's file to go on. */
    const bool saved = request->salvage && !request->text;
    if (opened && (unsaved || (outcome == EXIT_REQUEST && !saved)))
        unmake(request->path, before);
    return outcome;
}

/* ---- status -----------------------------------------------------------------------------------
 */

static void print_points(const struct rl_queue *queue)
{
    int width = 40;
    for (size_t i = 0; i < queue->plan->count; i++) {
        const int length = (int)strlen(point_label(&queue->plan->points[i]));
        width = length > width ? length : width;
    }
    printf("\n  %-*s %15s %14s\n", width, "point", "trials", "seconds each");
    for (size_t i = 0; i < queue->plan->count; i++) {
        const struct rl_queue_point *point = &queue->points[i];
        char progress[48], seconds[32] = "-";
        snprintf(progress, sizeof progress, "%s/%s", grouped(point->done), grouped(point->ours));
        if (point->timed > 0)
            snprintf(seconds, sizeof seconds, "%.2g", point->seconds / (double)point->timed);
        printf("  %-*s %15s %14s\n", width, point_label(&queue->plan->points[i]), progress,
               seconds);
    }
}

static void print_status(const struct rl_queue *queue, const struct rl_store_session *session,
                         const char *path)
{
    const struct rl_queue_outlook look = rl_queue_look(queue);
    const double workers = session->workers > 0 ? (double)session->workers : 1;
    printf("%s: %s of %s trials done\n", path, grouped(look.done), grouped(look.total));
    if (!session->alive)
        printf("nobody is working on it%s\n",
               look.done < look.total ? "; to go on: ringleader study --db FILE" : "");
    else
        printf("at work for %s with %s workers: %s trials, %.3g a second; last written %.1f s "
               "ago\n",
               duration(session->age), grouped(session->workers), grouped(session->written),
               (double)session->written / (session->age - session->idle + 0.25), session->idle);
    if (look.done < look.total)
        printf("about %s left; slowest %s (%.2g s)\n", duration(look.seconds_left / workers),
               point_label(&queue->plan->points[look.slowest]), look.slowest_seconds);
    print_points(queue);
}

static void print_status_json(const struct rl_queue *queue, const struct rl_store_session *session,
                              const char *path)
{
    const struct rl_queue_outlook look = rl_queue_look(queue);
    struct rl_json json = rl_json_begin(stdout);
    rl_json_string(&json, "db", path);
    rl_json_count(&json, "points", queue->plan->count);
    rl_json_count(&json, "trials", look.total);
    rl_json_count(&json, "done", look.done);
    rl_json_bool(&json, "at_work", session->alive);
    rl_json_count(&json, "workers", session->workers);
    rl_json_real(&json, "worker_seconds_left", look.seconds_left);
    rl_json_end(&json);
}

int show_study_status(const char *path, bool json)
{
    struct rl_error error = {0};
    struct rl_store *store = NULL;
    struct rl_plan plan = {0};
    struct rl_queue queue = {0};
    struct rl_store_session session;
    uint64_t share, shares;
    const int recalled = recall_protocols(&path, 1);
    if (recalled != GO_ON)
        return recalled;
    enum rl_status status = rl_store_open(&store, path, RL_STORE_READ, &error);
    if (!status)
        status = rl_store_points(store, &plan, &error);
    if (!status)
        status = rl_store_share(store, &share, &shares, &error);
    if (!status)
        status = rl_queue_init(&queue, &plan, share, shares ? shares : 1);
    if (!status)
        status = rl_study_resume(store, &queue, &error);
    if (!status)
        status = rl_store_last_session(store, &session, &error);
    if (!status)
        (json ? print_status_json : print_status)(&queue, &session, path);
    rl_queue_free(&queue);
    rl_plan_free(&plan);
    rl_store_close(store);
    return status ? complain_status(status, &error, NULL) : EXIT_DONE;
}
