/* SPDX-License-Identifier: MIT
 *
 * What the engines have of each protocol: the inner loops, compiled with its `interact` inlined.
 */
#ifndef RINGLEADER_SIMULATE_SPECIALISE_H
#define RINGLEADER_SIMULATE_SPECIALISE_H

#include "ringleader/engine.h"

struct rl_engine_code {
    /* Random arcs, one a step. */
    void (*steps)(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);
    /* Events only, chosen from the list of active arcs. */
    void (*events)(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);
    /* Fills the list; false if there are more active arcs than it has room for. Time: O(n). */
    bool (*list)(struct rl_engine *engine);
};

#endif
