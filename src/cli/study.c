/* SPDX-License-Identifier: MIT
 *
 * ringleader study: many trials over a grid, in a SQLite file.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/study.h"

#ifdef RL_WITH_MPI
#define MPI_HELP    "Under mpirun the ranks share the work: rank 0 writes, the others do the trials.\n"
#define MPI_EXAMPLE "  mpirun -n 8 ringleader study --db big.db -n 1e5 --trials 1000\n"
#else
#define MPI_HELP    "This program was built without MPI: it uses the cores of one machine only.\n"
#define MPI_EXAMPLE ""
#endif

enum { WATCHDOG = 60 };

static const char *const ENGINES[] = {"event", "step", NULL};

/* The options that are keys of a plan: a value each, or a list. */
static const struct option GRID[] = {
    {"protocol", "NAMES", VALUE_PROTOCOLS, "the protocols (default prl)", .letter = 'p',
     .repeatable = true},
    {"n", "RANGE", VALUE_RANGE, "agents: 64,100 or 64..4096x2 or 10..50+10", .repeatable = true},
    {"N", "RANGE", VALUE_RANGE, "the bound N, for protocols that have it: 1n,2n,n^1.5 (default n)",
     .repeatable = true},
    {"NAME", "RANGE", VALUE_PARAMETER, "any other parameter; a choice by its names, as in elect",
     .repeatable = true},
    {"start", "NAMES", VALUE_STARTS, "starts (default random)", .repeatable = true},
    {"engine", "NAMES", VALUE_CHOICES, "event (default) or step", .choices = ENGINES,
     .repeatable = true},
    {"fault", "FAULTS", VALUE_TEXT, "none, 1@0, 50%@20n^2, or several in one trial: 1@0+1@1e6",
     .repeatable = true},
};
static const struct option EACH[] = {
    {"trials", "COUNT", VALUE_COUNT, "how many (default 100)", .least = 1, .most = UINT32_MAX},
    {"seed", "COUNT", VALUE_COUNT, "chooses the random streams (default 1)"},
    {"until-error", "E", VALUE_TEXT,
     "stop a point when the relative standard error of its mean is E, such\n"
     "as 1%; --trials is then the most there will be"},
    {"max-steps", "COUNT", VALUE_SIZE, "give up a trial at this step"},
};

#define KEYS "protocol n N NAME start engine fault trials seed until-error max-steps"

static const struct option INSTEAD[] = {
    {"plan", "FILE", VALUE_INPUT, "a plan file (docs/formats.md); - is standard input",
     .not_with = "preset " KEYS},
    {"preset", "NAME", VALUE_PRESET, "table1, bound or recovery", .not_with = KEYS},
};
static const struct option CONTROLS[] = {
    {"db", "FILE", VALUE_FILE, "the study; without a grid, its own plan goes on"},
    {"extend", NULL, VALUE_NONE, "add this plan to a study that holds another",
     .needs = "n plan preset"},
    {"share", "R/M", VALUE_TEXT,
     "do part R of M only (1/4, 2/4, ...), each with a file of its own;\n"
     "`ringleader report` takes all files together"},
    {"salvage", "FILE", VALUE_INPUT,
     "first copy what can be read from this damaged study into a new file"},
    {"jobs", "COUNT", VALUE_COUNT, "threads (default: all cores)", .least = 1, .most = 1024},
    {"watchdog", "SECONDS", VALUE_COUNT,
     "give up when a protocol from a file has not come back from a meeting\n"
     "for so long, in processor time (default 60)",
     .least = 1, .most = 1000000},
    {"status", "FILE", VALUE_INPUT, "how a study stands, also while it runs",
     .not_with = "db plan preset extend share salvage jobs watchdog quiet " KEYS},
    {"quiet", NULL, VALUE_NONE, "no progress and no summary", .not_with = "json"},
    {"json", NULL, VALUE_NONE, "the summary, or the status, as one JSON object"},
};
static const struct option_group GROUPS[] = {
    {"The grid; each takes a list, and every combination is a point:", GRID, OPTION_COUNT(GRID)},
    {"and for each point:", EACH, OPTION_COUNT(EACH)},
    {"Instead of these:", INSTEAD, OPTION_COUNT(INSTEAD)},
    {"", CONTROLS, OPTION_COUNT(CONTROLS)},
};

/* ---- the plan ---------------------------------------------------------------------------------
 */

static bool is_key(const struct option *option)
{
    return (option >= GRID && option < GRID + OPTION_COUNT(GRID)) ||
           (option >= EACH && option < EACH + OPTION_COUNT(EACH));
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
        bool again = !is_key(arguments->given[i].option);
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
    struct rl_plan plan;
    const enum rl_status status =
        rl_plan_parse(&plan, request->text, strlen(request->text), strictness, &error);
    request->plan = plan;
    if (status && names && error.line > 0 && names[error.line - 1]) {
        const char *name = names[error.line - 1];
        return complain(status == RL_NO_MEMORY ? EXIT_OUTSIDE : EXIT_REQUEST, "%s: %s",
                        dashed(name), error.text[0] ? error.text : rl_status_message(status));
    }
    if (status && names)
        error.line = 0;
    return status ? complain_status(status, &error, names ? NULL : what) : GO_ON;
}

static int read_plan_file(struct study_request *request, const char *path)
{
    size_t size;
    int outcome = read_file(path, &request->text, &size);
    if (outcome != GO_ON)
        return outcome;
    if (strlen(request->text) != size)
        return complain(EXIT_REQUEST, "%s is not a text", path);
    char *named = NULL;
    outcome = name_files_in_plan(request->text, &named);
    free(request->text);
    request->text = named;
    return outcome == GO_ON ? parse_plan(request, RL_PLAN_STRICT, path, NULL) : outcome;
}

static int read_preset(struct study_request *request, const char *name)
{
    const char *text = rl_plan_preset(name);
    if (!text)
        return complain(EXIT_REQUEST, "there is no preset '%s'%s (see ringleader study --help)",
                        name, did_you_mean(name, rl_plan_preset_name));
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
    if (text[0]) {
        request->text = text;
        return parse_plan(request, RL_PLAN_STRICT, NULL, names);
    }
    free(text);
    return file ? read_plan_file(request, file) : preset ? read_preset(request, preset) : GO_ON;
}

/* ---- the request ------------------------------------------------------------------------------
 */

static int read_share(struct study_request *request, const char *value)
{
    unsigned long long part, parts;
    char rest;
    if (!value)
        return GO_ON;
    if (sscanf(value, "%llu/%llu%c", &part, &parts, &rest) != 2 || part < 1 || part > parts ||
        parts > 1000000)
        return complain(EXIT_REQUEST, "--share wants R/M with 1 <= R <= M, such as 2/4, not '%s'",
                        value);
    request->share = part - 1;
    request->shares = parts;
    return GO_ON;
}

static int read_request(struct study_request *request, const struct arguments *arguments)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = cores > 0 ? (uint64_t)cores : 1;
    request->path = argument(arguments, "db");
    request->salvage = argument(arguments, "salvage");
    request->extend = argument(arguments, "extend");
    request->quiet = argument(arguments, "quiet");
    request->json = argument(arguments, "json");
    if (!request->path || !request->path[0])
        return complain(EXIT_REQUEST, "which file? give --db FILE");
    int outcome = read_count(arguments, "jobs", 0, &jobs);
    request->jobs = (size_t)jobs;
    request->watchdog = WATCHDOG;
    if (outcome == GO_ON)
        outcome = read_count(arguments, "watchdog", 0, &request->watchdog);
    if (outcome == GO_ON)
        outcome = read_share(request, argument(arguments, "share"));
    return outcome == GO_ON ? read_plan(request, arguments) : outcome;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static int run_alone(int argc, char **argv, bool mpi, bool *served_out)
{
    struct arguments arguments;
    struct study_request request = {.mpi = mpi};
    int outcome = read_arguments(&arguments, &command_study, argc, argv);
    if (outcome != GO_ON)
        return outcome;
    if (arguments.count > MOST_OPTIONS)
        die(EXIT_REQUEST, "more than %d options", MOST_OPTIONS);
    if (argument(&arguments, "status"))
        return show_study_status(argument(&arguments, "status"), argument(&arguments, "json"));
    outcome = read_request(&request, &arguments);
    if (outcome == GO_ON)
        outcome = do_study(&request);
    *served_out = request.served;
    rl_plan_free(&request.plan);
    free(request.text);
    return outcome;
}

/* mpirun tells each process how many there are; only then is MPI woken. */
static bool under_mpirun(void)
{
    return rl_crew_mpi && (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE"));
}

/* The value of an option before the options are read; NULL if it is not there. */
static const char *look_for(int argc, char **argv, const char *option)
{
    const size_t length = strlen(option);
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], option, length) == 0 && argv[i][length] == '=')
            return argv[i] + length + 1;
        else if (strcmp(argv[i], option) == 0)
            return i + 1 < argc ? argv[i + 1] : "";
    return NULL;
}

/* Every rank has the protocols of the user's own, and before MPI, for this starts processes. */
static int load_everywhere(int argc, char **argv)
{
    struct study_request request = {0};
    const char *plan = look_for(argc, argv, "--plan");
    load_for_study(look_for(argc, argv, "--db"), look_for(argc, argv, "--extend"));
    int outcome = load_protocols(argc, argv);
    if (outcome == GO_ON && plan && strcmp(plan, "-") != 0 && under_mpirun())
        outcome = read_plan_file(&request, plan);
    rl_plan_free(&request.plan);
    free(request.text);
    return outcome;
}

/* The other ranks wait for work, or for the word that there is none. */
struct ranks {
    int rank, size;
    bool served;
};

static void end_ranks(void *thing)
{
    const struct ranks *ranks = thing;
    if (ranks->rank == 0 && ranks->size > 1 && !ranks->served)
        rl_crew_mpi->dismiss();
    if (ranks->size > 0)
        rl_crew_mpi->end();
}

static int run_study(int argc, char **argv)
{
    struct ranks *ranks = claim(sizeof *ranks, end_ranks);
    int result = load_everywhere(argc, argv);
    if (result != GO_ON)
        return result;
    if (!under_mpirun())
        return run_alone(argc, argv, false, &ranks->served);
    rl_crew_mpi->begin(&ranks->rank, &ranks->size);
    if (ranks->rank > 0) {
        uint64_t seconds = WATCHDOG;
        const char *watchdog = look_for(argc, argv, "--watchdog");
        if (watchdog && rl_text_parse_count(watchdog, 0, &seconds, NULL))
            seconds = WATCHDOG; /* rank 0 complains */
        catch_hangs((unsigned)seconds);
        result = rl_crew_mpi->serve() ? EXIT_OUTSIDE : EXIT_DONE;
    } else {
        result = run_alone(argc, argv, ranks->size > 1, &ranks->served);
    }
    return result;
}

const struct command command_study = {
    .name = "study",
    .summary = "many trials over a grid, in a SQLite file, resumable",
    .usage = "ringleader study --db FILE -n RANGE [options]\n"
             "ringleader study --db FILE --plan FILE | --preset NAME\n"
             "ringleader study --status FILE",
    .about = "Runs trials at every point of a grid and keeps them in a SQLite file. Killed at any "
             "moment,\n"
             "it loses at most the trials in flight; the same command goes on where it "
             "stopped.\n" MPI_HELP,
    .groups = {&GROUPS[0], &GROUPS[1], &GROUPS[2], &GROUPS[3]},
    .status = "0 all trials are done, 1 interrupted, 2 the request was wrong, 3 something\n"
              "outside failed (disk, memory, a damaged file).",
    .examples = "  ringleader study --db prl.db -n 64..4096x2 -N 1n,2n --start random,leaderless\n"
                "  ringleader study --db prl.db                      goes on with it\n"
                "  ringleader study --db t1.db --preset table1 && ringleader report t1.db -o "
                "t1\n" MPI_EXAMPLE,
    .begin = run_study,
};
