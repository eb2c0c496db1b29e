/* SPDX-License-Identifier: MIT
 *
 * Tarjan's algorithm, which completes a component only after everything it leads to: the first one
 * it completes is a trap, and there it stops. The recursion is kept in an array, for it can be as
 * deep as the space is large.
 */
#include "verify/enumerate/verifier.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/run.h"

#define UNSEEN UINT32_MAX

struct search {
    const struct rl_space *space;
    uint32_t *order; /* [number] when it was first seen */
    uint32_t *low;   /* [number] the earliest one seen from it that is still open */
    uint32_t *open;  /* the numbers of components not completed yet */
    uint32_t *path;  /* the recursion: numbers ... */
    uint32_t *arc;   /* [number] ... and the next arc of each */
    uint32_t seen, open_count, depth;
};

static void enter(struct search *search, uint32_t number)
{
    search->order[number] = search->low[number] = search->seen++;
    search->arc[number] = 0;
    search->open[search->open_count++] = number;
    search->path[search->depth++] = number;
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Until a component is complete: then path[depth - 1] is where it was entered. No component has
 * been completed before, so every number seen is open. */
static void descend(struct search *search, uint32_t from)
{
    const uint32_t arcs = search->space->words.arcs;
    enter(search, from);
    for (;;) {
        const uint32_t number = search->path[search->depth - 1];
        if (search->arc[number] < arcs) {
            const uint32_t next =
                search->space->graph.next[(size_t)number * arcs + search->arc[number]++];
            if (search->order[next] == UNSEEN)
                enter(search, next);
            else
                search->low[number] = smaller(search->low[number], search->order[next]);
            continue;
        }
        if (search->low[number] == search->order[number])
            return;
        search->depth--;
        const uint32_t parent = search->path[search->depth - 1];
        search->low[parent] = smaller(search->low[parent], search->low[number]);
    }
}

/* Arrays of a number for each representative. */
enum { ARRAYS = 5 };

uint64_t rl_trap_bytes(uint64_t count)
{
    return count * ARRAYS * sizeof(uint32_t);
}

uint8_t *rl_trap_find(const struct rl_space *space, uint32_t from, struct rl_effort *effort)
{
    const size_t count = space->graph.count;
    uint32_t *memory = rl_effort_calloc(effort, ARRAYS * count, sizeof *memory);
    uint8_t *trap = rl_effort_calloc(effort, count, sizeof *trap);
    if (!effort->status) {
        struct search search = {.space = space,
                                .order = memory,
                                .low = memory + count,
                                .open = memory + 2 * count,
                                .path = memory + 3 * count,
                                .arc = memory + 4 * count};
        memset(search.order, 0xff, count * sizeof *search.order);
        descend(&search, from);
        const uint32_t entered = search.path[search.depth - 1];
        do
            trap[search.open[--search.open_count]] = 1;
        while (search.open[search.open_count] != entered);
    }
    free(memory);
    return trap;
}

/* ---- ways ---- */

/* What a search breadth first has found, in its order, each with the one it was found from. */
struct ways {
    uint32_t *parent; /* [number] */
    uint32_t *queue;
    size_t found;
};

/* Returns the nearest number with a change of output, or UNSEEN. */
static uint32_t nearest_change(const struct rl_space *space, uint32_t from, struct ways *ways)
{
    const uint32_t arcs = space->words.arcs;
    struct rl_word word;
    memset(ways->parent, 0xff, space->graph.count * sizeof *ways->parent);
    ways->parent[from] = from;
    ways->queue[0] = from;
    ways->found = 1;
    for (size_t at = 0; at < ways->found; at++) {
        const uint32_t number = ways->queue[at];
        rl_space_word(space, number, &word);
        if (!rl_words_keeps_outputs(&space->words, word.letters))
            return number;
        for (uint32_t arc = 0; arc < arcs; arc++) {
            const uint32_t next = space->graph.next[(size_t)number * arcs + arc];
            if (ways->parent[next] == UNSEEN) {
                ways->parent[next] = number;
                ways->queue[ways->found++] = next;
            }
        }
    }
    return UNSEEN;
}

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

/* After a search that found everything: the nearest number with an arc back to `from`, or UNSEEN
 * if nothing ever happens there. */
static uint32_t nearest_return(const struct rl_space *space, uint32_t from, const struct ways *ways)
{
    for (size_t at = 0; at < ways->found; at++) {
        struct rl_word word;
        rl_space_word(space, ways->queue[at], &word);
        if (find_arc(space, &word, from) != UNSEEN)
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
    struct ways ways = {rl_effort_calloc(effort, space->graph.count, sizeof *ways.parent),
                        rl_effort_calloc(effort, space->graph.count, sizeof *ways.queue), 0};
    if (!effort->status) {
        struct rl_word word;
        rl_space_word(space, from, &word);
        example->exists = true;
        rl_words_states(&space->words, word.letters, example->start);
        const uint32_t change = nearest_change(space, from, &ways);
        const uint32_t last = change != UNSEEN ? change : nearest_return(space, from, &ways);
        if (last != UNSEEN)
            list_arcs(space, from, last, change != UNSEEN ? UNSEEN : from, &ways, effort, example);
    }
    free(ways.parent);
    free(ways.queue);
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
