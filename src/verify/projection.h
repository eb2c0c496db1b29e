/* SPDX-License-Identifier: MIT
 *
 * A projection of a protocol: agents that show some of their variables only, and what an
 * interaction of two such agents can lead to.
 */
#ifndef RINGLEADER_VERIFY_PROJECTION_H
#define RINGLEADER_VERIFY_PROJECTION_H

#include "ringleader/ring.h"

/* One way in which an interaction can end. */
struct rl_outcome {
    uint32_t l; /* classes afterwards */
    uint32_t r;
    unsigned changes; /* of output: RL_CREATION, RL_DEATH */
};

struct rl_projection {
    const struct rl_protocol *protocol;
    struct rl_params params;
    rl_state shown;    /* the bits of the variables that are shown */
    uint32_t *classes; /* of each state, by its index */
    rl_state *first;   /* a state of each class: the one of least index */
    uint32_t class_count;
    /* The outcomes of (l, r) that change something shown: list[begin[p]] .. list[begin[p + 1] - 1],
     * p = (report * class_count + l) * class_count + r, where report is the oracle's, else 0. */
    uint64_t *begin;
    struct rl_outcome *list;
    uint64_t list_count, list_room;
};

/* Free also after a failure. Time: O(states^2). */
RL_MUST_CHECK enum rl_status rl_projection_init(struct rl_projection *projection,
                                                const struct rl_protocol *protocol,
                                                const struct rl_params *params, uint64_t variables);
void rl_projection_free(struct rl_projection *projection);

static inline uint32_t rl_projection_class(const struct rl_projection *projection, rl_state state)
{
    return projection->classes[rl_protocol_index(projection->protocol, &projection->params, state)];
}

/* The changes of output from (l, r) to (l_after, r_after). */
unsigned rl_projection_changes(const struct rl_protocol *protocol, rl_state l, rl_state r,
                               rl_state l_after, rl_state r_after);

#endif
