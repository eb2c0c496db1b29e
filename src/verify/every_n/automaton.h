/* SPDX-License-Identifier: MIT
 *
 * Finite automata, and the little that is asked of them: deterministic, complete, with state 0 as
 * the start. An automaton stands for the set of words that it accepts.
 *
 * Main invariant: whatever is made here is minimal, and its states are numbered in the order in
 * which the shortest words reach them (of equally short ones, the first in the order of letters).
 * So two automata accept the same words if and only if they are equal entry for entry.
 */
#ifndef RINGLEADER_EVERY_N_AUTOMATON_H
#define RINGLEADER_EVERY_N_AUTOMATON_H

#include "verify/classes.h"

/* Letters have numbers below 2^16. */
typedef uint16_t rl_letter;

struct rl_automaton {
    uint32_t letters;
    uint32_t states;
    uint32_t *next; /* [state * letters + letter] */
    bool *accepts;  /* [state] */
};

/* A word, owned by whoever has it. */
struct rl_letters {
    rl_letter *at;
    uint32_t length;
    bool exists;
};

/* Room for an automaton, every entry 0. After a failure it has no states. */
struct rl_automaton rl_automaton_make(uint32_t letters, uint32_t states, struct rl_effort *effort);
void rl_automaton_free(struct rl_automaton *automaton);
struct rl_automaton rl_automaton_copy(const struct rl_automaton *automaton,
                                      struct rl_effort *effort);

static inline uint32_t rl_automaton_step(const struct rl_automaton *automaton, uint32_t state,
                                         rl_letter letter)
{
    return automaton->next[state * automaton->letters + letter];
}
bool rl_automaton_accepts(const struct rl_automaton *automaton, const rl_letter *word,
                          uint32_t length);
bool rl_automaton_equal(const struct rl_automaton *a, const struct rl_automaton *b);
/* Accepts what it did not, and the other way round. */
void rl_automaton_complement(struct rl_automaton *automaton);

/* Establishes the main invariant. Time: O(states * letters) a round. */
void rl_automaton_minimize(struct rl_automaton *automaton, struct rl_effort *effort);

/* Which words are kept of two sets. */
enum rl_keep { RL_KEEP_FIRST_ONLY, RL_KEEP_BOTH, RL_KEEP_EITHER };

/* Replaces *set by its combination with another, which is used up (preimage.c). RL_TOO_LARGE if the
 * memory allowed is not enough. Time: O(states of both, multiplied, * letters). */
void rl_automaton_keep(struct rl_automaton *set, struct rl_automaton other, enum rl_keep keep,
                       struct rl_effort *effort);
/* The words of a set that are not in another. */
struct rl_automaton rl_automaton_without(const struct rl_automaton *set,
                                         const struct rl_automaton *other,
                                         struct rl_effort *effort);

/* Does a minimal automaton accept nothing? */
static inline bool rl_automaton_is_empty(const struct rl_automaton *automaton)
{
    return automaton->states == 1 && !automaton->accepts[0];
}

/* A shortest word that a minimal automaton accepts, if there is one. */
struct rl_letters rl_automaton_shortest(const struct rl_automaton *automaton,
                                        struct rl_effort *effort);
void rl_letters_free(struct rl_letters *word);

/* Does no letter leave the state? Of a minimal automaton, no word is accepted from such a state, or
 * every word is; and of no other can that be said. */
bool rl_automaton_is_sink(const struct rl_automaton *automaton, uint32_t state);

/* ---- alphabet.c ---------------------------------------------------------------------------------
 *
 * The letters of the words that rings are: what an agent is to everybody, and what two of them
 * become.
 *
 * A letter is a class of agent states that no interaction, output or set can tell apart; or such a
 * class with a mark. Marks never change: they say where leaders were at the beginning. A leader
 * without a mark is no letter, so a move that would make one is no move here (which loses some
 * executions, and so can only make an answer "don't know").
 */

/* What two letters become where it is no letter. */
enum { RL_NO_LETTER = UINT16_MAX };

struct rl_alphabet {
    uint32_t letters;
    bool *leads;             /* [letter] */
    bool *marked;            /* [letter] */
    bool *lost;              /* [letter] it is marked and does not lead */
    rl_letter *plain;        /* [letter] its class */
    struct rl_pair *meet[2]; /* [l * letters + r], as in the table of classes: without the oracle's
                              * report, and with it (NULL if there is no oracle) */
};

/* The alphabet of the classes, with or without marks. Free also after a failure. */
void rl_alphabet_init(struct rl_alphabet *alphabet, const struct rl_classes *classes, bool marks,
                      struct rl_effort *effort);
void rl_alphabet_free(struct rl_alphabet *alphabet);

/* Some sets of words over it, with a few states each. */

/* So many of those letters, at least and at most (UINT32_MAX: no bound): of those that lead; or
 * that are lost, for marked are, at the beginning, the leaders and nobody else. */
struct rl_automaton rl_alphabet_count(const struct rl_alphabet *alphabet, const bool *those,
                                      uint32_t least, uint32_t most, struct rl_effort *effort);
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

/* ---- preimage.c ---------------------------------------------------------------------------------
 *
 * Pre-images: the words that one move leads into a regular set K. A move is an arc, a sweep of the
 * paper's (seq_R(i, j) or seq_L(i, j), any i and j, not over the seam between the last agent and
 * the first), the one arc over the seam, or turning the ring by one agent, which changes nothing
 * about the ring but where it is read from.
 *
 * A move is a finite-state transduction, so the pre-image is accepted by a nondeterministic
 * automaton: it reads the word before the move, and lets K's automaton read the word after it. A
 * sweep to the right carries the state of the agent that it has come to. A sweep to the left
 * expects one: it guesses what the next agent will have become by the time it meets this one, and
 * checks the guess when that agent is read.
 */

/* LOSE is no way to move: it lets a set have the rings without a leader too, where these have been
 * seen to (proof.h). TURN and NONE are no moves of a chain; NONE leaves a word as it is. */
enum rl_move {
    RL_MOVE_ARC,
    RL_MOVE_RIGHT,
    RL_MOVE_LEFT,
    RL_MOVE_SEAM,
    RL_MOVE_LOSE,
    RL_CHAIN_MOVE_COUNT,
    RL_MOVE_TURN = RL_CHAIN_MOVE_COUNT,
    RL_MOVE_NONE
};

/* Of a move of a chain. */
const char *rl_move_name(enum rl_move move);

/* The minimal automaton of those words of a guard that the move leads into the goal; with the goal
 * itself, if they may `stay`. `report`: the oracle speaks. The alphabet may be NULL for
 * RL_MOVE_NONE. RL_TOO_LARGE if the memory allowed is not enough. */
struct rl_automaton rl_preimage(const struct rl_automaton *goal, const struct rl_alphabet *alphabet,
                                enum rl_move move, bool report, bool stay,
                                const struct rl_automaton *guard, struct rl_effort *effort);

#endif
