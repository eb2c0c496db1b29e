/* SPDX-License-Identifier: MIT
 *
 * Whole files in memory.
 */
#ifndef RINGLEADER_BASE_READ_FILE_H
#define RINGLEADER_BASE_READ_FILE_H

#include <stddef.h>

/* The bytes of a file, or of standard input for "-", with a zero behind them; to be freed. NULL,
 * with errno, if they cannot be read, or are more than `most` (EFBIG). */
char *rl_read_file(const char *path, size_t most, size_t *size_out);

#endif
