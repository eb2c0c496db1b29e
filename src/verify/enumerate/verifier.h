/* SPDX-License-Identifier: MIT
 *
 * A verification under way.
 */
#ifndef RINGLEADER_VERIFY_VERIFIER_H
#define RINGLEADER_VERIFY_VERIFIER_H

#include "verify/enumerate/space.h"
#include "verify/enumerate/view.h"
#include "verify/enumerate/words.h"

/* ---- reach.c ------------------------------------------------------------------------------------
 *
 * Fixpoints without stored successors: sets of representatives as a bit for each code.
 */

static inline bool rl_bits_have(const uint64_t *bits, uint64_t code)
{
    return __atomic_load_n(&bits[code / 64], __ATOMIC_RELAXED) >> code % 64 & 1;
}

/* Bytes that the bits of all codes take. */
size_t rl_bits_bytes(const struct rl_words *words);

/* Which configurations are safe (Definition 1: exactly one leader, and no output ever changes), and
 * from which no safe one can be reached. Both are made with malloc, the caller's also after a
 * failure. */
RL_MUST_CHECK enum rl_status rl_reach_safe(const struct rl_words *words, struct rl_workers *workers,
                                           uint64_t **safe_out);
RL_MUST_CHECK enum rl_status rl_reach_stuck(const struct rl_words *words,
                                            struct rl_workers *workers, const uint64_t *safe,
                                            uint64_t **stuck_out);

/* How many configurations of the full space the members of a set stand for. */
RL_MUST_CHECK enum rl_status rl_reach_size(const struct rl_words *words, struct rl_workers *workers,
                                           const uint64_t *bits, uint64_t *size_out);

/* ---- survey.c -----------------------------------------------------------------------------------
 *
 * Surveys: questions answered by looking at each representative and its successors once. Nothing is
 * stored, so they go as far as patience does, not memory.
 */

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

/* ---- trap.c -------------------------------------------------------------------------------------
 *
 * Traps and ways: what a "no" is made of.
 *
 * A trap is a closed set whose members all reach each other (a bottom component of the graph of
 * configurations). If no safe configuration can be reached from somewhere, a trap without a safe
 * one can be.
 */

/* Bytes of work space for `count` representatives. */
uint64_t rl_trap_bytes(uint64_t count);

/* Marks the members of a trap that is reachable from `from`; all others are 0. Time: O(count). */
RL_MUST_CHECK enum rl_status rl_trap_find(const struct rl_space *space, uint32_t from,
                                          uint8_t *trap_out);

/* The arcs of a shortest execution from the word of `from` to a configuration with an interaction
 * that changes an output, and that arc. If there is no such, and `from` is in a trap, those of a
 * shortest execution round it, back to the same word up to symmetry; none if nothing happens there
 * any more. The caller frees the arcs. */
RL_MUST_CHECK enum rl_status rl_trap_way(const struct rl_space *space, uint32_t from,
                                         uint32_t **arcs_out, size_t *length_out);

struct rl_verifier {
    const struct rl_verify_options *options;
    const struct rl_protocol *protocol;
    struct rl_verification *answer;
    struct rl_error *error;
    struct rl_workers workers;
    struct rl_views views;
    uint64_t *safe;       /* bits of the base's codes */
    struct rl_space base; /* stored where it is needed */
};

static inline bool rl_verifier_asks(const struct rl_verifier *verifier, unsigned question)
{
    return verifier->answer->questions & question;
}

static inline void rl_verifier_phase(struct rl_verifier *verifier, const char *name,
                                     const char *subject)
{
    verifier->workers.progress = (struct rl_progress){.phase = name, .subject = subject};
}

/* All that is said about the steps until a set is hit (hitting.c): the expected steps to every
 * named set that belongs to a view, to safe if it is the base, and the claims that belong to it. */
RL_MUST_CHECK enum rl_status rl_hitting_view(struct rl_verifier *verifier,
                                             const struct rl_space *space,
                                             const struct rl_view *view);

#endif
