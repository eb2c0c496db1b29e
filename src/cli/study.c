/* SPDX-License-Identifier: MIT
 *
 * ringleader study: many trials over a grid, in a SQLite file.
 */
#include <errno.h>

#include "cli/cli.h"

#ifdef RL_WITH_MPI
#define MPI_HELP    "Under mpirun the ranks share it.\n"
#define MPI_EXAMPLE "  mpirun -n 8 ringleader study --db big.db -n 1e5 --trials 1000\n"
static const struct rl_crew_mpi *const mpi = &rl_crew_mpi;
#else
#define MPI_HELP    "This program was built without MPI: it uses the cores of one machine only.\n"
#define MPI_EXAMPLE ""
static const struct rl_crew_mpi *const mpi = NULL;
#endif

static const char *const ENGINES[] = {"event", "step", NULL};

/* The options that are keys of a plan: a value each, or a list. */
static const struct option GRID[] = {
    {"protocol", "NAMES", VALUE_PROTOCOL, "the protocols (default prl)", .letter = 'p',
     .repeatable = true},
    {"n", "RANGE", VALUE_TEXT, "agents: 64,100 or 64..4096x2 or 10..50+10", .repeatable = true},
    {"N", "RANGE", VALUE_TEXT, "the bound N, if there is one: 1n,2n,n^1.5 (default n)",
     .repeatable = true},
    {"NAME", "RANGE", VALUE_PARAMETER, "any other parameter, as in elect", .repeatable = true},
    {"start", "NAMES", VALUE_START, "starts (default random), or files of configurations",
     .repeatable = true},
    {"engine", "NAMES", VALUE_CHOICES, "event (default) or step", .choices = ENGINES,
     .repeatable = true},
    {"fault", "FAULTS", VALUE_TEXT, "none, 1@0, 50%@20n^2, or several in one trial: 1@0+1@1e6",
     .repeatable = true},
};
static const struct option EACH[] = {
#define ROW(member, place, key, least, most, otherwise, identity, argument, meaning)               \
    {key, argument, VALUE_TEXT, meaning},
    RL_COUNT_FIELDS(ROW)
#undef ROW
        {"until-error", "E", VALUE_TEXT,
         "stop a point at this relative standard error, such as 1%"},
    {"claim", "TEXT", VALUE_TEXT, "the claimed growth, for the report"},
    {"curve", "GAUGE", VALUE_TEXT, "record leaders, or another gauge, over time"},
};

#define KEY(member, place, key, ...) " " key
#define KEYS                         "protocol n N NAME start engine fault until-error claim curve" RL_COUNT_FIELDS(KEY)

static const struct option INSTEAD[] = {
    {"plan", "FILE", VALUE_INPUT, "a plan file (docs/formats.md); - is standard input",
     .not_with = "preset " KEYS},
    {"preset", "NAME", VALUE_PRESET, "table1, bound or recovery", .not_with = KEYS},
};
static const struct option CONTROLS[] = {
    {"db", "FILE", VALUE_FILE, "the study; without a grid, its own plan continues"},
    {"extend", NULL, VALUE_NONE, "add this plan to a study that has another",
     .needs = "n plan preset"},
    {"share", "R/M", VALUE_TEXT, "only part R of M (1/4, ...), each with its own file"},
    {"salvage", "FILE", VALUE_INPUT, "first copy what can be read from this damaged study"},
    {"jobs", "COUNT", VALUE_COUNT, "threads (default: all cores)", .least = 1, .most = 1024},
    {"watchdog", "SECONDS", VALUE_COUNT, "give up on a protocol that hangs this long (default 60)",
     .least = 1, .most = 1000000},
    {"status", "FILE", VALUE_INPUT, "show the state of a study, even while it runs",
     .not_with = "db plan preset extend share salvage jobs watchdog quiet " KEYS},
    {"quiet", NULL, VALUE_NONE, "no progress and no summary", .not_with = "json"},
    {"json", NULL, VALUE_NONE, "the summary, or the status, as one JSON object"},
};
static const struct option_group GROUPS[] = {
    {"The grid. Each option takes a list; every combination is a point:", GRID, OPTION_COUNT(GRID)},
    {"For each point:", EACH, OPTION_COUNT(EACH)},
    {"Instead of these:", INSTEAD, OPTION_COUNT(INSTEAD)},
    {"", CONTROLS, OPTION_COUNT(CONTROLS)},
};

struct work {
    struct rl_study_options options;
    const char *plan_name; /* of the plan's file; NULL: options are the plan, ... */
    const char **keys;     /* ... each of whose lines has a key */
    size_t key_count;
    unsigned watchdog; /* seconds */
    bool quiet;
    struct rl_study study;
    struct rl_crew workers;
    struct progress progress;
    uint64_t done_before;
};

/* ---- the plan ---- */

static bool is_key(const struct option *option)
{
    return (option >= GRID && option < GRID + OPTION_COUNT(GRID)) ||
           (option >= EACH && option < EACH + OPTION_COUNT(EACH));
}

/* Options as a plan: a line for each key, the values of repeated ones together. NULL: there are no
 * keys. */
static char *options_as_plan(const struct arguments *arguments, struct work *work)
{
    size_t size = 1;
    for (size_t i = 0; i < arguments->count; i++)
        size += strlen(arguments->given[i].name) + strlen(arguments->given[i].value) + 8;
    struct rl_text plan = rl_text_into(claim(size, NULL), size);
    work->keys = claim((arguments->count + 1) * sizeof *work->keys, NULL);
    for (size_t i = 0; i < arguments->count; i++) {
        const char *name = arguments->given[i].name;
        bool again = !is_key(arguments->given[i].option);
        for (size_t k = 0; k < work->key_count; k++)
            again |= strcmp(work->keys[k], name) == 0;
        if (again)
            continue;
        work->keys[work->key_count++] = name;
        rl_text_format(&plan, "%s = %s", name, arguments->given[i].value);
        for (size_t k = i + 1; k < arguments->count; k++)
            if (strcmp(arguments->given[k].name, name) == 0)
                rl_text_format(&plan, ", %s", arguments->given[k].value);
        rl_text_char(&plan, '\n');
    }
    return work->key_count > 0 ? plan.at : NULL;
}

/* Files that a plan names. */
static enum rl_status find_protocol(void *user, const char *word,
                                    const struct rl_protocol **protocol_out, struct rl_error *error)
{
    (void)user, (void)error;
    *protocol_out = rl_protocol_named(word);
    if (!*protocol_out && rl_own_is_file(word))
        *protocol_out = load_protocol(word);
    return RL_OK;
}

/* It returns, whatever happens: the plan that is being read must be freed. */
static enum rl_status find_start(void *user, const char *word, char **text_out,
                                 struct rl_error *error)
{
    size_t size;
    (void)user;
    if (access(word, F_OK) != 0)
        return RL_OK;
    *text_out = rl_read_file(word, SIZE_MAX, &size);
    if (!*text_out)
        return rl_error_set(error, RL_IO, "%s: %s", word, strerror(errno));
    return strlen(*text_out) == size ? RL_OK
                                     : rl_error_set(error, RL_BAD_TEXT, "%s is not a text", word);
}

static const struct rl_plan_resolver RESOLVER = {.protocol = find_protocol, .start = find_start};

static void read_plan(struct work *work, const struct arguments *arguments)
{
    struct rl_study_options *options = &work->options;
    const char *file = argument(arguments, "plan"), *name = argument(arguments, "preset");
    size_t size;
    options->resolver = &RESOLVER;
    options->plan = options_as_plan(arguments, work);
    work->plan_name = file ? file : name;
    if (file)
        options->plan = file_text(file, &size);
    if (file && strlen(options->plan) != size)
        die(EXIT_REQUEST, "%s is not a text", file);
    if (name && !(options->plan = rl_plan_preset(name)))
        die(EXIT_REQUEST, "there is no preset '%s' (see ringleader study --help)", name);
}

/* ---- the request ---- */

static void read_share(struct rl_study_options *options, const char *value)
{
    unsigned long long part, parts;
    char rest;
    if (!value)
        return;
    if (sscanf(value, "%llu/%llu%c", &part, &parts, &rest) != 2 || part < 1 || part > parts ||
        parts > 1000000)
        die(EXIT_REQUEST, "--share takes R/M with 1 <= R <= M, such as 2/4, not '%s'", value);
    options->share = part - 1;
    options->shares = parts;
}

static void read_request(struct work *work, const struct arguments *arguments)
{
    struct rl_study_options *options = &work->options;
    options->path = argument(arguments, "db");
    options->salvage = argument(arguments, "salvage");
    options->extend = argument(arguments, "extend");
    if (!options->path || !options->path[0])
        die(EXIT_REQUEST, "which file? give --db FILE");
    work->watchdog = (unsigned)read_count(arguments, "watchdog", 0, 60);
    read_share(options, argument(arguments, "share"));
    read_plan(work, arguments);
}

/* ---- at work ---- */

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

/* Starts that are not measured on large rings, and why. */
static void tell_easy(const struct answer *answer, const struct rl_queue *queue)
{
    char words[4000];
    struct rl_text text = rl_text_into(words, sizeof words);
    rl_queue_tell_easy(queue, "\nleft out: ", &text);
    if (words[0])
        line(answer, "left out: %s\n", words);
}

static void tell_end(struct work *work, bool json)
{
    const struct rl_study *study = &work->study;
    const char *path = work->options.path;
    const struct rl_store_salvaged *salvaged = &study->salvaged;
    const struct rl_queue_outlook look = rl_queue_look(&study->queue);
    const uint64_t dropped = study->dropped, now = look.done - work->done_before;
    const double seconds = seconds_now() - work->progress.began;
    struct answer answer = answer_begin(json);
    put(&answer,
        "db=%s points=%zu trials=%ju done=%ju done_now=%ju finished=%d gave_up=%ju left_out=%zu "
        "dropped=%ju workers=%zu wall_seconds=%g",
        path, study->plan->count, look.total, look.done, now, rl_study_is_finished(study),
        look.gave_up, look.left_out, dropped, work->workers.count, seconds);
    tell_easy(&answer, &study->queue);
    if (work->options.salvage)
        line(&answer,
             "saved from %s: %s at %s; up to %s are run again from their seeds, and hunts "
             "begin anew\n",
             work->options.salvage, counted(salvaged->trials, "trial"),
             counted(salvaged->points, "point"), grouped(salvaged->again));
    if (dropped > 0)
        line(&answer, "%s trials in the file were impossible and are run again\n",
             grouped(dropped));
    line(&answer, "%s of %s at %s in %s, %s of them now in %.1f s\n", grouped(look.done),
         counted(look.total, "trial"), counted(study->plan->count, "point"), path, grouped(now),
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

/* What is wrong with the plan is told of its file, or of the option that it stands in. */
static void check_open(const struct work *work, enum rl_status status, struct rl_error *error)
{
    const char *what = work->plan_name;
    if (status && !what && error->line > 0) {
        what = error->line <= work->key_count ? dashed(work->keys[error->line - 1]) : NULL;
        error->line = 0;
    }
    check(status, status && error->line == 0 && work->plan_name ? NULL : what);
}

static void close_work(void *thing)
{
    struct work *work = thing;
    if (work->workers.stop)
        work->workers.stop(work->workers.self);
    rl_study_close(&work->study);
}

static int do_study(struct work *work, const struct arguments *arguments)
{
    work->quiet = argument(arguments, "quiet");
    work->progress = progress_begin();
    struct rl_error *error = why();
    check_open(work, rl_study_open(&work->study, &work->options, error), error);
    warn_of_copy(&work->study, work->options.path, "; missing trials are run again");
    if (work->study.left_alone > 0 && !work->quiet)
        complain("%zu points are left alone, because their files were not given: %s",
                 work->study.left_alone, work->study.left_name);
    work->done_before = work->study.queue.done;
    if (!rl_study_is_finished(&work->study)) {
        const struct rl_plan *plan = work->study.plan;
        if (work->workers.count == 0)
            check(rl_crew_threads(&work->workers, plan, choose_jobs(arguments)), "workers");
        bool own = false;
        for (size_t i = 0; i < plan->count; i++)
            own |= plan->points[i].run.protocol->hash != NULL;
        if (own)
            catch_hangs(work->watchdog);
        const enum rl_status status =
            rl_study_work(&work->study, &work->workers, work, watch_work, why());
        progress_end(&work->progress);
        check(status, NULL);
    }
    if (!work->quiet)
        tell_end(work, argument(arguments, "json"));
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

static int tell_status(struct rl_study *study, const char *path, bool json)
{
    const struct rl_queue *queue = &study->queue;
    check(rl_study_open(study, &(struct rl_study_options){.path = path, .look = true}, why()),
          NULL);
    warn_of_copy(study, path, "");
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
        line(&answer, "%s: %s of %s done\n", path, grouped(look.done),
             counted(look.total, "trial"));
    if (study->at_work)
        line(&answer, "running for %s with %s\n", duration_text(study->age),
             counted(study->workers, "worker"));
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
    return EXIT_DONE;
}

/* ---- the command ---- */

/* MPI is woken only under mpirun. The user's own protocols are loaded before that, for this starts
 * processes; what is wrong with the plan is told when the study is opened. The number of our rank.
 */
static int begin_ranks(struct work *work)
{
    const char *plan = work->options.plan;
    struct rl_plan read = {0};
    if (!mpi || !(getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE")))
        return 0;
    if (plan)
        (void)!rl_plan_parse(&read, plan, strlen(plan), &RESOLVER, NULL);
    rl_plan_free(&read);
    return mpi->begin(&work->study, &work->workers);
}

static int run_study(struct arguments *arguments)
{
    struct work *work = claim(sizeof *work, close_work);
    const char *status = argument(arguments, "status");
    if (status)
        return tell_status(&work->study, status, argument(arguments, "json"));
    read_request(work, arguments);
    if (begin_ranks(work) == 0)
        return do_study(work, arguments);
    catch_hangs(work->watchdog);
    mpi->serve();
    return EXIT_DONE;
}

const struct command command_study = {
    .name = "study",
    .summary = "run many trials over a grid, in an SQLite file; stop and resume",
    .usage = "ringleader study --db FILE -n RANGE [options]\n"
             "ringleader study --db FILE --plan FILE | --preset NAME\n"
             "ringleader study --status FILE",
    .about = "Runs trials at every point of a grid and stores them in an SQLite file. If it is "
             "killed, it loses at most the trials in progress. The same command continues where it "
             "stopped. " MPI_HELP,
    .groups = {&GROUPS[0], &GROUPS[1], &GROUPS[2], &GROUPS[3]},
    .status = "0 done, 1 interrupted, 2 wrong request, 3 something outside failed.",
    .examples = "  ringleader study --db prl.db -n 64..4096x2 --start leaders --curve leaders\n"
                "  ringleader study --db t1.db --preset table1 && ringleader report t1.db -o "
                "t1\n" MPI_EXAMPLE,
    .run = run_study,
    .in_ranks = true,
};
