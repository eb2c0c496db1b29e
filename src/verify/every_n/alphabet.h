/* SPDX-License-Identifier: MIT
 *
 * The letters of the words that rings are: what an agent is to everybody, and what two of them
 * become.
 *
 * A letter is a class of agent states that no interaction, output or set can tell apart; or such a
 * class with a mark. Marks never change: they say where leaders were at the beginning. A leader
 * without a mark is no letter, so a move that would make one is no move here (which loses some
 * executions, and so can only make an answer "don't know").
 */
#ifndef RINGLEADER_EVERY_N_ALPHABET_H
#define RINGLEADER_EVERY_N_ALPHABET_H

#include "verify/classes.h"
#include "verify/every_n/automaton.h"

/* What two letters become where it is no letter. */
enum { RL_NO_LETTER = UINT16_MAX };

struct rl_alphabet {
    uint32_t letters;
    bool *leads;             /* [letter] */
    bool *marked;            /* [letter] */
    rl_letter *plain;        /* [letter] its class */
    struct rl_pair *meet[2]; /* [l * letters + r], as in the table of classes: without the oracle's
                              * report, and with it (NULL if there is no oracle) */
};

/* The alphabet of the classes, with or without marks. Free also after a failure. */
void rl_alphabet_init(struct rl_alphabet *alphabet, const struct rl_classes *classes, bool marks,
                      struct rl_effort *effort);
void rl_alphabet_free(struct rl_alphabet *alphabet);

/* Some sets of words over it, with a few states each. */

/* So many leaders, at least and at most (UINT32_MAX: no bound). */
struct rl_automaton rl_alphabet_leaders(const struct rl_alphabet *alphabet, uint32_t least,
                                        uint32_t most, struct rl_effort *effort);
/* Somebody is marked who does not lead. (Without this, marked are the leaders and nobody else.) */
struct rl_automaton rl_alphabet_fewer(const struct rl_alphabet *alphabet, struct rl_effort *effort);
/* u_1 is one of these letters: of those that lead, or are marked. */
struct rl_automaton rl_alphabet_second(const struct rl_alphabet *alphabet, const bool *those,
                                       struct rl_effort *effort);
/* The interaction of some arc changes an output while the oracle is silent. */
struct rl_automaton rl_alphabet_changes(const struct rl_alphabet *alphabet,
                                        struct rl_effort *effort);
/* n is one of the lengths: n >= least and allowed[n % period]. */
struct rl_automaton rl_alphabet_lengths(const struct rl_alphabet *alphabet, uint32_t least,
                                        const bool *allowed, uint32_t period,
                                        struct rl_effort *effort);

#endif
