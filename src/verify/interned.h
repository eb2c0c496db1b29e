/* SPDX-License-Identifier: MIT
 *
 * Keys numbered 0, 1, 2, ... in the order in which they are first seen: a list and a hash table of
 * places in the list.
 *
 * Main invariant: every key is in the list once. Lists and arrays take their memory from an effort,
 * which has so much less then. Where it has not enough, nothing grows, and it is RL_TOO_LARGE.
 * Freeing gives nothing back: an effort is for one piece of work, after which all is freed.
 */
#ifndef RINGLEADER_VERIFY_INTERNED_H
#define RINGLEADER_VERIFY_INTERNED_H

#include "verify/effort.h"

struct rl_interned {
    struct rl_effort *effort;
    uint64_t *keys;
    uint64_t count, room;
    uint32_t *table; /* place in the list + 1; 0: free */
    uint64_t table_size;
};

/* Empties the list and keeps its memory. */
void rl_interned_clear(struct rl_interned *interned);
void rl_interned_free(struct rl_interned *interned);

/* The number of a key, which is added if it is not there; 0 if there is no room. Time: O(1),
 * amortised. */
uint32_t rl_interned_add(struct rl_interned *interned, uint64_t key);

/* Rows of bytes, numbered in the same way. To empty them, the hashes are cleared. */
struct rl_rows {
    struct rl_interned hashes; /* theirs; the next number that is free, where two have the same */
    uint64_t *begin;           /* [number] its place among the bytes, and the end of the last */
    char *bytes;
    uint64_t begin_room, room;
};
void rl_rows_free(struct rl_rows *rows);

/* The number of a row, which is added if it is not there; 0 if there is no room. */
uint32_t rl_rows_add(struct rl_rows *rows, const void *row, uint64_t size);
/* A row, valid until the next is added. */
static inline const void *rl_rows_at(const struct rl_rows *rows, uint64_t number,
                                     uint64_t *size_out)
{
    *size_out = rows->begin[number + 1] - rows->begin[number];
    return rows->bytes + rows->begin[number];
}

/* Makes `*array` hold `want` elements of `bytes` bytes at least; `array` is the address of a
 * pointer, `room` what it holds now. False, and the array is as it was, after a failure: that the
 * effort or the machine has no more is one. Time: O(1) an element, amortised. */
bool rl_interned_room(struct rl_effort *effort, void *array, uint64_t *room, uint64_t want,
                      uint64_t bytes);

#endif
