/* SPDX-License-Identifier: MIT
 *
 * The subset construction. Subsets lie one after another in one array, in no particular order of
 * members; a hash that does not depend on the order finds candidates, and stamps on the members of
 * the one at hand decide.
 */
#include "verify/every_n/subsets.h"

#include <stdlib.h>
#include <string.h>

#include "verify/explore/interned.h"

struct subsets {
    const struct rl_preimage *preimage;
    uint64_t allowance;
    /* Those found: members[begin[i]] up to members[begin[i + 1]]. */
    uint32_t *members;
    uint64_t member_count, member_room;
    uint64_t *begin, *hash;
    uint32_t *next;
    uint64_t count, room;
    uint32_t *table; /* number + 1; 0: free */
    uint64_t table_size;
    /* The one at hand: the last of `members`, not counted yet. */
    uint32_t *stamp; /* [state of the pre-image] */
    uint32_t now;
    uint64_t size, sum;
    bool all;        /* it accepts everything */
    uint32_t *found; /* successors of one state */
};

/* Makes `*array` hold at least `want` entries. */
static bool reserve(struct subsets *subsets, void **array, uint64_t *room, uint64_t want,
                    uint64_t bytes)
{
    if (want <= *room)
        return true;
    const uint64_t more = 2 * want + 1024;
    void *larger = rl_interned_grow(&subsets->allowance, *array, *room, more, bytes);
    if (!larger)
        return false;
    *array = larger;
    *room = more;
    return true;
}

static uint64_t scatter(uint64_t key)
{
    key = (key + 1) * UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ key >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return key ^ key >> 29;
}

/* ---- the subset at hand -----------------------------------------------------------------------
 */

static void clear(struct subsets *subsets)
{
    subsets->now++;
    subsets->size = subsets->sum = 0;
    subsets->all = false;
}

static bool add(struct subsets *subsets, uint32_t state)
{
    if (subsets->all || subsets->stamp[state] == subsets->now)
        return true;
    if (rl_preimage_accepts_all(subsets->preimage, state)) {
        clear(subsets);
        subsets->all = true;
    }
    subsets->stamp[state] = subsets->now;
    void *members = subsets->members;
    const uint64_t place = subsets->member_count + subsets->size;
    if (!reserve(subsets, &members, &subsets->member_room, place + 1, sizeof *subsets->members))
        return false;
    subsets->members = members;
    subsets->members[place] = state;
    subsets->size++;
    subsets->sum += scatter(state);
    return true;
}

static bool add_successors(struct subsets *subsets, uint64_t of, rl_letter letter)
{
    clear(subsets);
    for (uint64_t i = subsets->begin[of]; i < subsets->begin[of + 1] && !subsets->all; i++) {
        const uint32_t count =
            rl_preimage_follow(subsets->preimage, subsets->members[i], letter, subsets->found);
        for (uint32_t k = 0; k < count; k++)
            if (!add(subsets, subsets->found[k]))
                return false;
    }
    return true;
}

/* ---- those found ------------------------------------------------------------------------------
 */

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
    const uint64_t size = subsets->table_size ? 2 * subsets->table_size : 1024;
    uint32_t *table = rl_interned_grow(&subsets->allowance, NULL, 0, size, sizeof *table);
    if (!table)
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
    const uint64_t want = subsets->count + 2, more = 2 * want + 1024;
    if (2 * want > subsets->table_size && !grow_table(subsets))
        return false;
    if (want <= subsets->room)
        return true;
    const uint64_t row = subsets->preimage->alphabet->letters * sizeof *subsets->next;
    uint64_t *begin = rl_interned_grow(&subsets->allowance, subsets->begin, subsets->room, more,
                                       sizeof *begin);
    if (begin)
        subsets->begin = begin;
    uint64_t *hash =
        rl_interned_grow(&subsets->allowance, subsets->hash, subsets->room, more, sizeof *hash);
    if (hash)
        subsets->hash = hash;
    uint32_t *next =
        rl_interned_grow(&subsets->allowance, subsets->next, subsets->room, more, row);
    if (next)
        subsets->next = next;
    subsets->room = more;
    return begin && hash && next;
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

static enum rl_status explore(struct subsets *subsets, const struct rl_effort *effort)
{
    const uint64_t letters = subsets->preimage->alphabet->letters;
    uint32_t start;
    clear(subsets);
    if (!add(subsets, rl_preimage_start(subsets->preimage)) || !number_of(subsets, &start))
        return RL_TOO_LARGE;
    for (uint64_t i = 0; i < subsets->count; i++) {
        for (uint64_t a = 0; a < letters; a++) {
            uint32_t next;
            if (!add_successors(subsets, i, (rl_letter)a) || !number_of(subsets, &next))
                return RL_TOO_LARGE;
            subsets->next[i * letters + a] = next;
        }
        if (i % 256 == 0 && effort->go_on && !effort->go_on(effort->user, subsets->count))
            return RL_STOPPED;
    }
    return RL_OK;
}

/* ---- the automaton ----------------------------------------------------------------------------
 */

static bool accepts(const struct subsets *subsets, uint64_t number)
{
    for (uint64_t i = subsets->begin[number]; i < subsets->begin[number + 1]; i++)
        if (rl_preimage_accepts(subsets->preimage, subsets->members[i]))
            return true;
    return false;
}

static enum rl_status describe(struct subsets *subsets, struct rl_automaton *out)
{
    out->accepts = malloc(subsets->count * sizeof *out->accepts);
    if (!out->accepts)
        return RL_NO_MEMORY;
    for (uint64_t i = 0; i < subsets->count; i++)
        out->accepts[i] = accepts(subsets, i);
    out->letters = subsets->preimage->alphabet->letters;
    out->states = (uint32_t)subsets->count;
    out->next = subsets->next;
    subsets->next = NULL;
    return RL_OK;
}

static void subsets_free(struct subsets *subsets)
{
    free(subsets->members);
    free(subsets->begin);
    free(subsets->hash);
    free(subsets->next);
    free(subsets->table);
    free(subsets->stamp);
    free(subsets->found);
}

/* Half of the memory is for the minimization that follows. */
enum rl_status rl_subsets_automaton(const struct rl_preimage *preimage,
                                    const struct rl_effort *effort, struct rl_automaton *out)
{
    struct subsets subsets = {.preimage = preimage, .allowance = effort->memory / 2};
    const uint32_t states = rl_preimage_states(preimage);
    *out = (struct rl_automaton){0};
    enum rl_status status = RL_TOO_LARGE;
    if ((uint64_t)states * sizeof *subsets.stamp < subsets.allowance) {
        subsets.stamp = calloc(states, sizeof *subsets.stamp);
        subsets.found = malloc(rl_preimage_most(preimage) * sizeof *subsets.found);
        status = subsets.stamp && subsets.found ? explore(&subsets, effort) : RL_NO_MEMORY;
    }
    if (!status)
        status = describe(&subsets, out);
    subsets_free(&subsets);
    return status ? status : rl_automaton_minimize(out);
}
