/* SPDX-License-Identifier: MIT
 *
 * The oracle, for whoever walks through an execution one interaction at a time. The engines do the
 * same inside their loops.
 */
#include "ringleader/ring.h"
#include "core/inside.h"

#include <assert.h>

void rl_oracle_look(struct rl_oracle *oracle, const struct rl_ring *ring, uint64_t step)
{
    if (!ring->protocol->oracle)
        return;
    const bool was_absent = oracle->leaders == 0;
    oracle->leaders = rl_ring_leaders(ring);
    if (!was_absent)
        oracle->since = step;
}

uint64_t rl_oracle_of_ring(const struct rl_oracle *oracle, const struct rl_ring *ring)
{
    if (!ring->protocol->oracle)
        return UINT64_MAX;
    return rl_oracle_speaks_after(oracle, ring->params.value[ring->protocol->delay]);
}

static uint32_t leaders_of(const struct rl_ring *ring, uint32_t arc)
{
    return (uint32_t)ring->protocol->leads(rl_ring_get(ring, rl_ring_initiator(ring, arc))) +
           (uint32_t)ring->protocol->leads(rl_ring_get(ring, rl_ring_responder(ring, arc)));
}

bool rl_oracle_interact(struct rl_oracle *oracle, struct rl_ring *ring, uint32_t arc, uint64_t step)
{
    assert(step > 0 && "steps count from 1");
    if (!ring->protocol->oracle)
        return rl_ring_interact_told(ring, arc, false);
    const bool no_leader = step - 1 >= rl_oracle_of_ring(oracle, ring);
    const uint32_t before = leaders_of(ring, arc);
    const bool changed = rl_ring_interact_told(ring, arc, no_leader);
    rl_oracle_watch(oracle, before, leaders_of(ring, arc), step);
    return changed;
}
