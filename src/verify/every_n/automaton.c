/* SPDX-License-Identifier: MIT
 *
 * Finite automata. Minimal ones by Moore's rounds, with hashed rows: the automata here have up to
 * some hundred thousand states and need some ten rounds.
 */
#include "verify/every_n/automaton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t entries(const struct rl_automaton *automaton)
{
    return (size_t)automaton->states * automaton->letters;
}

struct rl_automaton rl_automaton_make(uint32_t letters, uint32_t states, struct rl_effort *effort)
{
    struct rl_automaton made = {.letters = letters, .states = states};
    made.next = rl_effort_calloc(effort, entries(&made), sizeof *made.next);
    made.accepts = rl_effort_calloc(effort, states, sizeof *made.accepts);
    if (effort->status)
        rl_automaton_free(&made);
    return made;
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

struct rl_automaton rl_automaton_copy(const struct rl_automaton *automaton,
                                      struct rl_effort *effort)
{
    const struct rl_automaton copy =
        rl_automaton_make(automaton->letters, automaton->states, effort);
    if (copy.states > 0) {
        memcpy(copy.next, automaton->next, entries(automaton) * sizeof *copy.next);
        memcpy(copy.accepts, automaton->accepts, automaton->states * sizeof *copy.accepts);
    }
    return copy;
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

/* ---- minimal ---- */

/* The states `list`, and where their entries lead by `number`. */
static struct rl_automaton take(const struct rl_automaton *automaton, const uint32_t *list,
                                uint32_t count, const uint32_t *number, struct rl_effort *effort)
{
    const size_t letters = automaton->letters;
    struct rl_automaton out = rl_automaton_make(automaton->letters, count, effort);
    for (size_t i = 0; i < out.states; i++) {
        out.accepts[i] = automaton->accepts[list[i]];
        for (size_t a = 0; a < letters; a++)
            out.next[i * letters + a] = number[automaton->next[list[i] * letters + a]];
    }
    return out;
}

static void row_of(const void *user, const uint32_t *class, uint32_t state, uint32_t *row_out)
{
    const struct rl_automaton *automaton = user;
    for (uint32_t a = 0; a < automaton->letters; a++)
        row_out[a] = class[rl_automaton_step(automaton, state, (rl_letter)a)];
}

/* One state for each class of those that nobody can tell apart. */
static struct rl_automaton merge_alike(const struct rl_automaton *automaton,
                                       struct rl_effort *effort)
{
    struct rl_automaton merged = {0};
    struct rl_partition partition = {automaton->states, automaton->letters, automaton, row_of};
    partition.class = rl_effort_calloc(effort, automaton->states, sizeof *partition.class);
    for (uint32_t s = 0; partition.class && s < automaton->states; s++)
        partition.class[s] = automaton->accepts[s];
    rl_partition_refine(&partition, effort);
    if (!effort->status)
        merged = take(automaton, partition.first, partition.classes, partition.class, effort);
    free(partition.class);
    free(partition.first);
    return merged;
}

/* Lists the states that are reached, in the order of the shortest words; returns how many. */
static uint32_t walk(const struct rl_automaton *automaton, uint32_t *list, uint32_t *number)
{
    uint32_t count = 0;
    assert(automaton->states > 0);
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

void rl_automaton_minimize(struct rl_automaton *automaton, struct rl_effort *effort)
{
    struct rl_automaton ordered = {0}, merged = {0};
    uint32_t *list = rl_effort_calloc(effort, automaton->states, sizeof *list);
    uint32_t *number = rl_effort_calloc(effort, automaton->states, sizeof *number);
    if (!effort->status)
        ordered = take(automaton, list, walk(automaton, list, number), number, effort);
    free(list);
    free(number);
    if (!effort->status)
        merged = merge_alike(&ordered, effort);
    rl_automaton_free(automaton);
    rl_automaton_free(&ordered);
    *automaton = merged;
}

/* ---- words ---- */

/* Writes a shortest word to a state: states are in the order of these, so it ends with the first
 * entry that leads there. Returns its length. */
static uint32_t spell(const struct rl_automaton *automaton, uint32_t state, rl_letter *at)
{
    size_t entry = 0;
    if (state == 0)
        return 0;
    while (automaton->next[entry] != state)
        entry++;
    const uint32_t length = spell(automaton, (uint32_t)(entry / automaton->letters), at);
    at[length] = (rl_letter)(entry % automaton->letters);
    return length + 1;
}

struct rl_letters rl_automaton_shortest(const struct rl_automaton *automaton,
                                        struct rl_effort *effort)
{
    uint32_t state = 0;
    while (state < automaton->states && !automaton->accepts[state])
        state++;
    if (state == automaton->states)
        return (struct rl_letters){0};
    struct rl_letters word = {.at = rl_effort_calloc(effort, state + 1, sizeof *word.at)};
    if ((word.exists = word.at))
        word.length = spell(automaton, state, word.at);
    return word;
}

bool rl_automaton_is_sink(const struct rl_automaton *automaton, uint32_t state)
{
    uint32_t letter = 0;
    while (letter < automaton->letters &&
           rl_automaton_step(automaton, state, (rl_letter)letter) == state)
        letter++;
    return letter == automaton->letters;
}
