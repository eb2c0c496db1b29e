/* SPDX-License-Identifier: MIT
 *
 * Views: for each question, the coarsest classes that it allows. Questions with the same classes
 * share a view.
 */
#ifndef RINGLEADER_VIEW_H
#define RINGLEADER_VIEW_H

#include "verify/enumerate/words.h"

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
