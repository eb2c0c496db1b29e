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

enum { MOST_STATES = 4096, MIDDLE = 6 };

static bool ask(const struct rl_learner *learner, const rl_letter *word, uint32_t length)
{
    const struct rl_teacher *teacher = learner->teacher;
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
    return ask(learner, word, append(word, length, suffix->at, suffix->length));
}

/* ---- states and suffixes ----------------------------------------------------------------------
 */

static bool *row(const struct rl_learner *learner, uint32_t state)
{
    return &learner->rows[(size_t)state * learner->suffix_room];
}

/* Doubles a room, and says whether the larger array could be had. */
static bool double_room(void **array, uint32_t *room, size_t bytes)
{
    const uint32_t more = *room ? 2 * *room : 16;
    void *larger = realloc(*array, more * bytes);
    if (!larger)
        return false;
    *array = larger;
    *room = more;
    return true;
}

static enum rl_status make_rows(struct rl_learner *learner)
{
    free(learner->rows);
    learner->rows = malloc((size_t)(learner->state_room + 1) * learner->suffix_room);
    if (!learner->rows)
        return RL_NO_MEMORY;
    for (uint32_t s = 0; s < learner->state_count; s++)
        for (uint32_t e = 0; e < learner->suffix_count; e++)
            row(learner, s)[e] = ask_with(learner, &learner->access[s], &learner->suffix[e]);
    return RL_OK;
}

static enum rl_status add_state(struct rl_learner *learner, const struct rl_learn_word *access)
{
    void *list = learner->access;
    enum rl_status status = RL_OK;
    if (learner->state_count == MOST_STATES || access->length + 1 >= RL_LEARN_PIECE)
        return RL_TOO_LARGE;
    if (learner->state_count == learner->state_room) {
        if (!double_room(&list, &learner->state_room, sizeof *access))
            return RL_NO_MEMORY;
        learner->access = list;
        status = make_rows(learner);
    }
    if (status)
        return status;
    const uint32_t state = learner->state_count++;
    learner->access[state] = *access;
    for (uint32_t e = 0; e < learner->suffix_count; e++)
        row(learner, state)[e] = ask_with(learner, access, &learner->suffix[e]);
    return RL_OK;
}

static enum rl_status add_suffix(struct rl_learner *learner, const rl_letter *letters,
                                 uint32_t length)
{
    void *list = learner->suffix;
    if (length >= RL_LEARN_PIECE)
        return RL_TOO_LARGE;
    if (learner->suffix_count == learner->suffix_room) {
        if (!double_room(&list, &learner->suffix_room, sizeof *learner->suffix))
            return RL_NO_MEMORY;
        learner->suffix = list;
    }
    struct rl_learn_word *suffix = &learner->suffix[learner->suffix_count++];
    suffix->length = append(suffix->at, 0, letters, length);
    return make_rows(learner);
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

/* ---- guesses ----------------------------------------------------------------------------------
 */

/* Where the state goes by a letter; a new state, if it is none of those known. */
static enum rl_status step_to(struct rl_learner *learner, uint32_t state, uint32_t letter,
                              uint32_t *next_out)
{
    struct rl_learn_word word = learner->access[state];
    word.at[word.length++] = (rl_letter)letter;
    bool *answers = row(learner, learner->state_room); /* one more than there is room for */
    for (uint32_t e = 0; e < learner->suffix_count; e++)
        answers[e] = ask_with(learner, &word, &learner->suffix[e]);
    *next_out = state_like(learner, answers);
    return *next_out == learner->state_count ? add_state(learner, &word) : RL_OK;
}

static enum rl_status make_guess(struct rl_learner *learner)
{
    const size_t letters = learner->teacher->letters;
    uint32_t *next = NULL;
    enum rl_status status = RL_OK;
    assert(learner->state_count > 0); /* the empty word leads to one */
    for (uint32_t s = 0; !status && s < learner->state_count; s++) {
        uint32_t *longer = realloc(next, (s + 1) * letters * sizeof *next);
        if (!longer)
            status = RL_NO_MEMORY;
        else
            next = longer;
        for (uint32_t a = 0; !status && a < letters; a++)
            status = step_to(learner, s, a, &next[s * letters + a]);
        if (!status && learner->effort->go_on && !learner->effort->go_on(learner->effort->user, s))
            status = RL_STOPPED;
    }
    rl_automaton_free(&learner->guess);
    learner->guess = (struct rl_automaton){(uint32_t)letters, learner->state_count, next, NULL};
    learner->guess.accepts = malloc(learner->state_count * sizeof *learner->guess.accepts);
    if (!status && !learner->guess.accepts)
        status = RL_NO_MEMORY;
    /* The first suffix is the empty one. */
    for (uint32_t s = 0; !status && s < learner->state_count; s++)
        learner->guess.accepts[s] = row(learner, s)[0];
    return status;
}

/* ---- comparing --------------------------------------------------------------------------------
 */

static bool is_wrong(const struct rl_learner *learner, const rl_letter *word, uint32_t length)
{
    return rl_automaton_accepts(&learner->guess, word, length) != ask(learner, word, length);
}

/* The longest length of which all words, with the shorter ones, are not too many. */
static uint32_t comparable(const struct rl_teacher *teacher)
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

/* Looks for a word that is wrong among all short ones. Sets *found_out to its length, or 0. */
static enum rl_status compare_short(const struct rl_learner *learner, rl_letter *word,
                                    uint32_t *found_out)
{
    const struct rl_effort *effort = learner->effort;
    uint64_t count = 0;
    *found_out = 0;
    for (uint32_t n = learner->teacher->least; n <= learner->checked; n++) {
        memset(word, 0, n * sizeof *word);
        do {
            if (is_wrong(learner, word, n)) {
                *found_out = n;
                return RL_OK;
            }
            if (++count % 65536 == 0 && effort->go_on && !effort->go_on(effort->user, count))
                return RL_STOPPED;
        } while (next_word(word, n, learner->teacher->letters));
    }
    return RL_OK;
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

static enum rl_status compare_longer(const struct rl_learner *learner, rl_letter *word,
                                     uint32_t *found_out)
{
    const struct rl_effort *effort = learner->effort;
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    for (uint64_t i = 0; i < learner->teacher->longer; i++) {
        const uint32_t length = draw_word(learner, &random, word);
        if (is_wrong(learner, word, length)) {
            *found_out = length;
            return RL_OK;
        }
        if (i % 65536 == 0 && effort->go_on && !effort->go_on(effort->user, i))
            return RL_STOPPED;
    }
    return RL_OK;
}

/* ---- learning ---------------------------------------------------------------------------------
 */

/* Somewhere along a wrong word, replacing what was read by the word to the state that it is said
 * to lead to changes the answer: there the rest of the word tells two states apart. */
static enum rl_status learn_word(struct rl_learner *learner, const rl_letter *word, uint32_t length)
{
    const bool right = ask(learner, word, length);
    uint32_t state = 0;
    for (uint32_t i = 0; i < length; i++) {
        state = rl_automaton_step(&learner->guess, state, word[i]);
        rl_letter other[RL_LEARN_LONGEST];
        const struct rl_learn_word *access = &learner->access[state];
        const uint32_t head = append(other, 0, access->at, access->length);
        if (head + length - i - 1 > RL_LEARN_LONGEST)
            return RL_TOO_LARGE;
        if (ask(learner, other, append(other, head, word + i + 1, length - i - 1)) != right)
            return add_suffix(learner, word + i + 1, length - i - 1);
    }
    return RL_OK;
}

static enum rl_status learn(struct rl_learner *learner)
{
    rl_letter word[RL_LEARN_LONGEST];
    enum rl_status status = make_guess(learner);
    while (!status) {
        uint32_t length;
        status = compare_short(learner, word, &length);
        if (!status && length == 0)
            status = compare_longer(learner, word, &length);
        if (status || length == 0)
            return status;
        status = learn_word(learner, word, length);
        if (!status)
            status = make_guess(learner);
    }
    return status;
}

enum rl_status rl_learn_init(struct rl_learner *learner, const struct rl_teacher *teacher,
                             const struct rl_effort *effort)
{
    const struct rl_learn_word empty = {0};
    *learner = (struct rl_learner){.teacher = teacher, .effort = effort};
    learner->checked = comparable(teacher);
    enum rl_status status = add_suffix(learner, NULL, 0);
    if (!status)
        status = add_state(learner, &empty);
    return status ? status : learn(learner);
}

enum rl_status rl_learn_more(struct rl_learner *learner, const rl_letter *word, uint32_t length)
{
    enum rl_status status = learn_word(learner, word, length);
    return status ? status : learn(learner);
}

void rl_learn_free(struct rl_learner *learner)
{
    rl_automaton_free(&learner->guess);
    free(learner->access);
    free(learner->suffix);
    free(learner->rows);
    *learner = (struct rl_learner){0};
}

/* ---- words that are no rings ------------------------------------------------------------------
 */

/* Marks the states that words of `least` letters or more lead to. */
static enum rl_status mark_rings(const struct rl_automaton *automaton, uint32_t least, bool *rings)
{
    const uint32_t states = automaton->states;
    bool *now = calloc(2 * (size_t)states, sizeof *now);
    if (!now)
        return RL_NO_MEMORY;
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
    free(now);
    return RL_OK;
}

/* Whether two states go to the same states. */
static bool alike(const struct rl_automaton *automaton, uint32_t s, uint32_t t)
{
    const size_t letters = automaton->letters;
    return memcmp(&automaton->next[s * letters], &automaton->next[t * letters],
                  letters * sizeof *automaton->next) == 0;
}

/* A state that no ring leads to may accept or not: it takes after one that goes where it goes. */
static enum rl_status use_freedom(struct rl_automaton *automaton, uint32_t least)
{
    bool *rings = calloc(automaton->states, sizeof *rings);
    enum rl_status status = rings ? mark_rings(automaton, least, rings) : RL_NO_MEMORY;
    for (uint32_t s = 0; !status && s < automaton->states; s++)
        for (uint32_t t = 0; !rings[s] && t < automaton->states; t++)
            if (rings[t] && alike(automaton, s, t))
                automaton->accepts[s] = automaton->accepts[t];
    free(rings);
    return status ? status : rl_automaton_minimize(automaton);
}

/* Once for each length that is no ring: what a state of length 0 goes to are states of length 1. */
enum rl_status rl_learn_result(const struct rl_learner *learner, struct rl_automaton *out)
{
    enum rl_status status = rl_automaton_copy(out, &learner->guess);
    if (!status)
        status = rl_automaton_minimize(out);
    for (uint32_t length = learner->teacher->least; !status && length > 0; length--)
        status = use_freedom(out, learner->teacher->least);
    return status;
}
