/* SPDX-License-Identifier: MIT
 *
 * Options: a command's own, and one for each parameter of a protocol.
 */
#include <string.h>

#include "cli/cli.h"

/* The parameters of all protocols, by name, as options. */
static const char *parameter_name(size_t index)
{
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        if (index < protocol->parameter_count)
            return protocol->parameters[index].name;
        index -= protocol->parameter_count;
    }
    return NULL;
}

/* Options of every command that takes a protocol, besides its parameters. */
static const struct option RING_OPTIONS[] = {
    {"undirected", 0, NULL},
    {"oracle", 0, "delay=COUNT"},
    {NULL, 0, NULL},
};

static const struct option *current; /* the list that option_name walks */

static const char *option_name(size_t index)
{
    size_t count = 0, ring_count = 0;
    while (current[count].name)
        count++;
    while (RING_OPTIONS[ring_count].name)
        ring_count++;
    if (index < count)
        return current[index].name;
    index -= count;
    return index < ring_count ? RING_OPTIONS[index].name : parameter_name(index - ring_count);
}

static bool takes_protocol(const struct option *options)
{
    for (; options->name; options++)
        if (options->letter == 'p')
            return true;
    return false;
}

static bool find_in(const struct option *options, const char *text, size_t length, bool is_letter,
                    struct option *out)
{
    for (const struct option *option = options; option->name; option++) {
        const bool same =
            is_letter ? option->letter == text[0]
                      : strlen(option->name) == length && memcmp(option->name, text, length) == 0;
        if (same) {
            *out = *option;
            return true;
        }
    }
    return false;
}

/* What `text` (without dashes) names: an option, or a parameter, made into one. */
static bool find_option(const struct option *options, const char *text, size_t length,
                        bool is_letter, struct option *out)
{
    if (find_in(options, text, length, is_letter, out))
        return true;
    if (!takes_protocol(options))
        return false;
    if (!is_letter && find_in(RING_OPTIONS, text, length, false, out))
        return true;
    const char *name;
    for (size_t i = 0; (name = parameter_name(i)); i++)
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            *out = (struct option){name, 0, "COUNT"};
            return true;
        }
    return false;
}

static int unknown_option(const struct command *command, const struct option *options,
                          const char *word)
{
    current = options;
    return complain(
        EXIT_REQUEST, "%s has no option '%s'%s (see ringleader %s --help)", command->name, word,
        did_you_mean(nearest_name(word + strspn(word, "-"), option_name)), command->name);
}

int read_arguments(struct arguments *arguments, const struct command *command,
                   const struct option *options, int argc, char **argv)
{
    *arguments = (struct arguments){.options = options};
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            fputs(command->help, stdout);
            return EXIT_DONE;
        }
        if (arguments->count == MOST_OPTIONS || arguments->word_count == MOST_OPTIONS)
            return complain(EXIT_REQUEST, "more than %d options", MOST_OPTIONS);
        if (word[0] != '-' || word[1] == '\0') {
            arguments->words[arguments->word_count++] = word;
            continue;
        }
        const bool is_letter = word[1] != '-';
        const char *name = word + (is_letter ? 1 : 2);
        const size_t length = is_letter ? 1 : strcspn(name, "=");
        struct option option;
        if (!find_option(options, name, length, is_letter, &option))
            return unknown_option(command, options, word);
        const char *value = "";
        if (is_letter ? name[1] != '\0' : name[length] == '=')
            value = name + length + !is_letter;
        else if (option.argument && i + 1 < argc)
            value = argv[++i];
        else if (option.argument)
            return complain(EXIT_REQUEST, "option %s wants a value: %s", word, option.argument);
        if (!option.argument && value[0])
            return complain(EXIT_REQUEST, "option --%s takes no value", option.name);
        arguments->given[arguments->count].name = option.name;
        arguments->given[arguments->count++].value = value;
    }
    return -1;
}

const char *argument(const struct arguments *arguments, const char *name)
{
    for (size_t i = arguments->count; i-- > 0;)
        if (strcmp(arguments->given[i].name, name) == 0)
            return arguments->given[i].value;
    return NULL;
}

int argument_count(const struct arguments *arguments, const char *name, uint64_t n,
                   uint64_t *count_out)
{
    const char *value = argument(arguments, name);
    struct rl_error error = {0};
    if (value && rl_text_parse_count(value, n, count_out, &error))
        return complain(EXIT_REQUEST, "%s%s: %s", name[1] ? "--" : "-", name, error.text);
    return -1;
}

static const char *protocol_name(size_t index)
{
    const struct rl_protocol *protocol = rl_protocol_at(index);
    return protocol ? protocol->name : NULL;
}

/* A choice by its name, for parameters that have names, or a count. -1: fine. */
static int read_value(const struct arguments *arguments, const struct rl_parameter *parameter,
                      uint32_t n, uint64_t *value_out)
{
    const char *text = argument(arguments, parameter->name);
    if (!parameter->choices)
        return argument_count(arguments, parameter->name, n, value_out);
    for (uint64_t i = 0; parameter->choices[i]; i++)
        if (strcmp(parameter->choices[i], text) == 0) {
            *value_out = i;
            return -1;
        }
    return complain(EXIT_REQUEST, "--%s %s: %s", parameter->name, text, parameter->meaning);
}

const char *parameter_text(const struct rl_parameter *parameter, uint32_t value)
{
    return parameter->choices ? parameter->choices[value] : grouped(value);
}

/* --oracle delay=COUNT is the parameter of that name. */
static int read_oracle(const struct arguments *arguments, const struct rl_protocol *protocol,
                       struct rl_params *params, bool *given)
{
    const char *value = argument(arguments, "oracle");
    struct rl_error error = {0};
    uint64_t delay = 0;
    if (!value)
        return -1;
    if (!protocol->oracle)
        return complain(EXIT_REQUEST, "protocol %s has no oracle", protocol->name);
    if (strncmp(value, "delay=", 6) != 0)
        return complain(EXIT_REQUEST, "--oracle wants delay=COUNT, such as delay=2n, not '%s'",
                        value);
    if (rl_text_parse_count(value + 6, params->n, &delay, &error))
        return complain(EXIT_REQUEST, "--oracle: %s", error.text);
    params->value[protocol->delay] = delay > UINT32_MAX ? UINT32_MAX : (uint32_t)delay;
    given[protocol->delay] = true;
    return -1;
}

static int read_parameters(const struct arguments *arguments, const struct rl_protocol *protocol,
                           struct rl_params *params, bool *given)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const char *name = arguments->given[i].name;
        bool own = false, any = false;
        for (const struct option *option = arguments->options; option->name; option++)
            own |= strcmp(option->name, name) == 0;
        const char *parameter;
        for (size_t k = 0; (parameter = parameter_name(k)); k++)
            any |= strcmp(parameter, name) == 0;
        if (own || !any)
            continue;
        const int index = rl_protocol_parameter(protocol, name);
        if (index < 0)
            return complain(EXIT_REQUEST, "protocol %s has no parameter %s", protocol->name, name);
        uint64_t value = 0;
        const int status = read_value(arguments, &protocol->parameters[index], params->n, &value);
        if (status >= 0)
            return status;
        if (value > UINT32_MAX)
            return complain(EXIT_REQUEST, "-%s %s is too large: it must be below 2^32", name,
                            argument(arguments, name));
        params->value[index] = (uint32_t)value;
        given[index] = true;
    }
    return read_oracle(arguments, protocol, params, given);
}

/* The protocol of -p, or with --undirected its composition for undirected rings. -1: fine. */
static int read_protocol(const struct arguments *arguments, const struct rl_protocol **out)
{
    const char *given = argument(arguments, "protocol");
    const char *name = given ? given : "prl";
    char composed[64];
    *out = rl_protocol_named(name);
    if (!*out)
        return complain(EXIT_REQUEST, "there is no protocol '%s'%s (see ringleader protocols)",
                        name, did_you_mean(nearest_name(name, protocol_name)));
    if (!argument(arguments, "undirected") || (*out)->undirected)
        return -1;
    snprintf(composed, sizeof composed, "%s-undirected", name);
    *out = rl_protocol_named(composed);
    return *out ? -1 : complain(EXIT_REQUEST, "protocol %s is for directed rings only", name);
}

int argument_ring(const struct arguments *arguments, const struct rl_protocol **protocol_out,
                  struct rl_params *params_out)
{
    const struct rl_protocol *protocol;
    int status = read_protocol(arguments, &protocol);
    if (status >= 0)
        return status;
    uint64_t n = 0;
    if (!argument(arguments, "n"))
        return complain(EXIT_REQUEST, "how many agents? give -n COUNT, 2 or more");
    status = argument_count(arguments, "n", 0, &n);
    if (status >= 0)
        return status;
    struct rl_params params = {.n = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n};
    bool given[RL_MAX_PARAMETERS] = {false};
    struct rl_error error = {0};
    if (n < 2 || n > RL_MAX_AGENTS)
        return complain(EXIT_REQUEST, "a ring has 2 to %u agents (2^26), not %s", RL_MAX_AGENTS,
                        argument(arguments, "n"));
    status = read_parameters(arguments, protocol, &params, given);
    if (status >= 0)
        return status;
    /* All parameters are filled in before they are checked. */
    if (rl_protocol_complete(protocol, &params, given, &error) && !argument(arguments, "force"))
        return complain(EXIT_REQUEST, "%s", error.text);
    *protocol_out = protocol;
    *params_out = params;
    return -1;
}
