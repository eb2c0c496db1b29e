/* SPDX-License-Identifier: MIT
 *
 * Lumping: third reduction, of whole configurations, for exact arithmetic.
 *
 * Configurations that need equally many steps in distribution are put together: the coarsest
 * partition in which the target is one class and all members of a class have the same number of
 * arcs into each class (Kemeny and Snell). Expected steps are constant on each class.
 */
#ifndef RINGLEADER_LUMP_H
#define RINGLEADER_LUMP_H

#include "verify/enumerate/space.h"

struct rl_lump {
    uint32_t count; /* classes; class 0 is the target */
    uint32_t *of;   /* [number] its class */
    uint32_t *next; /* [class * arcs + arc], in ascending order; of the target: 0 */
};

/* Free also after a failure. Time: O(count * arcs) a round. */
RL_MUST_CHECK enum rl_status rl_lump_init(struct rl_lump *lump, const struct rl_space *space,
                                          const uint8_t *target);
void rl_lump_free(struct rl_lump *lump);

#endif
