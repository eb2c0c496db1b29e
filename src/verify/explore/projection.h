/* SPDX-License-Identifier: MIT
 *
 * A projection of a protocol: agents that show some of their variables only, and what an
 * interaction of two such agents can lead to.
 *
 * States that look the same are a class. Classes are numbered as they are met, and what two of them
 * can do is found out when they first interact: of a protocol with a million states only those
 * count that are reached. Where something is hidden, all states are looked through once, for the
 * hidden variables may have any value.
 */
#ifndef RINGLEADER_VERIFY_PROJECTION_H
#define RINGLEADER_VERIFY_PROJECTION_H

#include "ringleader/protocol.h"
#include "verify/interned.h"

enum { RL_PROJECTION_CLASSES = 1 << 16 };

/* One way in which an interaction can end. */
struct rl_outcome {
    uint32_t l; /* classes afterwards */
    uint32_t r;
    unsigned changes; /* of output: RL_CREATION, RL_DEATH */
};

struct rl_projection {
    const struct rl_protocol *protocol;
    struct rl_params params;
    rl_state shown;             /* the bits of the variables that are shown */
    struct rl_interned classes; /* the key of a class: its states with all that is hidden zero */
    rl_state *states;           /* all of them, if something is hidden */
    uint64_t state_count;
    /* Pairs of classes that have interacted, with the oracle's report; the outcomes of pair p that
     * change something shown are list[begin[p]] .. list[begin[p + 1] - 1]. */
    struct rl_interned pairs;
    uint64_t *begin;
    uint64_t begin_room;
    struct rl_outcome *list;
    uint64_t list_count, list_room;
};

/* Free also after a failure, such as RL_TOO_LARGE for more than RL_PROJECTION_CLASSES. Time:
 * O(states) if something is hidden. */
void rl_projection_init(struct rl_projection *projection, const struct rl_protocol *protocol,
                        const struct rl_params *params, uint64_t variables,
                        struct rl_effort *effort);
void rl_projection_free(struct rl_projection *projection);

/* The class of a state. */
uint32_t rl_projection_class(struct rl_projection *projection, rl_state state);

/* The state of a class in which all that is hidden is zero: the state itself if nothing is. */
static inline rl_state rl_projection_state(const struct rl_projection *projection, uint32_t class)
{
    return projection->classes.keys[class];
}

/* Outcomes, valid until the next are asked for. */
struct rl_outcomes {
    const struct rl_outcome *list;
    uint64_t count;
};

/* What classes l and r can do. */
struct rl_outcomes rl_projection_outcomes(struct rl_projection *projection, uint32_t l, uint32_t r,
                                          bool no_leader);

/* The changes of output from (l, r) to (l_after, r_after). */
unsigned rl_projection_changes(const struct rl_protocol *protocol, rl_state l, rl_state r,
                               rl_state l_after, rl_state r_after);

#endif
