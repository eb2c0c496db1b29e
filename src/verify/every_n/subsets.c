/* SPDX-License-Identifier: MIT
 *
 * The subset construction. Subsets lie one after another in one array, in no particular order of
 * members; a sum that does not depend on the order finds candidates, and stamps on the members of
 * the one at hand decide. The state of the guard is a member like the others, the first; its
 * numbers come after those of the pre-image.
 */
#include "verify/every_n/preimage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "verify/interned.h"

struct subsets {
    const struct rl_preimage *preimage;
    const struct rl_automaton *guard;
    uint32_t states; /* of the pre-image */
    int64_t allowance;
    /* Those found: members[begin[i]] up to members[begin[i + 1]]. */
    uint32_t *members;
    uint64_t member_count, member_room;
    uint64_t *begin;
    uint32_t *next;
    uint64_t begin_room, next_room;
    struct rl_interned sums; /* theirs; the next number that is free, where two have the same */
    /* The one at hand: the last of `members`, not counted yet. */
    uint32_t *stamp; /* [state of the pre-image] */
    uint32_t now;
    uint64_t size, sum;
    bool all;        /* it accepts everything */
    uint32_t *found; /* successors of one state */
};

static uint64_t scatter(uint64_t key)
{
    key = (key + 1) * UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ key >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return key ^ key >> 29;
}

/* ---- the subset at hand ---- */

static void clear(struct subsets *subsets)
{
    subsets->now++;
    subsets->size = subsets->sum = 0;
    subsets->all = false;
}

static void append(struct subsets *subsets, uint32_t member)
{
    const uint64_t place = subsets->member_count + subsets->size;
    if (!rl_interned_room(&subsets->allowance, &subsets->members, &subsets->member_room, place + 1,
                          sizeof *subsets->members))
        return;
    subsets->members[place] = member;
    subsets->stamp[member] = subsets->now;
    subsets->size++;
    subsets->sum += scatter(member);
}

/* The guard comes first; with nothing left open for it, nothing else matters. */
static void begin_with(struct subsets *subsets, uint32_t guard)
{
    clear(subsets);
    if (subsets->guard->accepts[guard] || !rl_automaton_is_sink(subsets->guard, guard))
        append(subsets, subsets->states + guard);
}

static void add(struct subsets *subsets, uint32_t state)
{
    if (subsets->size == 0 || subsets->all || subsets->stamp[state] == subsets->now)
        return;
    if (rl_preimage_accepts_all(subsets->preimage, state)) {
        begin_with(subsets, subsets->members[subsets->member_count] - subsets->states);
        subsets->all = true;
    }
    append(subsets, state);
}

static void add_successors(struct subsets *subsets, uint64_t of, rl_letter letter)
{
    const uint64_t begin = subsets->begin[of], end = subsets->begin[of + 1];
    clear(subsets);
    if (begin == end)
        return;
    const uint32_t guard = subsets->members[begin] - subsets->states;
    begin_with(subsets, rl_automaton_step(subsets->guard, guard, letter));
    for (uint64_t i = begin + 1; i < end && subsets->size > 0 && !subsets->all; i++) {
        const uint32_t count =
            rl_preimage_follow(subsets->preimage, subsets->members[i], letter, subsets->found);
        for (uint32_t k = 0; k < count; k++)
            add(subsets, subsets->found[k]);
    }
}

/* ---- those found ---- */

static bool is_at_hand(const struct subsets *subsets, uint64_t number)
{
    const uint64_t begin = subsets->begin[number], end = subsets->begin[number + 1];
    if (end - begin != subsets->size)
        return false;
    for (uint64_t i = begin; i < end; i++)
        if (subsets->stamp[subsets->members[i]] != subsets->now)
            return false;
    return true;
}

/* Keeps the one at hand, whose sum was the last to be numbered. */
static void keep(struct subsets *subsets)
{
    int64_t *const allowance = &subsets->allowance;
    const uint64_t count = subsets->sums.count;
    if (!rl_interned_room(allowance, &subsets->begin, &subsets->begin_room, count + 1,
                          sizeof *subsets->begin) ||
        !rl_interned_room(allowance, &subsets->next, &subsets->next_room, count,
                          subsets->preimage->alphabet->letters * sizeof *subsets->next))
        return;
    subsets->begin[count - 1] = subsets->member_count;
    subsets->member_count += subsets->size;
    subsets->begin[count] = subsets->member_count;
}

/* The number of the one at hand, which is kept if it is new. */
static uint32_t number_of(struct subsets *subsets)
{
    uint32_t number = 0;
    for (uint64_t sum = subsets->sum; subsets->allowance >= 0; sum++) {
        const uint64_t count = subsets->sums.count;
        number = rl_interned_add(&subsets->sums, sum);
        if (subsets->allowance < 0)
            break;
        if (number == count)
            keep(subsets);
        if (number == count || is_at_hand(subsets, number))
            break;
    }
    return number;
}

static void explore(struct subsets *subsets, struct rl_effort *effort)
{
    const uint64_t letters = subsets->preimage->alphabet->letters;
    begin_with(subsets, 0);
    add(subsets, subsets->preimage->done + 1);
    number_of(subsets);
    for (uint64_t i = 0; subsets->allowance >= 0 && i < subsets->sums.count; i++) {
        for (uint64_t a = 0; subsets->allowance >= 0 && a < letters; a++) {
            add_successors(subsets, i, (rl_letter)a);
            const uint32_t number = number_of(subsets);
            subsets->next[i * letters + a] = number;
        }
        if (i % 256 == 0 && !rl_effort_goes_on(effort, subsets->sums.count))
            return;
    }
    if (subsets->allowance < 0)
        effort->status = RL_TOO_LARGE;
}

/* ---- the automaton ---- */

static bool accepts(const struct subsets *subsets, uint64_t number)
{
    const uint64_t begin = subsets->begin[number], end = subsets->begin[number + 1];
    if (begin == end || !subsets->guard->accepts[subsets->members[begin] - subsets->states])
        return false;
    for (uint64_t i = begin + 1; i < end; i++)
        if (rl_preimage_accepts(subsets->preimage, subsets->members[i]))
            return true;
    return false;
}

static struct rl_automaton describe(struct subsets *subsets, struct rl_effort *effort)
{
    const uint64_t count = subsets->sums.count;
    struct rl_automaton out = {subsets->preimage->alphabet->letters, (uint32_t)count, subsets->next,
                               rl_effort_calloc(effort, count, sizeof *out.accepts)};
    subsets->next = NULL;
    for (uint64_t i = 0; out.accepts && i < count; i++)
        out.accepts[i] = accepts(subsets, i);
    rl_automaton_minimize(&out, effort);
    return out;
}

/* Half of the memory is for the minimization that follows. */
struct rl_automaton rl_subsets_automaton(const struct rl_preimage *preimage,
                                         const struct rl_automaton *guard, struct rl_effort *effort)
{
    struct rl_automaton out = {0};
    struct subsets subsets = {.preimage = preimage,
                              .guard = guard,
                              .states = preimage->done + 2,
                              .allowance = (int64_t)(effort->memory / 2)};
    const uint64_t members = (uint64_t)subsets.states + guard->states;
    const uint64_t bytes = members * sizeof *subsets.stamp;
    subsets.sums.allowance = &subsets.allowance;
    if (!effort->status && (members > UINT32_MAX || bytes > (uint64_t)subsets.allowance))
        effort->status = RL_TOO_LARGE;
    subsets.allowance -= (int64_t)bytes;
    subsets.stamp = rl_effort_calloc(effort, members, sizeof *subsets.stamp);
    subsets.found = rl_effort_calloc(effort, guard->letters + 2, sizeof *subsets.found);
    if (!effort->status)
        explore(&subsets, effort);
    if (!effort->status)
        out = describe(&subsets, effort);
    free(subsets.members);
    free(subsets.begin);
    rl_interned_free(&subsets.sums);
    free(subsets.next);
    free(subsets.stamp);
    free(subsets.found);
    return out;
}
