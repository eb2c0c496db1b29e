/* SPDX-License-Identifier: MIT
 *
 * What a predicate on configurations can see of an agent's state, as labels for classes.h.
 *
 * If the protocol says what is seen, its word is taken (tests hold it to it on every configuration
 * of small rings, and rl_sight_probe on random ones of the ring at hand). If it does not, the
 * truth is found by trying every configuration, where these are few enough; otherwise the predicate
 * is taken to see everything, which is exact and merges nothing.
 */
#ifndef RINGLEADER_SIGHT_H
#define RINGLEADER_SIGHT_H

#include "verify/table.h"

/* Labels that distinguish exactly what `sees` does; every state if it is NULL. */
void rl_sight_declared(const struct rl_table *table, rl_sight *sees, uint16_t *labels_out);

/* Labels that distinguish exactly the states for which some configuration of the other agents
 * makes a difference to `contains`, which must not depend on rotation.
 * Time: O(states^n) calls of `contains`. */
RL_MUST_CHECK enum rl_status rl_sight_discover(const struct rl_table *table,
                                               bool (*contains)(const struct rl_ring *ring),
                                               uint16_t *labels_out);

/* The number of configurations that rl_sight_discover tries, or 0 if above `most`. */
uint64_t rl_sight_effort(const struct rl_table *table, uint64_t most);

/* Does `contains` keep the promise `sees`, and ignore rotation, on `tries` random configurations?
 * Writes an offending configuration into `ring_out`, which has memory. */
bool rl_sight_probe(const struct rl_table *table, bool (*contains)(const struct rl_ring *ring),
                    rl_sight *sees, uint32_t tries, struct rl_ring *ring_out);

#endif
