/* SPDX-License-Identifier: MIT
 *
 * Snapshots: everything that the rest of an execution depends on. An engine that is put back to one
 * goes on exactly as it did before, so any step can be reached from a snapshot before it, exactly.
 */
#ifndef RINGLEADER_SNAPSHOT_H
#define RINGLEADER_SNAPSHOT_H

#include "ringleader/engine.h"

RL_BEGIN

/* A moment of one engine's execution: the ring, the random stream, the oracle, the step and the
 * list of arcs. */
struct rl_snapshot {
    struct rl_engine engine;
    struct rl_cursor cursor;
    void *agents;
    uint32_t *listed;
};

/* Room for moments of `engine`: rl_snapshot_bytes, at most n words and n/3 arcs of 4 bytes (twice
 * as many on an undirected ring). Free with rl_snapshot_free, also after a failure. */
RL_MUST_CHECK enum rl_status rl_snapshot_init(struct rl_snapshot *snapshot,
                                              const struct rl_engine *engine);
void rl_snapshot_free(struct rl_snapshot *snapshot);
size_t rl_snapshot_bytes(const struct rl_engine *engine);

/* Keeps the moment at which the engine stands, and puts it back there. Time: O(n). */
void rl_snapshot_take(struct rl_snapshot *snapshot, const struct rl_engine *engine);
void rl_snapshot_restore(const struct rl_snapshot *snapshot, struct rl_engine *engine);

/* Puts the engine back to the snapshot and on to exactly `step`. The batch then holds the events of
 * the last stretch before it. */
void rl_snapshot_seek(const struct rl_snapshot *snapshot, struct rl_engine *engine, uint64_t step,
                      struct rl_batch *batch);

RL_END

#endif
