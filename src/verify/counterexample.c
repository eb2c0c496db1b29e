/* SPDX-License-Identifier: MIT
 *
 * Counterexamples as executions, for replay and draw.
 */
#include "ringleader/verify.h"

#include <assert.h>
#include <stdlib.h>

#include "ringleader/run.h"
#include "ringleader/status.h"

enum { ARC_ROOM = 11 }; /* ten digits and a space */

enum rl_status rl_counterexample_write(const struct rl_counterexample *example,
                                       const struct rl_protocol *protocol,
                                       const struct rl_params *params, void *user,
                                       bool (*put)(void *user, const void *bytes, size_t size))
{
    assert(example->exists && params->n <= RL_VERIFY_AGENTS && "there is no counterexample");
    uint64_t start[RL_VERIFY_AGENTS], agents[RL_VERIFY_AGENTS];
    struct rl_ring first = {protocol, *params, start}, ring = {protocol, *params, agents};
    struct rl_execution execution = {.options = {.protocol = protocol,
                                                 .params = *params,
                                                 .configuration = start,
                                                 .engine = RL_ENGINE_STEP,
                                                 .max_steps = example->length},
                                     .events = RL_NEVER};
    const size_t size = ARC_ROOM * example->length + 1;
    char *arcs = malloc(size);
    if (!arcs)
        return RL_NO_MEMORY;
    struct rl_text text = rl_text_into(arcs, size);
    for (uint32_t i = 0; i < params->n; i++) {
        rl_ring_set(&first, i, example->start[i]);
        rl_ring_set(&ring, i, example->start[i]);
    }
    rl_hits_forget(execution.hits);
    rl_hits_note(execution.hits, &ring, 0);
    for (size_t k = 0; k < example->length; k++) {
        rl_ring_interact(&ring, example->arcs[k]);
        rl_hits_note(execution.hits, &ring, k + 1);
        rl_text_format(&text, k ? " %u" : "%u", example->arcs[k]);
    }
    execution.schedule = example->length > 0 ? arcs : NULL;
    const enum rl_status status = rl_execution_write(&execution, user, put);
    free(arcs);
    return status;
}
