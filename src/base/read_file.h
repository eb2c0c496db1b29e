/* SPDX-License-Identifier: MIT
 *
 * Whole files in memory.
 */
#ifndef RINGLEADER_BASE_READ_FILE_H
#define RINGLEADER_BASE_READ_FILE_H

#include <stdio.h>

/* The bytes of a file, with a zero behind them; to be freed. NULL, with errno, if they cannot be
 * read, or are more than `most` (EFBIG). */
char *rl_read_file(const char *path, size_t most, size_t *size_out);

/* The same, from where the stream stands. */
char *rl_read_stream(FILE *stream, size_t most, size_t *size_out);

#endif
