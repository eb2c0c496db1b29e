/* SPDX-License-Identifier: MIT
 *
 * The configurations found so far. A list entry takes 13 bytes and the table is kept between a
 * quarter and half full, so a configuration costs 21 to 29 bytes; growing needs the old table
 * beside the new one for a moment.
 */
#include "verify/found.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 1 << 15, BYTES_AN_ENTRY = sizeof(uint64_t) + sizeof(uint32_t) + 1 };

void rl_found_clear(struct rl_found *found)
{
    found->count = 0;
    if (found->table)
        memset(found->table, 0, found->table_size * sizeof *found->table);
}

void rl_found_free(struct rl_found *found)
{
    free(found->keys);
    free(found->parents);
    free(found->arcs);
    free(found->table);
    *found = (struct rl_found){.most = found->most};
}

/* The finaliser of MurmurHash3: every bit of the key moves every bit of the place. */
static uint64_t scatter(uint64_t key)
{
    key = (key ^ key >> 33) * UINT64_C(0xff51afd7ed558ccd);
    key = (key ^ key >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return key ^ key >> 33;
}

/* Where the key is, or where it would go. */
static uint64_t place_of(const struct rl_found *found, uint64_t key)
{
    const uint64_t mask = found->table_size - 1;
    uint64_t place = scatter(key) & mask;
    while (found->table[place] && found->keys[found->table[place] - 1] != key)
        place = (place + 1) & mask;
    return place;
}

static bool grow(struct rl_found *found)
{
    const uint64_t room = found->room ? 2 * found->room : LEAST_ROOM;
    const uint64_t size = 2 * room;
    const uint64_t tables = (size + found->table_size) * sizeof *found->table;
    if (room * BYTES_AN_ENTRY + tables > found->most || room >= UINT32_MAX)
        return false;
    uint64_t *keys = realloc(found->keys, room * sizeof *keys);
    found->keys = keys ? keys : found->keys;
    uint32_t *parents = realloc(found->parents, room * sizeof *parents);
    found->parents = parents ? parents : found->parents;
    uint8_t *arcs = realloc(found->arcs, room * sizeof *arcs);
    found->arcs = arcs ? arcs : found->arcs;
    uint32_t *table = calloc(size, sizeof *table);
    if (!keys || !parents || !arcs || !table) {
        free(table);
        return false;
    }
    free(found->table);
    found->table = table;
    found->table_size = size;
    found->room = room;
    for (uint64_t i = 0; i < found->count; i++)
        found->table[place_of(found, found->keys[i])] = (uint32_t)i + 1;
    return true;
}

enum rl_found_answer rl_found_add(struct rl_found *found, uint64_t key, uint64_t parent,
                                  uint32_t arc)
{
    if (found->count == found->room && !grow(found))
        return RL_FOUND_NO_ROOM;
    const uint64_t place = place_of(found, key);
    if (found->table[place])
        return RL_FOUND_BEFORE;
    found->keys[found->count] = key;
    found->parents[found->count] = (uint32_t)parent;
    found->arcs[found->count] = (uint8_t)arc;
    found->table[place] = (uint32_t)++found->count;
    return RL_FOUND_NEW;
}
