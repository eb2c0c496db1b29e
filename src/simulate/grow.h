/* SPDX-License-Identifier: MIT
 *
 * Arrays that grow as they are filled.
 */
#ifndef RINGLEADER_SIMULATE_GROW_H
#define RINGLEADER_SIMULATE_GROW_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Sees to room for one element more than the `count` that *array holds; `array` points to any
 * pointer, to elements of `bytes` bytes. False, and all is as it was, without memory. */
static inline bool grow(void *array, size_t count, size_t *room, size_t bytes)
{
    const size_t more = *room ? 2 * *room : 16;
    void *at;
    if (count < *room)
        return true;
    memcpy(&at, array, sizeof at);
    if (!(at = realloc(at, more * bytes)))
        return false;
    memcpy(array, &at, sizeof at);
    *room = more;
    return true;
}

#endif
