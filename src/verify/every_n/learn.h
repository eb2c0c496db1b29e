/* SPDX-License-Identifier: MIT
 *
 * Learning the automaton of a set of rings from its predicate, by asking about single words
 * (Angluin 1987, with the counterexamples of Rivest and Schapire 1993).
 *
 * What comes out equals the predicate on every word of up to `checked` letters, and on the longer
 * ones that were tried; it need not on others. If a word is found where they differ, the learner
 * goes on from there.
 */
#ifndef RINGLEADER_EVERY_N_LEARN_H
#define RINGLEADER_EVERY_N_LEARN_H

#include "ringleader/ring.h"
#include "verify/every_n/automaton.h"

enum {
    RL_LEARN_PIECE = 64,   /* letters of a word that leads to a state, or of a suffix */
    RL_LEARN_LONGEST = 192 /* letters of any word that is asked about */
};

/* Who answers: about words of `least` letters or more. Shorter ones are no rings; what an automaton
 * says of them means nothing. */
struct rl_teacher {
    void *user;
    bool (*contains)(void *user, const rl_letter *word, uint32_t length);
    uint32_t letters;
    uint32_t least;
    uint64_t words;  /* so many are compared one by one: this decides `checked` */
    uint64_t longer; /* so many longer ones are tried */
};

/* The longest length of which all words, with the shorter ones, are not too many to be compared;
 * and the first of these, in their order, of which automaton and teacher say different things.
 * Returns its length, or 0. */
uint32_t rl_learn_comparable(const struct rl_teacher *teacher);
uint32_t rl_learn_compare(const struct rl_automaton *guess, const struct rl_teacher *teacher,
                          rl_letter *word_out, struct rl_effort *effort);

struct rl_learn_word {
    uint32_t length;
    rl_letter at[RL_LEARN_PIECE];
};

struct rl_learner {
    const struct rl_teacher *teacher;
    struct rl_effort *effort;
    struct rl_automaton guess; /* of `teacher`: words shorter than `least` are not in it */
    uint32_t checked;
    uint32_t state_count, suffix_count;
    size_t state_room, suffix_room;
    struct rl_learn_word *access; /* [state] a word that leads to it */
    struct rl_learn_word *suffix;
    bool *rows; /* [state * suffix_room + suffix] is access and suffix a word of the set? */
};

/* Free also after a failure: RL_TOO_LARGE if the set is not regular, as far as the memory goes. */
void rl_learn_init(struct rl_learner *learner, const struct rl_teacher *teacher,
                   struct rl_effort *effort);
/* Goes on from a word where the guess is wrong. */
void rl_learn_more(struct rl_learner *learner, const rl_letter *word, uint32_t length);
void rl_learn_free(struct rl_learner *learner);

/* The guess, with as few states as the freedom about words that are no rings allows. */
struct rl_automaton rl_learn_result(const struct rl_learner *learner, struct rl_effort *effort);

#endif
