/* SPDX-License-Identifier: MIT
 *
 * A file that appears only when it is complete: it is written beside its place and moved there when
 * it is kept. What is not a plain file is written directly.
 */
#ifndef RINGLEADER_BASE_NEW_FILE_H
#define RINGLEADER_BASE_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "ringleader/status.h"

struct rl_new_file {
    FILE *stream;
    char path[4096];      /* where it goes, links followed; - is standard output */
    char temporary[4160]; /* "": written directly */
    bool nameless;        /* has not got that name yet */
};

/* RL_IO if it cannot be written. */
RL_MUST_CHECK enum rl_status rl_new_file_open(struct rl_new_file *file, const char *path,
                                              struct rl_error *error);
/* Closes it and puts it in its place. RL_IO, and nothing is left, if something could not be
 * written. */
RL_MUST_CHECK enum rl_status rl_new_file_keep(struct rl_new_file *file, struct rl_error *error);
/* Writes bytes to a FILE, for whoever takes such a function. */
bool rl_new_file_put(void *stream, const void *bytes, size_t size);
/* Leaves nothing behind, unless it was kept. */
void rl_new_file_drop(struct rl_new_file *file);

#endif
