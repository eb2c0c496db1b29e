/* SPDX-License-Identifier: MIT
 *
 * Finite automata. Minimal ones by Moore's rounds, with hashed rows: the automata here have up to
 * some hundred thousand states and need some ten rounds.
 */
#include "verify/every_n/automaton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "verify/interned.h"

enum rl_status rl_automaton_init(struct rl_automaton *automaton, uint32_t letters, uint32_t states)
{
    *automaton = (struct rl_automaton){.letters = letters, .states = states};
    automaton->next = calloc((size_t)states * letters, sizeof *automaton->next);
    automaton->accepts = calloc(states, sizeof *automaton->accepts);
    return automaton->next && automaton->accepts ? RL_OK : RL_NO_MEMORY;
}

void rl_automaton_free(struct rl_automaton *automaton)
{
    free(automaton->next);
    free(automaton->accepts);
    *automaton = (struct rl_automaton){0};
}

void rl_letters_free(struct rl_letters *word)
{
    free(word->at);
    *word = (struct rl_letters){0};
}

static size_t entries(const struct rl_automaton *automaton)
{
    return (size_t)automaton->states * automaton->letters;
}

enum rl_status rl_automaton_copy(struct rl_automaton *copy, const struct rl_automaton *automaton)
{
    const enum rl_status status = rl_automaton_init(copy, automaton->letters, automaton->states);
    if (status)
        return status;
    memcpy(copy->next, automaton->next, entries(automaton) * sizeof *copy->next);
    memcpy(copy->accepts, automaton->accepts, automaton->states * sizeof *copy->accepts);
    return RL_OK;
}

bool rl_automaton_accepts(const struct rl_automaton *automaton, const rl_letter *word,
                          uint32_t length)
{
    uint32_t state = 0;
    for (uint32_t i = 0; i < length; i++)
        state = rl_automaton_step(automaton, state, word[i]);
    return automaton->accepts[state];
}

bool rl_automaton_equal(const struct rl_automaton *a, const struct rl_automaton *b)
{
    return a->letters == b->letters && a->states == b->states &&
           memcmp(a->next, b->next, entries(a) * sizeof *a->next) == 0 &&
           memcmp(a->accepts, b->accepts, a->states * sizeof *a->accepts) == 0;
}

void rl_automaton_complement(struct rl_automaton *automaton)
{
    for (uint32_t state = 0; state < automaton->states; state++)
        automaton->accepts[state] = !automaton->accepts[state];
}

/* ---- minimal ----------------------------------------------------------------------------------
 */

/* A round of Moore's: `class` is the partition so far, `table` has room for twice the states. */
struct round {
    const struct rl_automaton *automaton;
    const uint32_t *class;
    uint32_t *table; /* state + 1; 0: free */
    uint64_t mask;
};

static uint64_t hash_row(const struct round *round, uint32_t state)
{
    const uint32_t *next = &round->automaton->next[(size_t)state * round->automaton->letters];
    uint64_t hash = round->class[state];
    for (uint32_t a = 0; a < round->automaton->letters; a++) {
        hash = (hash ^ round->class[next[a]]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool same_row(const struct round *round, uint32_t s, uint32_t t)
{
    const size_t letters = round->automaton->letters;
    const uint32_t *from_s = &round->automaton->next[s * letters];
    const uint32_t *from_t = &round->automaton->next[t * letters];
    if (round->class[s] != round->class[t])
        return false;
    for (size_t a = 0; a < letters; a++)
        if (round->class[from_s[a]] != round->class[from_t[a]])
            return false;
    return true;
}

/* The first state with the same row, which is itself if there is none before it. */
static uint32_t first_like(const struct round *round, uint32_t state)
{
    uint64_t place = hash_row(round, state) & round->mask;
    while (round->table[place] && !same_row(round, round->table[place] - 1, state))
        place = (place + 1) & round->mask;
    if (!round->table[place])
        round->table[place] = state + 1;
    return round->table[place] - 1;
}

static uint32_t refine(const struct round *round, uint32_t *finer)
{
    uint32_t count = 0;
    memset(round->table, 0, (round->mask + 1) * sizeof *round->table);
    for (uint32_t state = 0; state < round->automaton->states; state++) {
        const uint32_t first = first_like(round, state);
        finer[state] = first == state ? count++ : finer[first];
    }
    return count;
}

/* One state for each class; a class is numbered by its first state. */
static void merge(struct rl_automaton *automaton, const uint32_t *class)
{
    const size_t letters = automaton->letters;
    uint32_t count = 0;
    for (uint32_t state = 0; state < automaton->states; state++) {
        if (class[state] < count)
            continue;
        for (size_t a = 0; a < letters; a++)
            automaton->next[count * letters + a] = class[automaton->next[state * letters + a]];
        automaton->accepts[count++] = automaton->accepts[state];
    }
    automaton->states = count;
}

static enum rl_status merge_alike(struct rl_automaton *automaton)
{
    const uint32_t states = automaton->states;
    uint64_t size = 4;
    while (size < 2 * (uint64_t)states)
        size *= 2;
    uint32_t *class = malloc(states * sizeof *class), *finer = malloc(states * sizeof *finer);
    uint32_t *table = malloc(size * sizeof *table);
    if (class && finer && table) {
        uint32_t before = 0, count = 1;
        for (uint32_t s = 0; s < states; s++)
            class[s] = automaton->accepts[s] != automaton->accepts[0];
        while (count > before) {
            before = count;
            const struct round round = {automaton, class, table, size - 1};
            count = refine(&round, finer);
            memcpy(class, finer, states * sizeof *class);
        }
        merge(automaton, class);
    }
    const bool done = class && finer && table;
    free(class);
    free(finer);
    free(table);
    return done ? RL_OK : RL_NO_MEMORY;
}

/* Lists the states that are reached, in the order of the shortest words; returns how many. */
static uint32_t walk(const struct rl_automaton *automaton, uint32_t *list, uint32_t *number)
{
    uint32_t count = 0;
    memset(number, 0xff, automaton->states * sizeof *number);
    number[0] = 0;
    list[count++] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (size_t a = 0; a < automaton->letters; a++) {
            const uint32_t next = automaton->next[(size_t)list[i] * automaton->letters + a];
            if (number[next] == UINT32_MAX) {
                number[next] = count;
                list[count++] = next;
            }
        }
    return count;
}

static enum rl_status put_in_order(struct rl_automaton *automaton)
{
    const size_t letters = automaton->letters;
    struct rl_automaton ordered;
    uint32_t *list = malloc(automaton->states * sizeof *list);
    uint32_t *number = malloc(automaton->states * sizeof *number);
    enum rl_status status = list && number ? RL_OK : RL_NO_MEMORY;
    if (!status) {
        const uint32_t count = walk(automaton, list, number);
        status = rl_automaton_init(&ordered, automaton->letters, count);
        for (size_t i = 0; !status && i < count; i++) {
            ordered.accepts[i] = automaton->accepts[list[i]];
            for (size_t a = 0; a < letters; a++)
                ordered.next[i * letters + a] = number[automaton->next[list[i] * letters + a]];
        }
        if (!status) {
            rl_automaton_free(automaton);
            *automaton = ordered;
        } else
            rl_automaton_free(&ordered);
    }
    free(list);
    free(number);
    return status;
}

enum rl_status rl_automaton_minimize(struct rl_automaton *automaton)
{
    const enum rl_status status = put_in_order(automaton);
    return status ? status : merge_alike(automaton);
}

/* ---- combinations -----------------------------------------------------------------------------
 */

/* Automata side by side: pairs of states, numbered as they are met. */
struct pairs {
    const struct rl_automaton *a, *b;
    struct rl_interned seen;
    uint64_t allowance;
    uint32_t *next;
    uint64_t room; /* states that `next` has room for */
};

static uint64_t pair_of(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static bool make_room(struct pairs *pairs, uint64_t states)
{
    if (states <= pairs->room)
        return true;
    const uint64_t bytes = pairs->a->letters * sizeof *pairs->next, more = 2 * states + 64;
    uint32_t *next = rl_interned_grow(&pairs->allowance, pairs->next, pairs->room, more, bytes);
    if (!next)
        return false;
    pairs->next = next;
    pairs->room = more;
    return true;
}

static enum rl_status follow(struct pairs *pairs, uint64_t number)
{
    const uint32_t letters = pairs->a->letters;
    const uint32_t a = (uint32_t)(pairs->seen.keys[number] >> 32);
    const uint32_t b = (uint32_t)pairs->seen.keys[number];
    if (!make_room(pairs, number + 1))
        return RL_TOO_LARGE;
    for (uint32_t letter = 0; letter < letters; letter++) {
        const uint64_t pair = pair_of(rl_automaton_step(pairs->a, a, (rl_letter)letter),
                                      rl_automaton_step(pairs->b, b, (rl_letter)letter));
        if (rl_interned_add(&pairs->seen, pair, &pairs->next[number * letters + letter]) ==
            RL_INTERNED_NO_ROOM)
            return RL_TOO_LARGE;
    }
    return RL_OK;
}

static enum rl_status explore(struct pairs *pairs, const struct rl_effort *effort)
{
    uint32_t start;
    if (rl_interned_add(&pairs->seen, pair_of(0, 0), &start) == RL_INTERNED_NO_ROOM)
        return RL_TOO_LARGE;
    enum rl_status status = RL_OK;
    for (uint64_t i = 0; !status && i < pairs->seen.count; i++) {
        status = follow(pairs, i);
        if (i % 4096 == 0 && effort->go_on && !effort->go_on(effort->user, i))
            return RL_STOPPED;
    }
    return status;
}

enum rl_status rl_automaton_combine(struct rl_automaton *out, const struct rl_automaton *a,
                                    const struct rl_automaton *b, enum rl_keep keep,
                                    const struct rl_effort *effort)
{
    assert(a->letters == b->letters);
    *out = (struct rl_automaton){.letters = a->letters};
    struct pairs pairs = {.a = a, .b = b, .allowance = effort->memory / 2};
    pairs.seen.allowance = &pairs.allowance;
    enum rl_status status = explore(&pairs, effort);
    if (!status && !(out->accepts = malloc(pairs.seen.count * sizeof *out->accepts)))
        status = RL_NO_MEMORY;
    out->next = pairs.next;
    out->states = (uint32_t)pairs.seen.count;
    for (uint64_t i = 0; !status && i < pairs.seen.count; i++) {
        const uint64_t pair = pairs.seen.keys[i];
        out->accepts[i] = keep >> (2 * a->accepts[pair >> 32] + b->accepts[(uint32_t)pair]) & 1;
    }
    rl_interned_free(&pairs.seen);
    return status ? status : rl_automaton_minimize(out);
}

/* ---- words ------------------------------------------------------------------------------------
 */

/* The word that leads to `state`, given how each state was first reached: the entry of `next`. */
static enum rl_status trace(const struct rl_automaton *automaton, const size_t *by, uint32_t state,
                            struct rl_letters *word_out)
{
    uint32_t length = 0;
    for (uint32_t s = state; s != 0; s = (uint32_t)(by[s] / automaton->letters))
        length++;
    *word_out = (struct rl_letters){malloc((length + 1) * sizeof(rl_letter)), length, true};
    if (!word_out->at)
        return RL_NO_MEMORY;
    for (uint32_t s = state; s != 0; s = (uint32_t)(by[s] / automaton->letters))
        word_out->at[--length] = (rl_letter)(by[s] % automaton->letters);
    return RL_OK;
}

enum rl_status rl_automaton_shortest(const struct rl_automaton *automaton,
                                     struct rl_letters *word_out)
{
    *word_out = (struct rl_letters){0};
    const uint32_t states = automaton->states;
    size_t *by = malloc(states * sizeof *by);
    bool *seen = calloc(states, sizeof *seen);
    uint32_t *queue = malloc(states * sizeof *queue);
    enum rl_status status = by && seen && queue ? RL_OK : RL_NO_MEMORY;
    uint32_t first = 0, last = 0;
    if (!status)
        seen[queue[last++] = 0] = true;
    for (; !status && first < last; first++) {
        const uint32_t state = queue[first];
        if (automaton->accepts[state]) {
            status = trace(automaton, by, state, word_out);
            break;
        }
        for (size_t i = (size_t)state * automaton->letters, a = 0; a < automaton->letters; a++) {
            const uint32_t next = automaton->next[i + a];
            if (!seen[next]) {
                seen[queue[last++] = next] = true;
                by[next] = i + a;
            }
        }
    }
    free(by);
    free(seen);
    free(queue);
    return status;
}

/* Spreads `value` back from the states that have it. */
static void spread(const struct rl_automaton *automaton, bool value, bool *of)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = entries(automaton); i-- > 0;)
            if (of[i / automaton->letters] != value && of[automaton->next[i]] == value) {
                of[i / automaton->letters] = value;
                changed = true;
            }
    }
}

void rl_automaton_alive(const struct rl_automaton *automaton, bool *alive_out)
{
    memcpy(alive_out, automaton->accepts, automaton->states * sizeof *alive_out);
    spread(automaton, true, alive_out);
}

void rl_automaton_full(const struct rl_automaton *automaton, bool *full_out)
{
    memcpy(full_out, automaton->accepts, automaton->states * sizeof *full_out);
    spread(automaton, false, full_out);
}

/* The longest way to acceptance grows from round to round; where it has no bound, it has grown
 * beyond the number of states. */
enum rl_status rl_automaton_longest(const struct rl_automaton *automaton, uint32_t *length_out)
{
    const uint32_t states = automaton->states;
    int64_t *longest = malloc(states * sizeof *longest);
    if (!longest)
        return RL_NO_MEMORY;
    for (uint32_t s = 0; s < states; s++)
        longest[s] = automaton->accepts[s] ? 0 : -1;
    bool changed = true;
    for (uint32_t round = 0; changed && round <= states; round++) {
        changed = false;
        for (size_t i = entries(automaton); i-- > 0;) {
            const size_t state = i / automaton->letters;
            const int64_t way = longest[automaton->next[i]];
            if (way < 0 || way < longest[state])
                continue;
            longest[state] = way + 1;
            changed = true;
            if (way > states)
                round = states;
        }
    }
    *length_out = changed ? UINT32_MAX : longest[0] < 0 ? 0 : (uint32_t)longest[0];
    free(longest);
    return RL_OK;
}
