/* SPDX-License-Identifier: MIT
 *
 * Numbered keys. The table is kept between a quarter and half full; growing needs the old table
 * beside the new one for a moment.
 */
#include "verify/interned.h"

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

void *rl_interned_grow(uint64_t *allowance, void *array, uint64_t from, uint64_t to, uint64_t bytes)
{
    if (to - from > *allowance / bytes)
        return NULL;
    void *larger = realloc(array, to * bytes);
    if (larger)
        *allowance -= (to - from) * bytes;
    return larger;
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
    const uint64_t size = 2 * room;
    uint32_t *table = rl_interned_grow(interned->allowance, NULL, 0, size, sizeof *table);
    if (!table)
        return false;
    memset(table, 0, size * sizeof *table);
    free(interned->table);
    *interned->allowance += interned->table_size * sizeof *table;
    interned->table = table;
    interned->table_size = size;
    for (uint64_t i = 0; i < interned->count; i++)
        table[place_of(interned, interned->keys[i])] = (uint32_t)i + 1;
    return true;
}

static bool grow(struct rl_interned *interned)
{
    const uint64_t room = interned->room ? 2 * interned->room : LEAST_ROOM;
    if (room >= UINT32_MAX || !grow_table(interned, room))
        return false;
    uint64_t *keys =
        rl_interned_grow(interned->allowance, interned->keys, interned->room, room, sizeof *keys);
    if (!keys)
        return false;
    interned->keys = keys;
    interned->room = room;
    return true;
}

enum rl_interned_answer rl_interned_add(struct rl_interned *interned, uint64_t key,
                                        uint32_t *number_out)
{
    uint64_t place = interned->table ? place_of(interned, key) : 0;
    if (interned->table && interned->table[place]) {
        *number_out = interned->table[place] - 1;
        return RL_INTERNED_BEFORE;
    }
    if (interned->count == interned->room) {
        if (!grow(interned))
            return RL_INTERNED_NO_ROOM;
        place = place_of(interned, key);
    }
    *number_out = (uint32_t)interned->count;
    interned->keys[interned->count] = key;
    interned->table[place] = (uint32_t)++interned->count;
    return RL_INTERNED_NEW;
}
