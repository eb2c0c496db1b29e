/* SPDX-License-Identifier: MIT
 *
 * From a projection back to the protocol. What a projection shows need not be real, so its path is
 * followed interaction by interaction, with all variables.
 */
#include <stdlib.h>

#include "verify/explore/explorer.h"

/* A hidden variable may have to count before a step of the projection comes about: the same arc
 * again and again, this often at most. */
enum { MOST_REPEATS = 1024 };

static bool record(struct rl_counterexample *execution, uint32_t arc)
{
    if ((execution->length & (execution->length + 1)) == 0) { /* room for 2^k - 1 is used up */
        uint32_t *arcs = realloc(execution->arcs, (2 * execution->length + 1) * sizeof *arcs);
        if (!arcs)
            return false;
        execution->arcs = arcs;
    }
    execution->arcs[execution->length++] = arc;
    return true;
}

/* One interaction with all variables, recorded. Says what changed of the output, or that nothing
 * at all changed. */
static bool step(struct rl_explorer *explorer, uint32_t arc, unsigned *changes_out)
{
    struct rl_ring *ring = &explorer->ring;
    const uint32_t l = rl_ring_initiator(ring, arc), r = rl_ring_responder(ring, arc);
    const rl_state l_before = rl_ring_get(ring, l), r_before = rl_ring_get(ring, r);
    const bool changed = rl_ring_interact(ring, arc);
    *changes_out = rl_projection_changes(ring->protocol, l_before, r_before, rl_ring_get(ring, l),
                                         rl_ring_get(ring, r));
    return changed && record(&explorer->out->execution, arc);
}

/* Repeats an arc until the projection shows another configuration, which must be `wanted`; or, if
 * that is NULL, until an output changes as it must not. */
static bool repeat(struct rl_explorer *explorer, uint32_t arc, const uint64_t *wanted)
{
    const uint64_t before = rl_explorer_fold(explorer, &explorer->ring);
    for (int i = 0; i < MOST_REPEATS; i++) {
        unsigned changes;
        if (!step(explorer, arc, &changes))
            return false;
        if (!wanted && changes & explorer->mine)
            return true;
        const uint64_t now = rl_explorer_fold(explorer, &explorer->ring);
        if (now != before || explorer->allowance < 0)
            return wanted && now == *wanted && explorer->allowance >= 0;
    }
    return false;
}

/* Follows the path from configuration 0 of the list to number `at`. */
static bool reach_found(struct rl_explorer *explorer, uint64_t at)
{
    uint64_t steps = 0;
    for (uint64_t i = at; i > 0; i = explorer->found.parents[i])
        steps++;
    uint32_t *path = calloc(steps + 1, sizeof *path);
    bool fine = path;
    for (uint64_t i = at, k = steps; fine && i > 0; i = explorer->found.parents[i])
        path[--k] = (uint32_t)i;
    for (uint64_t k = 0; fine && k < steps; k++)
        fine = repeat(explorer, explorer->found.arcs[path[k]],
                      &explorer->found.configurations.keys[path[k]]);
    free(path);
    return fine;
}

void rl_explorer_confirm(struct rl_explorer *explorer)
{
    struct rl_counterexample *execution = &explorer->out->execution;
    for (uint32_t i = 0; i < explorer->ring.params.n; i++)
        execution->start[i] = rl_ring_get(&explorer->ring, i);
    execution->exists = reach_found(explorer, explorer->last) &&
                        (explorer->options->set || explorer->options->goal ||
                         repeat(explorer, explorer->arc, NULL));
}
