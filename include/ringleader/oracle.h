/* SPDX-License-Identifier: MIT
 *
 * The oracle Omega? of Fischer and Jiang: the part of the environment that watches for leaders.
 *
 * A protocol that declares an oracle is told, at every interaction, whether there is no leader on
 * the ring. The oracle is truthful: it speaks only while there is none. It speaks once the absence
 * has lasted `delay` steps, which is a parameter of the protocol: 0 is the oracle of the paper's
 * footnote, which reports at once. So interaction t is told iff there was no leader after each of
 * the steps t-1-delay .. t-1.
 *
 * Whoever makes a ring with an oracle interact keeps one of these beside it. For a protocol without
 * an oracle all of this costs nothing and says nothing.
 */
#ifndef RINGLEADER_ORACLE_H
#define RINGLEADER_ORACLE_H

#include "ringleader/ring.h"

RL_BEGIN

struct rl_oracle {
    uint32_t leaders;
    uint64_t since; /* if there is no leader: the number of steps after which there was none */
};

/* Looks at the whole ring after `step` interactions: at the start (of a zeroed oracle), and when
 * somebody else has changed the ring. Time: O(n). */
void rl_oracle_look(struct rl_oracle *oracle, const struct rl_ring *ring, uint64_t step);

/* The step-th interaction turned `before` leaders among its two agents into `after`. */
static inline void rl_oracle_watch(struct rl_oracle *oracle, uint32_t before, uint32_t after,
                                   uint64_t step)
{
    oracle->leaders += after - before;
    if (oracle->leaders == 0 && before > 0)
        oracle->since = step;
}

/* The number of steps after which the oracle speaks; UINT64_MAX while there is a leader. */
static inline uint64_t rl_oracle_speaks_after(const struct rl_oracle *oracle, uint64_t delay)
{
    return oracle->leaders == 0 ? oracle->since + delay : UINT64_MAX;
}

/* The same, with the delay of the ring's protocol; UINT64_MAX if it has no oracle. */
uint64_t rl_oracle_of_ring(const struct rl_oracle *oracle, const struct rl_ring *ring);

/* Makes an arc interact as the step-th interaction (counted from 1); says whether a state changed.
 * Time: O(1). */
bool rl_oracle_interact(struct rl_oracle *oracle, struct rl_ring *ring, uint32_t arc,
                        uint64_t step);

RL_END

#endif
