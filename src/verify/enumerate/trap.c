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

enum rl_status rl_trap_find(const struct rl_space *space, uint32_t from, uint8_t *trap_out)
{
    struct search search = {.space = space};
    uint32_t **arrays[ARRAYS] = {&search.order, &search.low, &search.open, &search.path,
                                 &search.arc};
    bool have = true;
    for (size_t i = 0; i < ARRAYS; i++)
        have &= (*arrays[i] = malloc(space->graph.count * sizeof(uint32_t))) != NULL;
    if (have) {
        memset(search.order, 0xff, space->graph.count * sizeof *search.order);
        descend(&search, from);
        const uint32_t entered = search.path[search.depth - 1];
        memset(trap_out, 0, space->graph.count);
        do
            trap_out[search.open[--search.open_count]] = 1;
        while (search.open[search.open_count] != entered);
    }
    for (size_t i = 0; i < ARRAYS; i++)
        free(*arrays[i]);
    return have ? RL_OK : RL_NO_MEMORY;
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

/* Makes an arc interact in a word. */
static void step(const struct rl_words *words, uint16_t *letters, uint32_t arc)
{
    uint16_t *l = &letters[rl_words_initiator(words, arc)];
    uint16_t *r = &letters[rl_words_responder(words, arc)];
    const struct rl_pair pair = rl_words_next(words, letters)[*l * words->letters + *r];
    *l = pair.l;
    *r = pair.r;
}

static bool changes_output(const struct rl_words *words, const uint16_t *letters, uint32_t arc)
{
    const bool *leads = words->classes->leads;
    struct rl_word after;
    memcpy(after.letters, letters, sizeof after.letters);
    step(words, after.letters, arc);
    for (uint32_t i = 0; i < words->n; i++)
        if (leads[after.letters[i]] != leads[letters[i]])
            return true;
    return false;
}

/* The arc of `word` at which something happens that leads to `wanted`, or, if that is UNSEEN, that
 * changes an output; or UNSEEN. The word itself moves on; it is not turned to its representative,
 * so that arcs keep their names. */
static uint32_t find_arc(const struct rl_space *space, struct rl_word *word, uint32_t wanted)
{
    const struct rl_words *words = &space->words;
    for (uint32_t arc = 0; arc < words->arcs; arc++) {
        struct rl_word after = *word;
        step(words, after.letters, arc);
        if (memcmp(after.letters, word->letters, words->n * sizeof *after.letters) == 0)
            continue;
        const bool right =
            wanted == UNSEEN
                ? changes_output(words, word->letters, arc)
                : rl_space_number(space, rl_words_canonical(words, after.letters)) == wanted;
        if (right) {
            *word = after;
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
static enum rl_status list_arcs(const struct rl_space *space, uint32_t from, uint32_t last,
                                uint32_t wanted, struct ways *ways, uint32_t **arcs_out,
                                size_t *length_out)
{
    size_t length = 0;
    /* The queue is done with: it takes the numbers on the way, the last one first. */
    for (uint32_t at = last; at != from; at = ways->parent[at])
        ways->queue[length++] = at;
    if (!(*arcs_out = malloc((length + 1) * sizeof **arcs_out)))
        return RL_NO_MEMORY;
    struct rl_word word;
    rl_space_word(space, from, &word);
    for (size_t i = 0; i <= length; i++)
        (*arcs_out)[(*length_out)++] =
            find_arc(space, &word, i < length ? ways->queue[length - 1 - i] : wanted);
    return RL_OK;
}

enum rl_status rl_trap_way(const struct rl_space *space, uint32_t from, uint32_t **arcs_out,
                           size_t *length_out)
{
    struct ways ways = {malloc(space->graph.count * sizeof *ways.parent),
                        malloc(space->graph.count * sizeof *ways.queue), 0};
    *arcs_out = NULL;
    *length_out = 0;
    enum rl_status status = RL_NO_MEMORY;
    if (ways.parent && ways.queue) {
        const uint32_t change = nearest_change(space, from, &ways);
        const uint32_t last = change != UNSEEN ? change : nearest_return(space, from, &ways);
        status = last == UNSEEN ? RL_OK
                                : list_arcs(space, from, last, change != UNSEEN ? UNSEEN : from,
                                            &ways, arcs_out, length_out);
    }
    free(ways.parent);
    free(ways.queue);
    return status;
}

/* ---- counterexamples as executions, for replay and draw ---- */

enum { ARC_ROOM = 11 }; /* ten digits and a space */

enum rl_status rl_counterexample_write(const struct rl_counterexample *example,
                                       const struct rl_protocol *protocol,
                                       const struct rl_params *params, void *user, rl_put put)
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
