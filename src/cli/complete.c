/* SPDX-License-Identifier: MIT
 *
 * Completion, for shells: ringleader --complete WORD... PART prints what PART, the beginning of a
 * word after these words, can become, one to a line. Exit status 1: names of files, which the shell
 * knows itself. Everything comes from the tables of options and protocols.
 */
#include <string.h>

#include "cli/cli.h"

struct completion {
    const struct command *command;
    const struct rl_protocol *protocol; /* that of -p; NULL: several, or none yet */
    const char *part;   /* what is there of the word: after the last comma of a list */
    const char *before; /* the list up to that comma, to be repeated */
    size_t before_length;
};

static void offer(const struct completion *completion, const char *name)
{
    if (strncmp(name, completion->part, strlen(completion->part)) == 0)
        printf("%.*s%s\n", (int)completion->before_length, completion->before, name);
}

static void offer_commands(const struct completion *completion)
{
    const struct command *command;
    for (size_t i = 0; (command = command_at(i)); i++)
        offer(completion, command->name);
    offer(completion, "--help");
    offer(completion, "--version");
}

/* Calls `visit` for the protocol, or for all of them if it is not known. */
static void each_protocol(const struct completion *completion,
                          void (*visit)(const struct completion *completion,
                                        const struct rl_protocol *protocol))
{
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        if (!completion->protocol || completion->protocol == protocol)
            visit(completion, protocol);
}

static void offer_protocol(const struct completion *completion, const struct rl_protocol *protocol)
{
    offer(completion, protocol->name);
}
static void offer_starts(const struct completion *completion, const struct rl_protocol *protocol)
{
    for (size_t i = 0; i < protocol->start_count; i++)
        offer(completion, protocol->starts[i].name);
}
static void offer_sets(const struct completion *completion, const struct rl_protocol *protocol)
{
    for (size_t i = 0; i < protocol->set_count; i++)
        offer(completion, protocol->sets[i].name);
}
static void offer_parameters(const struct completion *completion,
                             const struct rl_protocol *protocol)
{
    for (size_t i = 0; i < protocol->parameter_count; i++)
        offer(completion, dashed(protocol->parameters[i].name));
}

static void offer_options(const struct completion *completion)
{
    const struct option *option;
    for (size_t i = 0; (option = option_at(completion->command, i)); i++) {
        if (option->kind == VALUE_PARAMETER && strcmp(option->name, "NAME") == 0)
            each_protocol(completion, offer_parameters);
        else if (!option->is_word)
            offer(completion, dashed(option->name));
        if (option->letter)
            offer(completion, dashed((char[]){option->letter, '\0'}));
    }
    offer(completion, "--help");
}

/* The choices of a parameter, whose row is that of all parameters. */
static void offer_choices(const struct completion *completion, const char *parameter)
{
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        const int place = rl_protocol_parameter(protocol, parameter);
        const char *const *choices = place >= 0 ? protocol->parameters[place].choices : NULL;
        for (; choices && *choices; choices++)
            offer(completion, *choices);
    }
}

/* A value of an option named `name`. */
static int offer_values(struct completion *completion, const struct option *option,
                        const char *name)
{
    const char *preset;
    switch (option->kind) {
    case VALUE_CHOICE:
    case VALUE_CHOICES:
        for (size_t i = 0; option->choices[i]; i++)
            offer(completion, option->choices[i]);
        return EXIT_DONE;
    case VALUE_PROTOCOL:
    case VALUE_PROTOCOLS:
        completion->protocol = NULL;
        each_protocol(completion, offer_protocol);
        return EXIT_DONE;
    case VALUE_START:
    case VALUE_STARTS:
        offer(completion, RL_START_RANDOM);
        each_protocol(completion, offer_starts);
        return option->kind == VALUE_START ? EXIT_NO : EXIT_DONE;
    case VALUE_SET:
        each_protocol(completion, offer_sets);
        return EXIT_DONE;
    case VALUE_PARAMETER:
        offer_choices(completion, name);
        return EXIT_DONE;
    case VALUE_PRESET:
        for (size_t i = 0; (preset = rl_plan_preset_name(i)); i++)
            offer(completion, preset);
        return EXIT_DONE;
    case VALUE_INPUT:
    case VALUE_OUTPUT:
    case VALUE_FILE:
    case VALUE_DIRECTORY:
        return EXIT_NO;
    default:
        return EXIT_DONE;
    }
}

/* The row of an option as it was typed, if it takes a value. */
static const struct option *wants_value(const struct command *command, const char *word)
{
    struct given given;
    const bool is_letter = word[0] == '-' && word[1] != '-';
    if (word[0] != '-' || (is_letter && strlen(word) != 2))
        return NULL;
    const char *name = word + (is_letter ? 1 : 2);
    return find_option(command, name, strlen(name), is_letter, &given) && given.option->argument
               ? given.option
               : NULL;
}

/* What is a list goes on behind its last comma. */
static void split_list(struct completion *completion)
{
    const char *comma = strrchr(completion->part, ',');
    if (comma)
        completion->part = comma + 1;
    completion->before_length = (size_t)(completion->part - completion->before);
}

/* Of --start=lea, in one word where the shell does not cut it: the row of the option, and what is
 * to be completed is behind the sign. */
static const struct option *split_value(struct completion *completion, struct given *given)
{
    const char *sign = strchr(completion->part, '=');
    if (!sign || strncmp(completion->part, "--", 2) != 0 ||
        !find_option(completion->command, completion->part + 2,
                     (size_t)(sign - completion->part) - 2, false, given))
        return NULL;
    completion->part = sign + 1;
    return given->option->argument ? given->option : NULL;
}

int complete(int argc, char **argv)
{
    struct completion completion = {
        .protocol = rl_protocol_at(0), .part = argv[argc - 1], .before = argv[argc - 1]};
    const struct command *command;
    struct given given;
    if (argc == 1) {
        offer_commands(&completion);
        return EXIT_DONE;
    }
    for (size_t i = 0; (command = command_at(i)); i++)
        if (strcmp(command->name, argv[0]) == 0)
            completion.command = command;
    if (!completion.command)
        return EXIT_DONE;
    const char *previous = argv[argc - 2];
    for (int i = 1; i + 2 < argc; i++)
        if (strcmp(argv[i], "-p") == 0 || strcmp(argv[i], "--protocol") == 0)
            completion.protocol = rl_protocol_named(argv[i + 1]);
    const struct option *option = split_value(&completion, &given);
    const char *name = option ? given.name : previous + strspn(previous, "-");
    if (!option && argc > 2)
        option = wants_value(completion.command, previous);
    split_list(&completion);
    if (option)
        return offer_values(&completion, option, name);
    if (completion.part[0] == '-') {
        offer_options(&completion);
        return EXIT_DONE;
    }
    for (size_t i = 0; (option = option_at(completion.command, i)); i++)
        if (option->is_word)
            return offer_values(&completion, option, option->name);
    return EXIT_DONE;
}
