/* SPDX-License-Identifier: MIT
 *
 * ringleader protocols: the list, and each in full.
 */
#include <string.h>

#include "cli/cli.h"

static const char HELP[] =
    "usage: ringleader protocols [NAME]\n"
    "\n"
    "Lists the protocols; with a NAME, shows one in full: parameters, variables and how they are\n"
    "written, starts, sets.\n"
    "\n"
    "examples:\n"
    "  ringleader protocols\n"
    "  ringleader protocols prl\n";

static const struct option OPTIONS[] = {{NULL, 0, NULL}};

static const char *protocol_name(size_t index)
{
    const struct rl_protocol *protocol = rl_protocol_at(index);
    return protocol ? protocol->name : NULL;
}

static void print_variable(const struct rl_variable *variable)
{
    printf("  %-10s", variable->name);
    if (!variable->symbols) {
        printf("a number%s%s\n", variable->prefix[0] ? " after " : "", variable->prefix);
        return;
    }
    for (uint32_t value = 0; value < variable->size; value++)
        printf("%s%u: %s", value ? ", " : "", value,
               variable->symbols[value][0] ? variable->symbols[value] : "(nothing)");
    putchar('\n');
}

static void print_protocol(const struct rl_protocol *protocol)
{
    printf("%s: %s\n%s\n\nparameters\n", protocol->name, protocol->title, protocol->source);
    for (size_t i = 0; i < protocol->parameter_count; i++)
        printf("  %-10s%s\n", protocol->parameters[i].name, protocol->parameters[i].meaning);
    puts("\nvariables, and how a configuration file writes their values");
    for (size_t i = 0; i < protocol->variable_count; i++)
        print_variable(&protocol->variables[i]);
    puts("\nstarts\n  random      uniform over all states");
    for (size_t i = 0; i < protocol->start_count; i++)
        printf("  %-12s%s\n", protocol->starts[i].name, protocol->starts[i].meaning);
    puts("\nclosed sets");
    for (size_t i = 0; i < protocol->set_count; i++)
        printf("  %-10s%s%s\n", protocol->sets[i].name, protocol->sets[i].meaning,
               i == protocol->target ? " (the target)" : "");
}

static int run_protocols(int argc, char **argv)
{
    struct arguments arguments;
    const int failed = read_arguments(&arguments, &command_protocols, OPTIONS, argc, argv);
    if (failed >= 0)
        return failed;
    if (arguments.word_count == 0) {
        const struct rl_protocol *protocol;
        for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
            printf("%-12s %s\n", protocol->name, protocol->title);
        return EXIT_DONE;
    }
    const struct rl_protocol *protocol = rl_protocol_named(arguments.words[0]);
    if (!protocol)
        return complain(EXIT_REQUEST, "there is no protocol '%s'%s", arguments.words[0],
                        did_you_mean(nearest_name(arguments.words[0], protocol_name)));
    print_protocol(protocol);
    return EXIT_DONE;
}

const struct command command_protocols = {
    "protocols", "the protocols, with variables, starts and sets", HELP, run_protocols};
