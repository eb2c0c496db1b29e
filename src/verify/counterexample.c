/* SPDX-License-Identifier: MIT
 *
 * Counterexamples as traces, for replay and draw.
 */
#include "ringleader/verify.h"

#include "ringleader/trace.h"

/* A hit is the first step in the set, also of a set that is not closed. */
static void note_hits(const struct rl_ring *ring, uint64_t step, uint64_t *hits)
{
    for (size_t i = 0; i < ring->protocol->set_count; i++)
        if (hits[i] == RL_NEVER && ring->protocol->sets[i].contains(ring))
            hits[i] = step;
}

enum rl_status rl_counterexample_write(const struct rl_counterexample *example,
                                       const struct rl_protocol *protocol,
                                       const struct rl_params *params, void *user,
                                       bool (*put)(void *user, const void *bytes, size_t size))
{
    uint64_t agents[RL_VERIFY_AGENTS], hits[RL_MAX_SETS];
    struct rl_ring ring = {protocol, *params, agents};
    struct rl_trace_writer writer;
    const struct rl_trace_info info = {.start = "counterexample", .engine = RL_ENGINE_STEP};
    for (uint32_t i = 0; i < params->n; i++)
        rl_ring_set(&ring, i, example->start[i]);
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        hits[i] = RL_NEVER;
    rl_trace_begin(&writer, user, put, &info, &ring);
    note_hits(&ring, 0, hits);
    for (size_t k = 0; k < example->length; k++) {
        ring.params.no_leader = protocol->oracle && rl_ring_leaders(&ring) == 0;
        rl_ring_interact(&ring, example->arcs[k]);
        rl_trace_event(&writer, rl_ring_arcs(&ring), k + 1, example->arcs[k]);
        note_hits(&ring, k + 1, hits);
    }
    return rl_trace_end(&writer, example->length, hits, protocol->set_count);
}
