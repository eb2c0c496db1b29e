/* SPDX-License-Identifier: MIT
 *
 * Partition refinement as Moore did it: in each round a member's row tells its class and those of
 * what it leads to, and a class falls apart into the members with equal rows.
 */
#ifndef RINGLEADER_VERIFY_PARTITION_H
#define RINGLEADER_VERIFY_PARTITION_H

#include "verify/effort.h"

/* What is refined: `count` members, each with a row of `width` numbers. */
struct rl_partition {
    uint32_t count, width;
    const void *user;
    /* The row of a member, given the classes so far. */
    void (*row)(const void *user, const uint32_t *class, uint32_t member, uint32_t *row_out);
    uint32_t *class;  /* [member] */
    uint32_t *first;  /* [class] its first member; classes are numbered in that order */
    uint32_t classes; /* how many */
};

/* The coarsest partition that is no coarser than `class` and in which members of a class have equal
 * rows. Makes `first`; the caller frees both, also after a failure.
 * Time: O(count * width) a round, at most `classes` rounds. */
void rl_partition_refine(struct rl_partition *partition, struct rl_effort *effort);

#endif
