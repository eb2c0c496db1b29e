/* SPDX-License-Identifier: MIT
 *
 * ringleader verify --every-n, and --check of the certificates that it writes.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/election.h"
#include "cli/every_n.h"

/* ---- reading the request ----------------------------------------------------------------------
 */

static int read_every_n(struct every_n *every_n, const struct arguments *arguments,
                        const struct rl_verify_options *means)
{
    struct rl_every_n_options *options = &every_n->options;
    struct rl_request request;
    uint64_t from_n = 2, sweeps = 24;
    int outcome = read_rings(arguments, &request, options->given);
    if (outcome == GO_ON)
        outcome = read_count(arguments, "from-n", 0, &from_n);
    if (outcome == GO_ON)
        outcome = read_count(arguments, "sweeps", 0, &sweeps);
    if (outcome == GO_ON && !request.protocol->sets[request.protocol->target].contains)
        outcome = complain(EXIT_REQUEST, "%s declares no set that could be its target",
                           request.protocol->name);
    options->protocol = request.protocol;
    options->params = request.params;
    options->from_n = (uint32_t)from_n;
    options->sweeps = (uint32_t)sweeps;
    options->memory = means->memory;
    options->jobs = means->jobs;
    every_n->json = argument(arguments, "json");
    return outcome;
}

/* Why the rule of a protocol from a file may depend on n; NULL: it does not. */
static const char *find_untied(const struct rl_protocol *protocol, struct rl_error *error)
{
    const struct rl_own_tools tools = own_tools();
    const char *path = file_of(protocol);
    if (!protocol->hash || !protocol->without_n ||
        (path && !rl_own_tie(path, protocol->hash, &tools, error)))
        return NULL;
    return path ? error->text : "the file that it was loaded from is not known";
}

/* ---- files ------------------------------------------------------------------------------------
 */

struct every_n_example every_n_example(const struct every_n *every_n)
{
    const struct rl_every_n *answer = &every_n->answer;
    const struct rl_protocol *protocol = every_n->options.protocol;
    struct every_n_example example = {0};
    for (size_t i = 0; i < protocol->set_count && !example.execution; i++)
        if (answer->sets[i].way_out.exists) {
            example.execution = &answer->sets[i].way_out;
            example.n = answer->sets[i].way_out_n;
            snprintf(example.what, sizeof example.what, "%s is not closed", protocol->sets[i].name);
        }
    if (!example.execution && answer->unsafe.exists) {
        example.execution = &answer->unsafe;
        example.n = answer->unsafe_n;
        snprintf(example.what, sizeof example.what, "%s is not safe",
                 protocol->sets[protocol->target].name);
    }
    /* Of small rings rather one of which the protocol promises something. */
    for (int refused = 0; refused < 2; refused++)
        for (size_t i = 0; i < answer->small_count && !example.execution; i++)
            if (answer->small[i]->refused == refused && answer->small[i]->answer.trapped.exists) {
                example.execution = &answer->small[i]->answer.trapped;
                example.n = answer->small[i]->n;
                snprintf(example.what, sizeof example.what, "in a trap");
            }
    for (size_t i = 0; i < answer->small_count; i++)
        example.forced |= answer->small[i]->n == example.n && answer->small[i]->refused;
    return example;
}

/* Each of these opens and writes its file, if there is something to write; ask() keeps them. */
static int write_example(struct every_n *every_n, const char *path, struct rl_new_file *file)
{
    const struct every_n_example example = every_n_example(every_n);
    if (!example.execution)
        return GO_ON;
    struct rl_params params = every_n->options.params;
    struct rl_error error = {0};
    params.n = example.n;
    const enum rl_status status =
        rl_protocol_complete(every_n->options.protocol, &params, every_n->options.given, &error);
    if (status && status != RL_UNPROMISED)
        return complain_status(status, &error, NULL);
    every_n->trace = path;
    return write_counterexample(example.execution, every_n->options.protocol, &params, path, file);
}

static int write_certificate(struct every_n *every_n, const char *path, struct rl_new_file *file)
{
    if (!every_n->answer.safe)
        return GO_ON;
    const int outcome = open_new_file(file, path);
    if (outcome != GO_ON)
        return outcome;
    every_n->certificate = path;
    return rl_certificate_write(&every_n->answer, file->stream, rl_new_file_put)
               ? complain(EXIT_OUTSIDE, "%s could not be written", path)
               : GO_ON;
}

static int write_automaton(const struct every_n *every_n, const char *path,
                           enum rl_pen_format format, struct rl_new_file *file)
{
    const struct rl_protocol *protocol = every_n->options.protocol;
    char title[160];
    if (!every_n->answer.sets[protocol->target].learnt)
        return GO_ON;
    const int outcome = open_new_file(file, path);
    if (outcome != GO_ON)
        return outcome;
    snprintf(title, sizeof title, "%s: %s, of every n", protocol->name,
             protocol->sets[protocol->target].name);
    const enum rl_status status = rl_automatonpicture_draw(
        &every_n->answer, protocol, protocol->target, title, format, rl_new_file_put, file->stream);
    return status ? complain_status(status, NULL, path) : GO_ON;
}

static int write_files(struct every_n *every_n, const struct arguments *arguments,
                       enum rl_pen_format format)
{
    const char *trace = argument(arguments, "trace");
    const char *certificate = argument(arguments, "certificate");
    const char *picture = argument(arguments, "picture");
    struct rl_new_file files[3] = {{0}};
    int outcome = trace ? write_example(every_n, trace, &files[0]) : GO_ON;
    if (outcome == GO_ON && certificate)
        outcome = write_certificate(every_n, certificate, &files[1]);
    if (outcome == GO_ON && picture)
        outcome = write_automaton(every_n, picture, format, &files[2]);
    if (outcome == GO_ON)
        outcome = keep_new_files((struct rl_new_file *const[]){files, files + 1, files + 2}, 3);
    for (size_t i = 0; i < 3; i++)
        rl_new_file_drop(&files[i]);
    return outcome;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static int ask(struct every_n *every_n, const struct arguments *arguments)
{
    struct rl_error error = {0};
    const struct rl_watch watch = {&every_n->progress, watch_verification};
    const char *picture = argument(arguments, "picture");
    enum rl_pen_format format = RL_PEN_SVG;
    if (picture && choose_format(picture, &format) != GO_ON)
        return EXIT_REQUEST;
    every_n->options.watch = &watch;
    every_n->options.untied = find_untied(every_n->options.protocol, &error);
    every_n->progress = progress_begin();
    const enum rl_status status = rl_every_n(&every_n->answer, &every_n->options, &error);
    every_n->options.watch = NULL;
    every_n->seconds = progress_end(&every_n->progress);
    if (status == RL_STOPPED)
        return tell_interrupted(every_n->options.protocol, NULL, every_n->json ? "every_n" : NULL,
                                every_n->seconds);
    if (status)
        return complain_status(status, &error, NULL);
    const int outcome = write_files(every_n, arguments, format);
    if (outcome != GO_ON)
        return outcome;
    (every_n->json ? report_every_n_json : report_every_n)(every_n);
    return rl_every_n_all_well(&every_n->answer, every_n->options.protocol) ? EXIT_DONE : EXIT_NO;
}

int verify_every_n(const struct arguments *arguments, const struct rl_verify_options *means)
{
    struct every_n every_n = {0};
    int outcome = read_every_n(&every_n, arguments, means);
    if (outcome == GO_ON)
        outcome = ask(&every_n, arguments);
    rl_every_n_free(&every_n.answer);
    return outcome;
}

/* ---- checking ---------------------------------------------------------------------------------
 */

static void report_check(const struct rl_certificate *certificate, double seconds)
{
    const struct rl_protocol *protocol = certificate->protocol;
    const char *target = protocol->sets[protocol->target].name;
    printf("%s: the certificate holds\n\n", protocol->name);
    print_tie();
    printf("closed and safe    %s, for every n >= %u\n", target, certificate->least);
    if (certificate->from_n > 0)
        printf("self-stabilizing   for every n >= %u\n", certificate->from_n);
    printf("looked at          %u automata; that of %s equals the set on all rings of n <= %u\n",
           certificate->automata, target, certificate->checked);
    printf("enumerated         ");
    for (uint32_t i = 0; i < certificate->enumerated; i++)
        printf("%s%u%s", i > 0 ? ", " : "n = ", certificate->small_n[i],
               certificate->small_holds[i] ? "" : " (NOT self-stabilizing)");
    printf("%s\n", certificate->enumerated > 0 ? ", again" : "nothing");
    printf("\ntime     %.3f s\n", seconds);
}

static void report_check_json(const struct rl_certificate *certificate, double seconds)
{
    const struct rl_protocol *protocol = certificate->protocol;
    struct rl_json json = rl_json_begin(stdout);
    rl_json_string(&json, "protocol", protocol->name);
    rl_json_bool(&json, "holds", true);
    rl_json_string(&json, "set", protocol->sets[protocol->target].name);
    rl_json_count(&json, "closed_and_safe_from", certificate->least);
    rl_json_hit(&json, "self_stabilizing_from",
                certificate->from_n > 0 ? certificate->from_n : RL_NEVER);
    rl_json_string(&json, "tied_by", RL_EVERY_N_TIE);
    rl_json_string(&json, "assumes", RL_EVERY_N_ASSUMED);
    rl_json_open(&json, "enumerated", '[');
    for (uint32_t i = 0; i < certificate->enumerated; i++)
        rl_json_count(&json, NULL, certificate->small_n[i]);
    rl_json_close(&json, ']');
    rl_json_open(&json, "fails_at", '[');
    for (uint32_t i = 0; i < certificate->enumerated; i++)
        if (!certificate->small_holds[i])
            rl_json_count(&json, NULL, certificate->small_n[i]);
    rl_json_close(&json, ']');
    rl_json_count(&json, "automata", certificate->automata);
    rl_json_count(&json, "compared_up_to", certificate->checked);
    rl_json_real(&json, "wall_seconds", seconds);
    rl_json_end(&json);
}

/* {"holds":false,"reason":...} */
static void report_refusal_json(const char *reason, double seconds)
{
    struct rl_json json = rl_json_begin(stdout);
    rl_json_bool(&json, "holds", false);
    rl_json_string(&json, "reason", reason);
    rl_json_real(&json, "wall_seconds", seconds);
    rl_json_end(&json);
}

int check_certificate(const struct arguments *arguments, const struct rl_verify_options *means)
{
    const char *path = argument(arguments, "check");
    struct rl_certificate certificate;
    struct rl_error error = {0};
    char *text;
    size_t size;
    int outcome = check_own_only(arguments);
    if (outcome == GO_ON)
        outcome = read_file(path, &text, &size);
    if (outcome != GO_ON)
        return outcome;
    struct progress progress = progress_begin();
    const struct rl_watch watch = {&progress, watch_verification};
    enum rl_status status =
        rl_certificate_check(text, size, means->memory, &watch, &certificate, &error);
    const double seconds = progress_end(&progress);
    free(text);
    const bool json = argument(arguments, "json");
    struct rl_error why = {0};
    if (!status && find_untied(certificate.protocol, &why)) {
        status = RL_BAD_CERTIFICATE;
        error = why;
    }
    if (status == RL_STOPPED)
        return tell_interrupted(NULL, NULL, json ? "holds" : NULL, seconds);
    if (status == RL_BAD_CERTIFICATE && json)
        report_refusal_json(error.text, seconds);
    if (status == RL_BAD_CERTIFICATE)
        return complain(EXIT_NO, "%s: %s", path, error.text);
    /* Nobody writes a certificate by hand: what cannot be read is damaged. */
    if (status) {
        const int told = complain_status(status, &error, path);
        return status == RL_BAD_TEXT ? EXIT_OUTSIDE : told;
    }
    (json ? report_check_json : report_check)(&certificate, seconds);
    return EXIT_DONE;
}
