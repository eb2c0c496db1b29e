/* SPDX-License-Identifier: MIT
 *
 * The stored space: every representative has a number, and the numbers of its successors are kept.
 *
 * Representatives are numbered in the order of their codes. A bitmap with a bit for each code marks
 * them, and counts at every 64 bits make the number of a code one load and a population count.
 */
#ifndef RINGLEADER_SPACE_H
#define RINGLEADER_SPACE_H

#include "verify/enumerate/words.h"

/* From every number each of its arcs is taken with the same chance. */
struct rl_graph {
    uint32_t count;
    uint32_t arcs;  /* of each */
    uint32_t *next; /* [number * arcs + arc]: the successor's number */
};

/* Of 64 codes: which are representatives, and how many are among the codes below. Side by side, for
 * who wants one wants the other. */
struct rl_block {
    uint32_t rank;
    uint32_t bits[2];
};

struct rl_space {
    struct rl_words words;
    struct rl_block *blocks;
    struct rl_graph graph; /* of the representatives */
};

/* Bytes that a space will take; 0 if it cannot be numbered. */
uint64_t rl_space_bytes(const struct rl_words *words);
/* Free also after a failure. Words keeps pointing to its classes, which must outlive the space. */
void rl_space_init(struct rl_space *space, const struct rl_words *words, struct rl_effort *effort);
void rl_space_free(struct rl_space *space);

/* The ones of a word, in a dozen instructions: compilers call a function where they may not rely on
 * a processor's own. */
static inline uint32_t rl_space_ones(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint64_t rl_block_bits(const struct rl_block *block)
{
    return block->bits[0] | (uint64_t)block->bits[1] << 32;
}

/* The number of a representative's code, and the word of a number (time: O(log count)). */
static inline uint32_t rl_space_number(const struct rl_space *space, uint64_t code)
{
    const struct rl_block *block = &space->blocks[code / 64];
    return block->rank + rl_space_ones(rl_block_bits(block) & ((UINT64_C(1) << code % 64) - 1));
}
void rl_space_word(const struct rl_space *space, uint32_t number, struct rl_word *word_out);

/* Visits every representative with its number, in parallel: visit(user, number, word). */
void rl_space_visit(const struct rl_space *space, struct rl_effort *effort,
                    void (*visit)(void *user, uint32_t number, const struct rl_word *word),
                    void *user);

/* A byte for each representative, to be freed: is it in the set, or, if `contains` is NULL, is the
 * bit of its code 1? */
uint8_t *rl_space_members(const struct rl_space *space, struct rl_effort *effort,
                          bool (*contains)(const struct rl_ring *ring), const uint64_t *bits);

#endif
