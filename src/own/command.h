/* SPDX-License-Identifier: MIT
 *
 * Commands that are run: a compiler, a linker.
 */
#ifndef RINGLEADER_OWN_COMMAND_H
#define RINGLEADER_OWN_COMMAND_H

#include <stddef.h>

enum { MOST_WORDS = 64, NOT_RUN = 127 };

/* A command as its words; begins as zeroes. Not to be copied: the words point into it. */
struct command {
    char *word[MOST_WORDS + 1];
    size_t count;
    char memory[48 << 10];
    size_t used;
};

/* One more, of two parts. */
void command_add(struct command *command, const char *prefix, const char *text);
/* Several, with spaces between them. */
void command_add_words(struct command *command, const char *words);
/* The macro for a file that needs n in its world (agent.h). */
#define WITH_N "-DRL_WORLD_WITH_N"

/* -D macros that the sources look for (simulate/own.c): which file, and its name. */
void command_add_file(struct command *command, const char *path);

/* Runs it with its output and its errors in two files. Its exit status; NOT_RUN: it could not be
 * run, -1: it did not end by itself. */
int command_run(const struct command *command, const char *output, const char *errors);

#endif
