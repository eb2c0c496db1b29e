/* SPDX-License-Identifier: MIT
 *
 * Arrays that grow as they are filled.
 */
#ifndef RINGLEADER_BASE_GROW_H
#define RINGLEADER_BASE_GROW_H

#include <stdlib.h>

/* The array with room for one element more than the `count` that it holds, of `bytes` bytes each;
 * NULL, and all is as it was, without memory. */
static inline void *grown(void *array, size_t count, size_t *room, size_t bytes)
{
    const size_t more = *room ? 2 * *room : 16;
    if (count < *room)
        return array;
    void *larger = realloc(array, more * bytes);
    if (larger)
        *room = more;
    return larger;
}

#endif
