/* SPDX-License-Identifier: MIT
 *
 * What the library knows of runs, and strangers need not.
 */
#ifndef RINGLEADER_SIMULATE_INSIDE_H
#define RINGLEADER_SIMULATE_INSIDE_H

#include "ringleader/run.h"

/* As malloc, to be freed with free; on huge pages, if there are such and the memory is large. At
 * ten million agents every event would look up a page that the processor does not remember. */
void *rl_large_alloc(size_t bytes);

/* The next arc; false at the end. Time: O(1), amortized. */
bool rl_schedule_next(struct rl_cursor *cursor, uint32_t *arc_out);

/* One step; the arc that interacted. The batch then holds it, if it is an event. The event engine
 * never draws the arcs of null interactions: for the eye one that would change nothing is drawn
 * from `eye`, a stream of its own. */
uint32_t rl_engine_step(struct rl_engine *engine, struct rl_random *eye, struct rl_batch *batch);

/* Keeps the moment at which the engine stands, and puts it back there. Time: O(n). */
void rl_snapshot_take(struct rl_snapshot *snapshot, const struct rl_engine *engine);
void rl_snapshot_restore(const struct rl_snapshot *snapshot, struct rl_engine *engine);

/* Puts the engine back to the snapshot and on to exactly `step`. The batch then holds the events of
 * the last stretch before it. */
void rl_snapshot_seek(const struct rl_snapshot *snapshot, struct rl_engine *engine, uint64_t step,
                      struct rl_batch *batch);

/* Forgets the hits after `step`: the execution was taken back there. */
void rl_hits_forget_after(uint64_t *hits, uint64_t step);

/* From the ring as it stands after `step` interactions. Time: O(n). */
void rl_settled_begin(struct rl_settled *settled, const struct rl_ring *ring, uint64_t step);

/* Whether it has after `step` interactions, of which all events were watched. */
bool rl_settled_is(const struct rl_settled *settled, uint64_t step);

/* Walks through the batch from its event number `from` on; with `stop` only up to where it has
 * settled. The ring then stands after the events that were walked through; their number. */
size_t rl_settled_watch(struct rl_settled *settled, struct rl_ring *ring, struct rl_batch *batch,
                        size_t from, bool stop);

/* A fault must not come after the last step of the run, if there is one: RL_BAD_PARAMETER. */
RL_MUST_CHECK enum rl_status rl_run_check_fault(const struct rl_fault *fault, uint64_t max_steps,
                                                struct rl_error *error);

#endif
