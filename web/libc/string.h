/* SPDX-License-Identifier: MIT
 *
 * What our C uses of <string.h>.
 */
#ifndef RINGLEADER_WEB_STRING_H
#define RINGLEADER_WEB_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *at, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *string);

#endif
