/* SPDX-License-Identifier: MIT
 *
 * Exploration: all that can be reached from given configurations, and whether an invariant holds
 * there. For questions that need no look at every configuration: "this start is safe", "nothing
 * leaves this set". Nothing is tabulated beforehand, so a protocol may have any number of states;
 * only those that are reached cost anything.
 *
 * Two invariants. `outputs`: no interaction ever changes an output, which with one leader is
 * Definition 1, safe. `set`: every configuration reached is in a set of the protocol. Or, instead,
 * a `goal`: from every configuration reached a set can be reached, so that an execution from the
 * start gets there with probability 1.
 *
 * The invariant `outputs` is looked at in parts, if the protocol declares parts (struct rl_part).
 * In the projection on a part an agent shows only the variables of the part, and an interaction has
 * every outcome that the hidden variables could give it; outcomes with a change of output that
 * belongs to another part are left to that part. If no projection shows a change that belongs to
 * it, none can happen: up to the first change of output an execution is seen in every projection,
 * so the one to which the change belongs would show it. If a projection does show one, it is
 * followed with all variables; the execution exists if that led to a real change.
 */
#ifndef RINGLEADER_EXPLORE_H
#define RINGLEADER_EXPLORE_H

#include "ringleader/verify.h"

RL_BEGIN

struct rl_exploration;

struct rl_explore_options {
    const struct rl_protocol *protocol;
    struct rl_params params;   /* complete and checked */
    const char *start;         /* a named start, every member of its family; or ... */
    const void *configuration; /* ... n packed words, if not NULL */
    uint64_t seed;             /* for starts that draw */
    const struct rl_set *set;  /* the invariant `set`; NULL: `outputs` */
    const struct rl_set *goal; /* instead of an invariant, or NULL */
    uint64_t memory;           /* bytes, at most */
    /* Called now and then; false stops the work. May be NULL. */
    bool (*go_on)(void *user, const struct rl_exploration *exploration);
    void *user;
};

/* Whether outputs ever change on a ring of n agents with the protocol's usual parameters, from
 * `start`, with seed 1 and in 1 GiB. */
void rl_explore_options_init(struct rl_explore_options *options, const struct rl_protocol *protocol,
                             uint32_t n, const char *start);

/* What was seen in the projection on a part. */
struct rl_explored {
    const char *part;
    uint32_t agent_classes;  /* agents that look different, as far as any were met */
    uint64_t configurations; /* summed over the members of the start */
    uint64_t largest;        /* of one member */
    uint32_t depth;          /* interactions to the last configuration found, at most */
};

struct rl_exploration {
    uint64_t members; /* configurations begun from */
    struct rl_explored explored[RL_MAX_PARTS];
    size_t explored_count;
    bool violated; /* in the projection on explored[explored_count - 1] */
    /* With all variables: an execution that ends in the violation, none in that projection being
     * shorter. It exists if the violation was confirmed. */
    struct rl_counterexample execution;
};

/* Explores. RL_BAD_PARAMETER if the start does not exist, there are more than RL_VERIFY_AGENTS
 * agents or the oracle reports with a delay, RL_TOO_LARGE if `memory` did not do, RL_STOPPED if
 * go_on said so. Free also after a failure. Time: O(configurations * n log n); memory: 21 to 37
 * bytes a configuration, and what their halves, quarters and so on take, which are far fewer. */
RL_MUST_CHECK enum rl_status rl_explore(const struct rl_explore_options *options,
                                        struct rl_exploration *exploration_out,
                                        struct rl_error *error);
void rl_explore_free(struct rl_exploration *exploration);

RL_END

#endif
