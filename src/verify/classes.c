/* SPDX-License-Identifier: MIT
 *
 * Partition refinement as Moore did it: in each round a state's row is the classes of all that it
 * becomes and makes of others, and a class falls apart into the states with equal rows. Rows are
 * compared in full where their hashes agree, so the result is exact. A round costs O(states^2);
 * P_RL with N = 24 (600 states) takes 25 rounds, some 50 ms.
 */
#include "verify/classes.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Entry `column` of the row of a state. Columns run over report, partner and side. */
static uint32_t entry(const struct rl_table *table, const uint32_t *class, size_t state,
                      size_t column)
{
    const size_t states = table->states;
    const size_t partner = column / 2 % states, report = column / 2 / states;
    const struct rl_pair pair =
        table->next[report][column % 2 ? partner * states + state : state * states + partner];
    return class[pair.l] << 16 | class[pair.r];
}

static size_t columns(const struct rl_table *table)
{
    return (size_t)table->states * (table->next[1] ? 4 : 2);
}

static uint64_t hash_row(const struct rl_table *table, const uint32_t *class, size_t state)
{
    uint64_t hash = class[state];
    for (size_t column = 0; column < columns(table); column++)
        hash = mix(hash, entry(table, class, state, column));
    return hash;
}

static bool same_row(const struct rl_table *table, const uint32_t *class, size_t a, size_t b)
{
    if (class[a] != class[b])
        return false;
    for (size_t column = 0; column < columns(table); column++)
        if (entry(table, class, a, column) != entry(table, class, b, column))
            return false;
    return true;
}

/* One round: states with equal rows get one new class. Returns the number of classes. */
static uint32_t refine(const struct rl_table *table, const uint32_t *class, uint32_t *new_class,
                       uint64_t *hash, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t state = 0; state < table->states; state++) {
        hash[state] = hash_row(table, class, state);
        uint32_t c = 0;
        while (c < count &&
               (hash[first[c]] != hash[state] || !same_row(table, class, first[c], state)))
            c++;
        if (c == count)
            first[count++] = state;
        new_class[state] = c;
    }
    return count;
}

/* The partition to begin with: what is seen. */
static bool looks_same(const struct rl_table *table, const uint16_t *const *labels, size_t count,
                       size_t a, size_t b)
{
    for (size_t i = 0; i < count; i++)
        if (labels[i][a] != labels[i][b])
            return false;
    return table->leads[a] == table->leads[b];
}

static uint32_t look(const struct rl_table *table, const uint16_t *const *labels, size_t count,
                     uint32_t *class, uint32_t *first)
{
    uint32_t classes = 0;
    for (uint32_t state = 0; state < table->states; state++) {
        uint32_t c = 0;
        while (c < classes && !looks_same(table, labels, count, first[c], state))
            c++;
        if (c == classes)
            first[classes++] = state;
        class[state] = c;
    }
    return classes;
}

/* The class table, once the partition is stable. */
static enum rl_status describe(struct rl_classes *classes, const uint32_t *class,
                               const uint32_t *first)
{
    const struct rl_table *table = classes->table;
    const size_t count = classes->count, states = table->states;
    classes->of = malloc(states * sizeof *classes->of);
    classes->size = calloc(count, sizeof *classes->size);
    classes->first = malloc(count * sizeof *classes->first);
    classes->leads = malloc(count * sizeof *classes->leads);
    for (int report = 0; report < 2; report++)
        if (table->next[report] &&
            !(classes->next[report] = malloc(count * count * sizeof(struct rl_pair))))
            return RL_NO_MEMORY;
    if (!classes->of || !classes->size || !classes->first || !classes->leads)
        return RL_NO_MEMORY;
    for (size_t s = 0; s < states; s++) {
        classes->of[s] = (uint16_t) class[s];
        classes->size[class[s]]++;
    }
    for (size_t c = 0; c < count; c++) {
        classes->first[c] = (uint16_t)first[c];
        classes->leads[c] = table->leads[first[c]];
    }
    for (int report = 0; report < 2 && table->next[report]; report++)
        for (size_t i = 0; i < count * count; i++) {
            const struct rl_pair pair =
                table->next[report][first[i / count] * states + first[i % count]];
            classes->next[report][i] =
                (struct rl_pair){(uint16_t) class[pair.l], (uint16_t) class[pair.r]};
        }
    return RL_OK;
}

enum rl_status rl_classes_init(struct rl_classes *classes, const struct rl_table *table,
                               const uint16_t *const *labels, size_t label_count)
{
    *classes = (struct rl_classes){.table = table};
    uint32_t *class = calloc(table->states, sizeof *class);
    uint32_t *finer = malloc(table->states * sizeof *finer);
    uint32_t *first = malloc(table->states * sizeof *first);
    uint64_t *hash = malloc(table->states * sizeof *hash);
    enum rl_status status = RL_NO_MEMORY;
    if (class && finer && first && hash) {
        uint32_t before = 0;
        classes->count = look(table, labels, label_count, class, first);
        while (classes->count > before && classes->count < table->states) {
            before = classes->count;
            classes->count = refine(table, class, finer, hash, first);
            memcpy(class, finer, table->states * sizeof *class);
        }
        status = describe(classes, class, first);
    }
    free(class);
    free(finer);
    free(first);
    free(hash);
    return status;
}

void rl_classes_free(struct rl_classes *classes)
{
    free(classes->of);
    free(classes->size);
    free(classes->first);
    free(classes->leads);
    free(classes->next[0]);
    free(classes->next[1]);
    *classes = (struct rl_classes){0};
}

bool rl_classes_equal(const struct rl_classes *a, const struct rl_classes *b)
{
    return a->count == b->count && memcmp(a->of, b->of, a->table->states * sizeof *a->of) == 0;
}
