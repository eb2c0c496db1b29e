/* SPDX-License-Identifier: MIT
 *
 * Surveys: questions answered by looking at each representative and its successors once. Nothing is
 * stored, so they go as far as patience does, not memory.
 */
#ifndef RINGLEADER_SURVEY_H
#define RINGLEADER_SURVEY_H

#include "verify/enumerate/space.h"

/* Where something was found: before the interaction of an arc. */
struct rl_find {
    bool found;
    bool lost; /* the interaction leaves no leader */
    struct rl_word word;
    uint32_t arc;
};

/* A set: its size, the first interaction that leaves it (rather one that loses the last leader),
 * and, if `safe` is given (a byte for each representative of `base`, a space with coarser classes),
 * its first member that is not safe. */
struct rl_set_survey {
    uint64_t size;
    struct rl_find way_out;
    struct rl_find unsafe;
};
RL_MUST_CHECK enum rl_status rl_survey_set(const struct rl_words *words, struct rl_workers *workers,
                                           bool (*contains)(const struct rl_ring *ring),
                                           const struct rl_space *base, const uint8_t *safe,
                                           struct rl_set_survey *survey_out);

/* A lemma, at every configuration and arc. Counts are of the full space. */
struct rl_lemma_survey {
    uint64_t checked;
    uint64_t violations;
    struct rl_find violation;
};
RL_MUST_CHECK enum rl_status rl_survey_lemma(const struct rl_words *words,
                                             struct rl_workers *workers,
                                             const struct rl_lemma *lemma,
                                             struct rl_lemma_survey *survey_out);

#endif
