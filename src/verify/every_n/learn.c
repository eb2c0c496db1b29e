/* SPDX-License-Identifier: MIT
 *
 * The learner. States are told apart by suffixes: two words lead to different states if some suffix
 * puts one of them into the set and not the other. From words that lead to known states it makes a
 * guess; a word where the guess is wrong yields a suffix that tells two words apart which were
 * taken for the same.
 *
 * Longer words that are tried are not drawn uniformly (next to none of those has one leader): a
 * word to a random state, some random letters, and a suffix.
 */
#include "verify/every_n/learn.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 4096, MOST_SUFFIXES = 1024, MIDDLE = 6 };

/* ---- questions ---- */

/* Is the ring of a word in the set? A word of less than two letters is none, and is made one: what
 * is said of it means nothing. */
static bool ask(const struct rl_teacher *teacher, const rl_letter *word, uint32_t length)
{
    const struct rl_table *table = teacher->table;
    uint64_t memory[RL_LEARN_LONGEST];
    struct rl_ring ring = {table->protocol, table->params, memory};
    ring.params.n = length < 2 ? 2 : length;
    for (uint32_t i = 0; i < ring.params.n; i++) {
        const rl_letter letter = i < length ? word[i] : 0;
        rl_ring_set(&ring, i, table->word[teacher->first ? teacher->first[letter] : letter]);
    }
    return teacher->set->contains(&ring);
}

static uint32_t append(rl_letter *to, uint32_t length, const rl_letter *letters, uint32_t count)
{
    if (count > 0) /* the empty word may have no place */
        memcpy(to + length, letters, count * sizeof *letters);
    return length + count;
}

/* ---- states and suffixes ---- */

static bool *row(const struct rl_learner *learner, size_t state)
{
    return &learner->rows[state * MOST_SUFFIXES];
}

/* Is the word, with each suffix from one on, in the set? */
static void fill_row(const struct rl_learner *learner, const struct rl_learn_word *head,
                     uint32_t from, bool *answers)
{
    rl_letter word[RL_LEARN_LONGEST];
    const uint32_t length = append(word, 0, head->at, head->length);
    for (uint32_t e = from; e < learner->suffix_count; e++)
        answers[e] = ask(&learner->teacher, word,
                         append(word, length, learner->suffix[e].at, learner->suffix[e].length));
}

/* One more word has room, if there is a place for it and it is not too long. */
static bool has_room(struct rl_learner *learner, bool place, uint32_t length)
{
    if (!learner->effort->status && (!place || length >= RL_LEARN_PIECE))
        learner->effort->status = RL_TOO_LARGE;
    return !learner->effort->status;
}

static void add_state(struct rl_learner *learner, const struct rl_learn_word *access)
{
    if (!has_room(learner, learner->state_count < MOST_STATES, access->length + 1))
        return;
    learner->access[learner->state_count] = *access;
    fill_row(learner, access, 0, row(learner, learner->state_count++));
}

static void add_suffix(struct rl_learner *learner, const rl_letter *letters, uint32_t length)
{
    if (!has_room(learner, learner->suffix_count < MOST_SUFFIXES, length))
        return;
    struct rl_learn_word *suffix = &learner->suffix[learner->suffix_count++];
    suffix->length = append(suffix->at, 0, letters, length);
    for (uint32_t s = 0; s < learner->state_count; s++)
        fill_row(learner, &learner->access[s], learner->suffix_count - 1, row(learner, s));
}

/* ---- guesses ---- */

/* Where the state goes by a letter; a new state, if it is none of those known. */
static uint32_t step_to(struct rl_learner *learner, uint32_t state, uint32_t letter)
{
    struct rl_learn_word word = learner->access[state];
    word.at[word.length++] = (rl_letter)letter;
    bool answers[MOST_SUFFIXES];
    fill_row(learner, &word, 0, answers);
    uint32_t next = 0;
    while (next < learner->state_count &&
           memcmp(row(learner, next), answers, learner->suffix_count) != 0)
        next++;
    if (next == learner->state_count)
        add_state(learner, &word);
    return next;
}

static void make_guess(struct rl_learner *learner)
{
    const size_t letters = learner->teacher.letters;
    struct rl_effort *effort = learner->effort;
    rl_automaton_free(&learner->guess);
    learner->guess = rl_automaton_make((uint32_t)letters, MOST_STATES, effort);
    for (uint32_t s = 0; !effort->status && s < learner->state_count; s++) {
        for (uint32_t a = 0; !effort->status && a < letters; a++)
            learner->guess.next[s * letters + a] = step_to(learner, s, a);
        learner->guess.accepts[s] = row(learner, s)[0]; /* the first suffix is the empty one */
        rl_effort_goes_on(effort, s);
    }
    learner->guess.states = effort->status ? 0 : learner->state_count;
}

/* ---- comparing ---- */

static bool is_wrong(const struct rl_automaton *guess, const struct rl_teacher *teacher,
                     const rl_letter *word, uint32_t length)
{
    return rl_automaton_accepts(guess, word, length) != ask(teacher, word, length);
}

uint32_t rl_learn_comparable(const struct rl_teacher *teacher)
{
    uint64_t count = 1, all = 0;
    uint32_t length = 0;
    while (count <= teacher->words / teacher->letters &&
           all + count * teacher->letters <= teacher->words && length < RL_LEARN_PIECE - 1) {
        count *= teacher->letters;
        all += count;
        length++;
    }
    return length;
}

uint32_t rl_learn_compare(const struct rl_automaton *guess, const struct rl_teacher *teacher,
                          rl_letter *word, struct rl_effort *effort)
{
    const uint32_t longest = rl_learn_comparable(teacher);
    uint64_t count = 0;
    for (uint32_t n = 2; n <= longest; n++) {
        memset(word, 0, n * sizeof *word);
        do {
            if (is_wrong(guess, teacher, word, n))
                return n;
            if (++count % 65536 == 0 && !rl_effort_goes_on(effort, count))
                return 0;
        } while (rl_table_advance(teacher->letters, word, n));
    }
    return 0;
}

static uint32_t draw_word(const struct rl_learner *learner, struct rl_random *random,
                          rl_letter *word)
{
    const struct rl_learn_word *head =
        &learner->access[rl_random_below(random, learner->state_count)];
    const struct rl_learn_word *tail =
        &learner->suffix[rl_random_below(random, learner->suffix_count)];
    uint32_t length = append(word, 0, head->at, head->length);
    for (uint32_t middle = rl_random_below(random, MIDDLE + 1); middle > 0; middle--)
        word[length++] = (rl_letter)rl_random_below(random, learner->teacher.letters);
    return append(word, length, tail->at, tail->length);
}

static uint32_t compare_longer(const struct rl_learner *learner, rl_letter *word)
{
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    for (uint64_t i = 0; i < learner->teacher.longer; i++) {
        const uint32_t length = draw_word(learner, &random, word);
        if (is_wrong(&learner->guess, &learner->teacher, word, length))
            return length;
        if (i % 65536 == 0 && !rl_effort_goes_on(learner->effort, i))
            return 0;
    }
    return 0;
}

/* ---- learning ---- */

/* Somewhere along a wrong word, replacing what was read by the word to the state that it is said
 * to lead to changes the answer: there the rest of the word tells two states apart. */
static void learn_word(struct rl_learner *learner, const rl_letter *word, uint32_t length)
{
    assert(learner->guess.next && "a word is wrong of a guess");
    const bool right = ask(&learner->teacher, word, length);
    uint32_t state = 0;
    for (uint32_t i = 0; i < length; i++) {
        state = rl_automaton_step(&learner->guess, state, word[i]);
        rl_letter other[RL_LEARN_LONGEST];
        const struct rl_learn_word *access = &learner->access[state];
        const uint32_t head = append(other, 0, access->at, access->length);
        if (head + length - i - 1 > RL_LEARN_LONGEST) {
            learner->effort->status = RL_TOO_LARGE;
            return;
        }
        if (ask(&learner->teacher, other, append(other, head, word + i + 1, length - i - 1)) !=
            right) {
            add_suffix(learner, word + i + 1, length - i - 1);
            return;
        }
    }
}

/* Guesses, until no word is wrong. */
static void learn(struct rl_learner *learner)
{
    rl_letter word[RL_LEARN_LONGEST];
    for (make_guess(learner); !learner->effort->status; make_guess(learner)) {
        uint32_t length =
            rl_learn_compare(&learner->guess, &learner->teacher, word, learner->effort);
        if (length == 0 && !learner->effort->status)
            length = compare_longer(learner, word);
        if (length == 0)
            return;
        learn_word(learner, word, length);
    }
}

void rl_learn_init(struct rl_learner *learner, struct rl_teacher teacher, struct rl_effort *effort)
{
    const struct rl_learn_word empty = {0};
    *learner = (struct rl_learner){.teacher = teacher, .effort = effort};
    learner->access = rl_effort_calloc(effort, MOST_STATES, sizeof *learner->access);
    learner->suffix = rl_effort_calloc(effort, MOST_SUFFIXES, sizeof *learner->suffix);
    learner->rows = rl_effort_calloc(effort, (size_t)MOST_STATES * MOST_SUFFIXES, sizeof(bool));
    rl_effort_phase(effort, "learning", teacher.set->name);
    add_suffix(learner, NULL, 0);
    add_state(learner, &empty);
    learn(learner);
}

bool rl_learn_more(struct rl_learner *learner, const rl_letter *word, uint32_t length)
{
    if (!is_wrong(&learner->guess, &learner->teacher, word, length))
        return false;
    rl_effort_phase(learner->effort, "learning", learner->teacher.set->name);
    learn_word(learner, word, length);
    learn(learner);
    return true;
}

void rl_learn_free(struct rl_learner *learner)
{
    rl_automaton_free(&learner->guess);
    free(learner->access);
    free(learner->suffix);
    free(learner->rows);
    *learner = (struct rl_learner){0};
}
