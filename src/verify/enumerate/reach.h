/* SPDX-License-Identifier: MIT
 *
 * Fixpoints without stored successors: sets of representatives as a bit for each code.
 */
#ifndef RINGLEADER_REACH_H
#define RINGLEADER_REACH_H

#include "verify/enumerate/words.h"

static inline bool rl_bits_have(const uint64_t *bits, uint64_t code)
{
    return __atomic_load_n(&bits[code / 64], __ATOMIC_RELAXED) >> code % 64 & 1;
}

/* Bytes that the bits of all codes take. */
size_t rl_bits_bytes(const struct rl_words *words);

/* Which configurations are safe (Definition 1: exactly one leader, and no output ever changes), and
 * from which no safe one can be reached. Both are made with malloc, the caller's also after a
 * failure. */
RL_MUST_CHECK enum rl_status rl_reach_safe(const struct rl_words *words, struct rl_workers *workers,
                                           uint64_t **safe_out);
RL_MUST_CHECK enum rl_status rl_reach_stuck(const struct rl_words *words,
                                            struct rl_workers *workers, const uint64_t *safe,
                                            uint64_t **stuck_out);

/* How many configurations of the full space the members of a set stand for. */
RL_MUST_CHECK enum rl_status rl_reach_size(const struct rl_words *words, struct rl_workers *workers,
                                           const uint64_t *bits, uint64_t *size_out);

#endif
