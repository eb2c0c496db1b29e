/* SPDX-License-Identifier: MIT
 *
 * An exploration under way (explore.c), and its way back from a projection to the protocol.
 */
#ifndef RINGLEADER_VERIFY_EXPLORER_H
#define RINGLEADER_VERIFY_EXPLORER_H

#include "ringleader/explore.h"
#include "verify/explore/fold.h"
#include "verify/explore/found.h"
#include "verify/explore/links.h"
#include "verify/explore/projection.h"

/* Twice the agents: the row of their classes, with its pairs. */
enum { RL_EXPLORER_ROW = 2 * RL_VERIFY_AGENTS };

struct rl_explorer {
    const struct rl_explore_options *options;
    struct rl_exploration *out;
    struct rl_projection projection;
    unsigned mine;            /* changes of output that must not be seen */
    unsigned elsewhere;       /* changes that other parts see to */
    uint64_t allowance;       /* bytes that the present part may still take */
    struct rl_ring ring;      /* of the present member; memory is the explorer's */
    void *scratch;            /* a configuration */
    struct rl_interned pairs; /* of classes, and of such pairs */
    struct rl_found found;
    struct rl_links links; /* kept if there is a goal */
    /* A violation: from configuration `last` along `arc`, or, for a set or a goal, at `last`. */
    uint64_t last;
    uint32_t arc;
};

/* The ring as the projection shows it, folded. False: no room. */
bool rl_explorer_fold(struct rl_explorer *explorer, const struct rl_ring *ring,
                      uint64_t *folded_out);

/* Follows the violation from the explorer's ring with all variables; the execution exists if that
 * led to a real one. */
void rl_explorer_confirm(struct rl_explorer *explorer);

#endif
