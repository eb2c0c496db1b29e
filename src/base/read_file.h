/* SPDX-License-Identifier: MIT
 *
 * Whole files in memory.
 */
#ifndef RINGLEADER_BASE_READ_FILE_H
#define RINGLEADER_BASE_READ_FILE_H

#include <stdio.h>

/* All that is left in a stream, or in a file, with a zero behind it; to be freed. NULL, with errno,
 * if it cannot be read, or is more than `most` bytes (EFBIG). */
char *rl_read_stream(FILE *stream, size_t most, size_t *size_out);
char *rl_read_file(const char *path, size_t most, size_t *size_out);

#endif
