/* SPDX-License-Identifier: MIT
 *
 * What engine.c and the inner loops share.
 */
#ifndef RINGLEADER_SIMULATE_SPECIALISE_H
#define RINGLEADER_SIMULATE_SPECIALISE_H

#include "ringleader/run.h"

/* Arcs that one event adds to the list at most: it touches three pairs of neighbours, and its own
 * arc was on the list. The list needs room for so many more. */
#define RL_MOST_ADDED(undirected) ((undirected) ? 5u : 2u)

/* Makes the bits say what is on the list. Time: O(n / 8). */
void rl_engine_mark_listed(struct rl_engine *engine);

/* How many places a choice from so many arcs may fall on. To draw an empty one is a step in vain,
 * so there are few; but then their number rarely changes, and with it the rate of waiting and what
 * the choices ahead mean. */
static inline uint32_t rl_engine_places(uint32_t count)
{
    return count + count / 64;
}

/* The loops of a protocol that has none of its own. */
extern const struct rl_loops rl_loops_for_any;

#endif
