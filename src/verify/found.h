/* SPDX-License-Identifier: MIT
 *
 * The configurations found so far, in the order they were found, each with the one it was found
 * from: a list and a hash table of places in the list.
 *
 * Main invariant: parent[i] < i, so walking from parent to parent ends at the first. Memory is
 * never more than `most`: a list that would pass it does not grow.
 */
#ifndef RINGLEADER_VERIFY_FOUND_H
#define RINGLEADER_VERIFY_FOUND_H

#include <stdbool.h>
#include <stdint.h>

struct rl_found {
    uint64_t most; /* bytes */
    uint64_t *keys;
    uint32_t *parents;
    uint8_t *arcs; /* the arc from the parent */
    uint64_t count, room;
    uint32_t *table; /* place in the list + 1; 0: free */
    uint64_t table_size;
};

/* Empties the list and keeps its memory. */
void rl_found_clear(struct rl_found *found);
void rl_found_free(struct rl_found *found);

enum rl_found_answer { RL_FOUND_NEW, RL_FOUND_BEFORE, RL_FOUND_NO_ROOM };

/* Time: O(1), amortised. */
enum rl_found_answer rl_found_add(struct rl_found *found, uint64_t key, uint64_t parent,
                                  uint32_t arc);

#endif
