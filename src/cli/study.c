/* SPDX-License-Identifier: MIT
 *
 * ringleader study: many trials over a grid, in a SQLite file.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "ringleader/study.h"

#ifdef RL_WITH_MPI
#define MPI_HELP "Under mpirun the ranks share the work: rank 0 writes, the others do the trials.\n"
#else
#define MPI_HELP "This program was built without MPI: it uses the cores of one machine only.\n"
#endif

static const char HELP[] =
    "usage: ringleader study --db FILE -n RANGE [options]\n"
    "       ringleader study --db FILE --plan FILE | --preset NAME\n"
    "       ringleader study --status FILE\n"
    "\n"
    "Runs trials at every point of a grid and keeps them in a SQLite file. Killed at any moment,\n"
    "it loses at most the trials in flight; the same command goes on where it stopped.\n"
    "\n"
    "The grid; each takes a list, and every combination is a point:\n"
    "  -p, --protocol NAMES  the protocols (default prl)\n"
    "  -n RANGE              agents: 64,100 or 64..4096x2 or 10..50+10\n"
    "  -N RANGE              the bound N, for protocols that have it: 1n,2n,n^1.5 (default n)\n"
    "      --start NAMES     starts (default random)\n"
    "      --engine NAMES    event (default), step\n"
    "      --fault FAULTS    none, 1@0, 50%@20n^2, or several in one trial: 1@0+1@1e6\n"
    "and for each point:\n"
    "      --trials COUNT    how many (default 100)\n"
    "      --seed COUNT      chooses the random streams (default 1)\n"
    "      --until-error E   stop a point when the relative standard error of its mean is E, such\n"
    "                        as 1%; --trials is then the most there will be\n"
    "      --max-steps COUNT give up a trial at this step\n"
    "Instead of these:\n"
    "      --plan FILE       a plan file (docs/formats.md); - is standard input\n"
    "      --preset NAME     table1, bound or recovery\n"
    "\n"
    "      --db FILE         the study; without a grid, its own plan goes on\n"
    "      --extend          add this plan to a study that holds another\n"
    "      --share R/M       do part R of M only (1/4, 2/4, ...), each with a file of its own;\n"
    "                        `ringleader report` takes all files together\n"
    "      --salvage FILE    first copy what can be read from this damaged study into a new file\n"
    "      --jobs COUNT      threads (default: all cores)\n"
    "      --status FILE     how a study stands, also while it runs\n"
    "      --quiet           no progress and no summary\n"
    "      --json            the summary, or the status, as one JSON object\n"
    "\n" MPI_HELP "\n"
    "Exit status: 0 all trials are done, 1 interrupted, 2 the request was wrong, 3 something\n"
    "outside failed (disk, memory, a damaged file).\n"
    "\n"
    "examples:\n"
    "  ringleader study --db prl.db -n 64..4096x2 -N 1n,2n --start random,leaderless --trials 200\n"
    "  ringleader study --db prl.db                      goes on with it\n"
    "  ringleader study --db t1.db --preset table1 && ringleader report t1.db -o t1\n"
    "  mpirun -n 8 ringleader study --db big.db -n 1e5 --trials 1000\n";

static const struct option OPTIONS[] = {
    {"protocol", 'p', "NAMES"}, {"n", 'n', "RANGE"},     {"start", 0, "NAMES"},
    {"engine", 0, "NAMES"},     {"fault", 0, "FAULTS"},  {"trials", 0, "COUNT"},
    {"seed", 0, "COUNT"},       {"until-error", 0, "E"}, {"max-steps", 0, "COUNT"},
    {"db", 0, "FILE"},          {"plan", 0, "FILE"},     {"preset", 0, "NAME"},
    {"extend", 0, NULL},        {"salvage", 0, "FILE"},  {"share", 0, "R/M"},
    {"jobs", 0, "COUNT"},       {"status", 0, "FILE"},   {"quiet", 0, NULL},
    {"json", 0, NULL},          {NULL, 0, NULL},
};

/* Options that are not keys of a plan. */
static const char *const CONTROLS[] = {"db",    "plan", "preset", "extend", "salvage",
                                       "share", "jobs", "status", "quiet",  "json"};

struct study_request {
    const char *path;
    const char *salvage; /* a damaged file, or NULL */
    char *text;          /* the plan; NULL: the one in the file */
    struct rl_plan plan;
    bool extend, quiet, json;
    uint64_t share, shares; /* from 0 */
    size_t jobs;
    bool mpi, served; /* there are other ranks; they know that there is, or is no, work */
};

/* ---- the plan ---------------------------------------------------------------------------------
 */

static bool is_control(const char *name)
{
    for (size_t i = 0; i < sizeof CONTROLS / sizeof CONTROLS[0]; i++)
        if (strcmp(CONTROLS[i], name) == 0)
            return true;
    return false;
}

/* Options as a plan: a line for each key, the values of repeated ones together. `names` gets the
 * key of each line. NULL without memory, an empty text without keys. */
static char *options_as_plan(const struct arguments *arguments, const char **names)
{
    size_t size = 1, lines = 0;
    for (size_t i = 0; i < arguments->count; i++)
        size += strlen(arguments->given[i].name) + strlen(arguments->given[i].value) + 8;
    char *plan = calloc(size, 1);
    for (size_t i = 0; plan && i < arguments->count; i++) {
        const char *name = arguments->given[i].name;
        bool again = is_control(name);
        for (size_t k = 0; k < lines; k++)
            again |= strcmp(names[k], name) == 0;
        if (again)
            continue;
        names[lines++] = name;
        strcat(strcat(plan, name), " = ");
        const char *comma = "";
        for (size_t k = i; k < arguments->count; k++)
            if (strcmp(arguments->given[k].name, name) == 0) {
                strcat(strcat(plan, comma), arguments->given[k].value);
                comma = ", ";
            }
        strcat(plan, "\n");
    }
    return plan;
}

static int parse_plan(struct study_request *request, enum rl_plan_strictness strictness,
                      const char *what, const char **names)
{
    struct rl_error error = {0};
    const enum rl_status status =
        rl_plan_parse(&request->plan, request->text, strlen(request->text), strictness, &error);
    if (status && names && error.line > 0 && names[error.line - 1]) {
        const char *name = names[error.line - 1];
        return complain(status == RL_NO_MEMORY ? EXIT_OUTSIDE : EXIT_REQUEST, "%s%s: %s",
                        name[1] ? "--" : "-", name,
                        error.text[0] ? error.text : rl_status_message(status));
    }
    if (status && names)
        error.line = 0;
    return status ? complain_status(status, &error, names ? NULL : what) : -1;
}

static int read_plan_file(struct study_request *request, const char *path)
{
    size_t size;
    const int failed = read_file(path, &request->text, &size);
    if (failed >= 0)
        return failed;
    char *terminated = realloc(request->text, size + 1);
    if (!terminated)
        return complain(EXIT_OUTSIDE, "out of memory");
    request->text = terminated;
    request->text[size] = '\0';
    if (strlen(request->text) != size)
        return complain(EXIT_REQUEST, "%s is not a text", path);
    return parse_plan(request, RL_PLAN_STRICT, path, NULL);
}

static int read_preset(struct study_request *request, const char *name)
{
    const char *text = rl_plan_preset(name);
    if (!text)
        return complain(EXIT_REQUEST,
                        "there is no preset '%s'; there are table1, bound and recovery%s", name,
                        did_you_mean(nearest_name(name, rl_plan_preset_name)));
    request->text = strdup(text);
    return request->text ? parse_plan(request, RL_PLAN_SKIP_UNKNOWN, name, NULL)
                         : complain(EXIT_OUTSIDE, "out of memory");
}

static int read_plan(struct study_request *request, const struct arguments *arguments)
{
    const char *names[MOST_OPTIONS + 1] = {NULL};
    const char *file = argument(arguments, "plan"), *preset = argument(arguments, "preset");
    char *text = options_as_plan(arguments, names);
    if (!text)
        return complain(EXIT_OUTSIDE, "out of memory");
    const bool options = text[0] != '\0';
    if (options + (file != NULL) + (preset != NULL) > 1) {
        free(text);
        return complain(EXIT_REQUEST, "give --plan, --preset or options for the grid, not two of "
                                      "them");
    }
    if (options) {
        request->text = text;
        return parse_plan(request, RL_PLAN_STRICT, NULL, names);
    }
    free(text);
    return file ? read_plan_file(request, file) : preset ? read_preset(request, preset) : -1;
}

/* ---- the request ------------------------------------------------------------------------------
 */

static int read_share(struct study_request *request, const char *value)
{
    unsigned long long part, parts;
    char rest;
    request->shares = 1;
    if (!value)
        return -1;
    if (sscanf(value, "%llu/%llu%c", &part, &parts, &rest) != 2 || part < 1 || part > parts ||
        parts > 1000000)
        return complain(EXIT_REQUEST, "--share wants R/M with 1 <= R <= M, such as 2/4, not '%s'",
                        value);
    request->share = part - 1;
    request->shares = parts;
    return -1;
}

static int read_request(struct study_request *request, const struct arguments *arguments)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = cores > 0 ? (uint64_t)cores : 1;
    if (arguments->word_count > 0)
        return complain(EXIT_REQUEST, "study takes options only, not '%s'", arguments->words[0]);
    request->path = argument(arguments, "db");
    request->salvage = argument(arguments, "salvage");
    request->extend = argument(arguments, "extend");
    request->quiet = argument(arguments, "quiet");
    request->json = argument(arguments, "json");
    if (!request->path || !request->path[0])
        return complain(EXIT_REQUEST, "which file? give --db FILE");
    int failed = argument_count(arguments, "jobs", 0, &jobs);
    if (failed < 0 && (jobs < 1 || jobs > 1024))
        return complain(EXIT_REQUEST, "--jobs wants 1 to 1024 threads");
    request->jobs = (size_t)jobs;
    if (failed < 0)
        failed = read_share(request, argument(arguments, "share"));
    return failed < 0 ? read_plan(request, arguments) : failed;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

/* Looks for our plan among those in the file. */
struct plan_search {
    const struct rl_plan *ours;
    size_t count;
    bool found;
};

static bool visit_plan(void *user, const char *text)
{
    struct plan_search *search = user;
    struct rl_plan plan;
    char difference[32];
    struct rl_text ignored = rl_text_into(difference, sizeof difference);
    search->count++;
    search->found = !rl_plan_parse(&plan, text, strlen(text), RL_PLAN_SKIP_UNKNOWN, NULL) &&
                    rl_plan_same(&plan, search->ours, &ignored);
    rl_plan_free(&plan);
    return !search->found;
}

/* Puts our plan into the file, or finds that it is there, or complains. */
static int settle_plan(const struct study_request *request, struct rl_store *store)
{
    struct rl_error error = {0};
    struct rl_plan held;
    struct plan_search search = {.ours = &request->plan};
    enum rl_status status = rl_store_plans(store, visit_plan, &search, &error);
    if (status)
        return complain_status(status, &error, NULL);
    if (!request->text && search.count == 0)
        return complain(EXIT_REQUEST, "%s holds no plan: give -n, --plan or --preset",
                        request->path);
    if (!request->text || search.found)
        return -1;
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
    return status ? complain_status(status, &error, NULL) : -1;
}

/* ---- the work ---------------------------------------------------------------------------------
 */

struct watch {
    struct progress progress;
    const struct rl_queue *queue;
    const struct rl_plan *plan;
    size_t workers;
    uint64_t done_before;
    bool quiet;
};

static const char *duration(double seconds)
{
    static char text[32];
    const unsigned long long s = (unsigned long long)(seconds + 0.5);
    if (s < 60)
        snprintf(text, sizeof text, "%llu s", s);
    else if (s < 3600)
        snprintf(text, sizeof text, "%llu min %02llu s", s / 60, s % 60);
    else
        snprintf(text, sizeof text, "%llu h %02llu min", s / 3600, s / 60 % 60);
    return text;
}

/* "prl n=64 N=64 leaderless". */
static const char *point_label(const struct rl_point *point)
{
    static char label[160];
    size_t length =
        (size_t)snprintf(label, sizeof label, "%s n=%u", point->protocol->name, point->params.n);
    for (size_t i = 0; i < point->protocol->parameter_count && length < sizeof label; i++)
        length += (size_t)snprintf(label + length, sizeof label - length, " %s=%u",
                                   point->protocol->parameters[i].name, point->params.value[i]);
    if (length < sizeof label)
        snprintf(label + length, sizeof label - length, " %s", point->start);
    return label;
}

static bool watch_work(void *user)
{
    struct watch *watch = user;
    if (!watch->quiet && progress_due(&watch->progress)) {
        const struct rl_queue_outlook look = rl_queue_look(watch->queue);
        const double seconds = seconds_now() - watch->progress.began;
        progress_show(&watch->progress, "%s/%s trials, %.3g a second, %s left; slowest %s (%.2g s)",
                      grouped(look.done), grouped(look.total),
                      (double)(look.done - watch->done_before) / seconds,
                      duration(look.seconds_left / (double)watch->workers),
                      point_label(&watch->plan->points[look.slowest]), look.slowest_seconds);
    }
    return !interrupted();
}

static void tell_end(const struct study_request *request, const struct rl_plan *plan,
                     const struct watch *watch, bool finished)
{
    const struct rl_queue_outlook look = rl_queue_look(watch->queue);
    const double seconds = seconds_now() - watch->progress.began;
    if (request->json) {
        struct json json = {.stream = stdout};
        json_open(&json, NULL, '{');
        json_string(&json, "db", request->path);
        json_count(&json, "points", plan->count);
        json_count(&json, "trials", look.total);
        json_count(&json, "done", look.done);
        json_count(&json, "done_now", look.done - watch->done_before);
        json_bool(&json, "finished", finished);
        json_count(&json, "workers", watch->workers);
        json_real(&json, "wall_seconds", seconds);
        json_close(&json, '}');
        putchar('\n');
    } else if (!request->quiet) {
        if (plan->skipped[0])
            printf("left out: %s\n", plan->skipped);
        printf("%s of %s trials at %s points in %s, %s of them now in %.1f s\n", grouped(look.done),
               grouped(look.total), grouped(plan->count), request->path,
               grouped(look.done - watch->done_before), seconds);
        if (finished)
            printf("see them: ringleader report %s -o DIRECTORY\n", request->path);
        else
            printf("interrupted; to go on: ringleader study --db %s\n", request->path);
    }
}

static int hire(const struct study_request *request, const struct rl_plan *plan,
                struct rl_workers *workers)
{
    const enum rl_status status = request->mpi ? rl_workers_mpi(workers, plan)
                                               : rl_workers_threads(workers, plan, request->jobs);
    return status ? complain_status(status, NULL, "workers") : -1;
}

static int work(struct study_request *request, struct rl_store *store, struct rl_plan *plan,
                struct rl_queue *queue)
{
    struct rl_error error = {0};
    struct rl_workers workers;
    struct watch watch = {.progress = progress_begin(), .queue = queue, .plan = plan};
    watch.quiet = request->quiet;
    catch_interrupts();
    enum rl_status status = rl_study_resume(store, queue, &error);
    if (status)
        return complain_status(status, &error, NULL);
    const struct rl_queue_outlook look = rl_queue_look(queue);
    watch.done_before = look.done;
    bool finished = look.done == look.total;
    if (!finished) {
        request->served = true;
        const int failed = hire(request, plan, &workers);
        if (failed >= 0)
            return failed;
        watch.workers = workers.count;
        struct rl_study study = {store, plan, queue, &workers, &watch, watch_work};
        status = rl_store_begin_session(store, workers.count, &error);
        if (!status)
            status = rl_study_work(&study, &finished, &error);
        progress_end(&watch.progress);
        workers.stop(workers.self);
    }
    if (status)
        return complain_status(status, &error, NULL);
    snprintf(plan->skipped, sizeof plan->skipped, "%s", request->plan.skipped);
    tell_end(request, plan, &watch, finished);
    return finished ? EXIT_DONE : EXIT_NO;
}

static int check_share(const struct study_request *request, const struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->count && request->shares > 1; i++)
        if (plan->points[i].until_error > 0)
            return complain(EXIT_REQUEST, "--share and --until-error do not go together: the rule "
                                          "needs all trials of a point");
    return -1;
}

static int open_and_work(struct study_request *request)
{
    struct rl_error error = {0};
    struct rl_store *store = NULL;
    struct rl_plan plan = {0};
    struct rl_queue queue = {0};
    int failed = -1;
    enum rl_status status = RL_OK;
    if (request->salvage && access(request->path, F_OK) == 0)
        return complain(EXIT_REQUEST, "%s is there already: --salvage wants a new file",
                        request->path);
    if (request->salvage && access(request->salvage, R_OK) != 0)
        return complain(EXIT_REQUEST, "there is no file %s", request->salvage);
    if (!request->text && !request->salvage && access(request->path, F_OK) != 0)
        return complain(EXIT_REQUEST, "there is no file %s yet: give -n, --plan or --preset",
                        request->path);
    status = rl_store_open(&store, request->path, RL_STORE_WRITE, &error);
    if (!status && request->salvage)
        status = rl_store_salvage(store, request->salvage, &error);
    const bool unsaved = request->salvage && status;
    if (!status)
        failed = settle_plan(request, store);
    if (!status && failed < 0)
        status = rl_store_points(store, &plan, &error);
    if (!status && failed < 0)
        failed = check_share(request, &plan);
    if (!status && failed < 0)
        status = rl_queue_init(&queue, &plan, request->share, request->shares);
    if (status)
        failed = complain_status(status, &error, NULL);
    if (failed < 0)
        failed = work(request, store, &plan, &queue);
    rl_queue_free(&queue);
    rl_plan_free(&plan);
    rl_store_close(store);
    if (unsaved)
        unlink(request->path);
    return failed;
}

/* ---- status -----------------------------------------------------------------------------------
 */

static void print_points(const struct rl_queue *queue)
{
    printf("\n  %-40s %15s %14s\n", "point", "trials", "seconds each");
    for (size_t i = 0; i < queue->plan->count; i++) {
        const struct rl_queue_point *point = &queue->points[i];
        char progress[48], seconds[32] = "-";
        snprintf(progress, sizeof progress, "%s/%s", grouped(point->done), grouped(point->ours));
        if (point->timed > 0)
            snprintf(seconds, sizeof seconds, "%.2g", point->seconds / (double)point->timed);
        printf("  %-40s %15s %14s\n", point_label(&queue->plan->points[i]), progress, seconds);
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
    struct json json = {.stream = stdout};
    json_open(&json, NULL, '{');
    json_string(&json, "db", path);
    json_count(&json, "points", queue->plan->count);
    json_count(&json, "trials", look.total);
    json_count(&json, "done", look.done);
    json_bool(&json, "at_work", session->alive);
    json_count(&json, "workers", session->workers);
    json_real(&json, "worker_seconds_left", look.seconds_left);
    json_close(&json, '}');
    putchar('\n');
}

static int show_status(const char *path, bool json)
{
    struct rl_error error = {0};
    struct rl_store *store = NULL;
    struct rl_plan plan = {0};
    struct rl_queue queue = {0};
    struct rl_store_session session;
    enum rl_status status = rl_store_open(&store, path, RL_STORE_READ, &error);
    if (!status)
        status = rl_store_points(store, &plan, &error);
    if (!status)
        status = rl_queue_init(&queue, &plan, 0, 1);
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

/* ---- the command ------------------------------------------------------------------------------
 */

static int run_alone(int argc, char **argv, bool mpi, bool *served_out)
{
    struct arguments arguments;
    struct study_request request = {.mpi = mpi};
    int failed = read_arguments(&arguments, &command_study, OPTIONS, argc, argv);
    if (failed >= 0)
        return failed;
    if (argument(&arguments, "status"))
        return show_status(argument(&arguments, "status"), argument(&arguments, "json"));
    failed = read_request(&request, &arguments);
    if (failed < 0)
        failed = open_and_work(&request);
    *served_out = request.served;
    rl_plan_free(&request.plan);
    free(request.text);
    return failed;
}

/* mpirun tells each process how many there are; only then is MPI woken. */
static bool under_mpirun(void)
{
    return rl_workers_mpi_built() && (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE"));
}

static int run_study(int argc, char **argv)
{
    int rank = 0, size = 1, result;
    bool served = false;
    if (!under_mpirun())
        return run_alone(argc, argv, false, &served);
    rl_workers_mpi_begin(&rank, &size);
    if (rank > 0) {
        result = rl_workers_mpi_serve() ? EXIT_OUTSIDE : EXIT_DONE;
    } else {
        result = run_alone(argc, argv, size > 1, &served);
        if (size > 1 && !served)
            rl_workers_mpi_dismiss();
    }
    rl_workers_mpi_end();
    return result;
}

const struct command command_study = {
    "study", "many trials over a grid, in a SQLite file, resumable", HELP, run_study};
