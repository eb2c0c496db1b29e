/* SPDX-License-Identifier: MIT
 *
 * A rulebook: a protocol that is a table. Whoever has a rule in another language asks it once about
 * every pair of states and writes the answers down; the engines then run the table as fast as a
 * protocol that was compiled.
 *
 *     struct rl_rulebook book;
 *     rl_rulebook_init(&book, memory, bits, oracle);
 *     ...its variables and texts into book.protocol, as in protocol.h...
 *     for every state: rl_rulebook_add(&book, word, leads);
 *     for every pair:  rl_rulebook_rule(&book, no_leader, l, r, l_after, r_after);
 *     ...&book.protocol is a protocol...
 *
 * A word is the variables' bits, below 2^bits, and in its highest bit the output, so that whoever
 * makes a word of values must ask for it: rl_rulebook_word.
 */
#ifndef RINGLEADER_RULEBOOK_H
#define RINGLEADER_RULEBOOK_H

#include "ringleader/protocol.h"

RL_BEGIN

enum { RL_RULEBOOK_BITS = 12 };

/* What two agents become; `l` also has RL_RULE_CHANGES if that is not what they were. */
struct rl_rule {
    uint32_t l, r;
};
#define RL_RULE_CHANGES (UINT32_C(1) << 30)

/* Stays where it is: its protocol points to it. */
struct rl_rulebook {
    struct rl_protocol protocol; /* name, variables, sets (RL_SETTLED until then) and starts are
                                    the caller's */
    uint16_t bits;               /* of a type that nothing in the loops stores: loaded once */
    uint32_t count;              /* states */
    uint32_t *states;            /* [index]: words */
    uint32_t *indices;           /* [word without output]: index, or UINT32_MAX */
    struct rl_rule *rules[2];    /* [no_leader][l << bits | r], of words without output */
};

/* Bytes of memory for words of `bits` bits, 1 to RL_RULEBOOK_BITS. */
size_t rl_rulebook_bytes(uint32_t bits, bool oracle);
/* An empty book in the caller's memory, which must be aligned for uint32_t and outlive it. Nobody
 * may move or copy the book afterwards. Every pair of its states must get a rule. */
void rl_rulebook_init(struct rl_rulebook *book, void *memory, uint32_t bits, bool oracle);
/* Adds a state. Time: O(1). */
void rl_rulebook_add(struct rl_rulebook *book, uint32_t values, bool leads);
/* The word of a state, given by the bits of its variables, which must have been added. */
uint32_t rl_rulebook_word(const struct rl_rulebook *book, uint32_t values);
/* What l and r become; all four are given by the bits of their variables. */
void rl_rulebook_rule(struct rl_rulebook *book, bool no_leader, uint32_t l, uint32_t r,
                      uint32_t l_after, uint32_t r_after);

RL_END

#endif
