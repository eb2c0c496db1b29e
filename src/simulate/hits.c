/* SPDX-License-Identifier: MIT
 *
 * Hits. A set is looked at until it is hit, and then no more.
 */
#include "ringleader/run.h"
#include "simulate/inside.h"

#include <assert.h>

void rl_hits_forget(uint64_t *hits)
{
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        hits[i] = RL_NEVER;
}

/* Is the ring in the set? Never in what is no set of configurations (RL_SETTLED). */
static bool is_in(const struct rl_ring *ring, size_t set)
{
    const struct rl_set *it = &ring->protocol->sets[set];
    return it->contains && it->contains(ring);
}

void rl_hits_note(uint64_t *hits, const struct rl_ring *ring, uint64_t step)
{
    for (size_t i = 0; i < ring->protocol->set_count; i++)
        if (hits[i] == RL_NEVER && is_in(ring, i))
            hits[i] = step;
}

void rl_hits_find(uint64_t *hits, struct rl_ring *ring, struct rl_batch *batch)
{
    const struct rl_protocol *protocol = ring->protocol;
    for (size_t i = 0; i < protocol->set_count && batch->count > 0; i++) {
        if (hits[i] != RL_NEVER || !is_in(ring, i))
            continue;
        const size_t position = rl_batch_first_in(batch, ring, &protocol->sets[i]);
        assert(position > 0 && "the ring was in the set before the batch");
        hits[i] = batch->events[position - 1].step;
    }
}

int rl_hits_differ(const uint64_t *hits, const struct rl_ring *ring, uint64_t step)
{
    for (size_t i = 0; i < ring->protocol->set_count; i++)
        if (hits[i] >= step && ring->protocol->sets[i].contains &&
            is_in(ring, i) != (hits[i] == step))
            return (int)i;
    return -1;
}

void rl_hits_forget_after(uint64_t *hits, uint64_t step)
{
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        if (hits[i] != RL_NEVER && hits[i] > step)
            hits[i] = RL_NEVER;
}

bool rl_hits_advance_to(uint64_t *hits, size_t set, struct rl_engine *engine, uint64_t until,
                        struct rl_snapshot *snapshot, struct rl_batch *batch)
{
    assert(set < engine->ring->protocol->set_count && "there is no such set");
    if (hits[set] != RL_NEVER)
        return true;
    rl_snapshot_take(snapshot, engine);
    rl_engine_advance(engine, until, batch);
    rl_hits_find(hits, engine->ring, batch);
    if (hits[set] == RL_NEVER)
        return false;
    rl_snapshot_seek(snapshot, engine, hits[set], batch);
    rl_hits_forget_after(hits, hits[set]);
    return true;
}
