/* SPDX-License-Identifier: MIT
 *
 * Necklaces in lexicographic order, by the recursion of Fredricksen, Kessler and Maiorana (as in
 * Ruskey's book): a prenecklace of period p is prolonged by repeating the letter p places back, or
 * by a larger one, which makes the whole prefix the new period; it is a necklace if p divides n.
 * Constant time each, amortized. A task is a pair of first letters.
 */
#include "verify/enumerate/words.h"

#include <assert.h>

/* With more letters than this, tasks fix one letter only. */
enum { MOST_PAIRS = 512 };

void rl_words_init(struct rl_words *words, const struct rl_classes *classes, bool rotate)
{
    const struct rl_params *params = &classes->table->params;
    assert(params->n <= RL_VERIFY_AGENTS);
    *words =
        (struct rl_words){.classes = classes,
                          .n = params->n,
                          .arcs = classes->table->protocol->undirected ? 2 * params->n : params->n,
                          .rotate = rotate,
                          .letters = classes->count};
    words->power[0] = 1;
    for (uint32_t i = 0; i < params->n; i++)
        words->power[i + 1] = words->power[i] * classes->count;
}

/* Rotation by i fixes letters^gcd(i, n) words (Burnside). */
uint64_t rl_words_count(const struct rl_words *words)
{
    uint64_t fixed = 0;
    if (!words->rotate)
        return words->power[words->n];
    for (uint32_t i = 1; i <= words->n; i++) {
        uint32_t a = i, b = words->n;
        while (b > 0) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        fixed += words->power[a];
    }
    assert(words->n > 0);
    return fixed / words->n;
}

struct walk {
    const struct rl_words *words;
    void (*visit)(void *user, const struct rl_word *word);
    void *user;
    struct rl_word word;
};

/* `code` is that of the letters so far. Without rotation every letter will do, and the period is
 * always 1. */
static void prolong(struct walk *walk, uint32_t length, uint32_t period, uint64_t code)
{
    const struct rl_words *words = walk->words;
    uint16_t *letters = walk->word.letters;
    if (length == words->n) {
        if (words->n % period == 0) {
            walk->word.orbit = period;
            walk->word.code = code;
            walk->visit(walk->user, &walk->word);
        }
        return;
    }
    letters[length] = words->rotate ? letters[length - period] : 0;
    prolong(walk, length + 1, period, code * words->letters + letters[length]);
    while (++letters[length] < words->letters)
        prolong(walk, length + 1, words->rotate ? length + 1 : 1,
                code * words->letters + letters[length]);
}

static bool by_pairs(const struct rl_words *words)
{
    return words->letters <= MOST_PAIRS;
}

size_t rl_words_tasks(const struct rl_words *words)
{
    return by_pairs(words) ? words->letters * words->letters : words->letters;
}

void rl_words_visit(const struct rl_words *words, size_t task,
                    void (*visit)(void *user, const struct rl_word *word), void *user)
{
    struct walk walk = {.words = words, .visit = visit, .user = user};
    uint32_t length = 1, period = 1;
    uint16_t *letters = walk.word.letters;
    letters[0] = (uint16_t)task;
    if (by_pairs(words)) {
        letters[0] = (uint16_t)(task / words->letters);
        letters[1] = (uint16_t)(task % words->letters);
        length = 2;
        period = letters[0] == letters[1] || !words->rotate ? 1 : 2;
    }
    if (length == 1 || letters[0] <= letters[1] || !words->rotate)
        prolong(&walk, length, period, task);
}

static void walk_task(void *user, size_t task)
{
    const struct walk *walk = user;
    rl_words_visit(walk->words, task, walk->visit, walk->user);
}

void rl_words_visit_all(const struct rl_words *words, struct rl_effort *effort,
                        void (*visit)(void *user, const struct rl_word *word), void *user)
{
    struct walk walk = {words, visit, user};
    rl_effort_run(effort, rl_words_tasks(words), walk_task, &walk);
}

/* Dividing small numbers is faster. */
void rl_words_letters(const struct rl_words *words, uint64_t code, uint16_t *letters_out)
{
    uint32_t i = words->n;
    for (; code > UINT32_MAX; code /= words->letters)
        letters_out[--i] = (uint16_t)(code % words->letters);
    for (uint32_t rest = (uint32_t)code, base = (uint32_t)words->letters; i > 0; rest /= base)
        letters_out[--i] = (uint16_t)(rest % base);
}

void rl_words_decode(const struct rl_words *words, uint64_t code, struct rl_word *word_out)
{
    uint64_t turned[2 * RL_VERIFY_AGENTS];
    word_out->code = code;
    word_out->orbit = 1;
    rl_words_letters(words, code, word_out->letters);
    rl_words_turn(words, word_out->letters, turned);
    while (words->rotate && turned[word_out->orbit] != turned[0])
        word_out->orbit++;
}

uint64_t rl_words_coarser(const struct rl_words *words, const uint16_t *letters,
                          const struct rl_words *coarser)
{
    uint16_t translated[RL_VERIFY_AGENTS] = {0};
    for (uint32_t i = 0; i < words->n; i++)
        translated[i] = (uint16_t)coarser->classes->of[words->classes->first[letters[i]]];
    return rl_words_canonical(coarser, translated);
}

uint64_t rl_words_weight(const struct rl_words *words, const struct rl_word *word)
{
    uint64_t weight = word->orbit;
    for (uint32_t i = 0; i < words->n; i++)
        weight *= words->classes->size[word->letters[i]];
    return weight;
}

uint32_t rl_words_leaders(const struct rl_words *words, const uint16_t *letters)
{
    uint32_t leaders = 0;
    for (uint32_t i = 0; i < words->n; i++)
        leaders += words->classes->leads[letters[i]];
    return leaders;
}

const struct rl_pair *rl_words_next(const struct rl_words *words, const uint16_t *letters)
{
    const struct rl_classes *classes = words->classes;
    const bool report = classes->next[1] && rl_words_leaders(words, letters) == 0;
    return classes->next[report];
}

bool rl_words_keeps_outputs(const struct rl_words *words, const uint16_t *letters)
{
    const struct rl_pair *next = rl_words_next(words, letters);
    struct rl_change change;
    for (uint32_t arc = 0; arc < words->arcs; arc++)
        if (rl_words_change(words, letters, next, arc, &change) &&
            rl_words_shows(words, letters, &change))
            return false;
    return true;
}

void rl_words_states(const struct rl_words *words, const uint16_t *letters, rl_state *states_out)
{
    const struct rl_classes *classes = words->classes;
    for (uint32_t i = 0; i < words->n; i++)
        states_out[i] = classes->table->word[classes->first[letters[i]]];
}

void rl_words_ring(const struct rl_words *words, const uint16_t *letters, struct rl_ring *ring_out)
{
    const struct rl_classes *classes = words->classes;
    for (uint32_t i = 0; i < words->n; i++)
        rl_ring_set(ring_out, i, classes->table->word[classes->first[letters[i]]]);
}

bool rl_words_is_in(const struct rl_words *words, const uint16_t *letters,
                    bool (*contains)(const struct rl_ring *ring))
{
    const struct rl_table *table = words->classes->table;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {table->protocol, table->params, agents};
    rl_words_ring(words, letters, &ring);
    return contains(&ring);
}
