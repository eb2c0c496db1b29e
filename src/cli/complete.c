/* SPDX-License-Identifier: MIT
 *
 * Completion, for shells: ringleader --complete WORD... PART prints what PART, the beginning of a
 * word after these words, can become, one to a line. Exit status 1: names of files, which the shell
 * knows itself. Everything comes from the tables of options and protocols.
 */
#include "cli/cli.h"

struct completion {
    const struct command *command;
    const struct rl_protocol *protocol; /* that of -p; NULL if that is none of ours: all of them */
    const char *word;
};

static void offer(const struct completion *completion, const char *name)
{
    if (strncmp(name, completion->word, strlen(completion->word)) == 0)
        puts(name);
}

/* A value of an option. */
static int offer_values(const struct completion *completion, const struct option *option)
{
    const enum value_kind kind = option->kind;
    const bool start = kind == VALUE_START;
    const struct rl_protocol *protocol;
    const char *preset;
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        offer(completion, option->choices[i]);
    for (size_t i = 0; kind == VALUE_PRESET && (preset = rl_plan_preset_name(i)); i++)
        offer(completion, preset);
    if (start)
        offer(completion, RL_START_RANDOM);
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        const bool meant = !completion->protocol || protocol == completion->protocol;
        if (kind == VALUE_PROTOCOL)
            offer(completion, protocol->name);
        for (size_t i = 0; meant && start && i < protocol->start_count; i++)
            offer(completion, protocol->starts[i].name);
        for (size_t i = 0; meant && kind == VALUE_SET && i < protocol->set_count; i++)
            offer(completion, protocol->sets[i].name);
    }
    return names_file(&(struct given){.option = option}) ? EXIT_NO : EXIT_DONE;
}

static int offer_options(const struct completion *completion)
{
    const struct option *option;
    const struct rl_protocol *protocol = completion->protocol;
    for (size_t i = 0; (option = option_at(completion->command, i)); i++)
        if (!option->is_word && !is_parameter_row(option))
            offer(completion, dashed(option->name));
        else if (is_parameter_row(option))
            for (size_t k = 0; protocol && k < protocol->parameter_count; k++)
                if (strcmp(protocol->parameters[k].name, "N") != 0)
                    offer(completion, dashed(protocol->parameters[k].name));
    offer(completion, "--help");
    return EXIT_DONE;
}

int complete(int argc, char **argv)
{
    struct completion completion = {.protocol = rl_protocol_at(0), .word = argv[argc - 1]};
    const char *before = argc > 2 ? argv[argc - 2] : "";
    const size_t dashes = strspn(before, "-");
    const struct command *command;
    struct given given;
    for (size_t i = 0; (command = command_at(i)); i++)
        if (argc == 1 || strcmp(argv[0], "help") == 0)
            offer(&completion, command->name);
        else if (strcmp(command->name, argv[0]) == 0)
            completion.command = command;
    if (!completion.command)
        return EXIT_DONE;
    for (int i = 1; i + 2 < argc; i++)
        if (strcmp(argv[i], "-p") == 0 || strcmp(argv[i], "--protocol") == 0)
            completion.protocol = rl_protocol_named(argv[i + 1]);
    if (dashes > 0 && (dashes == 2 || strlen(before) == 2) &&
        find_option(completion.command, before + dashes, dashes == 1, &given) &&
        given.option->argument)
        return offer_values(&completion, given.option);
    if (completion.word[0] == '-')
        return offer_options(&completion);
    for (size_t i = 0; (given.option = option_at(completion.command, i)); i++)
        if (given.option->is_word)
            return offer_values(&completion, given.option);
    return EXIT_DONE;
}
