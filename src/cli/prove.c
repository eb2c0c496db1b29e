/* SPDX-License-Identifier: MIT
 *
 * ringleader prove: for every n, by automata; and the check of a certificate.
 */
#include "cli/verification.h"

static const struct option OPTIONS[] = {
    {"from-n", "COUNT", VALUE_COUNT, "ask only about n from here on (default 2)", .least = 2,
     .most = 64},
    {"sweeps", "COUNT", VALUE_COUNT, "how many pre-images a stage may use (default 24)", .least = 1,
     .most = 30},
    {"certificate", "FILE", VALUE_OUTPUT, "write the proof to a file, for --check"},
    {"check", "FILE", VALUE_INPUT, "instead: does this certificate prove what it says?",
     .not_with = "from-n sweeps certificate dot trace jobs"},
    {"dot", "FILE", VALUE_OUTPUT, "write the automaton of the target, for Graphviz"},
    {"jobs", "COUNT", VALUE_COUNT, "threads for small rings (default: the processors)", .least = 1,
     .most = 256},
};

struct proof {
    struct rl_every_n_options options;
    struct rl_every_n answer;
    struct inquiry inquiry;
    const char *certificate; /* where the proof was written, or NULL */
};

static const char *target_name(const struct rl_protocol *protocol)
{
    return protocol->sets[protocol->target].name;
}

/* ---- the request ---- */

/* Why the rule of a protocol from a file may depend on n; NULL: it does not. */
static const char *find_untied(const struct rl_protocol *protocol)
{
    const struct rl_own_tools tools = own_tools();
    struct rl_error *error = claim(sizeof *error, NULL);
    return rl_own_tie(protocol, &tools, error) ? error->text : NULL;
}

static void end_proof(void *thing)
{
    rl_every_n_free(&((struct proof *)thing)->answer);
}

static struct proof *read_request(const struct arguments *arguments)
{
    struct proof *proof = claim(sizeof *proof, end_proof);
    struct rl_every_n_options *options = &proof->options;
    struct rl_experiment experiment;
    struct inquiry *inquiry = &proof->inquiry;
    read_rings(arguments, &experiment, inquiry->given);
    if (rl_protocol_set_count(experiment.protocol) == 0)
        die(EXIT_REQUEST, "%s declares no set that can be the target", experiment.protocol->name);
    options->protocol = inquiry->protocol = experiment.protocol;
    options->params = inquiry->params = experiment.params;
    inquiry->params.n = 0;
    memcpy(options->given, inquiry->given, sizeof options->given);
    options->from_n = (uint32_t)read_count(arguments, "from-n", 0, 2);
    options->sweeps = (uint32_t)read_count(arguments, "sweeps", 0, 24);
    options->memory = choose_memory(arguments);
    options->jobs = choose_jobs(arguments);
    return proof;
}

/* ---- files ---- */

static void find_example(struct proof *proof)
{
    const struct rl_every_n *answer = &proof->answer;
    const struct rl_protocol *protocol = proof->options.protocol;
    struct inquiry *inquiry = &proof->inquiry;
    for (size_t i = 0; i < protocol->set_count; i++)
        offer_example(inquiry, answer->sets[i].way_out_n, &answer->sets[i].way_out,
                      protocol->sets[i].name, " is not closed");
    offer_example(inquiry, answer->unsafe_n, &answer->unsafe, target_name(protocol),
                  " is not safe");
    for (size_t i = 0; i < answer->small_count; i++)
        offer_example(inquiry, answer->small[i]->n, &answer->small[i]->answer.trapped, "",
                      "in a trap");
}

/* No word is accepted from here on. */
static bool is_dead(const struct rl_every_n_automaton *automaton, uint32_t state)
{
    bool dead = state > 0 && !automaton->accepts[state];
    for (size_t a = 0; a < automaton->letters; a++)
        dead &= automaton->next[state * (size_t)automaton->letters + a] == state;
    return dead;
}

/* The letters of an arrow, if there are any. */
static void write_arrow(const struct proof *proof, const struct rl_every_n_automaton *automaton,
                        uint32_t from, uint32_t to, FILE *stream)
{
    const char *before = "";
    for (uint32_t a = 0; a < automaton->letters; a++) {
        if (automaton->next[(size_t)from * automaton->letters + a] != to)
            continue;
        if (!*before)
            fprintf(stream, "  %u -> %u [label=\"", from, to);
        fputs(before, stream);
        const rl_state state = rl_every_n_letter(&proof->answer, a);
        for (const char *c = rl_ring_state(proof->options.protocol, state).text; *c; c++)
            fprintf(stream, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        before = ", ";
    }
    fputs(*before ? "\"];\n" : "", stream);
}

/* Dead states, and the arrows there, are left out. */
static void write_dot(const struct proof *proof, FILE *stream)
{
    const struct rl_protocol *protocol = proof->options.protocol;
    const struct rl_every_n_automaton automaton =
        rl_every_n_automaton(&proof->answer, protocol->target);
    fprintf(stream, "digraph \"%s: %s\" {\n  rankdir=LR;\n  start [shape=point];\n  start -> 0;\n",
            protocol->name, target_name(protocol));
    for (uint32_t from = 0; from < automaton.states; from++) {
        if (is_dead(&automaton, from))
            continue;
        fprintf(stream, "  %u [shape=%s];\n", from,
                automaton.accepts[from] ? "doublecircle" : "circle");
        for (uint32_t to = 0; to < automaton.states; to++)
            if (!is_dead(&automaton, to))
                write_arrow(proof, &automaton, from, to, stream);
    }
    fputs("}\n", stream);
}

/* ---- telling the answer ---- */

/* A size from which on something holds, as JSON has it; 0: there is none. */
static uint64_t or_never(uint32_t from_n)
{
    return from_n > 0 ? from_n : RL_NEVER;
}

static void tell_head(struct answer *answer, const struct proof *proof)
{
    const struct rl_protocol *protocol = proof->options.protocol;
    put(answer, "protocol=%s", protocol->name);
    line(answer, "%s on rings of every size\n\n", protocol->name);
    for (size_t i = 0; i < protocol->parameter_count; i++)
        if (proof->options.given[i]) {
            const char *text =
                parameter_text(&protocol->parameters[i], proof->options.params.value[i]);
            rl_json_string(&answer->json, protocol->parameters[i].name, text);
            say(answer, protocol->parameters[i].name, "%s", text);
        }
}

/* Which n: not by sampling. */
static void tell_sizes(struct answer *answer, const struct rl_every_n *every_n)
{
    uint32_t residues[sizeof every_n->sizes], count = 0;
    for (uint32_t n = 0; n < every_n->period; n++)
        if (every_n->sizes[n])
            residues[count++] = n;
    put(answer, "least=%u", every_n->least);
    if (every_n->period > 1 || !answer->people) {
        tell(answer, "period=%u", every_n->period);
        tell_numbers(answer, "residues", residues, count);
    }
    tell(answer, "letters=%u", every_n->letters);
}

static void tell_sets(struct answer *answer, const struct proof *proof)
{
    const struct rl_protocol *protocol = proof->options.protocol;
    open_rows(answer, "sets", '{');
    for (size_t i = 0; i < protocol->set_count; i++) {
        const struct rl_every_n_set *set = &proof->answer.sets[i];
        open_row(answer, NULL, protocol->sets[i].name);
        tell(answer, "learnt=%d", set->learnt);
        if (set->learnt || !answer->people)
            tell(answer, "states=%u compared_up_to=%u closed=%d", set->states, set->checked,
                 set->closed);
        json_execution(answer, &proof->inquiry, "way_out", set->way_out_n, &set->way_out);
        close_row(answer);
    }
    close_rows(answer, '}');
}

static void tell_stages(struct answer *answer, const struct proof *proof)
{
    const struct rl_every_n_stage *stage = proof->answer.stages;
    open_rows(answer, "stages", '[');
    for (int i = 0; i < RL_EVERY_N_STAGES && stage->tried; i++, stage++) {
        open_row(answer, "from", stage->from);
        tell(answer, "to=%s", stage->to);
        put(answer, "or_none=%d", stage->or_none);
        tell(answer, "from_n=%jd moves=%u states=%u", or_never(stage->proved ? stage->from_n : 0),
             stage->moves, stage->states);
        if (!stage->proved && stage->missing_n > 0)
            tell(answer, "not_settled=%s",
                 states_text(proof->options.protocol, stage->missing, stage->missing_n));
        if (!stage->proved && stage->explored)
            tell(answer, "explored_reaches=%d", stage->reaches);
        put(answer, "out_of_memory=%d", stage->out_of_memory);
        close_row(answer);
    }
    close_rows(answer, ']');
}

/* The sizes of small rings that were enumerated, and perhaps failed, or were not decided. */
static void tell_small(struct answer *answer, const char *key, const struct rl_every_n *every_n,
                       bool decided, bool failed)
{
    uint32_t sizes[RL_EVERY_N_SMALL], count = 0;
    for (size_t i = 0; i < every_n->small_count; i++) {
        const struct rl_every_n_small *small = every_n->small[i];
        if (small->decided == decided && !(failed && small->answer.self_stabilizing))
            sizes[count++] = small->n;
    }
    tell_numbers(answer, key, sizes, count);
}

static void say_verdict(const struct answer *answer, const struct proof *proof)
{
    const struct rl_every_n *every_n = &proof->answer;
    const uint32_t from = every_n->self_stabilizing_from;
    char but[40] = "";
    if (from > 0)
        snprintf(but, sizeof but, "; but for every n >= %u", from);
    if (every_n->obstacle[0])
        say(answer, "verdict",
            "DON'T KNOW: %s (verify -n takes one n at a time; of P_RL, whose states grow with N, "
            "`make proof` checks a proof for every n)",
            every_n->obstacle);
    else if (rl_every_n_fails(every_n))
        say(answer, "verdict", "NO: not self-stabilizing for every n that it promises%s", but);
    else if (from > 0)
        say(answer, "verdict",
            "self-stabilizing for every n >= %u: %s is reached with probability 1", from,
            target_name(proof->options.protocol));
    else
        say(answer, "verdict", "DON'T KNOW whether it is self-stabilizing for every n%s",
            every_n->safe ? "; try more --sweeps, or more --memory" : "");
}

static void tell_verdict(struct answer *answer, const struct proof *proof)
{
    const struct rl_every_n *every_n = &proof->answer;
    const uint32_t from = every_n->self_stabilizing_from;
    line(answer, "\n");
    put(answer, "self_stabilizing_from=%jd verdict=%s", or_never(from),
        rl_every_n_fails(every_n) ? "no"
        : from > 0                ? "yes"
                                  : "unknown");
    tell_small(answer, "enumerated", every_n, true, false);
    tell_small(answer, "fails_at", every_n, true, true);
    tell_small(answer, "undecided", every_n, false, false);
    if (every_n->obstacle[0])
        put(answer, "obstacle=%s", every_n->obstacle);
    say_verdict(answer, proof);
    const struct example *example = &proof->inquiry.example;
    if (example->execution)
        json_execution(answer, &proof->inquiry, "shown_by", example->params.n, example->execution);
    say_example(answer, &proof->inquiry);
}

static void tell_proof(struct answer *answer, const struct proof *proof, bool known)
{
    const struct rl_every_n *every_n = &proof->answer;
    const struct rl_protocol *protocol = proof->options.protocol;
    tell(answer, "set=%s closed=%d safe=%d", target_name(protocol),
         known ? every_n->sets[protocol->target].closed : -1, known ? every_n->safe : -1);
    put(answer, "proved_from=%jd", or_never(every_n->proved_from));
    tell_sizes(answer, every_n);
    if (known)
        tell(answer, "tied_by=%s assumes=%s", RL_EVERY_N_TIE, RL_EVERY_N_ASSUMED);
    tell_sets(answer, proof);
    tell_stages(answer, proof);
}

static void report(const struct proof *proof)
{
    const struct inquiry *inquiry = &proof->inquiry;
    const struct rl_every_n *every_n = &proof->answer;
    const struct rl_protocol *protocol = proof->options.protocol;
    const bool known = !every_n->obstacle[0];
    struct answer answer = answer_begin(inquiry->json);
    tell_head(&answer, proof);
    put_open(&answer, "every_n", '{');
    if (known || inquiry->json)
        tell_proof(&answer, proof, known);
    tell_verdict(&answer, proof);
    put_close(&answer, '}');
    put(&answer, "all_well=%d", rl_every_n_all_well(every_n, protocol));
    if (proof->certificate)
        say(&answer, "proof", "%s (see ringleader prove --check)", proof->certificate);
    put(&answer, "wall_seconds=%g", inquiry->seconds);
    say(&answer, "speed", "%.3f s", inquiry->seconds);
    answer_end(&answer);
}

/* ---- running ---- */

static int ask(const struct arguments *arguments)
{
    struct proof *proof = read_request(arguments);
    struct rl_every_n_options *options = &proof->options;
    struct inquiry *inquiry = &proof->inquiry;
    options->watch = begin_inquiry(inquiry, arguments);
    struct rl_new_file *certificate = new_file(argument(arguments, "certificate"));
    struct rl_new_file *dot = new_file(argument(arguments, "dot"));
    options->untied = find_untied(options->protocol);
    const enum rl_status status = rl_every_n(&proof->answer, options, why());
    end_inquiry(inquiry, status, "every_n");
    check(status, NULL);
    find_example(proof);
    /* What there is nothing to say of does not appear. */
    if (!proof->answer.safe)
        rl_new_file_drop(certificate);
    if (!proof->answer.sets[options->protocol->target].learnt)
        rl_new_file_drop(dot);
    if (certificate->stream) {
        proof->certificate = argument(arguments, "certificate");
        if (rl_certificate_write(&proof->answer, certificate->stream, rl_new_file_put))
            die(EXIT_OUTSIDE, "%s could not be written", proof->certificate);
    }
    if (dot->stream)
        write_dot(proof, dot->stream);
    keep_example(inquiry);
    report(proof);
    return rl_every_n_all_well(&proof->answer, options->protocol) ? EXIT_DONE : EXIT_NO;
}

/* ---- checking ---- */

static void report_check(const struct rl_certificate *certificate, const struct inquiry *inquiry)
{
    uint32_t failed[RL_EVERY_N_SMALL], count = 0;
    for (uint32_t i = 0; i < certificate->enumerated; i++)
        if (!certificate->small_holds[i])
            failed[count++] = certificate->small_n[i];
    struct answer answer = answer_begin(inquiry->json);
    line(&answer, "%s: the certificate holds\n\n", certificate->protocol->name);
    put(&answer, "protocol=%s holds=%d", certificate->protocol->name, true);
    tell(&answer, "set=%s closed_and_safe_from=%u self_stabilizing_from=%jd",
         target_name(certificate->protocol), certificate->least, or_never(certificate->from_n));
    tell_numbers(&answer, "enumerated", certificate->small_n, certificate->enumerated);
    tell_numbers(&answer, "fails_at", failed, count);
    tell(&answer, "tied_by=%s assumes=%s automata=%u compared_up_to=%u", RL_EVERY_N_TIE,
         RL_EVERY_N_ASSUMED, certificate->automata, certificate->checked);
    put(&answer, "wall_seconds=%g", inquiry->seconds);
    say(&answer, "speed", "%.3f s", inquiry->seconds);
    answer_end(&answer);
}

static int check_certificate(const struct arguments *arguments)
{
    const char *path = argument(arguments, "check"), *untied = NULL;
    struct inquiry inquiry = {.protocol = NULL};
    struct rl_certificate certificate;
    size_t size;
    check_own_only(arguments);
    const char *text = file_text(path, &size);
    const struct rl_watch *watch = begin_inquiry(&inquiry, arguments);
    struct rl_error *error = why();
    const enum rl_status status =
        rl_certificate_check(text, size, choose_memory(arguments), watch, &certificate, error);
    if (!status)
        untied = find_untied(certificate.protocol);
    end_inquiry(&inquiry, status, "holds");
    if (status == RL_BAD_CERTIFICATE || untied) {
        const char *reason = untied ? untied : error->text;
        struct answer answer = answer_begin(inquiry.json);
        put(&answer, "holds=%d reason=%s wall_seconds=%g", false, reason, inquiry.seconds);
        answer_end(&answer);
        die(EXIT_NO, "%s: %s", path, reason);
    }
    /* Nobody writes a certificate by hand: what cannot be read is damaged. */
    check(status == RL_BAD_TEXT ? RL_IO : status, path);
    report_check(&certificate, &inquiry);
    return EXIT_DONE;
}

static int run_prove(struct arguments *arguments)
{
    return (argument(arguments, "check") ? check_certificate : ask)(arguments);
}

const struct command command_prove = {
    .name = "prove",
    .summary = "prove things about rings of every size, if the protocol allows it",
    .usage = "ringleader prove -p NAME|FILE.c [options]\n"
             "ringleader prove --check FILE",
    .about =
        "Asks, for every n: are the named sets closed, is the target safe, and is it reached from "
        "everywhere? Automata give the answers, for protocols whose states and rules do not depend "
        "on n. Small rings are also enumerated. docs/every-n.md explains the idea and the theorem.",
    .groups = {&rings_options, GROUP(OPTIONS), &answer_options},
    .status = "0 it holds for every n that the protocol promises, 1 it does not or is not known "
              "(or Ctrl-C), 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader prove -p fj06 --certificate fj06.proof\n"
                "  ringleader prove --check fj06.proof\n"
                "  ringleader prove -p aaf08 --k 2 --sweeps 3\n"
                "  ringleader prove -p fj06 --dot fj06.dot ; dot -Tsvg fj06.dot > fj06.svg\n",
    .run = run_prove,
};
