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

/* Which configurations are safe (Definition 1: exactly one leader, and no output ever changes), and
 * from which no safe one can be reached. To be freed, also after a failure. */
uint64_t *rl_reach_safe(const struct rl_words *words, struct rl_effort *effort);
uint64_t *rl_reach_stuck(const struct rl_words *words, struct rl_effort *effort,
                         const uint64_t *safe);

/* How many configurations of the full space the members of a set stand for. */
uint64_t rl_reach_size(const struct rl_words *words, struct rl_effort *effort,
                       const uint64_t *bits);

/* ---- survey.c -----------------------------------------------------------------------------------
 *
 * Surveys: questions answered by looking at each representative and its successors once. Nothing is
 * stored, so they go as far as patience does, not memory.
 */

/* Where something was found: before the interaction of an arc. */
struct rl_find {
    bool found;
    struct rl_word word;
    uint32_t arc;
};

/* What was found of a set or a lemma. Sizes are of the full space. */
struct rl_survey {
    uint64_t size;            /* of the set; configurations x arcs that the lemma is about */
    uint64_t violations;      /* of the lemma */
    struct rl_find violation; /* the first: of a set, an interaction that leaves it */
    struct rl_find unsafe;    /* the first member of the set that is not safe */
};

/* Of a set. Which are safe is asked if `base` is given, words with coarser classes: `safe` are bits
 * of its codes. */
struct rl_survey rl_survey_set(const struct rl_words *words, struct rl_effort *effort,
                               bool (*contains)(const struct rl_ring *ring),
                               const struct rl_words *base, const uint64_t *safe);

/* Of lemmas of one view, at every configuration and arc. */
void rl_survey_lemmas(const struct rl_words *words, struct rl_effort *effort,
                      const struct rl_lemma *const *lemmas, size_t count,
                      struct rl_survey *surveys_out);

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

/* Marks the members of a trap that is reachable from `from`, one byte each, to be freed. Time:
 * O(count). */
uint8_t *rl_trap_find(const struct rl_space *space, uint32_t from, struct rl_effort *effort);

/* A shortest execution from the word of `from` to a configuration with an interaction that changes
 * an output, and that interaction. If there is no such, and `from` is in a trap, a shortest
 * execution round it, back to the same word up to symmetry; none if nothing happens there any
 * more. */
void rl_trap_way(const struct rl_space *space, uint32_t from, struct rl_effort *effort,
                 struct rl_counterexample *example);

struct rl_verifier {
    const struct rl_verify_options *options;
    const struct rl_protocol *protocol;
    struct rl_verification *answer;
    struct rl_error *error;
    struct rl_effort effort;
    struct rl_views views;
    uint64_t *safe;       /* bits of the base's codes */
    struct rl_space base; /* stored where it is needed */
};

static inline bool rl_verifier_asks(const struct rl_verifier *verifier, unsigned question)
{
    return verifier->answer->questions & question;
}

/* All that is said about the steps until a set is hit (hitting.c): the expected steps to every
 * named set that belongs to a view, to safe if it is the base, and the claims that belong to it. */
void rl_hitting_view(struct rl_verifier *verifier, const struct rl_space *space,
                     const struct rl_view *view);

#endif
