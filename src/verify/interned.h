/* SPDX-License-Identifier: MIT
 *
 * Keys numbered 0, 1, 2, ... in the order in which they are first seen: a list and a hash table of
 * places in the list.
 *
 * Main invariant: every key is in the list once. Several lists and arrays can share one allowance
 * of memory; what would pass it does not grow, and the allowance is below zero ever after, so it is
 * enough to look there. Freeing gives nothing back: an allowance is for one piece of work, after
 * which all is freed.
 */
#ifndef RINGLEADER_VERIFY_INTERNED_H
#define RINGLEADER_VERIFY_INTERNED_H

#include <stdbool.h>
#include <stdint.h>

struct rl_interned {
    int64_t *allowance; /* bytes that may still be taken; below zero: more were wanted */
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

/* Makes `*array` hold `want` elements of `bytes` bytes at least; `array` is the address of a
 * pointer, `room` what it holds now. False, and the array is as it was, if the allowance or the
 * machine has no more. Time: O(1) an element, amortised. */
bool rl_interned_room(int64_t *allowance, void *array, uint64_t *room, uint64_t want,
                      uint64_t bytes);

#endif
