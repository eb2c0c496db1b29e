/* SPDX-License-Identifier: MIT
 *
 * An exploration under way (explore.c), and its way back from a projection to the protocol.
 */
#ifndef RINGLEADER_VERIFY_EXPLORER_H
#define RINGLEADER_VERIFY_EXPLORER_H

#include "ringleader/explore.h"
#include "verify/interned.h"
#include "ringleader/ring.h"

/* ---- fold.c -------------------------------------------------------------------------------------
 *
 * A row of numbers as one number of 64 bits, and back: neighbours are numbered as pairs, the pairs'
 * numbers as pairs again, until two are left.
 *
 * So a configuration takes 8 bytes however many agents and states there are, and what many
 * configurations have in common is kept once. An interaction changes two neighbours; of the pairs
 * of each level it changes one or two, and only those are looked up.
 */

/* A row of `length` >= 2 numbers takes an array of 2 * length: the row, then the row of its pairs,
 * and so on. */

/* Folds a row; `pairs` holds the pairs of every level. */
uint64_t rl_fold(struct rl_interned *pairs, uint32_t *row, uint32_t length);
/* The same for a row whose pairs are there already, but for numbers l and r, which have changed. */
uint64_t rl_refold(struct rl_interned *pairs, uint32_t *row, uint32_t length, uint32_t l,
                   uint32_t r);
void rl_unfold(const struct rl_interned *pairs, uint64_t folded, uint32_t length,
               uint32_t *row_out);

/* ---- projection.c -------------------------------------------------------------------------------
 *
 * A projection of a protocol: agents that show some of their variables only, and what an
 * interaction of two such agents can lead to.
 *
 * States that look the same are a class. Classes are numbered as they are met, and what two of them
 * can do is found out when they first interact: of a protocol with a million states only those
 * count that are reached. Where something is hidden, all states are looked through once, for the
 * hidden variables may have any value.
 */

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
    /* If something is hidden, the states of class c: members[start[c]] .. members[start[c + 1] - 1]
     */
    bool hides;
    rl_state *members;
    uint64_t *start;
    /* Pairs of classes that have interacted, with the oracle's report; the outcomes of pair p that
     * change something shown are list[begin[p]] .. list[begin[p + 1] - 1]. */
    struct rl_interned pairs;
    uint64_t *begin;
    uint64_t begin_room;
    struct rl_outcome *list;
    uint64_t list_count, list_room;
};

/* Free also if the allowance was passed. Time: O(states) if something is hidden. */
void rl_projection_init(struct rl_projection *projection, const struct rl_protocol *protocol,
                        const struct rl_params *params, uint64_t variables, int64_t *allowance);
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

/* ---- explore.c and confirm.c --------------------------------------------------------------------
 */

/* The configurations found so far, in the order they were found, each with the one it was found
 * from; and, if that is wanted, which leads to which: 13 bytes each, 8 to 16 in the table, and 8 a
 * link.
 *
 * Main invariant: parents[i] < i for i > 0, so walking from parent to parent ends at the first. */
struct rl_found {
    struct rl_interned configurations; /* its allowance is that of all */
    uint32_t *parents;
    uint8_t *arcs; /* the arc from the parent */
    uint64_t parent_room, arc_room;
    struct rl_way {
        uint32_t from, to;
    } * links;
    uint64_t link_count, link_room;
};

/* Twice the agents: the row of their classes, with its pairs. */
enum { RL_EXPLORER_ROW = 2 * RL_VERIFY_AGENTS };

struct rl_explorer {
    const struct rl_explore_options *options;
    struct rl_exploration *out;
    struct rl_error *error;
    enum rl_status status; /* once it is not RL_OK, nothing more is done */
    struct rl_projection projection;
    unsigned mine;            /* changes of output that must not be seen */
    unsigned elsewhere;       /* changes that other parts see to */
    int64_t allowance;        /* bytes that the present part may still take */
    struct rl_ring ring;      /* of the present member; memory is the explorer's */
    void *scratch;            /* a configuration */
    struct rl_interned pairs; /* of classes, and of such pairs */
    struct rl_found found;    /* with links, if there is a goal */
    /* A violation: from configuration `last` along `arc`, or, for a set or a goal, at `last`. */
    uint64_t last;
    uint32_t arc;
};

/* The ring as the projection shows it, folded. */
uint64_t rl_explorer_fold(struct rl_explorer *explorer, const struct rl_ring *ring);

/* Follows the violation from the explorer's ring with all variables; the execution exists if that
 * led to a real one. */
void rl_explorer_confirm(struct rl_explorer *explorer);

#endif
