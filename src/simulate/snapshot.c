/* SPDX-License-Identifier: MIT
 *
 * Snapshots: an engine's own values as they are, a copy of the agents, and the list of arcs in
 * its order, on which later choices depend. Which arcs are on it follows.
 */
#include "ringleader/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/specialise.h"
#include "simulate/inside.h"

static size_t bytes_of_agents(const struct rl_engine *engine)
{
    return rl_ring_bytes(engine->ring->protocol, engine->ring->params.n);
}

enum rl_status rl_snapshot_init(struct rl_snapshot *snapshot, const struct rl_engine *engine)
{
    *snapshot = (struct rl_snapshot){0};
    snapshot->agents = malloc(bytes_of_agents(engine));
    snapshot->listed = malloc(engine->listed_room * sizeof *snapshot->listed + 1);
    return snapshot->agents && snapshot->listed ? RL_OK : RL_NO_MEMORY;
}

void rl_snapshot_free(struct rl_snapshot *snapshot)
{
    free(snapshot->agents);
    free(snapshot->listed);
    *snapshot = (struct rl_snapshot){0};
}

void rl_snapshot_take(struct rl_snapshot *snapshot, const struct rl_engine *engine)
{
    snapshot->engine = *engine;
    if (engine->schedule)
        snapshot->cursor = *engine->schedule;
    memcpy(snapshot->agents, engine->ring->agents, bytes_of_agents(engine));
    if (engine->sparse)
        memcpy(snapshot->listed, engine->listed, engine->listed_count * sizeof *engine->listed);
}

void rl_snapshot_restore(const struct rl_snapshot *snapshot, struct rl_engine *engine)
{
    assert(snapshot->engine.ring == engine->ring && "a snapshot of another engine");
    *engine = snapshot->engine;
    if (engine->schedule)
        *engine->schedule = snapshot->cursor;
    memcpy(engine->ring->agents, snapshot->agents, bytes_of_agents(engine));
    if (!engine->sparse)
        return;
    memcpy(engine->listed, snapshot->listed, engine->listed_count * sizeof *engine->listed);
    rl_engine_mark_listed(engine);
}

void rl_snapshot_seek(const struct rl_snapshot *snapshot, struct rl_engine *engine, uint64_t step,
                      struct rl_batch *batch)
{
    assert(step >= snapshot->engine.step && "the step lies before the snapshot");
    rl_snapshot_restore(snapshot, engine);
    batch->count = batch->cursor = 0;
    while (engine->step < step && !engine->over)
        rl_engine_advance(engine, step, batch);
}
