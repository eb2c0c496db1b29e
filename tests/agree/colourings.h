/* SPDX-License-Identifier: MIT
 *
 * Colourings of a ring, up to the names of the colours, rotation and reflection.
 */
#ifndef RINGLEADER_TEST_COLOURINGS_H
#define RINGLEADER_TEST_COLOURINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { COLOURS = 3 };

/* Are the two neighbours of every agent of different colours? */
static inline bool colouring_is_two_hop(uint32_t n, const uint32_t *colours)
{
    for (uint32_t i = 0; i < n; i++)
        if (colours[i] == colours[(i + 2) % n])
            return false;
    return true;
}

/* The number of a colouring that begins at agent `from` and goes right or left, with colours named
 * in the order in which they come. */
static inline uint32_t colouring_number(uint32_t n, const uint32_t *colours, uint32_t from,
                                        bool left)
{
    uint32_t names[COLOURS] = {COLOURS, COLOURS, COLOURS}, used = 0, number = 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t colour = colours[(left ? from + n - k : from + k) % n];
        if (names[colour] == COLOURS)
            names[colour] = used++;
        number = number * COLOURS + names[colour];
    }
    return number;
}

/* Is it the first of those that differ only in names, rotation and reflection? */
static inline bool colouring_is_first(uint32_t n, const uint32_t *colours)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < n; i++)
        number = number * COLOURS + colours[i];
    for (uint32_t from = 0; from < n; from++)
        if (colouring_number(n, colours, from, false) < number ||
            colouring_number(n, colours, from, true) < number)
            return false;
    return true;
}

#endif
