/* SPDX-License-Identifier: MIT
 *
 * Snapshots: an engine's own values as they are, a copy of the agents, and the list of active arcs
 * in its order, on which later choices depend. Where each arc stands in the list follows from it.
 */
#include "ringleader/snapshot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t bytes_of_agents(const struct rl_engine *engine)
{
    return rl_ring_bytes(engine->ring->protocol, engine->ring->params.n);
}

size_t rl_snapshot_bytes(const struct rl_engine *engine)
{
    return bytes_of_agents(engine) + engine->active_room * sizeof *engine->active;
}

enum rl_status rl_snapshot_init(struct rl_snapshot *snapshot, const struct rl_engine *engine)
{
    *snapshot = (struct rl_snapshot){0};
    snapshot->agents = malloc(bytes_of_agents(engine));
    snapshot->active = malloc(engine->active_room * sizeof *snapshot->active + 1);
    return snapshot->agents && snapshot->active ? RL_OK : RL_NO_MEMORY;
}

void rl_snapshot_free(struct rl_snapshot *snapshot)
{
    free(snapshot->agents);
    free(snapshot->active);
    *snapshot = (struct rl_snapshot){0};
}

void rl_snapshot_take(struct rl_snapshot *snapshot, const struct rl_engine *engine)
{
    snapshot->engine = *engine;
    if (engine->schedule)
        snapshot->cursor = *engine->schedule;
    memcpy(snapshot->agents, engine->ring->agents, bytes_of_agents(engine));
    if (engine->sparse)
        memcpy(snapshot->active, engine->active, engine->active_count * sizeof *engine->active);
}

/* The list says where each arc stands in it. */
static void find_places(struct rl_engine *engine)
{
    for (uint32_t arc = 0; arc < rl_ring_arcs(engine->ring); arc++)
        engine->place[arc] = RL_INACTIVE;
    for (uint32_t i = 0; i < engine->active_count; i++)
        engine->place[engine->active[i]] = i;
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
    memcpy(engine->active, snapshot->active, engine->active_count * sizeof *engine->active);
    find_places(engine);
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
