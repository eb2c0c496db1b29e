/* SPDX-License-Identifier: MIT
 *
 * The ring: interactions, leaders, starts and faults, for any protocol; and the oracle, for code
 * that runs an execution one interaction at a time. (The engines do the same in their loops.)
 */
#include "ringleader/ring.h"

#include <assert.h>

#include "ringleader/status.h"
#include "core/inside.h"

size_t rl_ring_bytes(const struct rl_protocol *protocol, uint32_t n)
{
    return (size_t)n * protocol->width;
}

bool rl_ring_lacks_leader(const struct rl_ring *ring)
{
    return ring->protocol->oracle && rl_ring_first_leader(ring) == ring->params.n;
}

bool rl_ring_interact(struct rl_ring *ring, uint32_t arc)
{
    return rl_ring_interact_told(ring, arc, rl_ring_lacks_leader(ring));
}

bool rl_ring_interact_told(struct rl_ring *ring, uint32_t arc, bool no_leader)
{
    assert(arc < rl_ring_arcs(ring) && "the ring has no such arc");
    const uint32_t initiator = rl_ring_initiator(ring, arc);
    const uint32_t responder = rl_ring_responder(ring, arc);
    const rl_state l_before = rl_ring_get(ring, initiator);
    const rl_state r_before = rl_ring_get(ring, responder);
    rl_state l = l_before, r = r_before;
    ring->protocol->interact(&ring->params, no_leader, &l, &r);
    rl_ring_set(ring, initiator, l);
    rl_ring_set(ring, responder, r);
    return l != l_before || r != r_before;
}

uint32_t rl_ring_leaders(const struct rl_ring *ring)
{
    uint32_t leaders = 0;
    for (uint32_t i = 0; i < ring->params.n; i++)
        leaders += ring->protocol->leads(rl_ring_get(ring, i));
    return leaders;
}

uint32_t rl_ring_first_leader(const struct rl_ring *ring)
{
    uint32_t i = 0;
    while (i < ring->params.n && !ring->protocol->leads(rl_ring_get(ring, i)))
        i++;
    return i;
}

/* Outside what a protocol promises its starts may have nothing to offer: say so. */
static enum rl_status check_states(const struct rl_ring *ring, const char *name,
                                   struct rl_error *error)
{
    if (rl_protocol_allows(ring->protocol, &ring->params, NULL) == RL_OK)
        return RL_OK;
    for (uint32_t i = 0; i < ring->params.n; i++)
        if (!rl_protocol_is_state(ring->protocol, &ring->params, rl_ring_get(ring, i)))
            return rl_error_set(error, RL_BAD_PARAMETER,
                                "protocol %s has no start '%s' with these parameters",
                                ring->protocol->name, name);
    return RL_OK;
}

enum rl_status rl_ring_start(struct rl_ring *ring, const char *name, struct rl_random *random,
                             struct rl_error *error)
{
    assert(ring->agents && name && "a start needs memory and a name");
    if (rl_text_equal(name, RL_START_RANDOM)) {
        rl_ring_randomize(ring, random);
        return RL_OK;
    }
    for (size_t i = 0; i < ring->protocol->start_count; i++)
        if (rl_text_equal(ring->protocol->starts[i].name, name)) {
            const enum rl_status status = ring->protocol->starts[i].fill(ring, random, error);
            return status ? status : check_states(ring, name, error);
        }
    return rl_error_set(error, RL_BAD_PARAMETER, "protocol %s has no start '%s'",
                        ring->protocol->name, name);
}

void rl_ring_randomize(struct rl_ring *ring, struct rl_random *random)
{
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, rl_protocol_random_state(ring->protocol, &ring->params, random));
}

void rl_ring_fault(struct rl_ring *ring, uint32_t count, struct rl_random *random,
                   void (*struck)(void *user, uint32_t agent), void *user)
{
    assert(count <= ring->params.n && "a fault of more agents than the ring has");
    /* Knuth's selection sampling: each agent is taken with probability wanted / left. */
    for (uint32_t i = 0; count > 0; i++) {
        if (rl_random_below(random, ring->params.n - i) >= count)
            continue;
        rl_ring_set(ring, i, rl_protocol_random_state(ring->protocol, &ring->params, random));
        count--;
        if (struck)
            struck(user, i);
    }
}

/* ---- the oracle ---- */

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
