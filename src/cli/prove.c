/* SPDX-License-Identifier: MIT
 *
 * ringleader prove: for every n, by automata; and the check of a certificate.
 */
#include "cli/verification.h"

static const struct option OPTIONS[] = {
    {"from-n", "COUNT", VALUE_COUNT, "ask only about n from here on (default 2)", .least = 2,
     .most = 64, .not_with = "check"},
    {"sweeps", "COUNT", VALUE_COUNT, "how many pre-images a stage may use (default 24)", .least = 1,
     .most = 30, .not_with = "check"},
    {"certificate", "FILE", VALUE_OUTPUT, "write the proof to a file, for --check",
     .not_with = "check"},
    {"check", "FILE", VALUE_INPUT, "instead: does this certificate prove what it says?"},
    {"dot", "FILE", VALUE_OUTPUT, "write the automaton of the target, for Graphviz",
     .not_with = "check"},
    {"trace", "FILE", VALUE_OUTPUT, "if an answer is \"no\", write an execution for `replay`",
     .not_with = "check"},
    {"jobs", "COUNT", VALUE_COUNT, "threads for small rings (default: the processors)", .least = 1,
     .most = 256, .not_with = "check"},
    {"memory", "COUNT", VALUE_COUNT, "bytes it may use, such as 4G (default: 4/5 of all memory)",
     .least = 1},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

struct proof {
    struct rl_every_n_options options;
    struct rl_every_n answer;
    struct example example;
    const char *certificate; /* where the proof was written, or NULL */
    double seconds;
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
    const char *path = file_of(protocol);
    struct rl_error *error = claim(sizeof *error, NULL);
    if (!protocol->hash || !protocol->without_n ||
        (path && !rl_own_tie(path, protocol->hash, &tools, error)))
        return NULL;
    return path ? error->text : "the file it was loaded from is not known";
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
    uint64_t from_n = 2, sweeps = 24;
    read_rings(arguments, &experiment, options->given);
    read_count(arguments, "from-n", 0, &from_n);
    read_count(arguments, "sweeps", 0, &sweeps);
    if (!experiment.protocol->sets[experiment.protocol->target].contains)
        die(EXIT_REQUEST, "%s declares no set that can be the target", experiment.protocol->name);
    options->protocol = experiment.protocol;
    options->params = experiment.params;
    options->from_n = (uint32_t)from_n;
    options->sweeps = (uint32_t)sweeps;
    options->memory = choose_memory(arguments);
    options->jobs = choose_jobs(arguments);
    return proof;
}

/* ---- files ---- */

/* What is to be `written` has parameters that the protocol can have. */
static void find_example(struct proof *proof, bool written)
{
    const struct rl_every_n *answer = &proof->answer;
    const struct rl_every_n_options *options = &proof->options;
    const struct rl_protocol *protocol = options->protocol;
    struct example *example = &proof->example;
    for (size_t i = 0; i < protocol->set_count; i++)
        offer_example(example, &answer->sets[i].way_out, answer->sets[i].way_out_n,
                      protocol->sets[i].name, " is not closed");
    offer_example(example, &answer->unsafe, answer->unsafe_n, target_name(protocol),
                  " is not safe");
    /* Of small rings rather one of which the protocol promises something. */
    for (int refused = 0; refused < 2; refused++)
        for (size_t i = 0; i < answer->small_count; i++)
            if (answer->small[i]->refused == refused)
                offer_example(example, &answer->small[i]->answer.trapped, answer->small[i]->n, "",
                              "in a trap");
    const uint32_t n = example->params.n;
    example->params = options->params;
    example->params.n = n;
    if (!example->execution)
        return;
    const enum rl_status status =
        rl_protocol_complete(protocol, &example->params, options->given, why());
    example->forced = status == RL_UNPROMISED;
    check(example->forced || !written ? RL_OK : status, NULL);
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

/* States from which no word is accepted, and the arrows there, are left out. */
static void write_dot(const struct proof *proof, FILE *stream)
{
    const struct rl_protocol *protocol = proof->options.protocol;
    const struct rl_every_n_automaton automaton =
        rl_every_n_automaton(&proof->answer, protocol->target);
    const size_t letters = automaton.letters;
    bool *dead = claim(automaton.states, NULL);
    for (uint32_t s = 0; s < automaton.states; s++) {
        dead[s] = s > 0 && !automaton.accepts[s];
        for (size_t a = 0; a < letters; a++)
            dead[s] &= automaton.next[s * letters + a] == s;
    }
    fprintf(stream, "digraph \"%s: %s\" {\n  rankdir=LR;\n  node [shape=circle];\n", protocol->name,
            target_name(protocol));
    fputs("  start [shape=point];\n  start -> 0;\n", stream);
    for (uint32_t s = 0; s < automaton.states; s++)
        if (!dead[s])
            fprintf(stream, "  %u [shape=%s];\n", s,
                    automaton.accepts[s] ? "doublecircle" : "circle");
    for (uint32_t from = 0; from < automaton.states; from++)
        for (uint32_t to = 0; to < automaton.states; to++)
            if (!dead[from] && !dead[to])
                write_arrow(proof, &automaton, from, to, stream);
    fputs("}\n", stream);
}

/* ---- telling the answer ---- */

/* A size from which on something holds, as JSON has it; 0: there is none. */
static uint64_t or_never(uint32_t from_n)
{
    return from_n > 0 ? from_n : RL_NEVER;
}

static void tell_tie(struct answer *answer)
{
    put(answer, "tied_by=%s assumes=%s", RL_EVERY_N_TIE, RL_EVERY_N_ASSUMED);
    say(answer, "tied", "by construction: %s", RL_EVERY_N_TIE);
    say(answer, "assumes", "%s", RL_EVERY_N_ASSUMED);
}

static void tell_head(struct answer *answer, const struct proof *proof)
{
    const struct rl_every_n *every_n = &proof->answer;
    const struct rl_protocol *protocol = proof->options.protocol;
    const bool known = !every_n->obstacle[0];
    put(answer, "protocol=%s", protocol->name);
    line(answer, "%s on rings of every size", protocol->name);
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        const uint32_t value = known ? every_n->params.value[i] : proof->options.params.value[i];
        const char *text = parameter_text(&protocol->parameters[i], value);
        if (known || proof->options.given[i])
            line(answer, ", %s = %s", protocol->parameters[i].name, text);
        if (proof->options.given[i])
            rl_json_string(&answer->json, protocol->parameters[i].name, text);
    }
    line(answer, "\n\n");
}

/* Which n: not by sampling. */
static void tell_sizes(struct answer *answer, const struct proof *proof)
{
    const struct rl_every_n *every_n = &proof->answer;
    char residues[512];
    struct rl_text text = rl_text_into(residues, sizeof residues);
    put(answer, "least=%u period=%u", every_n->least, every_n->period);
    put_open(answer, "residues", '[');
    for (uint32_t n = 0; n < every_n->period; n++)
        if (every_n->sizes[n]) {
            rl_json_count(&answer->json, NULL, n);
            rl_text_format(&text, "%s%u", text.length > 0 ? ", " : "", n);
        }
    put_close(answer, ']');
    if (every_n->period > 1)
        say(answer, "n", "%s modulo %u: others are refused", residues, every_n->period);
    put(answer, "letters=%u", every_n->letters);
    if (!every_n->obstacle[0])
        say(answer, "letters", "%u, of %s agent states", every_n->letters,
            grouped(every_n->agent_states));
}

static void tell_sets(struct answer *answer, const struct proof *proof)
{
    const struct rl_protocol *protocol = proof->options.protocol;
    const bool known = !proof->answer.obstacle[0];
    put_open(answer, "sets", '{');
    if (known)
        line(answer, "\n  for every n >= %u\n  %-12s %10s %22s %8s %8s\n", proof->answer.least,
             "set", "automaton", "equal on rings", "closed", "safe");
    for (size_t i = 0; i < protocol->set_count; i++) {
        const struct rl_every_n_set *set = &proof->answer.sets[i];
        put_open(answer, protocol->sets[i].name, '{');
        put(answer, "learnt=%d states=%u compared_up_to=%u closed=%d", set->learnt, set->states,
            set->checked, set->closed);
        json_execution(&answer->json, "way_out", protocol, set->way_out_n, &set->way_out);
        put_close(answer, '}');
        if (known && !set->learnt)
            line(answer, "  %-12s not learnt\n", protocol->sets[i].name);
        else if (known)
            line(answer, "  %-12s %10u %12s n <= %4u %8s %8s\n", protocol->sets[i].name,
                 set->states, "", set->checked, yes_or_no(set->closed),
                 i == protocol->target ? yes_or_no(proof->answer.safe) : "");
    }
    put_close(answer, '}');
}

static void tell_stage(struct answer *answer, const struct rl_protocol *protocol,
                       const struct rl_every_n_stage *stage)
{
    const char *missing = !stage->proved && stage->missing_n > 0
                              ? states_text(protocol, stage->missing, stage->missing_n)
                              : NULL;
    char what[96];
    put_open(answer, NULL, '{');
    put(answer, "from=%s to=%s or_none=%d from_n=%jd moves=%u states=%u", stage->from, stage->to,
        stage->or_none, or_never(stage->proved ? stage->from_n : 0), stage->moves, stage->states);
    if (missing)
        put(answer, "not_settled=%s", missing);
    if (!stage->proved && stage->explored)
        put(answer, "explored_reaches=%d", stage->reaches);
    put(answer, "out_of_memory=%d", stage->out_of_memory);
    put_close(answer, '}');
    snprintf(what, sizeof what, "%s -> %s%s", stage->from, stage->to,
             stage->or_none ? ", or none" : "");
    line(answer, "  %-46s %6u %10u   ", what, stage->moves, stage->states);
    if (stage->proved)
        line(answer, "n >= %u\n", stage->from_n);
    else
        line(answer, "don't know%s\n", stage->out_of_memory ? ": out of memory" : "");
    if (missing)
        line(answer, "    not settled: %s\n", missing);
    if (missing && stage->explored)
        line(answer, "    (explored: from there %s is %s)\n", target_name(protocol),
             stage->reaches ? "reached with probability 1" : "NOT always reached");
}

static void tell_stages(struct answer *answer, const struct proof *proof)
{
    const struct rl_every_n_stage *stages = proof->answer.stages;
    put_open(answer, "stages", '[');
    if (stages[0].tried)
        line(answer, "\n  %-46s %6s %10s   %s\n", "stage", "moves", "automaton", "for every");
    for (int i = 0; i < RL_EVERY_N_STAGES && stages[i].tried; i++)
        tell_stage(answer, proof->options.protocol, &stages[i]);
    put_close(answer, ']');
}

/* The sizes of small rings that failed, or were not decided; as text, "n = 2, 4" or nothing. */
static void json_small(struct answer *answer, const char *key, const struct rl_every_n *every_n,
                       bool decided, struct rl_text *text)
{
    put_open(answer, key, '[');
    for (size_t i = 0; i < every_n->small_count; i++) {
        const struct rl_every_n_small *small = every_n->small[i];
        if (small->decided != decided || (decided && small->answer.self_stabilizing))
            continue;
        rl_json_count(&answer->json, NULL, small->n);
        rl_text_format(text, text->length > 0 ? ", %u" : "n = %u", small->n);
    }
    put_close(answer, ']');
}

static void tell_small(struct answer *answer, const struct rl_every_n *every_n)
{
    line(answer, "\n  enumerated\n");
    for (size_t i = 0; i < every_n->small_count; i++) {
        const struct rl_every_n_small *small = every_n->small[i];
        line(answer, "  n = %-3u      %s%s\n", small->n,
             !small->decided                  ? "too large to enumerate"
             : small->answer.self_stabilizing ? "self-stabilizing"
                                              : "NOT self-stabilizing",
             small->refused ? " (the protocol promises nothing here)" : "");
    }
    line(answer, "\n");
}

static void tell_verdict(struct answer *answer, const struct proof *proof)
{
    const struct rl_every_n *every_n = &proof->answer;
    const uint32_t from = every_n->self_stabilizing_from;
    const bool fails = rl_every_n_fails(every_n);
    char sizes[512];
    struct rl_text failed = rl_text_into(sizes, sizeof sizes), undecided = rl_text_into(NULL, 0);
    put(answer, "self_stabilizing_from=%jd verdict=%s", or_never(from),
        fails      ? "no"
        : from > 0 ? "yes"
                   : "unknown");
    json_small(answer, "fails_at", every_n, true, &failed);
    json_small(answer, "undecided", every_n, false, &undecided);
    if (every_n->obstacle[0]) {
        put(answer, "obstacle=%s", every_n->obstacle);
        say(answer, "verdict", "DON'T KNOW: %s", every_n->obstacle);
        say(answer, "",
            "(verify -n takes one n at a time; of P_RL, whose states grow with N, `make proof` "
            "checks a proof for every n)");
    } else if (fails) {
        char but[32];
        snprintf(but, sizeof but, "; but for every n >= %u", from);
        say(answer, "verdict", "NO: not self-stabilizing for every n that it promises%s",
            from > 0 ? but : "");
    } else if (from > 0)
        say(answer, "verdict",
            "self-stabilizing for every n >= %u: %s is reached with probability 1", from,
            target_name(proof->options.protocol));
    else
        say(answer, "verdict", "DON'T KNOW whether it is self-stabilizing for every n");
    if (from == 0 && every_n->safe)
        say(answer, "try", "more --sweeps, or more --memory");
    if (failed.length > 0)
        line(answer, "NOT at   %s\n", sizes);
}

static void tell_example(struct answer *answer, const struct proof *proof)
{
    const struct example *example = &proof->example;
    const struct rl_protocol *protocol = proof->options.protocol;
    if (!example->execution)
        return;
    json_execution(&answer->json, "shown_by", protocol, example->params.n, example->execution);
    if (answer->people)
        print_example(example, protocol);
}

static void report(const struct proof *proof, bool json)
{
    const struct rl_every_n *every_n = &proof->answer;
    const struct rl_protocol *protocol = proof->options.protocol;
    const bool known = !every_n->obstacle[0];
    struct answer answer = answer_begin(json);
    tell_head(&answer, proof);
    put_open(&answer, "every_n", '{');
    put(&answer, "set=%s closed=%d safe=%d proved_from=%jd", target_name(protocol),
        known ? every_n->sets[protocol->target].closed : -1, known ? every_n->safe : -1,
        or_never(every_n->proved_from));
    tell_sizes(&answer, proof);
    if (known)
        tell_tie(&answer);
    tell_sets(&answer, proof);
    tell_stages(&answer, proof);
    if (known)
        tell_small(&answer, every_n);
    tell_verdict(&answer, proof);
    tell_example(&answer, proof);
    put_close(&answer, '}');
    put(&answer, "all_well=%d", rl_every_n_all_well(every_n, protocol));
    if (proof->certificate)
        say(&answer, "proof", "%s (ringleader prove %s--check %s)", proof->certificate,
            file_option(protocol), proof->certificate);
    line(&answer, "\n");
    tell_seconds(&answer, proof->seconds);
    answer_end(&answer);
}

/* ---- running ---- */

static int ask(const struct arguments *arguments)
{
    struct proof *proof = read_request(arguments);
    struct rl_every_n_options *options = &proof->options;
    enum { TRACE, CERTIFICATE, DOT, FILES };
    static const char *const names[FILES] = {"trace", "certificate", "dot"};
    struct rl_new_file *files[FILES];
    for (size_t i = 0; i < FILES; i++)
        files[i] = new_file(argument(arguments, names[i]));
    const bool json = argument(arguments, "json");
    options->watch = begin_watch();
    options->untied = find_untied(options->protocol);
    const enum rl_status status = rl_every_n(&proof->answer, options, why());
    proof->seconds = end_watch();
    if (status == RL_STOPPED)
        die_interrupted(options->protocol, NULL, "every_n", json, proof->seconds);
    check(status, NULL);
    find_example(proof, files[TRACE]->stream);
    /* What there is nothing to say of does not appear. */
    if (!proof->answer.safe)
        rl_new_file_drop(files[CERTIFICATE]);
    if (!proof->answer.sets[options->protocol->target].learnt)
        rl_new_file_drop(files[DOT]);
    write_example(&proof->example, options->protocol, files[TRACE], argument(arguments, "trace"));
    if (files[CERTIFICATE]->stream) {
        if (rl_certificate_write(&proof->answer, files[CERTIFICATE]->stream, rl_new_file_put))
            die(EXIT_OUTSIDE, "%s could not be written", argument(arguments, "certificate"));
        proof->certificate = argument(arguments, "certificate");
    }
    if (files[DOT]->stream)
        write_dot(proof, files[DOT]->stream);
    keep_files(files, FILES);
    report(proof, json);
    return rl_every_n_all_well(&proof->answer, options->protocol) ? EXIT_DONE : EXIT_NO;
}

/* ---- checking ---- */

static void json_enumerated(struct answer *answer, const struct rl_certificate *certificate,
                            const char *key, bool failed)
{
    put_open(answer, key, '[');
    for (uint32_t i = 0; i < certificate->enumerated; i++)
        if (!failed || !certificate->small_holds[i])
            rl_json_count(&answer->json, NULL, certificate->small_n[i]);
    put_close(answer, ']');
}

static void report_check(const struct rl_certificate *certificate, bool json, double seconds)
{
    const char *target = target_name(certificate->protocol);
    const uint32_t from = certificate->from_n;
    struct answer answer = answer_begin(json);
    line(&answer, "%s: the certificate holds\n\n", certificate->protocol->name);
    put(&answer, "protocol=%s holds=%d set=%s closed_and_safe_from=%u self_stabilizing_from=%jd",
        certificate->protocol->name, true, target, certificate->least, or_never(from));
    say(&answer, "covers", "closed and safe: %s, for every n >= %u", target, certificate->least);
    if (from > 0)
        say(&answer, "", "self-stabilizing: for every n >= %u", from);
    json_enumerated(&answer, certificate, "enumerated", false);
    json_enumerated(&answer, certificate, "fails_at", true);
    line(&answer, "again    enumerated:");
    for (uint32_t i = 0; i < certificate->enumerated; i++)
        line(&answer, "%s %u%s", i > 0 ? "," : " n =", certificate->small_n[i],
             certificate->small_holds[i] ? "" : " (NOT self-stabilizing)");
    line(&answer, certificate->enumerated > 0 ? "\n" : " nothing\n");
    tell_tie(&answer);
    put(&answer, "automata=%u compared_up_to=%u", certificate->automata, certificate->checked);
    say(&answer, "looked", "at %u automata; that of %s equals the set on all rings of n <= %u",
        certificate->automata, target, certificate->checked);
    line(&answer, "\n");
    tell_seconds(&answer, seconds);
    answer_end(&answer);
}

/* {"holds":false,"reason":...} */
_Noreturn static void refuse(const char *path, const char *reason, bool json, double seconds)
{
    if (json) {
        struct answer answer = answer_begin(true);
        put(&answer, "holds=%d reason=%s wall_seconds=%g", false, reason, seconds);
        answer_end(&answer);
    }
    die(EXIT_NO, "%s: %s", path, reason);
}

static int check_certificate(const struct arguments *arguments)
{
    const char *path = argument(arguments, "check"), *untied = NULL;
    const bool json = argument(arguments, "json");
    struct rl_certificate certificate;
    struct rl_error *error = why();
    size_t size;
    check_own_only(arguments);
    const char *text = file_text(path, &size);
    const struct rl_watch *watch = begin_watch();
    const enum rl_status status =
        rl_certificate_check(text, size, choose_memory(arguments), watch, &certificate, error);
    if (!status)
        untied = find_untied(certificate.protocol);
    const double seconds = end_watch();
    if (status == RL_STOPPED)
        die_interrupted(NULL, NULL, "holds", json, seconds);
    if (status == RL_BAD_CERTIFICATE || untied)
        refuse(path, untied ? untied : error->text, json, seconds);
    /* Nobody writes a certificate by hand: what cannot be read is damaged. */
    check(status == RL_BAD_TEXT ? RL_IO : status, path);
    report_check(&certificate, json, seconds);
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
    .about = "Asks, for every n: are the named sets closed, is the target safe, and is it reached "
             "from\neverywhere? Automata give the answers, for protocols whose states and rules do "
             "not depend\non n. Small rings are also enumerated. docs/every-n.md explains the idea "
             "and the theorem.\n",
    .groups = {&rings_options, GROUP(OPTIONS)},
    .status = "0 it holds for every n that the protocol promises, 1 it does not or is\n"
              "not known (or Ctrl-C), 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader prove -p fj06 --certificate fj06.proof\n"
                "  ringleader prove --check fj06.proof\n"
                "  ringleader prove -p aaf08 --k 2 --sweeps 3\n"
                "  ringleader prove -p fj06 --dot fj06.dot ; dot -Tsvg fj06.dot > fj06.svg\n",
    .run = run_prove,
};
