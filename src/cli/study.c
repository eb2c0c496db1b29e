/* SPDX-License-Identifier: MIT
 *
 * ringleader study: many trials over a grid, in a SQLite file.
 */
#include <errno.h>

#include "cli/study.h"

#ifdef RL_WITH_MPI
#define MPI_HELP    "Under mpirun the ranks share it.\n"
#define MPI_EXAMPLE "  mpirun -n 8 ringleader study --db big.db -n 1e5 --trials 1000\n"
#else
#define MPI_HELP    "This program was built without MPI: it uses the cores of one machine only.\n"
#define MPI_EXAMPLE ""
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

/* ---- the plan ---- */

static bool is_key(const struct option *option)
{
    return (option >= GRID && option < GRID + OPTION_COUNT(GRID)) ||
           (option >= EACH && option < EACH + OPTION_COUNT(EACH));
}

/* Options as a plan: a line for each key, the values of repeated ones together. NULL: there are no
 * keys. */
static char *options_as_plan(const struct arguments *arguments, struct study_request *request)
{
    size_t size = 1;
    for (size_t i = 0; i < arguments->count; i++)
        size += strlen(arguments->given[i].name) + strlen(arguments->given[i].value) + 8;
    char *plan = claim(size, NULL);
    request->keys = claim((arguments->count + 1) * sizeof *request->keys, NULL);
    for (size_t i = 0; i < arguments->count; i++) {
        const char *name = arguments->given[i].name;
        bool again = !is_key(arguments->given[i].option);
        for (size_t k = 0; k < request->key_count; k++)
            again |= strcmp(request->keys[k], name) == 0;
        if (again)
            continue;
        request->keys[request->key_count++] = name;
        strcat(strcat(plan, name), " = ");
        const char *comma = "";
        for (size_t k = i; k < arguments->count; k++)
            if (strcmp(arguments->given[k].name, name) == 0) {
                strcat(strcat(plan, comma), arguments->given[k].value);
                comma = ", ";
            }
        strcat(plan, "\n");
    }
    return request->key_count > 0 ? plan : NULL;
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
    *text_out = try_file(word, &size);
    if (!*text_out)
        return rl_error_set(error, RL_IO, "%s: %s", word, strerror(errno));
    return strlen(*text_out) == size ? RL_OK
                                     : rl_error_set(error, RL_BAD_TEXT, "%s is not a text", word);
}

static const struct rl_plan_resolver RESOLVER = {.protocol = find_protocol, .start = find_start};

static const char *plan_file(const char *path)
{
    size_t size;
    const char *text = file_text(path, &size);
    if (strlen(text) != size)
        die(EXIT_REQUEST, "%s is not a text", path);
    return text;
}

static const char *preset(const char *name)
{
    const char *text = rl_plan_preset(name);
    if (!text)
        die(EXIT_REQUEST, "there is no preset '%s' (see ringleader study --help)", name);
    return text;
}

static void read_plan(struct study_request *request, const struct arguments *arguments)
{
    struct rl_study_options *options = &request->options;
    const char *file = argument(arguments, "plan"), *name = argument(arguments, "preset");
    options->resolver = &RESOLVER;
    options->plan = options_as_plan(arguments, request);
    request->plan_name = file ? file : name;
    if (file)
        options->plan = plan_file(file);
    else if (name)
        options->plan = preset(name);
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

static void read_request(struct study_request *request, const struct arguments *arguments)
{
    struct rl_study_options *options = &request->options;
    options->path = argument(arguments, "db");
    options->salvage = argument(arguments, "salvage");
    options->extend = argument(arguments, "extend");
    if (!options->path || !options->path[0])
        die(EXIT_REQUEST, "which file? give --db FILE");
    read_share(options, argument(arguments, "share"));
    read_plan(request, arguments);
}

/* ---- the command ---- */

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

/* mpirun tells each process which of how many it is; only then is MPI woken. */
static bool under_mpirun(int *rank_out)
{
    const char *ours = getenv("OMPI_COMM_WORLD_RANK"), *theirs = getenv("PMI_RANK");
    *rank_out = ours ? atoi(ours) : theirs ? atoi(theirs) : 0;
    return rl_crew_mpi && (getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE"));
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

/* A rank that does not write has the protocols of the user's own, which are loaded before MPI, for
 * this starts processes. Rank 0 reads the rest, and complains. */
static int serve(int argc, char **argv, struct ranks *ranks)
{
    const char *plan = look_for(argc, argv, "--plan");
    const char *watchdog = look_for(argc, argv, "--watchdog");
    uint64_t seconds = WATCHDOG;
    struct rl_plan read = {0};
    if (plan && strcmp(plan, "-") != 0) {
        const char *text = plan_file(plan);
        (void)!rl_plan_parse(&read, text, strlen(text), &RESOLVER, NULL);
        rl_plan_free(&read);
    }
    if (watchdog && rl_text_parse_count(watchdog, 0, &seconds, NULL))
        seconds = WATCHDOG;
    rl_crew_mpi->begin(&ranks->rank, &ranks->size);
    catch_hangs((unsigned)seconds);
    rl_crew_mpi->serve();
    return EXIT_DONE;
}

static int begin_study(int argc, char **argv)
{
    struct arguments arguments;
    struct study_request request = {0};
    struct ranks *ranks = claim(sizeof *ranks, end_ranks);
    int rank;
    const bool mpi = under_mpirun(&rank);
    load_protocols(argc, argv);
    if (mpi && rank > 0)
        return serve(argc, argv, ranks);
    read_arguments(&arguments, &command_study, argc, argv);
    if (argument(&arguments, "status"))
        return show_study_status(argument(&arguments, "status"), argument(&arguments, "json"));
    read_request(&request, &arguments);
    if (mpi)
        rl_crew_mpi->begin(&ranks->rank, &ranks->size);
    request.mpi = ranks->size > 1;
    request.served_out = &ranks->served;
    return do_study(&request, &arguments);
}

const struct command command_study = {
    .name = "study",
    .summary = "run many trials over a grid, in an SQLite file; stop and resume",
    .usage = "ringleader study --db FILE -n RANGE [options]\n"
             "ringleader study --db FILE --plan FILE | --preset NAME\n"
             "ringleader study --status FILE",
    .about = "Runs trials at every point of a grid and stores them in an SQLite file. If it is "
             "killed,\nit loses at most the trials in progress. The same command continues where "
             "it stopped.\n" MPI_HELP,
    .groups = {&GROUPS[0], &GROUPS[1], &GROUPS[2], &GROUPS[3]},
    .status = "0 done, 1 interrupted, 2 wrong request, 3 something outside failed.",
    .examples = "  ringleader study --db prl.db -n 64..4096x2 --start leaders --curve leaders\n"
                "  ringleader study --db t1.db --preset table1 && ringleader report t1.db -o "
                "t1\n" MPI_EXAMPLE,
    .begin = begin_study,
};
