/* SPDX-License-Identifier: MIT
 *
 * Exploration: finds everything that can be reached from given configurations, and checks an
 * invariant there. It answers questions that do not concern every configuration: "is this start
 * safe?", "does anything leave this set?". No table is built beforehand, so a protocol may have any
 * number of states; only those that are reached cost anything.
 *
 * There are two invariants. `outputs`: no interaction ever changes an output; with one leader this
 * is what Definition 1 calls safe. `set`: every configuration reached is in a given set of the
 * protocol. Instead of an invariant you may give a `goal`, which is a set: can it be reached from
 * every configuration that is reached? If so, an execution from the start gets there with
 * probability 1.
 *
 * If the protocol declares parts (struct rl_part), the invariant `outputs` is checked part by part.
 * In the projection onto a part, an agent shows only the variables of that part, and an interaction
 * has every outcome that the hidden variables could give it. A change of output that belongs to
 * another part is left to that part. If no projection shows a change that belongs to it, no change
 * can happen: up to its first change of output an execution is seen in every projection, so the
 * part to which the change belongs would show it. If a projection does show a change, that
 * execution is repeated with all variables; `execution` exists if this led to a real change.
 */
#ifndef RINGLEADER_EXPLORE_H
#define RINGLEADER_EXPLORE_H

#include "ringleader/experiment.h"
#include "ringleader/verify.h"

RL_BEGIN

struct rl_explore_options {
    /* Its protocol, parameters, seed and start: of a named one, every member of its family. */
    struct rl_experiment experiment;
    const struct rl_set *set;     /* the invariant `set`; NULL: `outputs` */
    const struct rl_set *goal;    /* instead of an invariant, or NULL */
    uint64_t memory;              /* bytes, at most */
    const struct rl_watch *watch; /* may be NULL */
};

/* Asks whether outputs ever change on a ring of n agents with the protocol's default parameters,
 * from `start`, with seed 1 and 1 GiB of memory. */
void rl_explore_options_init(struct rl_explore_options *options, const struct rl_protocol *protocol,
                             uint32_t n, const char *start);

/* What was found in the projection onto a part. */
struct rl_explored {
    const char *part;
    uint32_t agent_classes;  /* kinds of agents that were met */
    uint64_t configurations; /* in all members of the start together */
    uint64_t largest;        /* of one member */
    uint32_t depth;          /* the largest distance of a configuration, in interactions */
};

struct rl_exploration {
    uint64_t members; /* number of initial configurations */
    struct rl_explored explored[RL_MAX_PARTS];
    size_t explored_count;
    bool violated; /* in the projection onto explored[explored_count - 1] */
    /* An execution with all variables that ends in the violation. None in that projection is
     * shorter. It exists if the violation was confirmed. */
    struct rl_counterexample execution;
};

/* Explores. RL_BAD_PARAMETER: the start does not exist, there are more than RL_VERIFY_AGENTS
 * agents, or the oracle has a delay. RL_TOO_LARGE: `memory` was not enough. RL_STOPPED: the
 * watch returned false. Call rl_explore_free even after a failure. Time: O(configurations * n^2).
 * Memory: 32 to 56 bytes per configuration, and 2 to 4 for each of its agents. */
RL_MUST_CHECK enum rl_status rl_explore(const struct rl_explore_options *options,
                                        struct rl_exploration *exploration_out,
                                        struct rl_error *error);
void rl_explore_free(struct rl_exploration *exploration);

RL_END

#endif
