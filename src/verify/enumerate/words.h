/* SPDX-License-Identifier: MIT
 *
 * Configurations as words: second reduction, by rotation.
 *
 * A configuration of n agents is a word of n letters, the classes of its agents. Rotated words are
 * the same configuration to everybody, so one of each orbit is enough: the least, a necklace. A
 * necklace stands for `orbit` words, and each of these for the product of its classes' sizes of
 * configurations. Without reduction every word stands for itself.
 */
#ifndef RINGLEADER_WORDS_H
#define RINGLEADER_WORDS_H

#include <assert.h>

#include "verify/classes.h"

struct rl_words {
    const struct rl_classes *classes;
    uint32_t n;
    uint32_t arcs;
    bool rotate;
    uint64_t letters;                     /* the number of classes */
    uint64_t power[RL_VERIFY_AGENTS + 1]; /* letters^i */
};

struct rl_word {
    uint16_t letters[RL_VERIFY_AGENTS]; /* agent 0 first */
    uint32_t orbit;
    uint64_t code;
};

void rl_words_init(struct rl_words *words, const struct rl_classes *classes, bool rotate);

/* The number of representatives: (1/n) sum over d | n of phi(d) letters^(n/d). */
uint64_t rl_words_count(const struct rl_words *words);

/* Visits the representatives of a task: visit(user, word). The words of a task come in order, and
 * the tasks cover the words in order. */
size_t rl_words_tasks(const struct rl_words *words);
void rl_words_visit(const struct rl_words *words, size_t task,
                    void (*visit)(void *user, const struct rl_word *word), void *user);
/* Those of all tasks, in parallel. */
void rl_words_visit_all(const struct rl_words *words, struct rl_effort *effort,
                        void (*visit)(void *user, const struct rl_word *word), void *user);

/* The number of a word in base `letters`, agent 0 being the highest digit, and back. */
static inline uint64_t rl_words_code(const struct rl_words *words, const uint16_t *letters)
{
    uint64_t code = 0;
    for (uint32_t i = 0; i < words->n; i++)
        code = code * words->letters + letters[i];
    return code;
}
void rl_words_decode(const struct rl_words *words, uint64_t code, struct rl_word *word_out);
/* The letters alone. */
void rl_words_letters(const struct rl_words *words, uint64_t code, uint16_t *letters_out);
/* The codes of all rotations of a word, twice over: turned[k] begins with agent k. */
static inline void rl_words_turn(const struct rl_words *words, const uint16_t *letters,
                                 uint64_t *turned)
{
    const uint32_t n = words->n;
    const uint64_t all = rl_words_code(words, letters);
    uint64_t head = 0; /* the code of the letters before k */
    assert(n >= 2);
    for (uint32_t k = 0; k < n; k++) {
        turned[k] = turned[n + k] = (all - head * words->power[n - k]) * words->power[k] + head;
        head = head * words->letters + letters[k];
    }
}

/* The code of a word's representative. */
static inline uint64_t rl_words_canonical(const struct rl_words *words, const uint16_t *letters)
{
    uint64_t turned[2 * RL_VERIFY_AGENTS];
    rl_words_turn(words, letters, turned);
    for (uint32_t k = 1; words->rotate && k < words->n; k++)
        turned[0] = turned[k] < turned[0] ? turned[k] : turned[0];
    return turned[0];
}

/* The same, in words with coarser classes. */
uint64_t rl_words_coarser(const struct rl_words *words, const uint16_t *letters,
                          const struct rl_words *coarser);

/* An interaction: what agents i and j, its right neighbour, become. */
struct rl_change {
    uint32_t i, j;
    uint16_t a, b;
};

/* What an arc does, by the table for the word (rl_words_next). False: nothing changes. */
static inline bool rl_words_change(const struct rl_words *words, const uint16_t *letters,
                                   const struct rl_pair *table, uint32_t arc,
                                   struct rl_change *change_out)
{
    const bool turned = arc >= words->n;
    const uint32_t i = turned ? arc - words->n : arc, j = i + 1 == words->n ? 0 : i + 1;
    const uint16_t a = letters[i], b = letters[j];
    const struct rl_pair pair =
        turned ? table[b * words->letters + a] : table[a * words->letters + b];
    *change_out = (struct rl_change){i, j, turned ? pair.r : pair.l, turned ? pair.l : pair.r};
    return change_out->a != a || change_out->b != b;
}

/* Whether it changes an output. */
static inline bool rl_words_shows(const struct rl_words *words, const uint16_t *letters,
                                  const struct rl_change *change)
{
    const bool *leads = words->classes->leads;
    return leads[change->a] != leads[letters[change->i]] ||
           leads[change->b] != leads[letters[change->j]];
}

/* The code of the representative after a change: each rotation by its difference, none waits for
 * another. In one of them i is the last digit and i + 1 the first; in the others they are digits p
 * and p + 1. */
static inline uint64_t rl_words_after(const struct rl_words *words, const uint16_t *letters,
                                      const uint64_t *turned, const struct rl_change *change)
{
    const uint32_t n = words->n, i = change->i;
    const uint64_t l = (uint64_t)change->a - letters[i],
                   r = (uint64_t)change->b - letters[change->j];
    const uint64_t both = l * words->letters + r;
    if (!words->rotate)
        return turned[0] +
               (i + 1 < n ? both * words->power[n - 2 - i] : l + r * words->power[n - 1]);
    uint64_t least = turned[i + 1] + l + r * words->power[n - 1];
    for (uint32_t p = 0; p + 1 < n; p++) {
        const uint64_t code = turned[i + n - p] + both * words->power[n - 2 - p];
        least = code < least ? code : least;
    }
    return least;
}

/* How many configurations of the full space a representative stands for. */
uint64_t rl_words_weight(const struct rl_words *words, const struct rl_word *word);

/* What the classes of an arc become: the table for this word (which the oracle decides). */
const struct rl_pair *rl_words_next(const struct rl_words *words, const uint16_t *letters);
uint32_t rl_words_leaders(const struct rl_words *words, const uint16_t *letters);

/* Does no interaction change an output? */
bool rl_words_keeps_outputs(const struct rl_words *words, const uint16_t *letters);

/* A configuration that the word stands for, each agent in the first state of its class: as states,
 * as a ring, and whether it is in a set. */
void rl_words_states(const struct rl_words *words, const uint16_t *letters, rl_state *states_out);
void rl_words_ring(const struct rl_words *words, const uint16_t *letters, struct rl_ring *ring_out);
bool rl_words_is_in(const struct rl_words *words, const uint16_t *letters,
                    bool (*contains)(const struct rl_ring *ring));

#endif
