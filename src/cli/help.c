/* SPDX-License-Identifier: MIT
 *
 * Prints the table of options, as help and as a list for programs.
 */
#include "cli/cli.h"

enum { MEANING_COLUMN = 21 };

/* "  -p --protocol NAME", "  -n COUNT" or "  --seed COUNT"; its length. */
static int print_name(const struct option *option)
{
    const char *space = option->argument ? " " : "", *value = option->argument;
    value = value ? value : "";
    if (option->is_word)
        return printf("  %s%s", option->name, option->repeatable ? "..." : "");
    if (option->letter)
        return printf("  -%c --%s%s%s", option->letter, option->name, space, value);
    return printf("  %s%s%s", dashed(option->name), space, value);
}

static void print_names(const struct option_group *group)
{
    char names[512];
    struct rl_text text = rl_text_into(names, sizeof names);
    for (size_t i = 0; i < group->count; i++)
        rl_text_format(&text, " %s",
                       group->options[i].letter ? (char[]){'-', group->options[i].letter, '\0'}
                                                : dashed(group->options[i].name));
    print_wrapped(names, 0, 2);
}

static void print_group(const struct option_group *group)
{
    if (group->heading)
        printf("%s\n", group->heading);
    for (size_t i = 0; i < group->count; i++) {
        if (!group->options[i].meaning)
            continue;
        const int used = print_name(&group->options[i]);
        const int gap = used < MEANING_COLUMN ? MEANING_COLUMN - used : 2;
        printf("%*s", gap, "");
        print_wrapped(group->options[i].meaning, (size_t)(used + gap), MEANING_COLUMN);
    }
}

void print_help(const struct command *command)
{
    printf("usage: ");
    for (const char *at = command->usage; *at; at++)
        printf(*at == '\n' ? "%c       " : "%c", *at);
    printf("\n\n");
    print_wrapped(command->about, 0, 0);
    putchar('\n');
    for (size_t i = 0; i < MOST_GROUPS && command->groups[i]; i++)
        (command->in_brief && i >= command->in_brief ? print_names
                                                     : print_group)(command->groups[i]);
    if (command->in_brief)
        printf("%*s%s\n", MEANING_COLUMN, "", command->brief);
    printf("\nExit status: ");
    print_wrapped(command->status, sizeof "Exit status:", 0);
    printf("\nexamples:\n%s", command->examples);
}

/* ---- for programs ---- */

static const char *const KINDS[] = {
#define WORD(kind, word) word,
    VALUE_KINDS(WORD)
#undef WORD
};

static void print_domain(const struct option *option)
{
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        printf("%s%s", i ? "," : "", option->choices[i]);
    if (option->kind == VALUE_COUNT && option->most)
        printf("%llu..%llu", (unsigned long long)option->least, (unsigned long long)option->most);
    if (option->kind == VALUE_REAL)
        printf("0..%g", option->most_real);
}

static void list_option(const struct command *command, const struct option *option)
{
    printf("%s\t%s\t%c\t%s\t%s\t", command->name,
           option->is_word ? option->name : dashed(option->name),
           option->letter ? option->letter : '-', option->argument ? option->argument : "",
           KINDS[option->kind]);
    print_domain(option);
    printf("\t%s\t%s\t%s\t", option->repeatable ? "many" : "one",
           option->needs ? option->needs : "", option->not_with ? option->not_with : "");
    for (const char *at = option->meaning ? option->meaning : ""; *at; at++)
        putchar(*at == '\n' ? ' ' : *at);
    putchar('\n');
}

/* Whether an earlier protocol has a parameter of that name. */
static bool is_listed(size_t protocol, const char *name)
{
    for (size_t i = 0; i < protocol; i++)
        if (rl_protocol_parameter(rl_protocol_at(i), name) >= 0)
            return true;
    return false;
}

/* The row NAME stands for every parameter that has no row of its own. */
static void list_parameters(const struct command *command, const struct option *row)
{
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        for (size_t k = 0; k < protocol->parameter_count; k++) {
            const struct rl_parameter *parameter = &protocol->parameters[k];
            struct option option = *row;
            option.name = parameter->name;
            option.choices = parameter->choices;
            option.meaning = parameter->meaning;
            if (strcmp(parameter->name, "N") != 0 && !is_listed(i, parameter->name))
                list_option(command, &option);
        }
}

void print_option_list(void)
{
    const struct command *command;
    const struct option *option;
    for (size_t i = 0; (command = command_at(i)); i++)
        for (size_t k = 0; (option = option_at(command, k)); k++) {
            if (is_parameter_row(option))
                list_parameters(command, option);
            else
                list_option(command, option);
        }
}
