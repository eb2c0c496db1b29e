/* SPDX-License-Identifier: MIT
 *
 * Traps, by breadth-first search: go on from a configuration that does not lead back until
 * everything leads back: each time less can be reached. And executions that show a "no", as text.
 */
#include "verify/enumerate/verifier.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/run.h"

/* Marks what can be reached, and lists it in the order of distance; returns how much there is. */
static size_t search(const struct rl_graph *graph, uint32_t from, uint8_t *seen, uint32_t *queue)
{
    size_t found = 1;
    memset(seen, 0, graph->count);
    seen[from] = 1;
    queue[0] = from;
    for (size_t at = 0; at < found; at++)
        for (uint32_t arc = 0; arc < graph->arcs; arc++) {
            const uint32_t next = graph->next[(size_t)queue[at] * graph->arcs + arc];
            if (!seen[next])
                queue[found++] = next;
            seen[next] = 1;
        }
    return found;
}

uint8_t *rl_trap_find(const struct rl_graph *graph, uint32_t from, struct rl_effort *effort)
{
    uint8_t *trap = rl_effort_calloc(effort, graph->count, sizeof *trap);
    uint8_t *seen = rl_effort_calloc(effort, graph->count, sizeof *seen);
    uint32_t *queue = rl_effort_calloc(effort, graph->count, sizeof *queue);
    for (size_t last = 1; !effort->status && last > 0;) {
        last = search(graph, from, seen, queue);
        memset(trap, 0, graph->count);
        trap[from] = 1;
        rl_graph_spread(graph, trap); /* now it is all that leads back */
        while (last > 0 && trap[queue[last - 1]])
            last--;
        from = last > 0 ? queue[last - 1] : from;
    }
    for (size_t i = 0; !effort->status && i < graph->count; i++)
        trap[i] &= seen[i];
    free(seen);
    free(queue);
    return trap;
}

/* ---- counterexamples as executions, for replay and draw ---- */

enum { ARC_ROOM = 11 }; /* ten digits and a space */

enum rl_status rl_counterexample_write(const struct rl_counterexample *example,
                                       const struct rl_protocol *protocol,
                                       const struct rl_params *params, void *user, rl_put put)
{
    assert(example->exists && params->n <= RL_VERIFY_AGENTS && "there is no counterexample");
    uint64_t start[RL_VERIFY_AGENTS], agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {protocol, *params, agents};
    struct rl_execution execution = {
        .experiment = {.protocol = protocol,
                       .params = *params,
                       .configuration = start,
                       .engine = RL_ENGINE_STEP,
                       .end = {.kind = RL_UNTIL_STEPS, .steps = example->length}},
        .events = RL_NEVER};
    const size_t size = ARC_ROOM * example->length + 1;
    char *arcs = malloc(size);
    if (!arcs)
        return RL_NO_MEMORY;
    struct rl_text text = rl_text_into(arcs, size);
    for (uint32_t i = 0; i < params->n; i++)
        rl_ring_set(&ring, i, example->start[i]);
    memcpy(start, agents, rl_ring_bytes(protocol, params->n));
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
