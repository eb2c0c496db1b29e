/* SPDX-License-Identifier: MIT
 *
 * The command line: which command, and how mistakes are told.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const struct command *const commands[] = {
    &command_elect,  &command_verify,    &command_study, &command_report, &command_draw,
    &command_replay, &command_protocols, &command_ring,  &command_node,   &command_key,
};

static const char *command_name(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? commands[index]->name : NULL;
}

int complain(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("ringleader: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

int complain_status(enum rl_status status, const struct rl_error *error, const char *what)
{
    const char *text = error && error->text[0] ? error->text : rl_status_message(status);
    const int code = status == RL_NO_MEMORY || status == RL_IO || status == RL_TOO_LARGE
                         ? EXIT_OUTSIDE
                         : EXIT_REQUEST;
    if (error && error->line > 0)
        return complain(code, "%s: line %u, column %u: %s", what, error->line, error->column, text);
    return what ? complain(code, "%s: %s", what, text) : complain(code, "%s", text);
}

/* Levenshtein's distance, for words of up to 31 letters; longer ones are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t row[32];
    const size_t columns = strlen(b);
    if (columns > 31)
        return 99;
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            const size_t change = diagonal + (a[i] != b[j]);
            const size_t edit = 1 + (row[j] < row[j + 1] ? row[j] : row[j + 1]);
            diagonal = row[j + 1];
            row[j + 1] = change < edit ? change : edit;
        }
    }
    return row[columns];
}

const char *nearest_name(const char *word, const char *(*next)(size_t index))
{
    const char *best = NULL, *name;
    size_t least = 3;
    for (size_t i = 0; (name = next(i)); i++) {
        const size_t d = distance(word, name);
        if (d < least && d < strlen(name)) {
            least = d;
            best = name;
        }
    }
    return best;
}

const char *did_you_mean(const char *nearest)
{
    static char text[96];
    snprintf(text, sizeof text, nearest ? "; did you mean '%s'?" : "%s", nearest ? nearest : "");
    return text;
}

static void show_help(void)
{
    puts("Ringleader: self-stabilizing leader election on rings, run, checked and shown.\n\n"
         "usage: ringleader COMMAND [options]\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\nexamples:\n"
         "  ringleader elect -n 1000                 one election on a ring of 1000 agents\n"
         "  ringleader elect -n 100 --start paper    the paper's example\n"
         "  ringleader elect --help                  everything `elect` can do");
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        show_help();
        return argc < 2 ? EXIT_REQUEST : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("ringleader %s, stream version %d\n", RL_VERSION, RL_STREAM_VERSION);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i]->name) != 0)
            continue;
        const int status = commands[i]->run(argc - 2, argv + 2);
        if (fflush(stdout) || ferror(stdout))
            return complain(EXIT_OUTSIDE, "standard output could not be written");
        return status;
    }
    return complain(EXIT_REQUEST, "there is no command '%s'%s (see ringleader --help)", argv[1],
                    did_you_mean(nearest_name(argv[1], command_name)));
}
