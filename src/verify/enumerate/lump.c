/* SPDX-License-Identifier: MIT
 *
 * Rounds of refinement, as in classes.c, but with a hash table, for there are many more to sort: in
 * a round, a configuration's row is its class and its successors' classes in ascending order, and
 * equal rows make a new class. The table holds the first configuration of each new class; rows are
 * compared in full. P_RL at n = N = 3, as S_RL sees it: 16,909 representatives, 791 classes.
 */
#include "verify/enumerate/lump.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY UINT32_MAX

enum { MOST_ARCS = 2 * RL_VERIFY_AGENTS };

struct row {
    uint32_t old;
    uint32_t next[MOST_ARCS];
};

static void make_row(const struct rl_space *space, const uint32_t *of, uint32_t number,
                     struct row *row)
{
    const uint32_t arcs = space->words.arcs;
    row->old = of[number];
    for (uint32_t arc = 0; arc < arcs; arc++) { /* insertion sort */
        const uint32_t class = row->old == 0 ? 0 : of[space->next[(size_t)number * arcs + arc]];
        uint32_t i = arc;
        for (; i > 0 && row->next[i - 1] > class; i--)
            row->next[i] = row->next[i - 1];
        row->next[i] = class;
    }
}

static bool same_row(const struct row *a, const struct row *b, uint32_t arcs)
{
    return a->old == b->old && memcmp(a->next, b->next, arcs * sizeof a->next[0]) == 0;
}

static uint64_t hash_row(const struct row *row, uint32_t arcs)
{
    uint64_t hash = row->old;
    for (uint32_t i = 0; i < arcs; i++) {
        hash = (hash ^ row->next[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 31;
    }
    return hash;
}

/* One round: from the classes `of` to `finer`, with the first member of each. */
static uint32_t refine(const struct rl_space *space, const uint32_t *of, uint32_t *finer,
                       uint32_t *first, uint32_t *table, size_t mask)
{
    const uint32_t arcs = space->words.arcs;
    uint32_t count = 0;
    memset(table, 0xff, (mask + 1) * sizeof *table);
    for (uint32_t number = 0; number < space->count; number++) {
        struct row row, other;
        make_row(space, of, number, &row);
        size_t slot = hash_row(&row, arcs) & mask;
        for (; table[slot] != EMPTY; slot = (slot + 1) & mask) {
            make_row(space, of, first[table[slot]], &other);
            if (same_row(&row, &other, arcs))
                break;
        }
        if (table[slot] == EMPTY) {
            first[count] = number;
            table[slot] = count++;
        }
        finer[number] = table[slot];
    }
    return count;
}

/* Classes are numbered by their first members; the target's is to be 0. */
static void put_target_first(const struct rl_space *space, const uint8_t *target, uint32_t *of,
                             uint32_t *first)
{
    const uint8_t *member = memchr(target, 1, space->count);
    const uint32_t class = of[member - target];
    for (uint32_t i = 0; i < space->count; i++)
        of[i] = of[i] == class ? 0 : of[i] == 0 ? class : of[i];
    const uint32_t other = first[0];
    first[0] = first[class];
    first[class] = other;
}

static enum rl_status run(struct rl_lump *lump, const struct rl_space *space, const uint8_t *target,
                          uint32_t *finer, uint32_t *first, uint32_t *table, size_t mask)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < space->count; i++)
        lump->of[i] = !target[i];
    lump->count = 2;
    while (lump->count > before) {
        before = lump->count;
        lump->count = refine(space, lump->of, finer, first, table, mask);
        memcpy(lump->of, finer, space->count * sizeof *finer);
        put_target_first(space, target, lump->of, first);
    }
    const uint32_t arcs = space->words.arcs;
    lump->next = malloc((size_t)lump->count * arcs * sizeof *lump->next);
    if (!lump->next)
        return RL_NO_MEMORY;
    for (uint32_t c = 0; c < lump->count; c++) {
        struct row row;
        make_row(space, lump->of, first[c], &row);
        memcpy(lump->next + (size_t)c * arcs, row.next, arcs * sizeof *lump->next);
    }
    return RL_OK;
}

enum rl_status rl_lump_init(struct rl_lump *lump, const struct rl_space *space,
                            const uint8_t *target)
{
    *lump = (struct rl_lump){0};
    size_t slots = 16;
    while (slots < 2 * (size_t)space->count)
        slots *= 2;
    uint32_t *finer = malloc(space->count * sizeof *finer);
    uint32_t *first = calloc(space->count, sizeof *first);
    uint32_t *table = malloc(slots * sizeof *table);
    lump->of = malloc(space->count * sizeof *lump->of);
    enum rl_status status = RL_NO_MEMORY;
    if (finer && first && table && lump->of)
        status = run(lump, space, target, finer, first, table, slots - 1);
    free(finer);
    free(first);
    free(table);
    return status;
}

void rl_lump_free(struct rl_lump *lump)
{
    free(lump->of);
    free(lump->next);
    *lump = (struct rl_lump){0};
}
