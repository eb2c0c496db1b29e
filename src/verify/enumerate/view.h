/* SPDX-License-Identifier: MIT
 *
 * Views: for each question, the coarsest classes that it allows. Questions with the same classes
 * share a view.
 */
#ifndef RINGLEADER_VIEW_H
#define RINGLEADER_VIEW_H

#include "verify/enumerate/words.h"

/* ---- sight.c ------------------------------------------------------------------------------------
 *
 * What a predicate on configurations can see of an agent's state, as labels for classes.h.
 *
 * If the protocol says what is seen, its word is taken (tests hold it to it on every configuration
 * of small rings, and rl_sight_probe on random ones of the ring at hand). If it does not, the
 * truth is found by trying every configuration, where these are few enough; otherwise the predicate
 * is taken to see everything, which is exact and merges nothing.
 */

/* Labels that distinguish exactly what `sees` does; every state if it is NULL. */
void rl_sight_declared(const struct rl_table *table, rl_sight *sees, uint16_t *labels_out);

/* Labels that distinguish exactly the states for which some configuration of the other agents
 * makes a difference to `contains`, which must not depend on rotation.
 * Time: O(states^n) calls of `contains`. */
void rl_sight_discover(const struct rl_table *table, bool (*contains)(const struct rl_ring *ring),
                       uint16_t *labels_out, struct rl_effort *effort);

/* Does `contains` keep the promise `sees`, and ignore rotation, on `tries` random configurations?
 * Writes an offending configuration into `ring_out`, which has memory. */
bool rl_sight_probe(const struct rl_table *table, bool (*contains)(const struct rl_ring *ring),
                    rl_sight *sees, uint32_t tries, struct rl_ring *ring_out);

/* The base (outputs and interactions alone), and one for each set, lemma and claim at most. */
enum { RL_MAX_VIEWS = 1 + RL_MAX_SETS + 2 * RL_MAX_LEMMAS };

struct rl_view {
    struct rl_classes classes;
    struct rl_words words;
};

struct rl_views {
    struct rl_table table;
    struct rl_view *list[RL_MAX_VIEWS];
    size_t count;
    struct rl_view *base;
    struct rl_view *set[RL_MAX_SETS];
    struct rl_view *lemma[RL_MAX_LEMMAS];
    struct rl_view *claim[RL_MAX_LEMMAS];
};

/* The views of a protocol's sets, lemmas and claims. With `no_reduction` there is one, in which
 * every configuration stands for itself. A set that does not see what the protocol says it sees, or
 * that depends on rotation, is an error. The views point to their table, so they must not move.
 * Free also after a failure. */
void rl_view_init(struct rl_views *views, const struct rl_protocol *protocol,
                  const struct rl_params *params, bool no_reduction, struct rl_effort *effort,
                  struct rl_error *error);
void rl_view_free(struct rl_views *views);

#endif
