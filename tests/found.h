/* SPDX-License-Identifier: MIT
 *
 * What a search has found: keys of a fixed number of bytes without gaps, numbered in the order in
 * which they were met.
 */
#ifndef RINGLEADER_TEST_FOUND_H
#define RINGLEADER_TEST_FOUND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct found {
    size_t size; /* of a key */
    uint32_t count;
    uint32_t room;
    uint8_t *keys;
    uint32_t *slots; /* 2 * room of them, a power of two: number + 1, 0 if empty */
};

static inline uint64_t found_hash(const uint8_t *key, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ key[i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 29;
}

static inline uint32_t *found_slot(const struct found *found, const void *key)
{
    const uint32_t mask = 2 * found->room - 1;
    uint32_t at = (uint32_t)found_hash(key, found->size) & mask;
    while (found->slots[at] &&
           memcmp(found->keys + (size_t)(found->slots[at] - 1) * found->size, key, found->size))
        at = (at + 1) & mask;
    return &found->slots[at];
}

static inline void found_grow(struct found *found)
{
    found->room = found->room ? 2 * found->room : 1 << 12;
    found->keys = realloc(found->keys, (size_t)found->room * found->size);
    free(found->slots);
    found->slots = calloc(2 * (size_t)found->room, sizeof *found->slots);
    if (!found->keys || !found->slots)
        abort();
    for (uint32_t i = 0; i < found->count; i++)
        *found_slot(found, found->keys + (size_t)i * found->size) = i + 1;
}

/* The number of a key, which is new if it is the count before the call. */
static inline uint32_t found_add(struct found *found, const void *key)
{
    if (found->count == found->room)
        found_grow(found);
    uint32_t *slot = found_slot(found, key);
    if (!*slot) {
        memcpy(found->keys + (size_t)found->count * found->size, key, found->size);
        *slot = ++found->count;
    }
    return *slot - 1;
}

static inline const void *found_key(const struct found *found, uint32_t number)
{
    return found->keys + (size_t)number * found->size;
}

static inline void found_free(struct found *found)
{
    free(found->keys);
    free(found->slots);
    *found = (struct found){.size = found->size};
}

#endif
