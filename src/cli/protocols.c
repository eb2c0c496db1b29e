/* SPDX-License-Identifier: MIT
 *
 * ringleader protocols: the list, and each in full.
 */
#include <stdarg.h>

#include "cli/cli.h"

static const struct option OPTIONS[] = {
    {"NAME", NULL, VALUE_PROTOCOL, NULL, .is_word = true,
     .too_many = "protocols takes one name, or none to list them all"},
    {"n", "COUNT", VALUE_COUNT, "count states for this ring size (default 1000)", .least = 2,
     .most = RL_MAX_AGENTS},
    {"json", NULL, VALUE_NONE, "one JSON object on standard output"},
};

/* "  name        text", the text wrapped. */
RL_FORMAT(2, 3) static void print_entry(const char *name, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const int used = printf("  %-11s ", name);
    print_wrapped(text, (size_t)used, 14);
}

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
    print_entry(variable->name, "%s", values);
}

/* The number of states on a ring of n agents; 0 if the protocol refuses n. */
static uint64_t states_at(const struct rl_protocol *protocol, uint32_t n)
{
    const bool given[RL_MAX_PARAMETERS] = {false};
    struct rl_params params = {.n = n};
    return rl_protocol_complete(protocol, &params, given, NULL)
               ? 0
               : rl_protocol_states(protocol, &params);
}

static void print_protocol(const struct rl_protocol *protocol, uint32_t n)
{
    const char *fitted = rl_protocol_fitted(protocol);
    const uint64_t states = states_at(protocol, n);
    printf("%s: ", protocol->name);
    print_wrapped(protocol->title, strlen(protocol->name) + 2, 0);
    print_wrapped(protocol->source, 0, 0);
    putchar('\n');
    print_entry("provenance", "%s", protocol->provenance);
    print_entry("assumes", "%s", protocol->assumption);
    print_entry("steps", "%s claimed; %s", protocol->claim, fitted ? fitted : "not measured");
    print_entry("states", states ? "%s; %s for n = %u" : "%s", protocol->states, grouped(states),
                n);
    puts("\nparameters");
    for (size_t i = 0; i < protocol->parameter_count; i++)
        print_entry(protocol->parameters[i].name, "%s", protocol->parameters[i].meaning);
    puts("\nvariables, and how their values are written");
    for (size_t i = 0; i < protocol->variable_count; i++)
        print_variable(&protocol->variables[i]);
    puts("\nstarts");
    print_entry(RL_START_RANDOM, "uniform over all states");
    for (size_t i = 0; i < protocol->start_count; i++)
        print_entry(protocol->starts[i].name, "%s", protocol->starts[i].meaning);
    puts("\nclosed sets");
    for (size_t i = 0; i < protocol->set_count; i++)
        print_entry(protocol->sets[i].name, "%s%s", protocol->sets[i].meaning,
                    i == protocol->target ? " (the target)" : "");
}

/* ---- the table ---- */

/* Directed rings in the table; the compositions for undirected ones are named below it. */
static void print_table(uint32_t n)
{
    const struct rl_protocol *protocol;
    char head[32], undirected[512];
    struct rl_text names = rl_text_into(undirected, sizeof undirected);
    snprintf(head, sizeof head, "states, n = %u", n);
    printf("%-10s %-36s %-12s %19s\n", "protocol", "assumes", "steps", head);
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        const uint64_t states = states_at(protocol, n);
        if (!protocol->undirected)
            printf("%-10s %-36s %-12s %19s\n", protocol->name, protocol->assumption,
                   protocol->claim, states ? grouped(states) : "-");
        else
            rl_text_format(&names, " %s", protocol->name);
    }
    puts("\nstates of an agent; steps as measured (docs/table1.md); how close to its source");
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        const char *fitted = rl_protocol_fitted(protocol);
        if (!protocol->undirected)
            print_entry(protocol->name, "%s; %s; %s: %s", protocol->states,
                        fitted ? fitted : "not measured", protocol->provenance, protocol->source);
    }
    puts("\non undirected rings, with colouring and orientation (--undirected):");
    print_wrapped(undirected, 0, 1);
}

static void json_protocol(struct rl_json *json, const struct rl_protocol *protocol, uint32_t n)
{
    const uint64_t states = states_at(protocol, n);
    rl_json_object(json, NULL,
                   "name=%s title=%s assumption=%s claim=%s fitted=%s states=%s states_at_n=%jd "
                   "provenance=%s source=%s undirected=%d oracle=%d",
                   protocol->name, protocol->title, protocol->assumption, protocol->claim,
                   rl_protocol_fitted(protocol), protocol->states, states ? states : RL_NEVER,
                   protocol->provenance, protocol->source, protocol->undirected, protocol->oracle);
}

static void print_json(const struct rl_protocol *only, uint32_t n)
{
    struct rl_json json = rl_json_begin(stdout);
    const struct rl_protocol *protocol;
    rl_json_count(&json, "n", n);
    rl_json_open(&json, "protocols", '[');
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        if (!only || protocol == only)
            json_protocol(&json, protocol, n);
    rl_json_close(&json, ']');
    rl_json_end(&json);
}

static int run_protocols(struct arguments *arguments)
{
    const struct rl_protocol *protocol = NULL;
    uint64_t n = 1000;
    read_count(arguments, "n", 0, &n);
    const char *name = argument(arguments, "NAME");
    if (name && rl_own_is_file(name))
        protocol = load_protocol(name);
    else if (name && !(protocol = rl_protocol_named(name)))
        check(rl_protocol_refuse(name, why()), NULL);
    if (argument(arguments, "json"))
        print_json(protocol, (uint32_t)n);
    else if (protocol)
        print_protocol(protocol, (uint32_t)n);
    else
        print_table((uint32_t)n);
    return EXIT_DONE;
}

const struct command command_protocols = {
    .name = "protocols",
    .summary = "list the protocols, with variables, starts and sets",
    .usage = "ringleader protocols [NAME] [-n COUNT] [--json]",
    .about = "Lists the protocols: what each assumes, how its steps grow (claimed and measured), "
             "its\nstates, and how close it is to its source. With a NAME, shows one in full: "
             "parameters,\nvariables and how they are written, starts, sets.\n",
    .groups = {GROUP(OPTIONS)},
    .status = "0 done, 2 the request was wrong, 3 something outside failed.",
    .examples = "  ringleader protocols\n"
                "  ringleader protocols -n 1e6\n"
                "  ringleader protocols prl\n",
    .run = run_protocols,
};
