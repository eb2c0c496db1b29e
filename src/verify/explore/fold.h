/* SPDX-License-Identifier: MIT
 *
 * A row of numbers as one number of 64 bits, and back: neighbours are numbered as pairs, the pairs'
 * numbers as pairs again, until two are left.
 *
 * So a configuration takes 8 bytes however many agents and states there are, and what many
 * configurations have in common is kept once. An interaction changes two neighbours; of the pairs
 * of each level it changes one or two, and only those are looked up.
 */
#ifndef RINGLEADER_VERIFY_FOLD_H
#define RINGLEADER_VERIFY_FOLD_H

#include "verify/interned.h"

/* A row of `length` >= 2 numbers takes an array of 2 * length: the row, then the row of its pairs,
 * and so on. */

/* Folds a row; `pairs` holds the pairs of every level. False: no room. */
bool rl_fold(struct rl_interned *pairs, uint32_t *row, uint32_t length, uint64_t *folded_out);
/* The same for a row whose pairs are there already, but for numbers l and r, which have changed. */
bool rl_refold(struct rl_interned *pairs, uint32_t *row, uint32_t length, uint32_t l, uint32_t r,
               uint64_t *folded_out);
void rl_unfold(const struct rl_interned *pairs, uint64_t folded, uint32_t length,
               uint32_t *row_out);

#endif
