/* SPDX-License-Identifier: MIT
 *
 * Numbers as C writes them, whatever locale the calling program has set.
 *
 * A locale may have a comma for the point, and printf and strtod go by it: an SVG or a CSV file
 * with 0,5 in it is broken. The locale of one thread can be set and put back without anybody
 * noticing.
 */
#ifndef RINGLEADER_BASE_PLAIN_H
#define RINGLEADER_BASE_PLAIN_H

#include <locale.h>
#include <stddef.h>

#include "ringleader/status.h"

/* Between the two, numbers are plain in this thread. */
struct plain {
    locale_t plain, before;
};
struct plain plain_begin(void);
void plain_end(struct plain plain);

/* snprintf and strtod so. */
RL_FORMAT(3, 4) void plain_print(char *text, size_t size, const char *format, ...);
double plain_read(const char *text, char **end_out);

#endif
