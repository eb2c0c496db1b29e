/* SPDX-License-Identifier: MIT
 *
 * Hits: for each set of the ring's protocol the first step at which the ring was in it.
 *
 * An array of RL_MAX_SETS steps in the order of the sets, RL_NEVER where there is no hit so far.
 * The sets are closed, so a set that contains the ring at the end of a batch and did not before was
 * entered inside the batch, and bisection finds where: hits are exact to the step, and cost one
 * test of each set a batch.
 */
#ifndef RINGLEADER_HITS_H
#define RINGLEADER_HITS_H

#include "ringleader/batch.h"
#include "ringleader/snapshot.h"

RL_BEGIN

/* No hits: at the start and after a disturbance. */
void rl_hits_forget(uint64_t *hits);

/* The sets that contain the ring as it stands after `step` interactions, if they are not hit yet.
 * Right for any sets, closed or not, if it is called at every step. Time: O(n). */
void rl_hits_note(uint64_t *hits, const struct rl_ring *ring, uint64_t step);

/* The sets entered in the batch, at whose end the ring stands. Time: O(n), O(count + n log count)
 * where there is a hit. */
void rl_hits_find(uint64_t *hits, struct rl_ring *ring, struct rl_batch *batch);

/* The first set of which `hits` is wrong about `step`, as the ring stands then; -1: none. What was
 * hit before is not looked at again. Time: O(n). */
int rl_hits_differ(const uint64_t *hits, const struct rl_ring *ring, uint64_t step);

/* Forgets the hits after `step`: the execution was taken back there. */
void rl_hits_forget_after(uint64_t *hits, uint64_t step);

/* As rl_engine_advance, but finds hits and stops exactly at that of `set`, after which the engine
 * can go on; says whether the ring is in the set. `snapshot` is room for a moment of the engine. */
bool rl_hits_advance_to(uint64_t *hits, size_t set, struct rl_engine *engine, uint64_t until,
                        struct rl_snapshot *snapshot, struct rl_batch *batch);

RL_END

#endif
