/* SPDX-License-Identifier: MIT
 *
 * Memory for the page: see memory.c.
 */
#ifndef RINGLEADER_WEB_STDLIB_H
#define RINGLEADER_WEB_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);

#endif
