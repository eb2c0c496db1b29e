/* SPDX-License-Identifier: MIT
 *
 * Numbered keys. The table is kept between a quarter and half full; growing needs the old table
 * beside the new one for a moment.
 */
#include "verify/interned.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 1 << 10 };

void rl_interned_clear(struct rl_interned *interned)
{
    interned->count = 0;
    if (interned->table)
        memset(interned->table, 0, interned->table_size * sizeof *interned->table);
}

void rl_interned_free(struct rl_interned *interned)
{
    free(interned->keys);
    free(interned->table);
    *interned = (struct rl_interned){0};
}

static bool resize(struct rl_effort *effort, void *array, uint64_t *room, uint64_t more,
                   uint64_t bytes)
{
    void *held, *larger;
    memcpy(&held, array, sizeof held);
    if (!effort->status && more - *room > effort->memory / bytes)
        effort->status = RL_TOO_LARGE;
    larger = effort->status ? NULL : realloc(held, more * bytes);
    rl_effort_has(effort, larger);
    if (!larger)
        return false;
    memcpy(array, &larger, sizeof larger);
    effort->memory -= (more - *room) * bytes;
    *room = more;
    return true;
}

bool rl_interned_room(struct rl_effort *effort, void *array, uint64_t *room, uint64_t want,
                      uint64_t bytes)
{
    return !effort->status && (want <= *room || resize(effort, array, room,
                                                       want > 2 * *room ? want : 2 * *room, bytes));
}

/* The finaliser of MurmurHash3: every bit of the key moves every bit of the place. */
static uint64_t scatter(uint64_t key)
{
    key = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
    key = (key ^ key >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}

/* Where the key is, or where it would go. */
static uint64_t place_of(const struct rl_interned *interned, uint64_t key)
{
    const uint64_t mask = interned->table_size - 1;
    uint64_t place = scatter(key) & mask;
    while (interned->table[place] && interned->keys[interned->table[place] - 1] != key)
        place = (place + 1) & mask;
    return place;
}

/* A table for `room` keys, with everything that is in the list. */
static bool grow_table(struct rl_interned *interned, uint64_t room)
{
    uint32_t *table = NULL;
    uint64_t size = 0;
    if (!resize(interned->effort, &table, &size, 2 * room, sizeof *table))
        return false;
    memset(table, 0, size * sizeof *table);
    free(interned->table);
    interned->effort->memory += interned->table_size * sizeof *table;
    interned->table = table;
    interned->table_size = size;
    for (uint64_t i = 0; i < interned->count; i++)
        table[place_of(interned, interned->keys[i])] = (uint32_t)i + 1;
    return true;
}

static bool grow(struct rl_interned *interned)
{
    const uint64_t room = interned->room ? 2 * interned->room : LEAST_ROOM;
    if (room >= UINT32_MAX && !interned->effort->status)
        interned->effort->status = RL_TOO_LARGE;
    return grow_table(interned, room) &&
           resize(interned->effort, &interned->keys, &interned->room, room, sizeof *interned->keys);
}

uint32_t rl_interned_add(struct rl_interned *interned, uint64_t key)
{
    uint64_t place = interned->table ? place_of(interned, key) : 0;
    if (interned->table && interned->table[place])
        return interned->table[place] - 1;
    if (interned->count == interned->room) {
        if (!grow(interned))
            return 0;
        place = place_of(interned, key);
    }
    assert(interned->table); /* there is room only together with it */
    interned->keys[interned->count] = key;
    interned->table[place] = (uint32_t)++interned->count;
    return interned->table[place] - 1;
}

/* ---- rows ---- */

void rl_rows_free(struct rl_rows *rows)
{
    rl_interned_free(&rows->hashes);
    free(rows->begin);
    free(rows->bytes);
    *rows = (struct rl_rows){0};
}

static uint64_t hash_of(const char *row, uint64_t size)
{
    uint64_t hash = 0;
    for (uint64_t i = 0; i < size; i += sizeof hash) {
        uint64_t part = 0;
        memcpy(&part, row + i, size - i < sizeof part ? size - i : sizeof part);
        hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

uint32_t rl_rows_add(struct rl_rows *rows, const void *row, uint64_t size)
{
    struct rl_effort *effort = rows->hashes.effort;
    const uint64_t count = rows->hashes.count;
    for (uint64_t hash = hash_of(row, size);; hash++) {
        const uint32_t number = rl_interned_add(&rows->hashes, hash);
        if (!rl_interned_room(effort, &rows->begin, &rows->begin_room, number + UINT64_C(2),
                              sizeof *rows->begin))
            return 0;
        const uint64_t begin = number > 0 ? rows->begin[number] : 0;
        if (number == count) {
            if (!rl_interned_room(effort, &rows->bytes, &rows->room, begin + size + 1, 1))
                return 0;
            rows->begin[number] = begin;
            rows->begin[number + 1] = begin + size;
            memcpy(rows->bytes + begin, row, size);
        }
        if (rows->begin[number + 1] - begin == size && memcmp(rows->bytes + begin, row, size) == 0)
            return number;
    }
}
