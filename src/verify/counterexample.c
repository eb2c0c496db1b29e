/* SPDX-License-Identifier: MIT
 *
 * Counterexamples as traces, for replay and draw.
 */
#include "ringleader/verify.h"

#include <assert.h>

#include "ringleader/hits.h"
#include "ringleader/trace.h"

enum rl_status rl_counterexample_write(const struct rl_counterexample *example,
                                       const struct rl_protocol *protocol,
                                       const struct rl_params *params, void *user,
                                       bool (*put)(void *user, const void *bytes, size_t size))
{
    assert(example->exists && params->n <= RL_VERIFY_AGENTS && "there is no counterexample");
    uint64_t agents[RL_VERIFY_AGENTS], hits[RL_MAX_SETS];
    struct rl_ring ring = {protocol, *params, agents};
    struct rl_trace_writer writer;
    const struct rl_trace_info info = {.start = "counterexample", .engine = RL_ENGINE_STEP};
    for (uint32_t i = 0; i < params->n; i++)
        rl_ring_set(&ring, i, example->start[i]);
    rl_hits_forget(hits);
    rl_trace_begin(&writer, user, put, &info, &ring);
    rl_hits_note(hits, &ring, 0);
    for (size_t k = 0; k < example->length; k++) {
        rl_ring_interact(&ring, example->arcs[k]);
        rl_trace_event(&writer, rl_ring_arcs(&ring), k + 1, example->arcs[k]);
        rl_hits_note(hits, &ring, k + 1);
    }
    return rl_trace_end(&writer, example->length, hits, protocol->set_count);
}
