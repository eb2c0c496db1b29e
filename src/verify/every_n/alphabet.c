/* SPDX-License-Identifier: MIT
 *
 * Letters, and the sets of words that the stages begin and end with.
 */
#include "verify/every_n/alphabet.h"

#include <stdlib.h>

/* ---- letters ----------------------------------------------------------------------------------
 */

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
            alphabet->plain[letter] = (rl_letter) class;
        }
}

static enum rl_status fill_meet(struct rl_alphabet *alphabet, const struct rl_classes *classes,
                                int report, const rl_letter *number)
{
    const size_t letters = alphabet->letters;
    struct rl_pair *meet = malloc(letters * letters * sizeof *meet);
    if (!meet)
        return RL_NO_MEMORY;
    alphabet->meet[report] = meet;
    for (size_t l = 0; l < letters; l++)
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
    return RL_OK;
}

enum rl_status rl_alphabet_init(struct rl_alphabet *alphabet, const struct rl_classes *classes,
                                bool marks)
{
    const size_t most = 2 * (size_t)classes->count;
    *alphabet = (struct rl_alphabet){0};
    rl_letter *number = malloc(most * sizeof *number);
    alphabet->leads = malloc(most * sizeof *alphabet->leads);
    alphabet->marked = malloc(most * sizeof *alphabet->marked);
    alphabet->plain = malloc(most * sizeof *alphabet->plain);
    enum rl_status status = RL_NO_MEMORY;
    if (number && alphabet->leads && alphabet->marked && alphabet->plain) {
        list_letters(alphabet, classes, marks, number);
        status = fill_meet(alphabet, classes, 0, number);
        if (!status && classes->next[1])
            status = fill_meet(alphabet, classes, 1, number);
    }
    free(number);
    return status;
}

void rl_alphabet_free(struct rl_alphabet *alphabet)
{
    free(alphabet->leads);
    free(alphabet->marked);
    free(alphabet->plain);
    free(alphabet->meet[0]);
    free(alphabet->meet[1]);
    *alphabet = (struct rl_alphabet){0};
}

/* ---- sets of words ----------------------------------------------------------------------------
 */

static void go(struct rl_automaton *automaton, uint32_t from, uint32_t letter, uint32_t to)
{
    automaton->next[(size_t)from * automaton->letters + letter] = to;
}

/* States count the leaders, up to one more than matter. */
enum rl_status rl_alphabet_leaders(const struct rl_alphabet *alphabet, uint32_t least,
                                   uint32_t most, struct rl_automaton *out)
{
    const uint32_t top = most == UINT32_MAX ? least : most + 1;
    const enum rl_status status = rl_automaton_init(out, alphabet->letters, top + 1);
    if (status)
        return status;
    for (uint32_t count = 0; count <= top; count++) {
        out->accepts[count] = count >= least && count <= most;
        for (uint32_t a = 0; a < alphabet->letters; a++)
            go(out, count, a, alphabet->leads[a] && count < top ? count + 1 : count);
    }
    return rl_automaton_minimize(out);
}

/* 0: nothing read; 1: one letter; 2: the second was not of those; 3: it was. */
static enum rl_status second_of(const struct rl_alphabet *alphabet, const bool *those,
                                struct rl_automaton *out)
{
    const enum rl_status status = rl_automaton_init(out, alphabet->letters, 4);
    if (status)
        return status;
    out->accepts[3] = true;
    for (uint32_t a = 0; a < alphabet->letters; a++) {
        go(out, 0, a, 1);
        go(out, 1, a, those[a] ? 3 : 2);
        go(out, 2, a, 2);
        go(out, 3, a, 3);
    }
    return rl_automaton_minimize(out);
}

enum rl_status rl_alphabet_second_leads(const struct rl_alphabet *alphabet,
                                        struct rl_automaton *out)
{
    return second_of(alphabet, alphabet->leads, out);
}

enum rl_status rl_alphabet_second_marked(const struct rl_alphabet *alphabet,
                                         struct rl_automaton *out)
{
    return second_of(alphabet, alphabet->marked, out);
}

/* Words in which some letter has leads == lead and marked == mark: state 1, once one was read. */
static enum rl_status some_letter(const struct rl_alphabet *alphabet, bool lead, bool mark,
                                  struct rl_automaton *out)
{
    const enum rl_status status = rl_automaton_init(out, alphabet->letters, 2);
    if (status)
        return status;
    out->accepts[1] = true;
    for (uint32_t a = 0; a < alphabet->letters; a++) {
        go(out, 0, a, alphabet->leads[a] == lead && alphabet->marked[a] == mark);
        go(out, 1, a, 1);
    }
    return rl_automaton_minimize(out);
}

enum rl_status rl_alphabet_fewer(const struct rl_alphabet *alphabet, struct rl_automaton *out)
{
    return some_letter(alphabet, false, true, out);
}

/* Leaders without a mark are no letters. */
enum rl_status rl_alphabet_freshly_marked(const struct rl_alphabet *alphabet,
                                          struct rl_automaton *out)
{
    const enum rl_status status = rl_alphabet_fewer(alphabet, out);
    if (!status)
        rl_automaton_complement(out);
    return status;
}

static bool changes_output(const struct rl_alphabet *alphabet, uint32_t l, uint32_t r)
{
    const struct rl_pair after = alphabet->meet[0][(size_t)l * alphabet->letters + r];
    return alphabet->leads[l] != alphabet->leads[after.l] ||
           alphabet->leads[r] != alphabet->leads[after.r];
}

/* 0: nothing read; 1: a change was seen; 2 + first * letters + last. */
enum rl_status rl_alphabet_changes(const struct rl_alphabet *alphabet, struct rl_automaton *out)
{
    const uint32_t letters = alphabet->letters;
    const enum rl_status status = rl_automaton_init(out, letters, 2 + letters * letters);
    if (status)
        return status;
    out->accepts[1] = true;
    for (uint32_t a = 0; a < letters; a++) {
        go(out, 0, a, 2 + a * letters + a);
        go(out, 1, a, 1);
        for (uint32_t first = 0; first < letters; first++)
            for (uint32_t last = 0; last < letters; last++)
                go(out, 2 + first * letters + last, a,
                   changes_output(alphabet, last, a) ? 1 : 2 + first * letters + a);
    }
    for (uint32_t first = 0; first < letters; first++)
        for (uint32_t last = 0; last < letters; last++)
            out->accepts[2 + first * letters + last] = changes_output(alphabet, last, first);
    return rl_automaton_minimize(out);
}

/* States count the letters: up to `least`, then round in the period. */
enum rl_status rl_alphabet_lengths(const struct rl_alphabet *alphabet, uint32_t least,
                                   const bool *allowed, uint32_t period, struct rl_automaton *out)
{
    const uint32_t states = least + period;
    const enum rl_status status = rl_automaton_init(out, alphabet->letters, states);
    if (status)
        return status;
    for (uint32_t n = 0; n < states; n++) {
        out->accepts[n] = n >= least && allowed[n % period];
        for (uint32_t a = 0; a < alphabet->letters; a++)
            go(out, n, a, n + 1 < states ? n + 1 : least);
    }
    return rl_automaton_minimize(out);
}
