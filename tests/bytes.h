/* SPDX-License-Identifier: MIT
 *
 * A file in memory, for what writes to a function.
 */
#ifndef RINGLEADER_TEST_BYTES_H
#define RINGLEADER_TEST_BYTES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    char *at; /* a zero follows */
    size_t size;
    size_t limit; /* what goes beyond is refused; 0: nothing is */
    size_t read;
};

static inline bool put_bytes(void *user, const void *bytes, size_t size)
{
    struct bytes *file = user;
    if (file->limit && file->size + size > file->limit)
        return false;
    file->at = realloc(file->at, file->size + size + 1);
    if (!file->at)
        abort();
    memcpy(file->at + file->size, bytes, size);
    file->size += size;
    file->at[file->size] = '\0';
    return true;
}

static inline void bytes_free(struct bytes *bytes)
{
    free(bytes->at);
}

#endif
