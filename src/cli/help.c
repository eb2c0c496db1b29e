/* SPDX-License-Identifier: MIT
 *
 * Prints the table of options as help.
 */
#include "cli/cli.h"

enum { MEANING_COLUMN = 21 };

/* "  -p --protocol NAME", "  -n COUNT" or "  --seed COUNT"; its length. */
static int print_name(const struct option *option)
{
    const char *value = option->argument, letter[] = {'-', option->letter, ' ', '\0'};
    if (option->is_word)
        return printf("  %s%s", option->name, option->repeatable ? "..." : "");
    return printf("  %s%s%s%s", option->letter ? letter : "", dashed(option->name),
                  value ? " " : "", value ? value : "");
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
        print_group(command->groups[i]);
    printf("\nExit status: ");
    print_wrapped(command->status, sizeof "Exit status:", 0);
    printf("\nexamples:\n%s", command->examples);
}
