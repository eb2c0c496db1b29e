/* SPDX-License-Identifier: MIT
 *
 * Batches and snapshots: undo, redo, go back, and the bisection that makes hits exact. Hits: a set
 * is checked until it is hit, and not after that. If a protocol declares no set, settled outputs
 * take its place; they are watched event by event, because only events change them.
 *
 * Invariant of a batch: events [0, cursor) are in the ring and hold the words they replaced; events
 * [cursor, count) are not and hold the words they would write. Swapping the words of one event
 * with the ring's moves the cursor past it, in either direction.
 */
#include "ringleader/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/inside.h"
#include "simulate/specialise.h"

enum rl_status rl_batch_init(struct rl_batch *batch, size_t room)
{
    assert(room > 0 && "a batch has room for an event");
    *batch = (struct rl_batch){.room = room, .wanted = room};
    batch->events = rl_large_alloc(room * sizeof *batch->events);
    return batch->events ? RL_OK : RL_NO_MEMORY;
}

void rl_batch_free(struct rl_batch *batch)
{
    free(batch->events);
    *batch = (struct rl_batch){0};
}

static void swap(struct rl_event *event, struct rl_ring *ring)
{
    const uint32_t initiator = rl_ring_initiator(ring, event->arc);
    const uint32_t responder = rl_ring_responder(ring, event->arc);
    const rl_state l = rl_ring_get(ring, initiator);
    const rl_state r = rl_ring_get(ring, responder);
    rl_ring_set(ring, initiator, event->l);
    rl_ring_set(ring, responder, event->r);
    event->l = l;
    event->r = r;
}

void rl_batch_seek(struct rl_batch *batch, struct rl_ring *ring, size_t position)
{
    assert(position <= batch->count && "the batch has no such position");
    while (batch->cursor > position)
        swap(&batch->events[--batch->cursor], ring);
    while (batch->cursor < position)
        swap(&batch->events[batch->cursor++], ring);
}

/* The least position at which the ring is in the closed set, in which it is at the end of the
 * batch. Puts the ring back. */
static size_t first_in(struct rl_batch *batch, struct rl_ring *ring, const struct rl_set *set)
{
    const size_t back = batch->cursor;
    size_t low = 0, high = batch->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        rl_batch_seek(batch, ring, middle);
        if (set->contains(ring))
            high = middle;
        else
            low = middle + 1;
    }
    rl_batch_seek(batch, ring, back);
    return low;
}

/* ---- snapshots ----
 *
 * An engine's own values as they are, a copy of the agents, and the list of arcs in its order, on
 * which later choices depend. Which arcs are on it follows. */

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

/* ---- hits ---- */

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
        const size_t position = first_in(batch, ring, &protocol->sets[i]);
        assert(position > 0 && "the ring was in the set before the batch");
        hits[i] = batch->events[position - 1].step;
    }
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

/* ---- settled outputs ---- */

void rl_settled_begin(struct rl_settled *settled, const struct rl_ring *ring, uint64_t step)
{
    settled->since = step;
    settled->leaders = settled->wanted ? rl_ring_leaders(ring) : 0;
}

bool rl_settled_is(const struct rl_settled *settled, uint64_t step)
{
    return settled->wanted && settled->leaders == 1 && step - settled->since >= settled->wanted;
}

static uint32_t leaders_of(const struct rl_ring *ring, uint32_t arc)
{
    return (uint32_t)ring->protocol->leads(rl_ring_get(ring, rl_ring_initiator(ring, arc))) +
           2 * (uint32_t)ring->protocol->leads(rl_ring_get(ring, rl_ring_responder(ring, arc)));
}

size_t rl_settled_watch(struct rl_settled *settled, struct rl_ring *ring, struct rl_batch *batch,
                        size_t from, bool stop)
{
    static const uint32_t LEADERS[] = {0, 1, 1, 2};
    size_t i = from;
    rl_batch_seek(batch, ring, from);
    for (; i < batch->count; i++) {
        const struct rl_event *event = &batch->events[i];
        if (stop && rl_settled_is(settled, event->step - 1))
            break;
        const uint32_t before = leaders_of(ring, event->arc);
        rl_batch_seek(batch, ring, i + 1);
        const uint32_t after = leaders_of(ring, event->arc);
        if (before != after)
            settled->since = event->step;
        settled->leaders += LEADERS[after] - LEADERS[before];
    }
    return i;
}
