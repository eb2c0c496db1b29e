/* SPDX-License-Identifier: MIT
 *
 * Learning the automaton of a set of rings from its predicate, by asking about single words
 * (Angluin 1987, with the counterexamples of Rivest and Schapire 1993).
 *
 * What comes out equals the predicate on every word of up to rl_learn_comparable letters, and on
 * the longer ones that were tried; it need not on others. If a word is found where they differ, the
 * learner goes on from there.
 */
#ifndef RINGLEADER_EVERY_N_LEARN_H
#define RINGLEADER_EVERY_N_LEARN_H

#include "verify/every_n/proof.h"

enum {
    RL_LEARN_PIECE = 64,   /* letters of a word that leads to a state, or of a suffix */
    RL_LEARN_LONGEST = 192 /* letters of any word that is asked about */
};

/* Who answers. */
struct rl_teacher {
    const struct rl_table *table; /* its parameters are those for every n */
    const struct rl_set *set;
    const uint16_t *first; /* [letter] a state that it stands for; NULL: letters are states */
    uint32_t letters;
    uint64_t words;  /* so many are compared one by one */
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
    struct rl_teacher teacher;
    struct rl_effort *effort;
    struct rl_automaton guess; /* has no states after a failure */
    uint32_t state_count, suffix_count;
    struct rl_learn_word *access; /* [state] a word that leads to it */
    struct rl_learn_word *suffix;
    bool *rows; /* [state * most suffixes + suffix] is access and suffix a word of the set? */
};

/* Free also after a failure: RL_TOO_LARGE if the set is not regular, as far as one looks. */
void rl_learn_init(struct rl_learner *learner, struct rl_teacher teacher, struct rl_effort *effort);
/* Is the guess wrong about this word? Then it goes on from there. */
bool rl_learn_more(struct rl_learner *learner, const rl_letter *word, uint32_t length);
void rl_learn_free(struct rl_learner *learner);

#endif
