/* SPDX-License-Identifier: MIT
 *
 * Building the stored space: mark the representatives, count, then find all successors. P_RL at
 * n = N = 5, as S_RL sees it: 49 classes, 2.8e8 codes (53 MB of bitmap and counts), 5.6e7
 * representatives and 1.1 GB of successors.
 */
#include "verify/enumerate/verifier.h"

#include <assert.h>
#include <stdlib.h>

uint64_t rl_space_bytes(const struct rl_words *words)
{
    const uint64_t codes = words->power[words->n], count = rl_words_count(words);
    return count < UINT32_MAX ? codes / 64 * 12 + count * words->arcs * sizeof(uint32_t) : 0;
}

static void mark(void *user, const struct rl_word *word)
{
    struct rl_space *space = user;
    const uint64_t code = word->code;
    __atomic_fetch_or(&space->blocks[code / 64].bits[code / 32 % 2], UINT32_C(1) << code % 32,
                      __ATOMIC_RELAXED);
}

static void count(struct rl_space *space)
{
    for (uint64_t i = 0; i <= space->words.power[space->words.n] / 64; i++) {
        space->blocks[i].rank = space->graph.count;
        space->graph.count += rl_space_ones(rl_block_bits(&space->blocks[i]));
    }
}

/* The bits of all successors are fetched before the first is needed. */
static void find_successors(void *user, const struct rl_word *word)
{
    struct rl_space *space = user;
    const uint32_t number = rl_space_number(space, word->code);
    const struct rl_words *words = &space->words;
    const struct rl_pair *table = rl_words_next(words, word->letters);
    uint32_t *next = space->graph.next + (size_t)number * words->arcs;
    uint64_t turned[2 * RL_VERIFY_AGENTS], codes[2 * RL_VERIFY_AGENTS];
    rl_words_turn(words, word->letters, turned);
    for (uint32_t arc = 0; arc < words->arcs; arc++) {
        struct rl_change change;
        codes[arc] = UINT64_MAX;
        if (rl_words_change(words, word->letters, table, arc, &change)) {
            codes[arc] = rl_words_after(words, word->letters, turned, &change);
            __builtin_prefetch(&space->blocks[codes[arc] / 64]);
        }
    }
    for (uint32_t arc = 0; arc < words->arcs; arc++)
        next[arc] = codes[arc] == UINT64_MAX ? number : rl_space_number(space, codes[arc]);
}

void rl_space_init(struct rl_space *space, const struct rl_words *words, struct rl_effort *effort)
{
    *space = (struct rl_space){.words = *words};
    const size_t blocks = words->power[words->n] / 64 + 1;
    space->blocks = rl_effort_calloc(effort, blocks, sizeof *space->blocks);
    rl_words_visit_all(words, effort, mark, space);
    if (effort->status)
        return;
    count(space);
    struct rl_graph *graph = &space->graph;
    graph->arcs = words->arcs;
    graph->next = rl_effort_calloc(effort, (size_t)graph->count * graph->arcs, sizeof *graph->next);
    rl_words_visit_all(words, effort, find_successors, space);
}

void rl_space_free(struct rl_space *space)
{
    free(space->blocks);
    free(space->graph.next);
    *space = (struct rl_space){0};
}

void rl_space_word(const struct rl_space *space, uint32_t number, struct rl_word *word_out)
{
    uint64_t low = 0, high = space->words.power[space->words.n] / 64;
    while (low < high) {
        const uint64_t middle = (low + high + 1) / 2;
        if (space->blocks[middle].rank <= number)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t bits = rl_block_bits(&space->blocks[low]);
    for (uint32_t skip = number - space->blocks[low].rank; skip > 0; skip--)
        bits &= bits - 1;
    rl_words_decode(&space->words, low * 64 + (uint64_t)__builtin_ctzll(bits), word_out);
}

struct members {
    const struct rl_space *space;
    bool (*contains)(const struct rl_ring *ring);
    const uint64_t *bits;
    uint8_t *out;
};

static void mark_member(void *user, const struct rl_word *word)
{
    const struct members *members = user;
    members->out[rl_space_number(members->space, word->code)] =
        members->contains ? rl_words_is_in(&members->space->words, word->letters, members->contains)
                          : members->bits[word->code / 64] >> word->code % 64 & 1;
}

void rl_graph_spread(const struct rl_graph *graph, uint8_t *marked)
{
    bool changed = true;
    for (bool back = false; changed; back = !back) {
        changed = false;
        for (size_t k = 0; k < graph->count; k++) {
            const size_t i = back ? graph->count - 1 - k : k;
            for (uint32_t arc = 0; !marked[i] && arc < graph->arcs; arc++)
                changed |= marked[i] = marked[graph->next[i * graph->arcs + arc]];
        }
    }
}

uint8_t *rl_space_members(const struct rl_space *space, struct rl_effort *effort,
                          bool (*contains)(const struct rl_ring *ring), const uint64_t *bits)
{
    struct members members = {space, contains, bits,
                              rl_effort_calloc(effort, space->graph.count, 1)};
    rl_words_visit_all(&space->words, effort, mark_member, &members);
    return members.out;
}
