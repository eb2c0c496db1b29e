/* SPDX-License-Identifier: MIT
 *
 * The configurations found so far, in the order they were found, each with the one it was found
 * from.
 *
 * Main invariant: parents[i] < i for i > 0, so walking from parent to parent ends at the first.
 */
#ifndef RINGLEADER_VERIFY_FOUND_H
#define RINGLEADER_VERIFY_FOUND_H

#include "verify/interned.h"

struct rl_found {
    struct rl_interned configurations;
    uint32_t *parents;
    uint8_t *arcs; /* the arc from the parent */
    uint64_t room; /* of the two */
};

/* Empties the list and keeps its memory. */
void rl_found_clear(struct rl_found *found);
void rl_found_free(struct rl_found *found);

/* Time: O(1), amortised. */
enum rl_interned_answer rl_found_add(struct rl_found *found, uint64_t configuration,
                                     uint32_t parent, uint32_t arc, uint32_t *number_out);

#endif
