/* SPDX-License-Identifier: MIT
 *
 * Completion, for shells: ringleader --complete WORD... PART prints what PART, the beginning of a
 * word after these words, can become, one to a line. Exit status 1: names of files, which the shell
 * knows itself. Everything comes from the tables of options and protocols.
 */
#include "cli/cli.h"

struct completion {
    const struct command *command;
    const char *protocol; /* that of -p */
    const char *word;
    size_t kept; /* of the word: up to the sign in --start=lea, up to the last comma of a list */
};

static void offer(const struct completion *completion, const char *name)
{
    const char *part = completion->word + completion->kept;
    if (strncmp(name, part, strlen(part)) == 0)
        printf("%.*s%s\n", (int)completion->kept, completion->word, name);
}

/* What the protocol of -p has, or all protocols if that is none of ours: names of what the row
 * takes. A parameter's name is `parameter`; where that is NULL, parameters are offered. */
static void offer_of_protocols(const struct completion *completion, const struct option *option,
                               const char *parameter)
{
    const enum value_kind kind = option->kind;
    const struct rl_protocol *protocol, *only = rl_protocol_named(completion->protocol);
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        if (kind == VALUE_PROTOCOL || kind == VALUE_PROTOCOLS)
            offer(completion, protocol->name);
        for (size_t i = 0; parameter && i < protocol->parameter_count; i++)
            for (const char *const *choice = protocol->parameters[i].choices;
                 choice && *choice && strcmp(protocol->parameters[i].name, parameter) == 0;
                 choice++)
                offer(completion, *choice);
        if (only && protocol != only)
            continue;
        for (size_t i = 0; kind == VALUE_PARAMETER && !parameter && i < protocol->parameter_count;
             i++)
            offer(completion, dashed(protocol->parameters[i].name));
        for (size_t i = 0;
             (kind == VALUE_START || kind == VALUE_STARTS) && i < protocol->start_count; i++)
            offer(completion, protocol->starts[i].name);
        for (size_t i = 0; kind == VALUE_SET && i < protocol->set_count; i++)
            offer(completion, protocol->sets[i].name);
    }
}

/* A value of an option; `name` is the parameter's, if it is one. */
static int offer_values(const struct completion *completion, const struct option *option,
                        const char *name)
{
    const char *preset;
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        offer(completion, option->choices[i]);
    for (size_t i = 0; option->kind == VALUE_PRESET && (preset = rl_plan_preset_name(i)); i++)
        offer(completion, preset);
    if (option->kind == VALUE_START || option->kind == VALUE_STARTS)
        offer(completion, RL_START_RANDOM);
    offer_of_protocols(completion, option, name);
    const bool file = option->kind == VALUE_START || option->kind == VALUE_INPUT ||
                      option->kind == VALUE_OUTPUT || option->kind == VALUE_FILE ||
                      option->kind == VALUE_DIRECTORY;
    return file ? EXIT_NO : EXIT_DONE;
}

static int offer_options(const struct completion *completion)
{
    const struct option *option;
    for (size_t i = 0; (option = option_at(completion->command, i)); i++) {
        if (is_parameter_row(option))
            offer_of_protocols(completion, option, NULL);
        else if (!option->is_word)
            offer(completion, dashed(option->name));
        if (option->letter)
            offer(completion, dashed((char[]){option->letter, '\0'}));
    }
    offer(completion, "--help");
    return EXIT_DONE;
}

int complete(int argc, char **argv)
{
    struct completion completion = {.protocol = rl_protocol_at(0)->name, .word = argv[argc - 1]};
    const struct command *command;
    for (size_t i = 0; (command = command_at(i)); i++) {
        if (argc == 1 || (argc == 2 && strcmp(argv[0], "help") == 0))
            offer(&completion, command->name);
        else if (strcmp(command->name, argv[0]) == 0)
            completion.command = command;
    }
    for (size_t i = 0; argc == 1 && i < 3; i++)
        offer(&completion, (const char *const[]){"help", "--help", "--version"}[i]);
    if (!completion.command)
        return EXIT_DONE;
    for (int i = 1; i + 2 < argc; i++)
        if (strcmp(argv[i], "-p") == 0 || strcmp(argv[i], "--protocol") == 0)
            completion.protocol = argv[i + 1];
    /* --start=lea is one word where the shell does not cut it; else its option is the one before.
     */
    const size_t name = strcspn(completion.word, "=");
    const bool one = completion.word[name] && strncmp(completion.word, "--", 2) == 0;
    const char *text = one ? completion.word : argc > 2 ? argv[argc - 2] : "";
    const bool is_letter = text[0] == '-' && strncmp(text, "--", 2) != 0;
    const size_t length = one ? name : strlen(text);
    completion.kept = one ? name + 1 : 0;
    const char *comma = strrchr(completion.word + completion.kept, ',');
    completion.kept = comma ? (size_t)(comma + 1 - completion.word) : completion.kept;
    struct given given = {0};
    if (text[0] == '-' && length > 1 && (!is_letter || length == 2) &&
        find_option(completion.command, text + 1 + !is_letter, length - 1 - !is_letter, is_letter,
                    &given) &&
        given.option->argument)
        return offer_values(&completion, given.option, given.name);
    if (completion.word[0] == '-')
        return offer_options(&completion);
    for (size_t i = 0; (given.option = option_at(completion.command, i)); i++)
        if (given.option->is_word)
            return offer_values(&completion, given.option, NULL);
    return EXIT_DONE;
}
