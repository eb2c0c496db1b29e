/* SPDX-License-Identifier: MIT
 *
 * Traps and ways, by breadth-first search. To find a trap, go on from a configuration that does not
 * lead back until everything leads back: each time less can be reached.
 */
#include "verify/enumerate/verifier.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/run.h"

#define UNSEEN UINT32_MAX

/* What a search has found, in its order, each with the one it was found from. */
struct ways {
    uint32_t *parent; /* [number] */
    uint32_t *queue;
    size_t found;
};

static struct ways make_ways(const struct rl_space *space, struct rl_effort *effort)
{
    return (struct ways){rl_effort_calloc(effort, space->graph.count, sizeof(uint32_t)),
                         rl_effort_calloc(effort, space->graph.count, sizeof(uint32_t)), 0};
}

static void free_ways(struct ways *ways)
{
    free(ways->parent);
    free(ways->queue);
}

static void search(const struct rl_graph *graph, uint32_t from, struct ways *ways)
{
    memset(ways->parent, 0xff, graph->count * sizeof *ways->parent);
    ways->parent[from] = ways->queue[0] = from;
    ways->found = 1;
    for (size_t at = 0; at < ways->found; at++) {
        const uint32_t number = ways->queue[at];
        for (uint32_t arc = 0; arc < graph->arcs; arc++) {
            const uint32_t next = graph->next[(size_t)number * graph->arcs + arc];
            if (ways->parent[next] == UNSEEN) {
                ways->parent[next] = number;
                ways->queue[ways->found++] = next;
            }
        }
    }
}

uint8_t *rl_trap_find(const struct rl_space *space, uint32_t from, struct rl_effort *effort)
{
    const struct rl_graph *graph = &space->graph;
    uint8_t *trap = rl_effort_calloc(effort, graph->count, sizeof *trap);
    struct ways ways = make_ways(space, effort);
    for (size_t last = 1; !effort->status && last > 0;) {
        search(graph, from, &ways);
        memset(trap, 0, graph->count);
        trap[from] = 1;
        rl_graph_spread(graph, trap); /* now it is all that leads back */
        for (last = ways.found; last > 0 && trap[ways.queue[last - 1]];)
            last--;
        from = last > 0 ? ways.queue[last - 1] : from;
    }
    for (size_t i = 0; !effort->status && i < graph->count; i++)
        trap[i] &= ways.parent[i] != UNSEEN;
    free_ways(&ways);
    return trap;
}

/* ---- ways ---- */

/* The arc of `word` at which something happens that leads to `wanted`, or, if that is UNSEEN, that
 * changes an output; or UNSEEN. The word itself moves on; it is not turned to its representative,
 * so that arcs keep their names. */
static uint32_t find_arc(const struct rl_space *space, struct rl_word *word, uint32_t wanted)
{
    const struct rl_words *words = &space->words;
    const struct rl_pair *table = rl_words_next(words, word->letters);
    uint64_t turned[2 * RL_VERIFY_AGENTS];
    rl_words_turn(words, word->letters, turned);
    for (uint32_t arc = 0; arc < words->arcs; arc++) {
        struct rl_change change;
        if (!rl_words_change(words, word->letters, table, arc, &change))
            continue;
        const uint64_t code = rl_words_after(words, word->letters, turned, &change);
        if (wanted == UNSEEN ? rl_words_shows(words, word->letters, &change)
                             : rl_space_number(space, code) == wanted) {
            word->letters[change.i] = change.a;
            word->letters[change.j] = change.b;
            return arc;
        }
    }
    return UNSEEN;
}

/* After a search: the nearest number with such an arc, or UNSEEN. */
static uint32_t nearest(const struct rl_space *space, const struct ways *ways, uint32_t wanted)
{
    for (size_t at = 0; at < ways->found; at++) {
        struct rl_word word;
        rl_space_word(space, ways->queue[at], &word);
        if (find_arc(space, &word, wanted) != UNSEEN)
            return ways->queue[at];
    }
    return UNSEEN;
}

/* The arcs from `from` to `last`, and then the one to `wanted`, as in find_arc. */
static void list_arcs(const struct rl_space *space, uint32_t from, uint32_t last, uint32_t wanted,
                      struct ways *ways, struct rl_effort *effort,
                      struct rl_counterexample *example)
{
    size_t length = 0;
    struct rl_word word;
    /* The queue is done with: it takes the numbers on the way, the last one first. */
    for (uint32_t at = last; at != from; at = ways->parent[at])
        ways->queue[length++] = at;
    if (!(example->arcs = rl_effort_calloc(effort, length + 1, sizeof *example->arcs)))
        return;
    rl_space_word(space, from, &word);
    for (size_t i = 0; i <= length; i++)
        example->arcs[example->length++] =
            find_arc(space, &word, i < length ? ways->queue[length - 1 - i] : wanted);
}

void rl_trap_way(const struct rl_space *space, uint32_t from, struct rl_effort *effort,
                 struct rl_counterexample *example)
{
    struct ways ways = make_ways(space, effort);
    if (!effort->status) {
        struct rl_word word;
        rl_space_word(space, from, &word);
        example->exists = true;
        rl_words_states(&space->words, word.letters, example->start);
        search(&space->graph, from, &ways);
        const uint32_t change = nearest(space, &ways, UNSEEN);
        const uint32_t last = change != UNSEEN ? change : nearest(space, &ways, from);
        if (last != UNSEEN)
            list_arcs(space, from, last, change != UNSEEN ? UNSEEN : from, &ways, effort, example);
    }
    free_ways(&ways);
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
