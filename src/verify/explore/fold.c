/* SPDX-License-Identifier: MIT
 *
 * Folding. A row of odd length hands its last number on to the next level as it is.
 */
#include "verify/explore/explorer.h"

#include <stddef.h>

static uint64_t pair_of(const uint32_t *numbers)
{
    return (uint64_t)numbers[0] << 32 | numbers[1];
}

/* Sets number i of the next level. */
static inline void lift(struct rl_interned *pairs, uint32_t *row, uint32_t length, uint32_t i)
{
    row[length + i] =
        2 * i + 1 < length ? rl_interned_add(pairs, pair_of(row + 2 * (size_t)i)) : row[length - 1];
}

uint64_t rl_fold(struct rl_interned *pairs, uint32_t *row, uint32_t length)
{
    while (length > 2) {
        const uint32_t half = (length + 1) / 2;
        for (uint32_t i = 0; i < half; i++)
            lift(pairs, row, length, i);
        row += length;
        length = half;
    }
    return pair_of(row);
}

uint64_t rl_refold(struct rl_interned *pairs, uint32_t *row, uint32_t length, uint32_t l,
                   uint32_t r)
{
    while (length > 2) {
        l /= 2;
        r /= 2;
        lift(pairs, row, length, l);
        if (r != l)
            lift(pairs, row, length, r);
        row += length;
        length = (length + 1) / 2;
    }
    return pair_of(row);
}

static void unfold_level(const struct rl_interned *pairs, const uint32_t *above, uint32_t length,
                         uint32_t *row_out)
{
    for (uint32_t i = 0; i < length / 2; i++) {
        row_out[2 * i] = (uint32_t)(pairs->keys[above[i]] >> 32);
        row_out[2 * i + 1] = (uint32_t)pairs->keys[above[i]];
    }
    if (length % 2)
        row_out[length - 1] = above[length / 2];
}

void rl_unfold(const struct rl_interned *pairs, uint64_t folded, uint32_t length, uint32_t *row_out)
{
    if (length == 2) {
        row_out[0] = (uint32_t)(folded >> 32);
        row_out[1] = (uint32_t)folded;
        return;
    }
    rl_unfold(pairs, folded, (length + 1) / 2, row_out + length);
    unfold_level(pairs, row_out + length, length, row_out);
}
