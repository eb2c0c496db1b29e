/* SPDX-License-Identifier: MIT
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
#ifndef RINGLEADER_EVERY_N_PREIMAGE_H
#define RINGLEADER_EVERY_N_PREIMAGE_H

#include "verify/every_n/alphabet.h"

#define RL_MOVE_LIST(X)                                                                            \
    X(ARC, "arc")                                                                                  \
    X(RIGHT, "right")                                                                              \
    X(LEFT, "left")                                                                                \
    X(SEAM, "seam")                                                                                \
    X(TURN, "turn")                                                                                \
    X(LOSE, "lose")

/* LOSE is no way to move: it lets a set have the rings without a leader too, where these have been
 * seen to (proof.h). */
enum rl_move {
#define RL_MOVE_ENUM(name, text) RL_MOVE_##name,
    RL_MOVE_LIST(RL_MOVE_ENUM)
#undef RL_MOVE_ENUM
        RL_MOVE_COUNT
};

const char *rl_move_name(enum rl_move move);

/* A pre-image as a nondeterministic automaton over the alphabet; its states are numbers below
 * 2^32. */
struct rl_preimage {
    const struct rl_automaton *goal; /* K */
    const struct rl_alphabet *alphabet;
    enum rl_move move;
    bool report;   /* the oracle speaks */
    bool stay;     /* K itself belongs to it too */
    uint32_t done; /* the last state but one; the last, done + 1, is that before the first letter */
    bool *alive;   /* [K's state] false: surely no word is accepted from there */
    bool *full;    /* [K's state] true: surely every word is */
    /* For sweeps to the left: the letters g for which l, meeting g, becomes x, are guesses[i] for
     * first[x * letters + l] <= i < first[x * letters + l + 1]. */
    uint32_t *first;
    rl_letter *guesses;
};

/* The goal and the alphabet must outlive it. Free also after a failure, which is RL_TOO_LARGE if
 * there are more than 2^32 states. */
void rl_preimage_init(struct rl_preimage *preimage, const struct rl_automaton *goal,
                      const struct rl_alphabet *alphabet, enum rl_move move, bool report, bool stay,
                      struct rl_effort *effort);
void rl_preimage_free(struct rl_preimage *preimage);

bool rl_preimage_accepts(const struct rl_preimage *preimage, uint32_t state);
/* Whatever follows is accepted (true: surely). */
bool rl_preimage_accepts_all(const struct rl_preimage *preimage, uint32_t state);

/* The successors of a state by a letter, at most `letters` and two: returns their number. States
 * from which nothing is accepted are left out, as far as that is known. */
uint32_t rl_preimage_follow(const struct rl_preimage *preimage, uint32_t state, rl_letter letter,
                            uint32_t *list_out);

/* The subset construction (subsets.c): the minimal deterministic automaton of those words of a
 * pre-image that a guard accepts as well. What the guard has turned away for good is not followed.
 * RL_TOO_LARGE if the memory allowed is not enough.
 * Time: O(subsets * letters * the largest of them). */
struct rl_automaton rl_subsets_automaton(const struct rl_preimage *preimage,
                                         const struct rl_automaton *guard,
                                         struct rl_effort *effort);

#endif
