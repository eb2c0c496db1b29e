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
    "      --share R/M       do part R of M only (1/4, 2/4, ...), each with a file of its own,\n"
    "                        which remembers it; `ringleader report` takes all files together\n"
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
    "  ringleader study --db t1.db --preset table1 && ringleader report t1.db -o t1\n" MPI_EXAMPLE;

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
        return show_study_status(argument(&arguments, "status"), argument(&arguments, "json"));
    failed = read_request(&request, &arguments);
    if (failed < 0)
        failed = do_study(&request);
    *served_out = request.served;
    rl_plan_free(&request.plan);
    free(request.text);
    return failed;
}

/* mpirun tells each process how many there are; only then is MPI woken. */
static bool under_mpirun(void)
{
    return rl_crew_mpi_built() && (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE"));
}

static int run_study(int argc, char **argv)
{
    int rank = 0, size = 1, result;
    bool served = false;
    if (!under_mpirun())
        return run_alone(argc, argv, false, &served);
    rl_crew_mpi_begin(&rank, &size);
    if (rank > 0) {
        result = rl_crew_mpi_serve() ? EXIT_OUTSIDE : EXIT_DONE;
    } else {
        result = run_alone(argc, argv, size > 1, &served);
        if (size > 1 && !served)
            rl_crew_mpi_dismiss();
    }
    rl_crew_mpi_end();
    return result;
}

const struct command command_study = {
    "study", "many trials over a grid, in a SQLite file, resumable", HELP, run_study};
