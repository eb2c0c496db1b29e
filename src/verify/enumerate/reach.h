/* SPDX-License-Identifier: MIT
 *
 * Fixpoints on the stored space: sets of representatives as a byte (0 or 1) for each number.
 */
#ifndef RINGLEADER_REACH_H
#define RINGLEADER_REACH_H

#include "verify/enumerate/space.h"

/* Definition 1: exactly one leader, and no output ever changes. The greatest set of configurations
 * with one leader from which no interaction changes an output or leads out of the set. */
RL_MUST_CHECK enum rl_status rl_reach_safe(const struct rl_space *space, struct rl_workers *workers,
                                           uint8_t *safe_out);

/* The configurations from which a member of `set` can be reached; may be done in place. */
RL_MUST_CHECK enum rl_status rl_reach_back(const struct rl_space *space, struct rl_workers *workers,
                                           uint8_t *set);

/* The configurations for which predicate(ring) holds. */
RL_MUST_CHECK enum rl_status rl_reach_members(const struct rl_space *space,
                                              struct rl_workers *workers,
                                              bool (*predicate)(const struct rl_ring *ring),
                                              uint8_t *set_out);

/* How many members a set has, and how many configurations of the full space they stand for. */
struct rl_size {
    uint64_t representatives;
    uint64_t configurations;
};
RL_MUST_CHECK enum rl_status rl_reach_size(const struct rl_space *space, struct rl_workers *workers,
                                           const uint8_t *set, struct rl_size *size_out);

#endif
