/* SPDX-License-Identifier: MIT
 *
 * ringleader verify --from: only what can be reached from given configurations.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/verification.h"

struct inquiry {
    struct rl_explore_options options;
    struct rl_exploration answer;
    const char *from;
    void *configuration; /* read from a file, or NULL */
    bool json;
    const char *trace; /* where the execution was written, or NULL */
    struct progress progress;
    double seconds;
};

/* ---- reading the request ----------------------------------------------------------------------
 */

static int choose_set(const struct inquiry *inquiry, const char *option, const char *name,
                      const struct rl_set **set_out)
{
    const struct rl_protocol *protocol = inquiry->options.protocol;
    const int set = rl_protocol_set(protocol, name);
    if (set < 0 || !protocol->sets[set].contains) /* that it settled, a configuration shows not */
        return complain(EXIT_REQUEST, "%s a set of %s, not '%s'", option, protocol->name, name);
    *set_out = &protocol->sets[set];
    return GO_ON;
}

static int choose_question(struct inquiry *inquiry, const struct arguments *arguments)
{
    const char *invariant = argument(arguments, "invariant");
    const char *goal = argument(arguments, "reaches");
    if (goal)
        return choose_set(inquiry, "--reaches wants", goal, &inquiry->options.goal);
    if (!invariant || strcmp(invariant, "outputs") == 0)
        return GO_ON;
    return choose_set(inquiry, "--invariant wants outputs or", invariant, &inquiry->options.set);
}

static int choose_configuration(struct inquiry *inquiry)
{
    struct rl_ring ring = {inquiry->options.protocol, inquiry->options.params, NULL};
    ring.agents = malloc(rl_ring_bytes(ring.protocol, ring.params.n));
    if (!ring.agents)
        return complain(EXIT_OUTSIDE, "out of memory");
    inquiry->configuration = ring.agents;
    inquiry->options.configuration = ring.agents;
    return fill_start(&ring, inquiry->from, inquiry->options.seed, 0);
}

static int read_inquiry(struct inquiry *inquiry, const struct arguments *arguments)
{
    struct rl_explore_options *options = &inquiry->options;
    inquiry->from = options->start = argument(arguments, "from");
    inquiry->json = argument(arguments, "json");
    int outcome = choose_question(inquiry, arguments);
    if (outcome == GO_ON && !rl_protocol_has_start(options->protocol, inquiry->from))
        outcome = choose_configuration(inquiry);
    return outcome;
}

/* ---- telling the answer -----------------------------------------------------------------------
 */

static void print_explored(const struct inquiry *inquiry)
{
    printf("  %-12s %20s %16s %16s %8s\n", "part", "configurations", "most of one", "agents differ",
           "depth");
    for (size_t i = 0; i < inquiry->answer.explored_count; i++) {
        const struct rl_explored *explored = &inquiry->answer.explored[i];
        printf("  %-12s %20s %16s %16s %8s\n", explored->part, grouped(explored->configurations),
               grouped(explored->largest), grouped(explored->agent_classes),
               grouped(explored->depth));
    }
    putchar('\n');
}

static void print_execution(const struct inquiry *inquiry)
{
    const struct rl_counterexample *execution = &inquiry->answer.execution;
    if (!execution->exists) {
        printf("         in the part alone; with all variables it was not found again\n");
        return;
    }
    printf("shown by %s\n         and %s arc%s: ",
           states_text(inquiry->options.protocol, execution->start, inquiry->options.params.n),
           grouped(execution->length), execution->length == 1 ? "" : "s");
    print_arcs(execution);
    putchar('\n');
    print_trace(inquiry->trace, inquiry->options.protocol, false);
}

static void print_verdict(const struct inquiry *inquiry)
{
    const struct rl_exploration *answer = &inquiry->answer;
    const char *set = inquiry->options.set ? inquiry->options.set->name : NULL;
    const char *goal = inquiry->options.goal ? inquiry->options.goal->name : NULL;
    if (goal && !answer->violated)
        printf("verdict  %s is reached with probability 1\n", goal);
    else if (goal)
        printf("verdict  NO: %s may become out of reach\n", goal);
    else if (!answer->violated && set)
        printf("verdict  everything reached is in %s\n", set);
    else if (!answer->violated)
        puts("verdict  no output can change");
    else if (set)
        printf("verdict  NO: something outside %s is reached\n", set);
    else
        printf("verdict  NO: an output can change (part %s)\n",
               answer->explored[answer->explored_count - 1].part);
    if (answer->violated)
        print_execution(inquiry);
}

static void report(const struct inquiry *inquiry)
{
    const struct rl_explore_options *options = &inquiry->options;
    print_heading(options->protocol, &options->params, "a");
    printf("\nall that can be reached from %s (%s configuration%s)\n\n", inquiry->from,
           grouped(inquiry->answer.members), inquiry->answer.members == 1 ? "" : "s");
    print_explored(inquiry);
    print_verdict(inquiry);
    printf("\ntime     %.3f s\n", inquiry->seconds);
}

static void json_parts(struct rl_json *json, const struct inquiry *inquiry)
{
    rl_json_open(json, "parts", '[');
    for (size_t i = 0; i < inquiry->answer.explored_count; i++) {
        const struct rl_explored *explored = &inquiry->answer.explored[i];
        rl_json_open(json, NULL, '{');
        rl_json_string(json, "part", explored->part);
        rl_json_count(json, "configurations", explored->configurations);
        rl_json_count(json, "largest", explored->largest);
        rl_json_count(json, "agent_classes", explored->agent_classes);
        rl_json_count(json, "depth", explored->depth);
        rl_json_close(json, '}');
    }
    rl_json_close(json, ']');
}

static void report_json(const struct inquiry *inquiry)
{
    const struct rl_explore_options *options = &inquiry->options;
    struct rl_json json = rl_json_begin(stdout);
    json_heading(&json, options->protocol, &options->params);
    rl_json_string(&json, "from", inquiry->from);
    rl_json_count(&json, "members", inquiry->answer.members);
    if (options->goal)
        rl_json_string(&json, "reaches", options->goal->name);
    else
        rl_json_string(&json, "invariant", options->set ? options->set->name : "outputs");
    rl_json_bool(&json, "holds", !inquiry->answer.violated);
    json_parts(&json, inquiry);
    if (inquiry->answer.violated) {
        rl_json_bool(&json, "confirmed", inquiry->answer.execution.exists);
        json_execution(&json, "execution", options->protocol, options->params.n,
                       &inquiry->answer.execution);
    }
    rl_json_real(&json, "wall_seconds", inquiry->seconds);
    rl_json_end(&json);
}

/* ---- running ----------------------------------------------------------------------------------
 */

static bool go_on(void *user, const struct rl_exploration *exploration)
{
    struct inquiry *inquiry = user;
    const struct rl_explored *now = &exploration->explored[exploration->explored_count - 1];
    if (progress_due(&inquiry->progress))
        progress_show(&inquiry->progress, "%s: start %s, %s configurations, depth %s", now->part,
                      grouped(exploration->members), grouped(now->configurations),
                      grouped(now->depth));
    return !interrupted();
}

static int write_execution(struct inquiry *inquiry, const char *path)
{
    if (!inquiry->answer.execution.exists)
        return GO_ON;
    struct rl_new_file file;
    const int outcome = write_counterexample(&inquiry->answer.execution, inquiry->options.protocol,
                                             &inquiry->options.params, path, &file);
    inquiry->trace = path;
    return outcome == GO_ON ? keep_new_file(&file) : outcome;
}

static int inquire(struct inquiry *inquiry, const char *trace)
{
    struct rl_error error = {0};
    inquiry->options.go_on = go_on;
    inquiry->options.user = inquiry;
    inquiry->progress = progress_begin();
    const enum rl_status status = rl_explore(&inquiry->options, &inquiry->answer, &error);
    inquiry->seconds = progress_end(&inquiry->progress);
    if (status == RL_STOPPED)
        return tell_interrupted(inquiry->options.protocol, &inquiry->options.params,
                                inquiry->json ? "holds" : NULL, inquiry->seconds);
    if (status)
        return complain_status(status, &error, NULL);
    const int outcome = trace ? write_execution(inquiry, trace) : GO_ON;
    if (outcome != GO_ON)
        return outcome;
    (inquiry->json ? report_json : report)(inquiry);
    return inquiry->answer.violated ? EXIT_NO : EXIT_DONE;
}

int verify_from(const struct arguments *arguments, const struct verification *verification)
{
    struct inquiry inquiry = {.options = {.protocol = verification->request.protocol,
                                          .params = verification->request.params,
                                          .seed = verification->request.seed,
                                          .memory = verification->options.memory}};
    int outcome = read_inquiry(&inquiry, arguments);
    if (outcome == GO_ON)
        outcome = inquire(&inquiry, argument(arguments, "trace"));
    rl_explore_free(&inquiry.answer);
    free(inquiry.configuration);
    return outcome;
}
