/* SPDX-License-Identifier: MIT
 *
 * ringleader verify: every configuration of a small ring.
 */
#include "cli/verification.h"

static const char *const ONLY[] = {"closure", "lemmas", "stability", "expected", NULL};

static const struct option OPTIONS[] = {
    {"only", "LIST", VALUE_CHOICES,
     "only some questions: closure, lemmas (both need almost\nno memory), stability, expected "
     "(default: all; expected up to\n2^26 configurations up to symmetry)",
     .choices = ONLY, .not_with = "distribution"},
    {"precision", "REAL", VALUE_REAL, "relative error of expected steps (default 1e-9)",
     .most_real = 0.1},
    {"exact", NULL, VALUE_NONE, "expected steps as fractions too, if not too many",
     .not_with = "distribution"},
    {"trace", "FILE", VALUE_OUTPUT, "if an answer is \"no\", write an execution for `replay`",
     .not_with = "distribution"},
    {"distribution", "FILE", VALUE_OUTPUT, "instead: P(target hit by step t) from --start, as CSV"},
    {"start", "NAME|FILE", VALUE_START, "for --distribution: a start, or a configuration file",
     .needs = "distribution"},
    {"seed", "COUNT", VALUE_COUNT, "for starts that are random (default 1)",
     .needs = "distribution"},
    {"force", NULL, VALUE_NONE, "also if the protocol promises nothing, as for N < n"},
    {"no-reduce", NULL, VALUE_NONE, "do not use symmetry: slower; checks the reductions",
     .not_with = "distribution"},
    {"jobs", "COUNT", VALUE_COUNT, "threads (default: the processors)", .least = 1, .most = 256},
    {"memory", "COUNT", VALUE_COUNT, "bytes it may use, such as 4G (default: 4/5 of all memory)",
     .least = 1},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output", .not_with = "distribution"},
};

/* ---- what others share ---- */

uint64_t choose_memory(const struct arguments *arguments)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    uint64_t memory = (uint64_t)pages / 5 * 4 * (uint64_t)page;
    read_count(arguments, "memory", 0, &memory);
    return memory;
}

const struct rl_protocol *without_settled(const struct rl_protocol *protocol,
                                          struct rl_protocol *bare)
{
    if (protocol->sets[protocol->target].contains)
        return protocol;
    *bare = *protocol;
    bare->set_count = 0;
    return bare;
}

void offer_example(struct example *example, const struct rl_counterexample *execution, uint32_t n,
                   const char *subject, const char *what)
{
    if (example->execution || !execution->exists)
        return;
    example->execution = execution;
    example->params.n = n;
    snprintf(example->what, sizeof example->what, "%s%s", subject, what);
}

void write_example(struct example *example, const struct rl_protocol *protocol,
                   struct rl_new_file *file, const char *path)
{
    if (!example->execution)
        rl_new_file_drop(file);
    if (!file->stream)
        return;
    if (rl_counterexample_write(example->execution, protocol, &example->params, file->stream,
                                rl_new_file_put))
        die(EXIT_OUTSIDE, "%s could not be written", path);
    example->trace = path;
}

void print_example(const struct example *example, const struct rl_protocol *protocol)
{
    const struct rl_counterexample *execution = example->execution;
    printf("shown by %s", states_text(protocol, execution->start, example->params.n));
    if (execution->length > 0)
        printf(", arc%s", execution->length == 1 ? "" : "s");
    for (size_t i = 0; i < execution->length; i++)
        printf(" %u", execution->arcs[i]);
    printf(" (%s)\n", example->what);
    if (example->trace)
        printf("trace    %s (ringleader replay %s--events %s%s)\n", example->trace,
               file_option(protocol), example->forced ? "--force " : "", example->trace);
}

void die_interrupted(const struct rl_protocol *protocol, const struct rl_params *params,
                     const char *verdict, bool json, double seconds)
{
    if (json) {
        struct answer answer = answer_begin(true);
        if (params)
            json_heading(&answer.json, protocol, params);
        else if (protocol)
            put(&answer, "protocol=%s", protocol->name);
        rl_json_string(&answer.json, verdict, NULL);
        put(&answer, "interrupted=%d wall_seconds=%g", true, seconds);
        answer_end(&answer);
    }
    die(EXIT_NO, "interrupted after %.1f s", seconds);
}

static struct progress progress;

/* A line now and then, until Ctrl-C. */
static bool show(void *user, const struct rl_progress *now)
{
    char error[48] = "";
    (void)user;
    if (!progress_due(&progress))
        return !interrupted();
    if (now->error > 0)
        snprintf(error, sizeof error, ", error %.1e", now->error);
    if (now->found > 0)
        progress_show(&progress, "%s %s%s%s: %s found", now->phase, now->subject,
                      now->sweeps > 0 ? ", move " : "", now->sweeps > 0 ? grouped(now->sweeps) : "",
                      grouped(now->found));
    else if (now->sweeps > 0)
        progress_show(&progress, "%s %s: sweep %s, %.0f %%%s", now->phase, now->subject,
                      grouped(now->sweeps), 100 * now->done, error);
    else
        progress_show(&progress, "%s %s: %.0f %%", now->phase, now->subject, 100 * now->done);
    return !interrupted();
}

const struct rl_watch *begin_watch(void)
{
    static const struct rl_watch watch = {NULL, show};
    progress = progress_begin();
    return &watch;
}

double end_watch(void)
{
    return progress_end(&progress);
}

/* ---- reading the request ---- */

/* The questions of --only; the table has checked the names. */
static unsigned questions_of(const char *list)
{
    static const unsigned questions[] = {RL_ASK_CLOSURE, RL_ASK_LEMMAS, RL_ASK_STABILITY,
                                         RL_ASK_EXPECTED};
    unsigned asked = 0;
    for (size_t i = 0; list && ONLY[i]; i++)
        for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
            if (strcspn(at, ",") == strlen(ONLY[i]) && !strncmp(at, ONLY[i], strlen(ONLY[i])))
                asked |= questions[i];
    return asked;
}

static void end_verification(void *thing)
{
    rl_verify_free(&((struct verification *)thing)->answer);
}

static struct verification *read_request(const struct arguments *arguments)
{
    struct verification *verification = claim(sizeof *verification, end_verification);
    struct rl_verify_options *options = &verification->options;
    struct rl_experiment *experiment = &verification->experiment;
    read_ring(arguments, experiment);
    verification->example.forced = experiment->unpromised;
    verification->example.params = options->params = experiment->params;
    options->exact = argument(arguments, "exact");
    options->no_reduction = argument(arguments, "no-reduce");
    options->questions = questions_of(argument(arguments, "only"));
    options->precision = read_real(arguments, "precision", 1e-9);
    options->most_expected = RL_MOST_EXPECTED;
    options->memory = choose_memory(arguments);
    options->jobs = choose_jobs(arguments);
    options->protocol = without_settled(experiment->protocol, &verification->bare);
    if (options->exact && !rl_verify_has_exact())
        die(EXIT_REQUEST, "--exact needs a program built with FLINT: install it (on Debian: apt "
                          "install libflint-dev) and build again");
    return verification;
}

/* ---- running ---- */

static bool loses_last_leader(const struct rl_counterexample *example,
                              const struct rl_verify_options *options)
{
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {options->protocol, options->params, agents};
    for (uint32_t i = 0; i < options->params.n; i++)
        rl_ring_set(&ring, i, example->start[i]);
    const bool leader = rl_ring_leaders(&ring) > 0;
    for (size_t i = 0; i < example->length; i++)
        rl_ring_interact(&ring, example->arcs[i]);
    return leader && rl_ring_leaders(&ring) == 0;
}

static void find_example(struct verification *verification)
{
    const struct rl_verification *answer = &verification->answer;
    const struct rl_verify_options *options = &verification->options;
    const struct rl_protocol *protocol = options->protocol;
    for (int lost = 1; lost >= 0; lost--) {
#define OFFER(found, subject, what)                                                                \
    if (!lost || ((found)->exists && loses_last_leader(found, options)))                           \
        offer_example(&verification->example, found, options->params.n, subject, what);
        OFFER(&answer->trapped, "", "in the trap")
        for (size_t i = 0; i < protocol->set_count; i++) {
            OFFER(&answer->sets[i].way_out, protocol->sets[i].name, " is not closed")
            OFFER(&answer->sets[i].unsafe, protocol->sets[i].name, " is not safe")
        }
        for (size_t i = 0; i < protocol->lemma_count; i++)
            OFFER(&answer->lemmas[i].violation, "not always: ", protocol->lemmas[i].name)
#undef OFFER
    }
}

static int ask(struct verification *verification, const struct arguments *arguments)
{
    struct rl_verify_options *options = &verification->options;
    const bool json = argument(arguments, "json");
    struct rl_new_file *trace = new_file(argument(arguments, "trace"));
    struct rl_error *error = why();
    options->watch = begin_watch();
    const enum rl_status status = rl_verify(&verification->answer, options, error);
    verification->seconds = end_watch();
    if (status == RL_STOPPED)
        die_interrupted(verification->experiment.protocol, &options->params, "all_well", json,
                        verification->seconds);
    if (status == RL_TOO_LARGE)
        die(EXIT_OUTSIDE,
            "%s (--only closure needs almost no memory; `explore --from START` checks only what "
            "can be reached)",
            error->text);
    check(status, NULL);
    const bool well = rl_verify_all_well(&verification->answer, options->protocol);
    if (!well)
        find_example(verification);
    write_example(&verification->example, verification->experiment.protocol, trace,
                  argument(arguments, "trace"));
    keep_file(trace);
    report_verification(verification, json);
    return well ? EXIT_DONE : EXIT_NO;
}

static void write_row(void *user, uint64_t step, double probability)
{
    fprintf(user, "%" PRIu64 ",%.15g\n", step, probability);
}

static int write_distribution(struct verification *verification, const struct arguments *arguments)
{
    struct rl_verify_options *options = &verification->options;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring start = {options->protocol, options->params, agents};
    if (options->protocol->set_count == 0)
        die(EXIT_REQUEST,
            "protocol %s declares no set, so there is no hit to show the distribution of",
            options->protocol->name);
    if (options->params.n > RL_VERIFY_AGENTS)
        die(EXIT_REQUEST, "the verifier takes at most %d agents", RL_VERIFY_AGENTS);
    if (!argument(arguments, "start"))
        die(EXIT_REQUEST, "from where? give --start NAME or --start FILE");
    choose_start(&verification->experiment);
    check(rl_experiment_fill(&verification->experiment, &start, why()), NULL);
    struct rl_new_file *file = new_file(argument(arguments, "distribution"));
    options->watch = begin_watch();
    fputs("step,probability\n", file->stream);
    const enum rl_status status =
        rl_distribution(options, &start, options->protocol->target, file->stream, write_row, why());
    end_watch();
    if (status == RL_STOPPED)
        die(EXIT_NO, "interrupted");
    check(status, NULL);
    keep_file(file);
    return EXIT_DONE;
}

static int run_verify(struct arguments *arguments)
{
    struct verification *verification = read_request(arguments);
    return (argument(arguments, "distribution") ? write_distribution : ask)(verification,
                                                                            arguments);
}

const struct command command_verify = {
    .name = "verify",
    .summary = "check every configuration of a small ring",
    .usage = "ringleader verify -n COUNT [options]",
    .about =
        "Checks every configuration of a small ring: are the named sets closed, do the "
        "lemmas\nhold, which configurations are safe, is the protocol self-stabilizing, and how "
        "many\nsteps does each set take, from the worst configuration and from a random one?\n",
    .groups = {&ring_options, GROUP(OPTIONS)},
    .status = "0 everything holds, 1 something does not (or Ctrl-C), 2 the request\n"
              "was wrong, 3 something outside failed, such as too little memory.",
    .examples = "  ringleader verify -n 4\n"
                "  ringleader verify -n 3 -N 5 --json\n"
                "  ringleader verify -n 6 --only closure\n"
                "  ringleader verify -n 4 --distribution d.csv --start leaderless\n"
                "  ringleader verify -n 3 -N 2 --force --trace t ; ringleader replay --force t\n",
    .run = run_verify,
};
