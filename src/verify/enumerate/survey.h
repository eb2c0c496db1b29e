/* SPDX-License-Identifier: MIT
 *
 * Surveys: questions answered by looking at each representative and its successors once. Nothing is
 * stored, so they go as far as patience does, not memory.
 */
#ifndef RINGLEADER_SURVEY_H
#define RINGLEADER_SURVEY_H

#include "verify/enumerate/words.h"

/* Where something was found: before the interaction of an arc. */
struct rl_find {
    bool found;
    bool lost; /* the interaction leaves no leader */
    struct rl_word word;
    uint32_t arc;
};

/* A set: its size, the first interaction that leaves it (rather one that loses the last leader),
 * and, if `base` is given (words with coarser classes), its first member that is not among the
 * `safe` ones, bits of codes of the base. */
struct rl_set_survey {
    uint64_t size;
    struct rl_find way_out;
    struct rl_find unsafe;
};
RL_MUST_CHECK enum rl_status rl_survey_set(const struct rl_words *words, struct rl_workers *workers,
                                           bool (*contains)(const struct rl_ring *ring),
                                           const struct rl_words *base, const uint64_t *safe,
                                           struct rl_set_survey *survey_out);

/* Lemmas of one view, at every configuration and arc. Counts are of the full space. */
struct rl_lemma_survey {
    uint64_t checked;
    uint64_t violations;
    struct rl_find violation;
};
RL_MUST_CHECK enum rl_status rl_survey_lemmas(const struct rl_words *words,
                                              struct rl_workers *workers,
                                              const struct rl_lemma *const *lemmas, size_t count,
                                              struct rl_lemma_survey *surveys_out);

#endif
