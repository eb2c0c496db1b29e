/* SPDX-License-Identifier: MIT
 *
 * ringleader verify: every configuration of a small ring.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/verification.h"

static const char *const ONLY[] = {"closure", "lemmas", "stability", "expected", NULL};
static const char *const EXPORTS[] = {"prism", NULL};

/* What is asked for instead of a verification. */
#define INSTEAD "from distribution export"

static const struct option OPTIONS[] = {
    {"only", "LIST", VALUE_CHOICES,
     "only some questions: closure, lemmas, stability, expected, with\n"
     "commas; closure and lemmas need next to no memory (default: all)",
     .choices = ONLY, .not_with = INSTEAD},
    {"most-expected", "COUNT", VALUE_COUNT,
     "without --only, leave expected steps out if there are more\n"
     "configurations up to symmetry (default 2^26 = 67,108,864)",
     .not_with = "only " INSTEAD},
    {"precision", "REAL", VALUE_REAL, "relative error of expected steps (default 1e-9)",
     .most_real = 0.1, .not_with = "from export"},
    {"exact", NULL, VALUE_NONE, "expected steps as fractions too, where they are few enough",
     .not_with = INSTEAD},
    {"from", "START|FILE", VALUE_START,
     "look only at what can be reached from there: from every member of a\n"
     "start, or a configuration file; in parts, where there are parts",
     .not_with = "distribution export"},
    {"invariant", "NAME", VALUE_SET,
     "what must hold there: outputs (default: none ever changes) or a set", .needs = "from",
     .not_with = "reaches"},
    {"reaches", "SET", VALUE_SET, "or instead: is this set reached from there with probability 1?",
     .needs = "from"},
    {"trace", "FILE", VALUE_OUTPUT,
     "if an answer is \"no\": an execution that shows it, for `replay`",
     .not_with = "distribution export"},
    {"distribution", "FILE", VALUE_OUTPUT,
     "instead: P(T <= t) of the hit of the target, for t = 0, 1, ...,\n"
     "as CSV, from a start given by",
     .not_with = "export"},
    {"start", "NAME|FILE", VALUE_START, "    one of the protocol's starts, or a configuration file",
     .needs = "distribution"},
    {"seed", "COUNT", VALUE_COUNT, "for starts that draw (default 1)",
     .needs = "from distribution"},
    {"export", "prism", VALUE_CHOICE,
     "instead: the model in the language of the PRISM model checker", .choices = EXPORTS,
     .not_with = "json"},
    {"every-n", NULL, VALUE_NONE,
     "instead: is it so for every n? By automata, for protocols whose\n"
     "states do not depend on n; small rings are enumerated beside it",
     .not_with = "n only most-expected precision exact " INSTEAD " force no-reduce check"},
    {"from-n", "COUNT", VALUE_COUNT, "only for every n from here on (default 2)", .least = 2,
     .most = 64, .needs = "every-n"},
    {"sweeps", "COUNT", VALUE_COUNT, "pre-images that a stage may take (default 24)", .least = 1,
     .most = 30, .needs = "every-n"},
    {"certificate", "FILE", VALUE_OUTPUT, "write what was proved for every n, for",
     .needs = "every-n"},
    {"picture", "FILE", VALUE_OUTPUT, "draw the automaton of the target (.svg, .png or .pdf)",
     .needs = "every-n"},
    {"check", "FILE", VALUE_INPUT, "    instead: does this certificate prove what it says?",
     .not_with = "n only most-expected precision exact " INSTEAD " trace force no-reduce jobs"},
    {"force", NULL, VALUE_NONE, "verify where the protocol promises nothing, such as N < n"},
    {"no-reduce", NULL, VALUE_NONE, "without symmetry: slower, and a check on the reductions",
     .not_with = INSTEAD},
    {"jobs", "COUNT", VALUE_COUNT, "threads (default: the processors)", .least = 1, .most = 256,
     .not_with = "from export"},
    {"memory", "COUNT", VALUE_COUNT,
     "bytes it may take, such as 4G (default: 4/5 of the machine's)", .least = 1,
     .not_with = "export"},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output", .not_with = "distribution"},
};
static const struct option_group OWN = {.options = OPTIONS, .count = OPTION_COUNT(OPTIONS)};

/* ---- reading the request ----------------------------------------------------------------------
 */

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

static int choose_means(struct verification *verification, const struct arguments *arguments)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = processors > 0 ? (uint64_t)processors : 1;
    verification->options.memory = (uint64_t)pages / 5 * 4 * (uint64_t)page;
    verification->options.most_expected = RL_MOST_EXPECTED;
    int outcome = read_count(arguments, "memory", 0, &verification->options.memory);
    if (outcome == GO_ON)
        outcome = read_count(arguments, "most-expected", 0, &verification->options.most_expected);
    if (outcome == GO_ON)
        outcome = read_count(arguments, "jobs", 0, &jobs);
    verification->options.jobs = (unsigned)jobs;
    return outcome;
}

/* Of a protocol without sets the largest safe set is computed all the same; that it has settled is
 * nothing that a configuration shows. */
static int leave_out_settled(struct verification *verification, const struct arguments *arguments)
{
    const struct rl_protocol *protocol = verification->request.protocol;
    if (protocol->sets[protocol->target].contains)
        return GO_ON;
    if (argument(arguments, "distribution"))
        return complain(EXIT_REQUEST, "protocol %s declares no set whose hit could be distributed",
                        protocol->name);
    verification->bare = *protocol;
    verification->bare.set_count = 0;
    verification->options.protocol = &verification->bare;
    return GO_ON;
}

static int read_request(struct verification *verification, const struct arguments *arguments)
{
    struct rl_verify_options *options = &verification->options;
    const char *precision = argument(arguments, "precision");
    verification->json = argument(arguments, "json");
    options->exact = argument(arguments, "exact");
    options->no_reduction = argument(arguments, "no-reduce");
    options->questions = questions_of(argument(arguments, "only"));
    options->precision = precision ? strtod(precision, NULL) : 1e-9;
    int outcome = read_ring(arguments, &verification->request, &verification->forced);
    if (outcome == GO_ON)
        outcome = choose_means(verification, arguments);
    if (outcome == GO_ON && options->exact && !rl_verify_has_exact())
        outcome = complain(EXIT_REQUEST, "--exact needs a program built with the GMP library");
    options->protocol = verification->request.protocol;
    options->params = verification->request.params;
    return outcome == GO_ON ? leave_out_settled(verification, arguments) : outcome;
}

/* ---- counterexamples --------------------------------------------------------------------------
 */

const struct rl_counterexample *first_counterexample(const struct verification *verification,
                                                     char *what_out, size_t size)
{
    const struct rl_verification *answer = &verification->answer;
    const struct rl_protocol *protocol = verification->options.protocol;
    snprintf(what_out, size, "in the trap");
    if (answer->trapped.exists)
        return &answer->trapped;
    for (size_t i = 0; i < protocol->set_count; i++) {
        snprintf(what_out, size, "%s is not closed", protocol->sets[i].name);
        if (answer->sets[i].way_out.exists)
            return &answer->sets[i].way_out;
        snprintf(what_out, size, "%s is not safe", protocol->sets[i].name);
        if (answer->sets[i].unsafe.exists)
            return &answer->sets[i].unsafe;
    }
    for (size_t i = 0; i < protocol->lemma_count; i++) {
        snprintf(what_out, size, "not always: %s", protocol->lemmas[i].name);
        if (answer->lemmas[i].violation.exists)
            return &answer->lemmas[i].violation;
    }
    return NULL;
}

int write_counterexample(const struct rl_counterexample *example,
                         const struct rl_protocol *protocol, const struct rl_params *params,
                         const char *path, struct rl_new_file *file_out)
{
    const int outcome = open_new_file(file_out, path);
    if (outcome != GO_ON)
        return outcome;
    if (rl_counterexample_write(example, protocol, params, file_out->stream, rl_new_file_put)) {
        rl_new_file_drop(file_out);
        return complain(EXIT_OUTSIDE, "%s could not be written", path);
    }
    return GO_ON;
}

static int write_trace(struct verification *verification, const char *path)
{
    char what[128];
    const struct rl_counterexample *example = first_counterexample(verification, what, sizeof what);
    if (!example)
        return GO_ON;
    struct rl_new_file file;
    verification->trace = path;
    const int outcome = write_counterexample(example, verification->request.protocol,
                                             &verification->options.params, path, &file);
    return outcome == GO_ON ? keep_new_file(&file) : outcome;
}

/* ---- running ----------------------------------------------------------------------------------
 */

int tell_interrupted(const struct rl_protocol *protocol, const struct rl_params *params,
                     const char *verdict, double seconds)
{
    if (verdict) {
        struct rl_json json = rl_json_begin(stdout);
        if (params)
            json_heading(&json, protocol, params);
        else if (protocol)
            rl_json_string(&json, "protocol", protocol->name);
        rl_json_null(&json, verdict);
        rl_json_bool(&json, "interrupted", true);
        rl_json_real(&json, "wall_seconds", seconds);
        rl_json_end(&json);
    }
    return complain(EXIT_NO, "interrupted after %.1f s, with nothing decided", seconds);
}

static int ask(struct verification *verification, const char *trace)
{
    struct rl_error error = {0};
    const struct rl_watch watch = {&verification->progress, watch_verification};
    verification->options.watch = &watch;
    verification->progress = progress_begin();
    const enum rl_status status = rl_verify(&verification->answer, &verification->options, &error);
    verification->options.watch = NULL;
    verification->seconds = progress_end(&verification->progress);
    verification->interrupted = status == RL_STOPPED;
    if (verification->interrupted && !verification->answer.decided)
        return tell_interrupted(verification->request.protocol, &verification->request.params,
                                verification->json ? "all_well" : NULL, verification->seconds);
    if (status == RL_TOO_LARGE)
        return complain(EXIT_OUTSIDE, "%s (--from START looks only at what can be reached)",
                        error.text);
    if (status && !verification->interrupted)
        return complain_status(status, &error, NULL);
    const bool well = rl_verify_all_well(&verification->answer, verification->options.protocol);
    const int outcome = trace && !well ? write_trace(verification, trace) : GO_ON;
    if (outcome != GO_ON)
        return outcome;
    (verification->json ? report_verification_json : report_verification)(verification);
    return well && !verification->interrupted ? EXIT_DONE : EXIT_NO;
}

/* ---- instead of verifying ---------------------------------------------------------------------
 */

static int export_model(const struct verification *verification)
{
    struct rl_error error = {0};
    const enum rl_status status =
        rl_prism_write(verification->options.protocol, &verification->options.params, stdout,
                       rl_new_file_put, &error);
    return status ? complain_status(status, &error, NULL) : EXIT_DONE;
}

static void write_row(void *user, uint64_t step, double probability)
{
    fprintf(user, "%llu,%.15g\n", (unsigned long long)step, probability);
}

static int write_distribution(struct verification *verification, const struct arguments *arguments)
{
    struct rl_verify_options *options = &verification->options;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring start = {options->protocol, options->params, agents};
    struct rl_error error = {0};
    struct rl_new_file file;
    if (options->params.n > RL_VERIFY_AGENTS)
        return complain(EXIT_REQUEST, "the verifier takes at most %d agents", RL_VERIFY_AGENTS);
    if (!argument(arguments, "start"))
        return complain(EXIT_REQUEST, "from where? give --start NAME or --start FILE");
    int outcome = fill_start(&start, verification->request.start, verification->request.seed, 0);
    if (outcome == GO_ON)
        outcome = open_new_file(&file, argument(arguments, "distribution"));
    if (outcome != GO_ON)
        return outcome;
    const struct rl_watch watch = {&verification->progress, watch_verification};
    options->watch = &watch;
    verification->progress = progress_begin();
    fputs("step,probability\n", file.stream);
    const enum rl_status status =
        rl_distribution(options, &start, options->protocol->target, file.stream, write_row, &error);
    options->watch = NULL;
    progress_end(&verification->progress);
    if (!status) {
        outcome = keep_new_file(&file);
        return outcome == GO_ON ? EXIT_DONE : outcome;
    }
    rl_new_file_drop(&file);
    return status == RL_STOPPED ? complain(EXIT_NO, "interrupted")
                                : complain_status(status, &error, NULL);
}

static int run_verify(struct arguments *arguments)
{
    struct verification verification = {0};
    int outcome = GO_ON;
    if (argument(arguments, "every-n") || argument(arguments, "check")) {
        outcome = choose_means(&verification, arguments);
        if (outcome == GO_ON)
            outcome = (argument(arguments, "check") ? check_certificate : verify_every_n)(
                arguments, &verification.options);
        return outcome;
    }
    outcome = read_request(&verification, arguments);
    if (outcome == GO_ON && argument(arguments, "from"))
        outcome = verify_from(arguments, &verification);
    else if (outcome == GO_ON && argument(arguments, "export"))
        outcome = export_model(&verification);
    else if (outcome == GO_ON && argument(arguments, "distribution"))
        outcome = write_distribution(&verification, arguments);
    else if (outcome == GO_ON)
        outcome = ask(&verification, argument(arguments, "trace"));
    rl_verify_free(&verification.answer);
    return outcome;
}

const struct command command_verify = {
    .name = "verify",
    .summary = "every configuration of a small ring, answered with certainty",
    .usage = "ringleader verify -n COUNT [options]\n"
             "ringleader verify --every-n [options]\n"
             "ringleader verify --check FILE",
    .about =
        "Looks at every configuration of a small ring and answers with certainty: are the named "
        "sets\n"
        "closed, do the lemmas hold at every interaction, which configurations are safe, is the\n"
        "protocol self-stabilizing, and what is the expected number of steps to each set, from "
        "the\n"
        "worst configuration and from a uniformly random one.\n",
    .groups = {&ring_options, &OWN},
    .status = "0 everything holds, 1 something does not (or Ctrl-C), 2 the request was wrong,\n"
              "3 something outside failed, such as too little memory.",
    .examples =
        "  ringleader verify -n 4\n"
        "  ringleader verify -n 3 -N 5 --json\n"
        "  ringleader verify -n 6 --only closure\n"
        "  ringleader verify -p fences -n 8 --from clean\n"
        "  ringleader verify -n 10 --from safe --invariant S_RL\n"
        "  ringleader verify -p ppl -n 5 --psi 2 --kmax 1 --from clean --invariant settled\n"
        "  ringleader verify -p ppl -n 3 --psi 2 --kmax 1 --from leaderless --reaches settled\n"
        "  ringleader verify -n 4 --distribution d.csv --start leaderless\n"
        "  ringleader verify -p fj06 --every-n --certificate fj06.proof\n"
        "  ringleader verify --check fj06.proof\n"
        "  ringleader verify -p aaf08 --k 2 --every-n --sweeps 3\n"
        "  ringleader verify -n 2 --export prism > prl-2.pm\n"
        "  ringleader verify -n 3 -N 2 --force --trace t.rlt ; ringleader replay --force t.rlt\n",
    .run = run_verify,
};
