/* SPDX-License-Identifier: MIT
 *
 * Outputs that have settled, watched event by event: only events change outputs.
 */
#include "ringleader/run.h"

#include "ringleader/protocol.h"
#include "ringleader/ring.h"
#include "simulate/inside.h"

uint64_t rl_settled_usual(const struct rl_protocol *protocol, const struct rl_params *params)
{
    const uint64_t n = params->n;
    if (protocol->set_count > 0 && protocol->sets[protocol->target].contains)
        return 0;
    const int parameter = rl_protocol_parameter(protocol, "settled");
    return parameter >= 0 ? n * params->value[parameter] : 20 * n * n;
}

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
