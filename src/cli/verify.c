/* SPDX-License-Identifier: MIT
 *
 * ringleader verify: every configuration of a small ring.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/verification.h"

static const char HELP[] =
    "usage: ringleader verify -n COUNT [options]\n"
    "\n"
    "Looks at every configuration of a small ring and answers with certainty: are the named sets\n"
    "closed, do the lemmas hold at every interaction, which configurations are safe, is the\n"
    "protocol self-stabilizing, and what is the expected number of steps to each set, from the\n"
    "worst configuration and from a uniformly random one.\n"
    "\n"
    "  -p, --protocol NAME   the protocol (default prl; see `ringleader protocols`)\n"
    "  -n COUNT              agents on the ring\n"
    "  -N COUNT              the bound N that the agents of prl know (default n); 2n works\n"
    "      --only LIST       only some questions: closure, lemmas, stability, expected, with\n"
    "                        commas; closure and lemmas need next to no memory (default: all)\n"
    "      --most-expected COUNT   without --only, leave expected steps out if there are more\n"
    "                        configurations up to symmetry (default 2^26 = 67,108,864)\n"
    "      --precision REAL  relative error of expected steps (default 1e-9)\n"
    "      --exact           expected steps as fractions too, where they are few enough\n"
    "      --from START|FILE look only at what can be reached from there: from every member of a\n"
    "                        start, or a configuration file; in parts, where there are parts\n"
    "      --invariant NAME  what must hold there: outputs (default: none ever changes) or a set\n"
    "      --reaches SET     or instead: is this set reached from there with probability 1?\n"
    "      --seed COUNT      for starts that draw (default 1)\n"
    "      --trace FILE      if an answer is \"no\": an execution that shows it, for `replay`\n"
    "      --distribution FILE   instead: P(T <= t) of the hit of the target, for t = 0, 1, ...,\n"
    "                        as CSV, from a start given by\n"
    "      --start NAME|FILE     one of the protocol's starts, or a configuration file\n"
    "      --export prism    instead: the model in the language of the PRISM model checker\n"
    "      --force           verify parameters that the protocol refuses\n"
    "      --no-reduce       without symmetry: slower, and a check on the reductions\n"
    "      --jobs COUNT      threads (default: the processors)\n"
    "      --memory COUNT    bytes it may take, such as 4G (default: 4/5 of the machine's)\n"
    "      --json            one JSON object on standard output\n"
    "\n"
    "Exit status: 0 everything holds, 1 something does not (or Ctrl-C), 2 the request was wrong,\n"
    "3 something outside failed, such as too little memory.\n"
    "\n"
    "examples:\n"
    "  ringleader verify -n 4\n"
    "  ringleader verify -n 3 -N 5 --json\n"
    "  ringleader verify -n 6 --only closure\n"
    "  ringleader verify -p fences -n 8 --from clean\n"
    "  ringleader verify -n 10 --from safe --invariant S_RL\n"
    "  ringleader verify -p ppl -n 5 --psi 2 --kmax 1 --from clean --invariant settled\n"
    "  ringleader verify -p ppl -n 3 --psi 2 --kmax 1 --from leaderless --reaches settled\n"
    "  ringleader verify -n 4 --distribution d.csv --start leaderless\n"
    "  ringleader verify -n 2 --export prism > prl-2.pm\n"
    "  ringleader verify -n 3 -N 2 --force --trace t.rlt ; ringleader replay --force t.rlt\n";

static const struct option OPTIONS[] = {
    {"protocol", 'p', "NAME"},
    {"n", 'n', "COUNT"},
    {"only", 0, "LIST"},
    {"precision", 0, "REAL"},
    {"exact", 0, NULL},
    {"trace", 0, "FILE"},
    {"force", 0, NULL},
    {"no-reduce", 0, NULL},
    {"jobs", 0, "COUNT"},
    {"memory", 0, "COUNT"},
    {"distribution", 0, "FILE"},
    {"start", 0, "NAME|FILE"},
    {"export", 0, "prism"},
    {"from", 0, "START|FILE"},
    {"invariant", 0, "NAME"},
    {"reaches", 0, "SET"},
    {"seed", 0, "COUNT"},
    {"json", 0, NULL},
    {"most-expected", 0, "COUNT"},
    {NULL, 0, NULL},
};

/* ---- reading the request ----------------------------------------------------------------------
 */

static const struct {
    const char *name;
    unsigned question;
} QUESTIONS[] = {{"closure", RL_ASK_CLOSURE},
                 {"lemmas", RL_ASK_LEMMAS},
                 {"stability", RL_ASK_STABILITY},
                 {"expected", RL_ASK_EXPECTED}};

static int choose_questions(struct verification *verification, const char *list)
{
    const size_t count = sizeof QUESTIONS / sizeof QUESTIONS[0];
    verification->options.questions = 0;
    while (list) {
        const size_t length = strcspn(list, ",");
        size_t i = 0;
        while (i < count && (strlen(QUESTIONS[i].name) != length ||
                             strncmp(QUESTIONS[i].name, list, length) != 0))
            i++;
        if (i == count)
            return complain(EXIT_REQUEST,
                            "--only wants closure, lemmas, stability or expected, not '%.*s'",
                            (int)length, list);
        verification->options.questions |= QUESTIONS[i].question;
        list = list[length] ? list + length + 1 : NULL;
    }
    return -1;
}

static int choose_precision(struct verification *verification, const char *value)
{
    char *end;
    verification->options.precision = value ? strtod(value, &end) : 1e-9;
    if (value &&
        (*end || !(verification->options.precision > 0) || verification->options.precision > 0.1))
        return complain(EXIT_REQUEST, "--precision wants a number between 0 and 0.1, not '%s'",
                        value);
    return -1;
}

static int choose_means(struct verification *verification, const struct arguments *arguments)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = processors > 0 ? (uint64_t)processors : 1;
    verification->options.memory = (uint64_t)pages / 5 * 4 * (uint64_t)page;
    verification->options.most_expected = RL_MOST_EXPECTED;
    int failed = argument_count(arguments, "memory", 0, &verification->options.memory);
    if (failed < 0)
        failed =
            argument_count(arguments, "most-expected", 0, &verification->options.most_expected);
    if (failed < 0)
        failed = argument_count(arguments, "jobs", 0, &jobs);
    if (failed >= 0)
        return failed;
    if (jobs < 1 || jobs > 256)
        return complain(EXIT_REQUEST, "--jobs wants 1 to 256 threads");
    verification->options.jobs = (unsigned)jobs;
    return -1;
}

static int read_request(struct verification *verification, const struct arguments *arguments)
{
    struct rl_verify_options *options = &verification->options;
    if (arguments->word_count > 0)
        return complain(EXIT_REQUEST, "verify takes options only, not '%s'", arguments->words[0]);
    verification->json = argument(arguments, "json");
    options->exact = argument(arguments, "exact");
    options->no_reduction = argument(arguments, "no-reduce");
    int failed = argument_ring(arguments, &options->protocol, &options->params);
    if (failed < 0)
        failed = choose_questions(verification, argument(arguments, "only"));
    if (failed < 0)
        failed = choose_precision(verification, argument(arguments, "precision"));
    if (failed < 0)
        failed = choose_means(verification, arguments);
    if (failed < 0 && options->exact && !rl_verify_has_exact())
        failed = complain(EXIT_REQUEST, "--exact needs a program built with the GMP library");
    struct rl_error error;
    verification->forced =
        failed < 0 && options->protocol->check(&options->params, &error) != RL_OK;
    return failed;
}

int fill_start(struct rl_ring *ring, const char *start)
{
    struct rl_random random;
    struct rl_error error = {0};
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    if (rl_protocol_has_start(ring->protocol, start)) {
        const enum rl_status status = rl_ring_start(ring, start, &random, &error);
        return status ? complain_status(status, &error, NULL) : -1;
    }
    char *text;
    size_t size;
    const int failed = read_file(start, &text, &size);
    if (failed >= 0)
        return failed;
    const enum rl_status status = rl_ring_parse(ring, text, size, &error);
    free(text);
    return status ? complain_status(status, &error, start) : -1;
}

/* ---- counterexamples --------------------------------------------------------------------------
 */

static bool put_bytes(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

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
                         const char *path)
{
    struct rl_new_file file;
    const int failed = open_new_file(&file, path);
    if (failed >= 0)
        return failed;
    if (rl_counterexample_write(example, protocol, params, file.stream, put_bytes)) {
        rl_new_file_drop(&file);
        return complain(EXIT_OUTSIDE, "%s could not be written", path);
    }
    return keep_new_file(&file);
}

static int write_trace(struct verification *verification, const char *path)
{
    char what[128];
    const struct rl_counterexample *example = first_counterexample(verification, what, sizeof what);
    if (!example)
        return -1;
    verification->trace = path;
    return write_counterexample(example, verification->options.protocol,
                                &verification->options.params, path);
}

/* ---- running ----------------------------------------------------------------------------------
 */

static bool tell(void *user, const struct rl_progress *now)
{
    struct verification *verification = user;
    if (progress_due(&verification->progress))
        show_verification(&verification->progress, now);
    return !interrupted();
}

static int ask(struct verification *verification, const char *trace)
{
    struct rl_error error = {0};
    const struct rl_watch watch = {verification, tell};
    verification->options.watch = &watch;
    verification->progress = progress_begin();
    catch_interrupts();
    const enum rl_status status = rl_verify(&verification->answer, &verification->options, &error);
    verification->options.watch = NULL;
    verification->seconds = seconds_now() - verification->progress.began;
    progress_end(&verification->progress);
    verification->interrupted = status == RL_STOPPED;
    if (verification->interrupted && !verification->answer.decided)
        return complain(EXIT_NO, "interrupted after %.1f s, with nothing decided",
                        verification->seconds);
    if (status == RL_TOO_LARGE)
        return complain(EXIT_OUTSIDE, "%s (--from START looks only at what can be reached)",
                        error.text);
    if (status && !verification->interrupted)
        return complain_status(status, &error, NULL);
    const bool well = rl_verify_all_well(&verification->answer, verification->options.protocol);
    const int failed = trace && !well ? write_trace(verification, trace) : -1;
    if (failed >= 0)
        return failed;
    (verification->json ? report_verification_json : report_verification)(verification);
    return well && !verification->interrupted ? EXIT_DONE : EXIT_NO;
}

/* ---- instead of verifying ---------------------------------------------------------------------
 */

static int export_model(const struct verification *verification, const char *format)
{
    struct rl_error error = {0};
    if (strcmp(format, "prism") != 0)
        return complain(EXIT_REQUEST, "--export knows prism, not '%s'", format);
    const enum rl_status status = rl_prism_write(
        verification->options.protocol, &verification->options.params, stdout, put_bytes, &error);
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
    int failed = fill_start(&start, argument(arguments, "start"));
    if (failed < 0)
        failed = open_new_file(&file, argument(arguments, "distribution"));
    if (failed >= 0)
        return failed;
    const struct rl_watch watch = {verification, tell};
    options->watch = &watch;
    verification->progress = progress_begin();
    catch_interrupts();
    fputs("step,probability\n", file.stream);
    const enum rl_status status =
        rl_distribution(options, &start, options->protocol->target, file.stream, write_row, &error);
    options->watch = NULL;
    progress_end(&verification->progress);
    if (!status) {
        failed = keep_new_file(&file);
        return failed < 0 ? EXIT_DONE : failed;
    }
    rl_new_file_drop(&file);
    return status == RL_STOPPED ? complain(EXIT_NO, "interrupted")
                                : complain_status(status, &error, NULL);
}

static int run_verify(int argc, char **argv)
{
    struct arguments arguments;
    struct verification verification = {0};
    int failed = read_arguments(&arguments, &command_verify, OPTIONS, argc, argv);
    if (failed >= 0)
        return failed;
    failed = read_request(&verification, &arguments);
    if (failed < 0 && argument(&arguments, "from"))
        failed = verify_from(&arguments, &verification.options);
    else if (failed < 0 && (argument(&arguments, "invariant") || argument(&arguments, "reaches")))
        failed = complain(EXIT_REQUEST, "--invariant and --reaches are asked of --from START");
    else if (failed < 0 && argument(&arguments, "export"))
        failed = export_model(&verification, argument(&arguments, "export"));
    else if (failed < 0 && argument(&arguments, "distribution"))
        failed = write_distribution(&verification, &arguments);
    else if (failed < 0)
        failed = ask(&verification, argument(&arguments, "trace"));
    rl_verify_free(&verification.answer);
    return failed;
}

const struct command command_verify = {
    "verify", "every configuration of a small ring, answered with certainty", HELP, run_verify};
