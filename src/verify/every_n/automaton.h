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

#include "verify/effort.h"

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

/* Which words are kept of two sets: bit 2 * (in a) + (in b). */
enum rl_keep { RL_KEEP_FIRST_ONLY = 4, RL_KEEP_BOTH = 8, RL_KEEP_EITHER = 14 };

/* The combination of two sets. RL_TOO_LARGE if the memory allowed is not enough.
 * Time: O(states of a * states of b * letters). */
struct rl_automaton rl_automaton_combine(const struct rl_automaton *a, const struct rl_automaton *b,
                                         enum rl_keep keep, struct rl_effort *effort);
/* Replaces *set by its combination with another, which is used up. */
void rl_automaton_keep(struct rl_automaton *set, struct rl_automaton other, enum rl_keep keep,
                       struct rl_effort *effort);

/* A shortest word that a minimal automaton accepts, if there is one. */
struct rl_letters rl_automaton_shortest(const struct rl_automaton *automaton,
                                        struct rl_effort *effort);
void rl_letters_free(struct rl_letters *word);

/* The length of the longest word that is accepted: 0 if there is none (or only the empty one),
 * UINT32_MAX if they have no bound. */
uint32_t rl_automaton_longest(const struct rl_automaton *automaton, struct rl_effort *effort);

/* Does no letter leave the state? Of a minimal automaton, no word is accepted from such a state, or
 * every word is; and of no other can that be said. */
bool rl_automaton_is_sink(const struct rl_automaton *automaton, uint32_t state);

#endif
