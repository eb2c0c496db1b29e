/* SPDX-License-Identifier: MIT
 *
 * ringleader protocols: the list, and each in full.
 */
#include "cli/cli.h"

static const struct option OPTIONS[] = {
    {"NAME", NULL, VALUE_PROTOCOL, NULL, .is_word = true},
    {"n", "COUNT", VALUE_COUNT, "count states for this ring size (default 1000)", .least = 2,
     .most = RL_MAX_AGENTS},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

/* The number of states on a ring of n agents; RL_NEVER if the protocol refuses n. */
static uint64_t states_at(const struct rl_protocol *protocol, uint32_t n)
{
    const bool given[RL_MAX_PARAMETERS] = {false};
    struct rl_params params = {.n = n};
    return rl_protocol_complete(protocol, &params, given, NULL)
               ? RL_NEVER
               : rl_protocol_states(protocol, &params);
}

static void print_entry(const char *name, const char *text)
{
    const int used = printf("  %-11s ", name);
    print_wrapped(text, (size_t)used, 14);
}

static void print_table(uint32_t n)
{
    const struct rl_protocol *protocol;
    printf("%-10s %-36s %-12s states, n = %u\n", "protocol", "assumes", "steps", n);
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        const uint64_t states = states_at(protocol, n);
        if (!protocol->undirected)
            printf("%-10s %-36s %-12s %s\n", protocol->name, protocol->assumption, protocol->claim,
                   states == RL_NEVER ? "-" : grouped(states));
    }
    puts("\nstates of an agent; steps as measured (docs/table1.md); how close to its source");
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        const char *fitted = rl_protocol_fitted(protocol);
        char text[1024];
        snprintf(text, sizeof text, "%s; %s; %s: %s", protocol->states,
                 fitted ? fitted : "not measured", protocol->provenance, protocol->source);
        if (!protocol->undirected)
            print_entry(protocol->name, text);
    }
    puts("\nmost of them also for undirected rings, as NAME-undirected or with --undirected");
}

/* ---- one in full, for people ---- */

static void print_variable(const struct rl_variable *variable)
{
    char values[512];
    struct rl_text text = rl_text_into(values, sizeof values);
    for (uint32_t value = 0; variable->symbols && value < variable->size; value++)
        rl_text_format(&text, "%s%u: %s", value ? ", " : "", value,
                       variable->symbols[value][0] ? variable->symbols[value] : "(nothing)");
    if (!variable->symbols)
        rl_text_format(&text, "a number%s%s", variable->prefix[0] ? " after " : "",
                       variable->prefix);
    print_entry(variable->name, values);
}

static void print_details(const struct rl_protocol *protocol)
{
    puts("\nparameters");
    for (size_t i = 0; i < protocol->parameter_count; i++)
        print_entry(protocol->parameters[i].name, protocol->parameters[i].meaning);
    puts("\nvariables, and how their values are written");
    for (size_t i = 0; i < protocol->variable_count; i++)
        print_variable(&protocol->variables[i]);
    puts("\nstarts");
    print_entry(RL_START_RANDOM, "uniform over all states");
    for (size_t i = 0; i < protocol->start_count; i++)
        print_entry(protocol->starts[i].name, protocol->starts[i].meaning);
    printf("\nclosed sets; the target is %s\n", protocol->sets[protocol->target].name);
    for (size_t i = 0; i < protocol->set_count; i++)
        print_entry(protocol->sets[i].name, protocol->sets[i].meaning);
}

static int run_protocols(struct arguments *arguments)
{
    const char *name = argument(arguments, "NAME");
    const struct rl_protocol *only = name ? rl_protocol_named(name) : NULL, *protocol;
    const uint64_t n = read_count(arguments, "n", 0, 1000);
    if (name && !only)
        check(rl_protocol_refuse(name, why()), NULL);
    struct answer answer = answer_begin(argument(arguments, "json"));
    if (answer.people && !only)
        print_table((uint32_t)n);
    put(&answer, "n=%ju", n);
    put_open(&answer, "protocols", '[');
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        if (only ? protocol == only : !answer.people) {
            put_open(&answer, NULL, '{');
            tell(&answer,
                 "name=%s title=%s assumption=%s claim=%s fitted=%s states=%s states_at_n=%jd "
                 "provenance=%s source=%s",
                 protocol->name, protocol->title, protocol->assumption, protocol->claim,
                 rl_protocol_fitted(protocol), protocol->states, states_at(protocol, (uint32_t)n),
                 protocol->provenance, protocol->source);
            put(&answer, "undirected=%d oracle=%d", protocol->undirected, protocol->oracle);
            put_close(&answer, '}');
        }
    put_close(&answer, ']');
    if (answer.people && only)
        print_details(only);
    answer_end(&answer);
    return EXIT_DONE;
}

const struct command command_protocols = {
    .name = "protocols",
    .summary = "list the protocols, with variables, starts and sets",
    .usage = "ringleader protocols [NAME] [-n COUNT] [--json]",
    .about =
        "Lists the protocols: what each assumes, how its steps grow, as claimed, and its states. "
        "With a NAME, shows one in full: how its steps grow as measured, its source and how close "
        "it is to that, parameters, variables and how they are written, starts, sets.",
    .groups = {GROUP(OPTIONS)},
    .status = "0 done, 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader protocols\n"
                "  ringleader protocols -n 1e6\n"
                "  ringleader protocols prl\n",
    .run = run_protocols,
};
