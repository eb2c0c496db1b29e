/* SPDX-License-Identifier: MIT
 *
 * Commands that are run, each in a process of its own, word by word: no shell reads them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own/parts.h"

void command_add(struct command *command, const char *prefix, const char *text)
{
    const int left = (int)(sizeof command->memory - command->used);
    if (command->count == MOST_WORDS)
        return;
    char *word = command->memory + command->used;
    const int length = snprintf(word, (size_t)left, "%s%s", prefix, text);
    command->used += (size_t)(length < left ? length + 1 : 0);
    command->word[command->count++] = word;
    command->word[command->count] = NULL;
}

void command_add_words(struct command *command, const char *words)
{
    char copy[PATH], *rest = NULL;
    snprintf(copy, sizeof copy, "%.4000s", words);
    for (char *at = strtok_r(copy, " ", &rest); at; at = strtok_r(NULL, " ", &rest))
        command_add(command, "", at);
}

int command_run(const struct command *command, const char *output, const char *errors)
{
    int ended = 0;
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
            execvp(command->word[0], command->word);
        _exit(NOT_RUN);
    }
    while (child > 0 && waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return -1;
    return child > 0 && WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}
