/* SPDX-License-Identifier: MIT
 *
 * Batches: undo, redo, and the bisection that makes hits exact.
 *
 * Invariant: events [0, cursor) are in the ring and hold the words they replaced; events
 * [cursor, count) are not and hold the words they would write. Swapping the words of one event
 * with the ring's moves the cursor past it, in either direction.
 */
#include "ringleader/run.h"

#include <assert.h>

#include "simulate/memory.h"
#include "simulate/inside.h"

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

size_t rl_batch_first_in(struct rl_batch *batch, struct rl_ring *ring, const struct rl_set *set)
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
    rl_batch_seek(batch, ring, low);
    assert(set->contains(ring) && "the ring does not end in the set");
    rl_batch_seek(batch, ring, back);
    return low;
}
