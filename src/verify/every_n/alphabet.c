/* SPDX-License-Identifier: MIT
 *
 * Letters, and the sets of words that the stages begin and end with.
 */
#include "verify/every_n/automaton.h"

#include <stdlib.h>

/* ---- letters ---- */

/* Lists the letters; number[2 * class + mark] is the letter or RL_NO_LETTER. */
static void list_letters(struct rl_alphabet *alphabet, const struct rl_classes *classes, bool marks,
                         rl_letter *number)
{
    for (uint32_t class = 0; class < classes->count; class ++)
        for (uint32_t mark = 0; mark < 2; mark++) {
            const bool leads = classes->leads[class];
            const bool exists = marks ? mark || !leads : !mark;
            number[2 * class + mark] = RL_NO_LETTER;
            if (!exists)
                continue;
            const uint32_t letter = alphabet->letters++;
            number[2 * class + mark] = (rl_letter)letter;
            alphabet->leads[letter] = leads;
            alphabet->marked[letter] = mark;
            alphabet->lost[letter] = mark && !leads;
            alphabet->plain[letter] = (rl_letter) class;
        }
}

static void fill_meet(struct rl_alphabet *alphabet, const struct rl_classes *classes, int report,
                      const rl_letter *number, struct rl_effort *effort)
{
    const size_t letters = alphabet->letters;
    struct rl_pair *meet = rl_effort_calloc(effort, letters * letters, sizeof *meet);
    alphabet->meet[report] = meet;
    for (size_t l = 0; meet && l < letters; l++)
        for (size_t r = 0; r < letters; r++) {
            const struct rl_pair after =
                classes->next[report]
                             [alphabet->plain[l] * (size_t)classes->count + alphabet->plain[r]];
            const rl_letter x = number[2 * after.l + alphabet->marked[l]];
            const rl_letter y = number[2 * after.r + alphabet->marked[r]];
            const bool exists = x != RL_NO_LETTER && y != RL_NO_LETTER;
            meet[l * letters + r] =
                exists ? (struct rl_pair){x, y} : (struct rl_pair){RL_NO_LETTER, RL_NO_LETTER};
        }
}

void rl_alphabet_init(struct rl_alphabet *alphabet, const struct rl_classes *classes, bool marks,
                      struct rl_effort *effort)
{
    const size_t most = 2 * (size_t)classes->count;
    *alphabet = (struct rl_alphabet){0};
    rl_letter *number = rl_effort_calloc(effort, most, sizeof *number);
    alphabet->leads = rl_effort_calloc(effort, most, sizeof *alphabet->leads);
    alphabet->marked = rl_effort_calloc(effort, most, sizeof *alphabet->marked);
    alphabet->lost = rl_effort_calloc(effort, most, sizeof *alphabet->lost);
    alphabet->plain = rl_effort_calloc(effort, most, sizeof *alphabet->plain);
    if (!effort->status) {
        list_letters(alphabet, classes, marks, number);
        for (int report = 0; report < 2 && classes->next[report]; report++)
            fill_meet(alphabet, classes, report, number, effort);
    }
    free(number);
}

void rl_alphabet_free(struct rl_alphabet *alphabet)
{
    free(alphabet->leads);
    free(alphabet->marked);
    free(alphabet->lost);
    free(alphabet->plain);
    free(alphabet->meet[0]);
    free(alphabet->meet[1]);
    *alphabet = (struct rl_alphabet){0};
}

/* ---- sets of words ---- */

static void go(struct rl_automaton *automaton, uint32_t from, uint32_t letter, uint32_t to)
{
    automaton->next[(size_t)from * automaton->letters + letter] = to;
}

/* States count the letters, up to one more than matter. */
struct rl_automaton rl_alphabet_count(const struct rl_alphabet *alphabet, const bool *those,
                                      uint32_t least, uint32_t most, struct rl_effort *effort)
{
    const uint32_t top = most == UINT32_MAX ? least : most + 1;
    struct rl_automaton out = rl_automaton_make(alphabet->letters, top + 1, effort);
    for (uint32_t count = 0; count < out.states; count++) {
        out.accepts[count] = count >= least && count <= most;
        for (uint32_t a = 0; a < alphabet->letters; a++)
            go(&out, count, a, those[a] && count < top ? count + 1 : count);
    }
    rl_automaton_minimize(&out, effort);
    return out;
}

/* 0: nothing read; 1: one letter; 2: the second was not of those; 3: it was. */
struct rl_automaton rl_alphabet_second(const struct rl_alphabet *alphabet, const bool *those,
                                       struct rl_effort *effort)
{
    struct rl_automaton out = rl_automaton_make(alphabet->letters, 4, effort);
    for (uint32_t state = 0; state < out.states; state++) {
        out.accepts[state] = state == 3;
        for (uint32_t a = 0; a < alphabet->letters; a++)
            go(&out, state, a, state == 0 ? 1 : state > 1 ? state : those[a] ? 3 : 2);
    }
    rl_automaton_minimize(&out, effort);
    return out;
}

static bool changes_output(const struct rl_alphabet *alphabet, uint32_t l, uint32_t r)
{
    const struct rl_pair after = alphabet->meet[0][(size_t)l * alphabet->letters + r];
    return alphabet->leads[l] != alphabet->leads[after.l] ||
           alphabet->leads[r] != alphabet->leads[after.r];
}

/* 0: nothing read; 1: a change was seen; 2 + first * letters + last. */
struct rl_automaton rl_alphabet_changes(const struct rl_alphabet *alphabet,
                                        struct rl_effort *effort)
{
    const uint32_t letters = alphabet->letters;
    struct rl_automaton out = rl_automaton_make(letters, 2 + letters * letters, effort);
    for (uint32_t state = 0; state < out.states; state++) {
        const uint32_t first = (state - 2) / letters, last = (state - 2) % letters;
        out.accepts[state] = state == 1 || (state > 1 && changes_output(alphabet, last, first));
        for (uint32_t a = 0; a < letters; a++)
            go(&out, state, a,
               state == 0                                        ? 2 + a * letters + a
               : state == 1 || changes_output(alphabet, last, a) ? 1
                                                                 : 2 + first * letters + a);
    }
    rl_automaton_minimize(&out, effort);
    return out;
}

/* States count the letters: up to `least`, then round in the period. */
struct rl_automaton rl_alphabet_lengths(const struct rl_alphabet *alphabet, uint32_t least,
                                        const bool *allowed, uint32_t period,
                                        struct rl_effort *effort)
{
    struct rl_automaton out = rl_automaton_make(alphabet->letters, least + period, effort);
    for (uint32_t n = 0; n < out.states; n++) {
        out.accepts[n] = n >= least && allowed[n % period];
        for (uint32_t a = 0; a < alphabet->letters; a++)
            go(&out, n, a, n + 1 < out.states ? n + 1 : least);
    }
    rl_automaton_minimize(&out, effort);
    return out;
}
