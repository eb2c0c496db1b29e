/* SPDX-License-Identifier: MIT
 *
 * The distribution of a hit: P(T <= t), from one start, for t = 0, 1, 2, ...
 *
 * Let f_t be the probability, from each configuration, that the set is hit within t steps: f_0 is 1
 * in the set, and f_t+1 is the mean of f_t over the successors. It is constant on the classes of a
 * lump (verifier.h), so a step costs one pass over these; it adds at most (arcs + 1) 2^-53 of
 * rounding.
 */
#include "ringleader/verify.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "verify/enumerate/verifier.h"
#include "core/inside.h"

/* One step: from the probabilities now to those after it. Returns the largest change. */
static double pass(const struct rl_lump *lump, const double *now, double *then)
{
    const struct rl_graph *graph = &lump->graph;
    double change = 0;
    for (size_t i = 0; i < graph->count; i++) {
        const uint32_t *next = graph->next + i * graph->arcs;
        double sum = 0;
        for (uint32_t arc = 0; arc < graph->arcs; arc++)
            sum += now[next[arc]];
        then[i] = lump->target[i] ? 1 : sum / graph->arcs;
        change = fmax(change, then[i] - now[i]);
    }
    return change;
}

/* The number of the representative of a configuration. */
static uint32_t number_of(const struct rl_space *space, const struct rl_ring *ring)
{
    const struct rl_classes *classes = space->words.classes;
    uint16_t letters[RL_VERIFY_AGENTS];
    for (uint32_t i = 0; i < space->words.n; i++)
        letters[i] =
            (uint16_t)
                classes->of[rl_protocol_index(ring->protocol, &ring->params, rl_ring_get(ring, i))];
    return rl_space_number(space, rl_words_canonical(&space->words, letters));
}

static void walk(const struct rl_space *space, struct rl_effort *effort, double tail,
                 const struct rl_ring *start, const struct rl_set *set, void *user,
                 void (*row)(void *user, uint64_t step, double probability))
{
    uint8_t *members = rl_space_members(space, effort, set->contains, NULL);
    struct rl_lump lump;
    rl_lump_init(&lump, &space->graph, members, space->graph.count / 4, effort);
    double *now = rl_effort_calloc(effort, lump.graph.count, sizeof *now);
    double *then = rl_effort_calloc(effort, lump.graph.count, sizeof *then);
    double change = 1;
    const uint32_t from = effort->status ? 0 : rl_lump_class(&lump, number_of(space, start));
    for (uint32_t i = 0; !effort->status && i < lump.graph.count; i++)
        now[i] = lump.target[i];
    /* Until all is known, or the rest is never reached. */
    for (uint64_t step = 0; !effort->status && change >= tail * 1e-6; step++) {
        row(user, step, now[from]);
        if (now[from] >= 1 - tail)
            break;
        change = pass(&lump, now, then);
        double *const before = now;
        now = then;
        then = before;
        effort->progress.sweeps = step + 1;
        rl_effort_goes_on(effort, 0);
    }
    rl_lump_free(&lump);
    free(members);
    free(now);
    free(then);
}

/* For each representative: two probabilities or hashes, its class, and whether it is in the
 * target. */
enum { BYTES_EACH = 2 * sizeof(double) + sizeof(uint32_t) + sizeof(uint8_t) };

enum rl_status rl_distribution(const struct rl_verify_options *options, const struct rl_ring *start,
                               size_t set, void *user,
                               void (*row)(void *user, uint64_t step, double probability),
                               struct rl_error *error)
{
    assert(set < rl_protocol_set_count(options->protocol) && start->params.n == options->params.n &&
           "no such set, or a start of another ring");
    struct rl_views views = {0};
    struct rl_space space = {0};
    struct rl_effort effort = {
        .memory = options->memory, .jobs = options->jobs, .watch = options->watch};
    const struct rl_protocol *protocol = options->protocol;
    rl_view_init(&views, protocol, &options->params, options->no_reduction, &effort, error);
    if (!effort.status) {
        const struct rl_words *words = &views.set[set]->words;
        const uint64_t bytes = rl_space_bytes(words);
        rl_view_plan(&effort, bytes ? bytes + rl_words_count(words) * BYTES_EACH : 0, error);
        rl_effort_phase(&effort, "distribution", protocol->sets[set].name);
        rl_space_init(&space, words, &effort);
        walk(&space, &effort, options->precision, start, &protocol->sets[set], user, row);
    }
    rl_space_free(&space);
    rl_view_free(&views);
    return effort.status;
}
