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

#include "base/grow.h"

enum { MOST_STATES = 4096, MIDDLE = 6 };

static bool ask(const struct rl_teacher *teacher, const rl_letter *word, uint32_t length)
{
    return length >= teacher->least && teacher->contains(teacher->user, word, length);
}

static uint32_t append(rl_letter *to, uint32_t length, const rl_letter *letters, uint32_t count)
{
    if (count > 0) /* the empty word may have no place */
        memcpy(to + length, letters, count * sizeof *letters);
    return length + count;
}

/* Is `head` and the suffix in the set? */
static bool ask_with(const struct rl_learner *learner, const struct rl_learn_word *head,
                     const struct rl_learn_word *suffix)
{
    rl_letter word[RL_LEARN_LONGEST];
    const uint32_t length = append(word, 0, head->at, head->length);
    return ask(learner->teacher, word, append(word, length, suffix->at, suffix->length));
}

/* ---- states and suffixes ---- */

static bool *row(const struct rl_learner *learner, size_t state)
{
    return &learner->rows[state * learner->suffix_room];
}

/* Room for one more word; one that is too large has none. */
static void make_place(struct rl_learner *learner, struct rl_learn_word **list, uint32_t count,
                       size_t *room, bool too_large)
{
    if (!learner->effort->status && too_large)
        learner->effort->status = RL_TOO_LARGE;
    struct rl_learn_word *longer =
        learner->effort->status ? NULL : grown(*list, count, room, sizeof *longer);
    if (rl_effort_has(learner->effort, longer))
        *list = longer;
}

static void fill_row(struct rl_learner *learner, uint32_t state)
{
    for (uint32_t e = 0; e < learner->suffix_count; e++)
        row(learner, state)[e] = ask_with(learner, &learner->access[state], &learner->suffix[e]);
}

static void make_rows(struct rl_learner *learner)
{
    free(learner->rows);
    learner->rows =
        rl_effort_calloc(learner->effort, learner->state_room + 1, learner->suffix_room);
    for (uint32_t s = 0; learner->rows && s < learner->state_count; s++)
        fill_row(learner, s);
}

static void add_state(struct rl_learner *learner, const struct rl_learn_word *access)
{
    const size_t room = learner->state_room;
    make_place(learner, &learner->access, learner->state_count, &learner->state_room,
               learner->state_count == MOST_STATES || access->length + 1 >= RL_LEARN_PIECE);
    if (learner->state_room != room)
        make_rows(learner);
    if (learner->effort->status)
        return;
    assert(learner->access && "there is room for a state that is not too large");
    learner->access[learner->state_count] = *access;
    fill_row(learner, learner->state_count++);
}

static void add_suffix(struct rl_learner *learner, const rl_letter *letters, uint32_t length)
{
    make_place(learner, &learner->suffix, learner->suffix_count, &learner->suffix_room,
               length >= RL_LEARN_PIECE);
    if (learner->effort->status)
        return;
    struct rl_learn_word *suffix = &learner->suffix[learner->suffix_count++];
    suffix->length = append(suffix->at, 0, letters, length);
    make_rows(learner);
}

/* The state of a row of answers, or the number of states. */
static uint32_t state_like(const struct rl_learner *learner, const bool *answers)
{
    uint32_t state = 0;
    while (state < learner->state_count &&
           memcmp(row(learner, state), answers, learner->suffix_count) != 0)
        state++;
    return state;
}

/* ---- guesses ---- */

/* Where the state goes by a letter; a new state, if it is none of those known. */
static uint32_t step_to(struct rl_learner *learner, uint32_t state, uint32_t letter)
{
    struct rl_learn_word word = learner->access[state];
    word.at[word.length++] = (rl_letter)letter;
    bool *answers = row(learner, learner->state_room); /* one more than there is room for */
    for (uint32_t e = 0; e < learner->suffix_count; e++)
        answers[e] = ask_with(learner, &word, &learner->suffix[e]);
    const uint32_t next = state_like(learner, answers);
    if (next == learner->state_count)
        add_state(learner, &word);
    return next;
}

static void make_guess(struct rl_learner *learner)
{
    const size_t letters = learner->teacher->letters;
    struct rl_effort *effort = learner->effort;
    struct rl_automaton guess = {.letters = (uint32_t)letters};
    for (uint32_t s = 0; !effort->status && s < learner->state_count; s++) {
        uint32_t *longer = realloc(guess.next, (s + 1) * letters * sizeof *longer);
        if (!rl_effort_has(effort, longer))
            break;
        guess.next = longer;
        for (uint32_t a = 0; !effort->status && a < letters; a++)
            guess.next[s * letters + a] = step_to(learner, s, a);
        rl_effort_goes_on(effort, s);
    }
    guess.states = learner->state_count;
    guess.accepts = rl_effort_calloc(effort, guess.states, sizeof *guess.accepts);
    for (uint32_t s = 0; guess.accepts && s < guess.states; s++)
        guess.accepts[s] = row(learner, s)[0]; /* the first suffix is the empty one */
    rl_automaton_free(&learner->guess);
    learner->guess = guess;
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

static bool next_word(rl_letter *word, uint32_t length, uint32_t letters)
{
    for (uint32_t i = length; i-- > 0; word[i] = 0)
        if (++word[i] < letters)
            return true;
    return false;
}

uint32_t rl_learn_compare(const struct rl_automaton *guess, const struct rl_teacher *teacher,
                          rl_letter *word, struct rl_effort *effort)
{
    const uint32_t longest = rl_learn_comparable(teacher);
    uint64_t count = 0;
    for (uint32_t n = teacher->least; n <= longest; n++) {
        memset(word, 0, n * sizeof *word);
        do {
            if (is_wrong(guess, teacher, word, n))
                return n;
            if (++count % 65536 == 0 && !rl_effort_goes_on(effort, count))
                return 0;
        } while (next_word(word, n, teacher->letters));
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
        word[length++] = (rl_letter)rl_random_below(random, learner->teacher->letters);
    return append(word, length, tail->at, tail->length);
}

static uint32_t compare_longer(const struct rl_learner *learner, rl_letter *word)
{
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    for (uint64_t i = 0; i < learner->teacher->longer; i++) {
        const uint32_t length = draw_word(learner, &random, word);
        if (is_wrong(&learner->guess, learner->teacher, word, length))
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
    const bool right = ask(learner->teacher, word, length);
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
        if (ask(learner->teacher, other, append(other, head, word + i + 1, length - i - 1)) !=
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
    for (uint32_t length = 1; length > 0 && !learner->effort->status;) {
        make_guess(learner);
        length = learner->effort->status
                     ? 0
                     : rl_learn_compare(&learner->guess, learner->teacher, word, learner->effort);
        if (length == 0 && !learner->effort->status)
            length = compare_longer(learner, word);
        if (length > 0)
            learn_word(learner, word, length);
    }
}

void rl_learn_init(struct rl_learner *learner, const struct rl_teacher *teacher,
                   struct rl_effort *effort)
{
    const struct rl_learn_word empty = {0};
    *learner = (struct rl_learner){.teacher = teacher, .effort = effort};
    learner->checked = rl_learn_comparable(teacher);
    add_suffix(learner, NULL, 0);
    add_state(learner, &empty);
    learn(learner);
}

void rl_learn_more(struct rl_learner *learner, const rl_letter *word, uint32_t length)
{
    learn_word(learner, word, length);
    learn(learner);
}

void rl_learn_free(struct rl_learner *learner)
{
    rl_automaton_free(&learner->guess);
    free(learner->access);
    free(learner->suffix);
    free(learner->rows);
    *learner = (struct rl_learner){0};
}

/* ---- words that are no rings ---- */

/* Marks the states that words of `least` letters or more lead to; `now` is room for two marks a
 * state. */
static void mark_rings(const struct rl_automaton *automaton, uint32_t least, bool *rings, bool *now)
{
    const uint32_t states = automaton->states;
    now[0] = true;
    for (uint32_t length = 0; length < least + states; length++) {
        bool *here = now + length % 2 * states, *there = now + (length + 1) % 2 * states;
        memset(there, 0, states * sizeof *there);
        for (uint32_t s = 0; s < states; s++) {
            rings[s] |= here[s] && length >= least;
            for (uint32_t a = 0; here[s] && a < automaton->letters; a++)
                there[rl_automaton_step(automaton, s, (rl_letter)a)] = true;
        }
    }
}

/* Whether two states go to the same states. */
static bool alike(const struct rl_automaton *automaton, uint32_t s, uint32_t t)
{
    const size_t letters = automaton->letters;
    return memcmp(&automaton->next[s * letters], &automaton->next[t * letters],
                  letters * sizeof *automaton->next) == 0;
}

/* A state that no ring leads to may accept or not: it takes after one that goes where it goes. */
static void use_freedom(struct rl_automaton *automaton, uint32_t least, struct rl_effort *effort)
{
    bool *rings = rl_effort_calloc(effort, 3 * (size_t)automaton->states, sizeof *rings);
    if (rings) {
        mark_rings(automaton, least, rings, rings + automaton->states);
        for (uint32_t s = 0; s < automaton->states; s++)
            for (uint32_t t = 0; !rings[s] && t < automaton->states; t++)
                if (rings[t] && alike(automaton, s, t))
                    automaton->accepts[s] = automaton->accepts[t];
    }
    free(rings);
    rl_automaton_minimize(automaton, effort);
}

/* Once for each length that is no ring: what a state of length 0 goes to are states of length 1. */
struct rl_automaton rl_learn_result(const struct rl_learner *learner, struct rl_effort *effort)
{
    struct rl_automaton out = rl_automaton_copy(&learner->guess, effort);
    rl_automaton_minimize(&out, effort);
    for (uint32_t length = learner->teacher->least; length > 0; length--)
        use_freedom(&out, learner->teacher->least, effort);
    return out;
}
