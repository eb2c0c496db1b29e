/* SPDX-License-Identifier: MIT
 *
 * The subset construction. Subsets lie one after another in one array, in no particular order of
 * members; a hash that does not depend on the order finds candidates, and stamps on the members of
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
    bool *open;      /* [guard's state] does it accept anything? */
    uint32_t states; /* of the pre-image */
    uint64_t allowance;
    /* Those found: members[begin[i]] up to members[begin[i + 1]]. */
    uint32_t *members;
    uint64_t member_count, member_room;
    uint64_t *begin, *hash;
    uint32_t *next;
    uint64_t count, begin_room, hash_room, next_room;
    uint32_t *table; /* number + 1; 0: free */
    uint64_t table_size;
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

static bool append(struct subsets *subsets, uint32_t member)
{
    const uint64_t place = subsets->member_count + subsets->size;
    if (!rl_interned_room(&subsets->allowance, &subsets->members, &subsets->member_room, place + 1,
                          sizeof *subsets->members))
        return false;
    subsets->members[place] = member;
    subsets->stamp[member] = subsets->now;
    subsets->size++;
    subsets->sum += scatter(member);
    return true;
}

/* The guard comes first; with nothing left open for it, nothing else matters. */
static bool begin_with(struct subsets *subsets, uint32_t guard)
{
    clear(subsets);
    return !subsets->open[guard] || append(subsets, subsets->states + guard);
}

static bool add(struct subsets *subsets, uint32_t state)
{
    if (subsets->all || subsets->stamp[state] == subsets->now)
        return true;
    if (rl_preimage_accepts_all(subsets->preimage, state)) {
        assert(subsets->size > 0); /* the guard */
        assert(subsets->members);
        const uint32_t guard = subsets->members[subsets->member_count] - subsets->states;
        if (!begin_with(subsets, guard))
            return false;
        subsets->all = true;
    }
    return append(subsets, state);
}

static bool add_successors(struct subsets *subsets, uint64_t of, rl_letter letter)
{
    const uint64_t begin = subsets->begin[of], end = subsets->begin[of + 1];
    clear(subsets);
    if (begin == end)
        return true;
    const uint32_t guard = subsets->members[begin] - subsets->states;
    if (!begin_with(subsets, rl_automaton_step(subsets->guard, guard, letter)))
        return false;
    for (uint64_t i = begin + 1; i < end && subsets->size > 0 && !subsets->all; i++) {
        const uint32_t count =
            rl_preimage_follow(subsets->preimage, subsets->members[i], letter, subsets->found);
        for (uint32_t k = 0; k < count; k++)
            if (!add(subsets, subsets->found[k]))
                return false;
    }
    return true;
}

/* ---- those found ---- */

static bool is_at_hand(const struct subsets *subsets, uint64_t number)
{
    const uint64_t begin = subsets->begin[number], end = subsets->begin[number + 1];
    if (subsets->hash[number] != subsets->sum || end - begin != subsets->size)
        return false;
    for (uint64_t i = begin; i < end; i++)
        if (subsets->stamp[subsets->members[i]] != subsets->now)
            return false;
    return true;
}

static bool grow_table(struct subsets *subsets)
{
    uint32_t *table = NULL;
    uint64_t size = 0;
    if (!rl_interned_room(&subsets->allowance, &table, &size,
                          subsets->table_size ? 2 * subsets->table_size : 1024, sizeof *table))
        return false;
    memset(table, 0, size * sizeof *table);
    for (uint64_t i = 0; i < subsets->count; i++) {
        uint64_t place = subsets->hash[i] & (size - 1);
        while (table[place])
            place = (place + 1) & (size - 1);
        table[place] = (uint32_t)i + 1;
    }
    free(subsets->table);
    subsets->allowance += subsets->table_size * sizeof *table;
    subsets->table = table;
    subsets->table_size = size;
    return true;
}

/* One more in each of the lists that go along. */
static bool make_room(struct subsets *subsets)
{
    uint64_t *const allowance = &subsets->allowance, want = subsets->count + 2;
    return (2 * want <= subsets->table_size || grow_table(subsets)) &&
           rl_interned_room(allowance, &subsets->begin, &subsets->begin_room, want,
                            sizeof *subsets->begin) &&
           rl_interned_room(allowance, &subsets->hash, &subsets->hash_room, want,
                            sizeof *subsets->hash) &&
           rl_interned_room(allowance, &subsets->next, &subsets->next_room, want,
                            subsets->preimage->alphabet->letters * sizeof *subsets->next);
}

/* The number of the one at hand, which is kept if it is new. */
static bool number_of(struct subsets *subsets, uint32_t *number_out)
{
    if (!make_room(subsets) || subsets->count >= UINT32_MAX - 1)
        return false;
    const uint64_t mask = subsets->table_size - 1;
    uint64_t place = subsets->sum & mask;
    while (subsets->table[place] && !is_at_hand(subsets, subsets->table[place] - 1))
        place = (place + 1) & mask;
    if (!subsets->table[place]) {
        subsets->begin[subsets->count] = subsets->member_count;
        subsets->member_count += subsets->size;
        subsets->begin[subsets->count + 1] = subsets->member_count;
        subsets->hash[subsets->count++] = subsets->sum;
        subsets->table[place] = (uint32_t)subsets->count;
    }
    *number_out = subsets->table[place] - 1;
    return true;
}

static void explore(struct subsets *subsets, struct rl_effort *effort)
{
    const uint64_t letters = subsets->preimage->alphabet->letters;
    uint32_t number = 0;
    bool fits = begin_with(subsets, 0) &&
                (subsets->size == 0 || add(subsets, rl_preimage_start(subsets->preimage))) &&
                number_of(subsets, &number);
    for (uint64_t i = 0; fits && !effort->status && i < subsets->count; i++) {
        for (uint64_t a = 0; fits && a < letters; a++) {
            fits = add_successors(subsets, i, (rl_letter)a) && number_of(subsets, &number);
            subsets->next[i * letters + a] = number;
        }
        if (i % 256 == 0)
            rl_effort_goes_on(effort, subsets->count);
    }
    if (!fits)
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
    struct rl_automaton out = {subsets->preimage->alphabet->letters, (uint32_t)subsets->count,
                               subsets->next, malloc(subsets->count * sizeof *out.accepts)};
    subsets->next = NULL;
    for (uint64_t i = 0; out.accepts && i < subsets->count; i++)
        out.accepts[i] = accepts(subsets, i);
    rl_effort_has(effort, out.accepts);
    rl_automaton_minimize(&out, effort);
    return out;
}

static void subsets_free(struct subsets *subsets)
{
    free(subsets->members);
    free(subsets->begin);
    free(subsets->hash);
    free(subsets->next);
    free(subsets->table);
    free(subsets->stamp);
    free(subsets->open);
    free(subsets->found);
}

static void subsets_init(struct subsets *subsets, struct rl_effort *effort)
{
    const uint64_t members = (uint64_t)subsets->states + subsets->guard->states;
    if (members > UINT32_MAX || members * sizeof *subsets->stamp > subsets->allowance) {
        effort->status = RL_TOO_LARGE;
        return;
    }
    subsets->stamp = calloc(members, sizeof *subsets->stamp);
    subsets->open = malloc(subsets->guard->states * sizeof *subsets->open);
    subsets->found = malloc(rl_preimage_most(subsets->preimage) * sizeof *subsets->found);
    if (!rl_effort_has(effort, subsets->stamp && subsets->open && subsets->found))
        return;
    subsets->allowance -= members * sizeof *subsets->stamp;
    rl_automaton_alive(subsets->guard, subsets->open);
}

/* Half of the memory is for the minimization that follows. */
struct rl_automaton rl_subsets_automaton(const struct rl_preimage *preimage,
                                         const struct rl_automaton *guard, struct rl_effort *effort)
{
    struct rl_automaton out = {0};
    if (effort->status)
        return out;
    struct subsets subsets = {.preimage = preimage,
                              .guard = guard,
                              .states = rl_preimage_states(preimage),
                              .allowance = effort->memory / 2};
    subsets_init(&subsets, effort);
    if (!effort->status)
        explore(&subsets, effort);
    if (!effort->status)
        out = describe(&subsets, effort);
    subsets_free(&subsets);
    return out;
}
