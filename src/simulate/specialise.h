/* SPDX-License-Identifier: MIT
 *
 * What the engines have of each protocol: the inner loops, compiled with its `interact` inlined.
 */
#ifndef RINGLEADER_SIMULATE_SPECIALISE_H
#define RINGLEADER_SIMULATE_SPECIALISE_H

#include "ringleader/engine.h"

/* Arcs that one event adds to the list at most: it touches three pairs of neighbours, and its own
 * arc was on the list. The list needs room for so many more. */
#define RL_MOST_ADDED(undirected) ((undirected) ? 5u : 2u)

struct rl_engine_code {
    /* Random arcs, one a step. */
    void (*steps)(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);
    /* Events only, chosen from the list of active arcs; stops also when the ring comes to have a
     * leader or loses the last, if there is an oracle to tell it. */
    void (*events)(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);
    /* Fills the list; false if there are more active arcs than it has room for. Time: O(n). */
    bool (*list)(struct rl_engine *engine);
    /* Would the interaction change a state? What the list goes by; tests compare it with doing. */
    bool (*active)(const struct rl_params *params, rl_state l, rl_state r);
};

#endif
