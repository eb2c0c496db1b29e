/* SPDX-License-Identifier: MIT
 *
 * ringleader verify: every configuration of a small ring. Its answer has the same parts in the same
 * order every time: sizes, sets, lemmas, expected steps, verdict, memory and seconds.
 */

#include "cli/verification.h"

static const char *const ONLY[] = {"closure", "lemmas", "stability", "expected", NULL};

static const struct option OPTIONS[] = {
    {"only", "LIST", VALUE_CHOICES,
     "only some questions: closure, lemmas (both need almost no memory), stability, expected "
     "(default: all; expected up to 2^26 configurations up to symmetry)",
     .choices = ONLY},
    {"precision", "REAL", VALUE_REAL, "relative error of expected steps (default 1e-9)",
     .most_real = 0.1},
    {"exact", NULL, VALUE_NONE, "expected steps as fractions too, if not too many"},
    {"distribution", "FILE", VALUE_OUTPUT, "instead: P(target hit by step t) from --start, as CSV",
     .needs = "start", .not_with = "only exact trace no-reduce json"},
    {"start", "NAME|FILE", VALUE_START, "for --distribution: a start, or a configuration file",
     .needs = "distribution"},
    {"seed", "COUNT", VALUE_COUNT, "for starts that are random (default 1)",
     .needs = "distribution"},
    {"force", NULL, VALUE_NONE, "also if the protocol promises nothing, as for N < n"},
    {"no-reduce", NULL, VALUE_NONE, "do not use symmetry: slower; checks the reductions"},
    {"jobs", "COUNT", VALUE_COUNT, "threads (default: the processors)", .least = 1, .most = 256},
};

static const struct option ANSWER_OPTIONS[] = {
    {"trace", "FILE", VALUE_OUTPUT, "if an answer is \"no\", write an execution for `replay`"},
    {"memory", "COUNT", VALUE_COUNT, "bytes it may use, such as 4G (default: 4/5 of all memory)",
     .least = 1},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};
const struct option_group answer_options = {NULL, ANSWER_OPTIONS, OPTION_COUNT(ANSWER_OPTIONS)};

struct verification {
    struct rl_experiment experiment;
    struct rl_verify_options options;
    struct rl_verification answer;
    struct inquiry inquiry;
};

/* ---- what others share ---- */

uint64_t choose_memory(const struct arguments *arguments)
{
    struct rl_verify_options usual;
    rl_verify_options_init(&usual, rl_protocol_at(0), 2);
    return read_count(arguments, "memory", 0, usual.memory);
}

static bool loses_last_leader(const struct rl_counterexample *execution,
                              const struct rl_protocol *protocol, const struct rl_params *params)
{
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {protocol, *params, agents};
    for (uint32_t i = 0; i < params->n; i++)
        rl_ring_set(&ring, i, execution->start[i]);
    const bool leader = rl_ring_leaders(&ring) > 0;
    for (size_t i = 0; i < execution->length; i++)
        rl_ring_interact(&ring, execution->arcs[i]);
    return leader && rl_ring_leaders(&ring) == 0;
}

struct inquiry inquiry_of(const struct rl_experiment *experiment)
{
    struct inquiry inquiry = {.protocol = experiment->protocol, .params = experiment->params};
    memset(inquiry.given, true, sizeof inquiry.given);
    return inquiry;
}

void json_execution(struct answer *answer, const struct inquiry *inquiry, const char *key,
                    uint32_t n, const struct rl_counterexample *execution)
{
    if (!execution->exists)
        return;
    put_open(answer, key, '{');
    put(answer, "start=%s",
        states_text(inquiry->protocol, execution->start, n ? n : inquiry->params.n));
    put_open(answer, "arcs", '[');
    for (size_t i = 0; i < execution->length; i++)
        rl_json_count(&answer->json, NULL, execution->arcs[i]);
    put_close(answer, ']');
    put_close(answer, '}');
}

void offer_example(struct inquiry *inquiry, uint32_t n, const struct rl_counterexample *execution,
                   const char *subject, const char *what)
{
    struct example *example = &inquiry->example;
    struct rl_params params = inquiry->params;
    params.n = n ? n : params.n;
    if (!execution->exists)
        return;
    const enum rl_status status =
        rl_protocol_complete(inquiry->protocol, &params, inquiry->given, NULL);
    const int rank = 1 + !status + 2 * loses_last_leader(execution, inquiry->protocol, &params);
    if ((status && status != RL_UNPROMISED) || rank <= example->rank)
        return;
    *example = (struct example){.execution = execution, .params = params, .rank = rank};
    snprintf(example->what, sizeof example->what, "%s%s", subject, what);
}

void keep_example(struct inquiry *inquiry)
{
    const struct example *example = &inquiry->example;
    struct rl_new_file *trace = inquiry->trace;
    if (!example->execution)
        rl_new_file_drop(trace);
    if (trace->stream && rl_counterexample_write(example->execution, inquiry->protocol,
                                                 &example->params, trace->stream, rl_new_file_put))
        die(EXIT_OUTSIDE, "%s could not be written", trace->path);
    keep_files();
}

void say_example(const struct answer *answer, const struct inquiry *inquiry)
{
    char arcs[512] = "";
    struct rl_text text = rl_text_into(arcs, sizeof arcs);
    const struct example *example = &inquiry->example;
    const struct rl_counterexample *execution = example->execution;
    if (!execution)
        return;
    for (size_t i = 0; i < execution->length; i++)
        rl_text_format(&text, "%s %u",
                       i > 0                    ? ""
                       : execution->length == 1 ? ", arc"
                                                : ", arcs",
                       execution->arcs[i]);
    say(answer, "shown by", "%s%s (%s)",
        states_text(inquiry->protocol, execution->start, example->params.n), arcs, example->what);
    if (inquiry->path)
        say(answer, "trace", "%s (see ringleader replay)", inquiry->path);
}

static struct progress progress;

/* A line now and then, until Ctrl-C. */
static bool show(void *user, const struct rl_progress *now)
{
    char sweep[48] = "", error[48] = "", done[48];
    (void)user;
    if (progress_due(&progress)) {
        snprintf(done, sizeof done, now->found > 0 ? "%s found" : "%s %%",
                 grouped(now->found > 0 ? now->found : (uint64_t)(100 * now->done + 0.5)));
        if (now->sweeps > 0)
            snprintf(sweep, sizeof sweep, "sweep %s, ", grouped(now->sweeps));
        if (now->error > 0)
            snprintf(error, sizeof error, ", error %.1e", now->error);
        progress_show(&progress, "%s %s: %s%s%s", now->phase, now->subject, sweep, done, error);
    }
    return !interrupted();
}

const struct rl_watch *begin_inquiry(struct inquiry *inquiry, const struct arguments *arguments)
{
    static const struct rl_watch watch = {NULL, show};
    inquiry->json = argument(arguments, "json");
    inquiry->path = argument(arguments, "trace");
    inquiry->trace = new_file(inquiry->path);
    progress = progress_begin();
    return &watch;
}

void end_inquiry(struct inquiry *inquiry, enum rl_status status, const char *verdict)
{
    inquiry->seconds = progress_end(&progress);
    if (status != RL_STOPPED)
        return;
    struct answer answer = answer_begin(inquiry->json);
    if (inquiry->json && inquiry->params.n > 0)
        tell_heading(&answer, inquiry->protocol, &inquiry->params, "every");
    else if (inquiry->protocol)
        put(&answer, "protocol=%s", inquiry->protocol->name);
    rl_json_string(&answer.json, verdict, NULL);
    put(&answer, "interrupted=%d wall_seconds=%g", true, inquiry->seconds);
    answer_end(&answer);
    die(EXIT_NO, "interrupted after %.1f s", inquiry->seconds);
}

/* ---- reading the request ---- */

/* The questions of --only; the table has checked the names. */
static unsigned questions_of(const char *list)
{
    unsigned asked = 0;
    for (unsigned i = 0; list && ONLY[i]; i++)
        asked |= strstr(list, ONLY[i]) ? 1u << i : 0;
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
    read_ring(arguments, NULL, experiment);
    verification->inquiry = inquiry_of(experiment);
    rl_verify_options_init(options, experiment->protocol, experiment->params.n);
    options->params = experiment->params;
    options->exact = argument(arguments, "exact");
    options->no_reduction = argument(arguments, "no-reduce");
    options->questions = questions_of(argument(arguments, "only"));
    options->precision = read_real(arguments, "precision", options->precision);
    options->memory = choose_memory(arguments);
    options->jobs = choose_jobs(arguments);
    if (options->exact && !rl_verify_has_exact())
        die(EXIT_REQUEST, "--exact needs a program built with FLINT: install it (on Debian: apt "
                          "install libflint-dev) and build again");
    return verification;
}

/* ---- telling the answer ---- */

static void tell_sets(struct answer *answer, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    const unsigned asked = verification->answer.questions;
    const size_t known =
        asked & (RL_ASK_CLOSURE | RL_ASK_STABILITY) ? rl_protocol_set_count(protocol) : 0;
    open_rows(answer, "sets", '{');
    for (size_t i = 0; i < known; i++) {
        const struct rl_set_answer *set = &verification->answer.sets[i];
        open_row(answer, NULL, protocol->sets[i].name);
        tell(answer, "size=%ju closed=%d", set->size, set->closed);
        if (i == protocol->target && asked & RL_ASK_STABILITY)
            tell(answer, "inside_safe=%d", set->inside_safe);
        json_execution(answer, &verification->inquiry, "way_out", 0, &set->way_out);
        json_execution(answer, &verification->inquiry, "unsafe", 0, &set->unsafe);
        close_row(answer);
    }
    close_rows(answer, '}');
}

static void tell_lemmas(struct answer *answer, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    const bool asked = verification->answer.questions & RL_ASK_LEMMAS;
    open_rows(answer, "lemmas", '[');
    for (size_t i = 0; asked && i < protocol->lemma_count; i++) {
        const struct rl_lemma_answer *lemma = &verification->answer.lemmas[i];
        open_row(answer, "name", protocol->lemmas[i].name);
        tell(answer, "checked=%ju violations=%ju", lemma->checked, lemma->violations);
        json_execution(answer, &verification->inquiry, "violation", 0, &lemma->violation);
        close_row(answer);
    }
    close_rows(answer, ']');
}

static void tell_expectation(struct answer *answer, const struct verification *verification,
                             const char *name, const struct rl_expectation *expected)
{
    open_row(answer, NULL, name);
    tell(answer, "worst=%g mean=%g", expected->worst, expected->mean);
    if (!expected->finite)
        rl_json_string(&answer->json, "worst_configuration", NULL);
    else if (!expected->known)
        tell(answer, "note=%s",
             verification->options.exact
                 ? "nothing could be proved in doubles"
                 : "nothing could be proved in doubles; --exact computes fractions");
    else {
        tell(answer, "worst_configuration=%s",
             states_text(verification->options.protocol, expected->worst_configuration,
                         verification->options.params.n));
        put(answer, "worst_count=%ju", expected->worst_count);
        tell(answer, "relative_error=%g", expected->error);
        put(answer, "sweeps=%ju", expected->sweeps);
    }
    if (expected->lumped > 0)
        tell(answer, "lumped_classes=%u", expected->lumped);
    if (expected->exact_worst)
        tell(answer, "exact_worst=%s exact_mean=%s", expected->exact_worst, expected->exact_mean);
    close_row(answer);
}

static void tell_expected(struct answer *answer, const struct verification *verification)
{
    const struct rl_protocol *protocol = verification->options.protocol;
    const struct rl_verification *found = &verification->answer;
    if (!(found->questions & RL_ASK_EXPECTED)) {
        if (verification->options.questions == 0)
            line(answer, "\nexpected steps are skipped for so large a space; --only expected asks "
                         "for them\n");
        return;
    }
    open_rows(answer, "expected_steps", '{');
    for (size_t i = 0; i < rl_protocol_set_count(protocol); i++)
        tell_expectation(answer, verification, protocol->sets[i].name, &found->sets[i].expected);
    tell_expectation(answer, verification, "safe", &found->safe_expected);
    close_rows(answer, '}');
    open_rows(answer, "claims", '[');
    for (size_t i = 0; i < protocol->claim_count; i++) {
        const struct rl_claim *claim = &protocol->claims[i];
        const struct rl_claim_answer *answered = &found->claims[i];
        open_row(answer, "name", claim->name);
        put(answer, "finite=%d worst=%g", answered->finite, answered->worst);
        tell(answer, "unit=%s units=%g", claim->unit_name, answered->units);
        if (claim->bound > 0)
            tell(answer, "bound=%u", claim->bound);
        tell(answer, "holds=%d", answered->told ? answered->holds : -1);
        close_row(answer);
    }
    close_rows(answer, ']');
}

static void tell_verdict(struct answer *answer, const struct verification *verification, bool well)
{
    const struct rl_verification *found = &verification->answer;
    const bool stability = found->questions & RL_ASK_STABILITY;
    line(answer, "\n");
    if (stability) {
        tell(answer, "safe=%ju", found->safe);
        put(answer, "self_stabilizing=%d", found->self_stabilizing);
    }
    if (stability && !found->self_stabilizing) {
        open_row(answer, NULL, "trap");
        tell(answer, "stuck=%ju size=%ju leaders_least=%u leaders_most=%u", found->stuck,
             found->trap, found->trap_leaders_least, found->trap_leaders_most);
        json_execution(answer, &verification->inquiry, "execution", 0, &found->trapped);
        close_row(answer);
    }
    say(answer, "verdict", "%s",
        !stability
            ? well ? "everything that was asked holds" : "NOT everything that was asked holds"
        : found->self_stabilizing
            ? "self-stabilizing: a safe configuration can be reached from everywhere"
        : found->safe == 0
            ? "NOT self-stabilizing: there is no safe configuration"
            : "NOT self-stabilizing: from some configurations no safe one can be reached");
    say_example(answer, &verification->inquiry);
    line(answer, "\n");
}

static void report(const struct verification *verification, bool well)
{
    const struct inquiry *inquiry = &verification->inquiry;
    const struct rl_verify_options *options = &verification->options;
    const struct rl_verification *found = &verification->answer;
    struct answer answer = answer_begin(inquiry->json);
    tell_heading(&answer, options->protocol, &options->params, "every");
    line(&answer, "%s\n\n",
         verification->experiment.unpromised ? " (which the protocol refuses)" : "");
    put(&answer, "agent_states=%ju configurations=%ju", found->agent_states, found->configurations);
    line(&answer,
         "configurations %20s = %" PRIu64 " agent states ^ %u\nlooked at %25s up to symmetry\n",
         grouped(found->configurations), found->agent_states, options->params.n,
         grouped(found->representatives));
    tell_sets(&answer, verification);
    tell_lemmas(&answer, verification);
    tell_expected(&answer, verification);
    tell_verdict(&answer, verification, well);
    put_open(&answer, "explored", '{');
    put(&answer, "agent_classes=%ju representatives=%ju", found->agent_classes,
        found->representatives);
    put_close(&answer, '}');
    put(&answer, "all_well=%d interrupted=%d memory=%ju jobs=%u wall_seconds=%g", well, false,
        found->memory, options->jobs, inquiry->seconds);
    say(&answer, "speed", "%.3f s with %u threads, %.1f MB planned", inquiry->seconds,
        options->jobs, 1e-6 * (double)found->memory);
    answer_end(&answer);
}

/* ---- running ---- */

static void find_example(struct verification *verification)
{
    const struct rl_verification *answer = &verification->answer;
    const struct rl_protocol *protocol = verification->options.protocol;
    struct inquiry *inquiry = &verification->inquiry;
    offer_example(inquiry, 0, &answer->trapped, "", "in the trap");
    for (size_t i = 0; i < rl_protocol_set_count(protocol); i++) {
        const char *name = protocol->sets[i].name;
        offer_example(inquiry, 0, &answer->sets[i].way_out, name, " is not closed");
        offer_example(inquiry, 0, &answer->sets[i].unsafe, name, " is not safe");
    }
    for (size_t i = 0; i < protocol->lemma_count; i++)
        offer_example(inquiry, 0, &answer->lemmas[i].violation,
                      "not always: ", protocol->lemmas[i].name);
}

static int ask(struct verification *verification, const struct arguments *arguments)
{
    struct rl_verify_options *options = &verification->options;
    struct inquiry *inquiry = &verification->inquiry;
    options->watch = begin_inquiry(inquiry, arguments);
    struct rl_error *error = why();
    const enum rl_status status = rl_verify(&verification->answer, options, error);
    end_inquiry(inquiry, status, "all_well");
    if (status == RL_TOO_LARGE)
        die(EXIT_OUTSIDE,
            "%s (--only closure needs almost no memory; `explore --from START` checks only what "
            "can be reached)",
            error->text);
    check(status, NULL);
    const bool well = rl_verify_all_well(&verification->answer, options->protocol);
    if (!well)
        find_example(verification);
    keep_example(inquiry);
    report(verification, well);
    return well ? EXIT_DONE : EXIT_NO;
}

static void write_row(void *user, uint64_t step, double probability)
{
    fprintf(user, "%" PRIu64 ",%.15g\n", step, probability);
}

static int write_distribution(struct verification *verification, const struct arguments *arguments)
{
    struct rl_verify_options *options = &verification->options;
    struct rl_ring start = {options->protocol, options->params,
                            claim(rl_ring_bytes(options->protocol, options->params.n), NULL)};
    if (rl_protocol_set_count(options->protocol) == 0)
        die(EXIT_REQUEST, "protocol %s declares no set that could be hit", options->protocol->name);
    choose_start(&verification->experiment);
    check(rl_experiment_fill(&verification->experiment, &start, why()), NULL);
    struct rl_new_file *file = new_file(argument(arguments, "distribution"));
    options->watch = begin_inquiry(&verification->inquiry, arguments);
    fputs("step,probability\n", file->stream);
    const enum rl_status status =
        rl_distribution(options, &start, options->protocol->target, file->stream, write_row, why());
    end_inquiry(&verification->inquiry, status, NULL);
    check(status, NULL);
    keep_files();
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
    .about = "Checks every configuration of a small ring: are the named sets closed, do the lemmas "
             "hold, which configurations are safe, is the protocol self-stabilizing, and how many "
             "steps does each set take, from the worst configuration and from a random one?",
    .groups = {&ring_options, GROUP(OPTIONS), &answer_options},
    .status = "0 everything holds, 1 something does not (or Ctrl-C), 2 the request was wrong, 3 "
              "something outside failed, such as too little memory.",
    .examples = "  ringleader verify -n 4\n"
                "  ringleader verify -n 3 -N 5 --json\n"
                "  ringleader verify -n 6 --only closure\n"
                "  ringleader verify -n 4 --distribution d.csv --start leaderless\n"
                "  ringleader verify -n 3 -N 2 --force --trace t ; ringleader replay --force t\n",
    .run = run_verify,
};
