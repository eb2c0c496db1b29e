/* SPDX-License-Identifier: MIT
 *
 * Projections. The outcomes of a pair of classes are those of all pairs of their states, so a
 * projection shows every execution of the protocol, and perhaps more.
 */
#include "verify/explore/explorer.h"
#include "core/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static rl_state bits_of(const struct rl_protocol *protocol, uint64_t variables)
{
    rl_state bits = 0;
    for (size_t i = 0; i < protocol->variable_count; i++) {
        const struct rl_variable *variable = &protocol->variables[i];
        if (variables >> i & 1)
            bits |= ((UINT64_C(1) << variable->width) - 1) << variable->shift;
    }
    return bits;
}

bool rl_projection_class(struct rl_projection *projection, rl_state state, uint32_t *class_out)
{
    const rl_state key = state & projection->shown;
    assert(projection->protocol->leads(key) == projection->protocol->leads(state));
    return rl_interned_add(&projection->classes, key, class_out) != RL_INTERNED_NO_ROOM;
}

unsigned rl_projection_changes(const struct rl_protocol *protocol, rl_state l, rl_state r,
                               rl_state l_after, rl_state r_after)
{
    const bool was[] = {protocol->leads(l), protocol->leads(r)};
    const bool is[] = {protocol->leads(l_after), protocol->leads(r_after)};
    return ((!was[0] && is[0]) || (!was[1] && is[1]) ? RL_CREATION : 0u) |
           ((was[0] && !is[0]) || (was[1] && !is[1]) ? RL_DEATH : 0u);
}

/* ---- the states of a class ---- */

/* Meets every class, and counts the states of class c in start[c + 2]. */
static bool count_members(struct rl_projection *projection, uint64_t states)
{
    for (uint64_t i = 0; i < states; i++) {
        uint32_t class;
        const rl_state state = rl_protocol_state(projection->protocol, &projection->params, i);
        if (!rl_projection_class(projection, state, &class))
            return false;
        projection->start[class + 2]++;
    }
    return true;
}

/* Puts every state behind those of its class that are there: start[c + 1] runs from the beginning
 * of class c to its end, which is the beginning of class c + 1. */
static void place_members(struct rl_projection *projection, uint64_t states)
{
    for (uint64_t c = 0; c < projection->classes.count; c++)
        projection->start[c + 2] += projection->start[c + 1];
    for (uint64_t i = 0; i < states; i++) {
        uint32_t class = 0;
        const rl_state state = rl_protocol_state(projection->protocol, &projection->params, i);
        const bool met = rl_projection_class(projection, state, &class);
        assert(met && "all were met when they were counted");
        projection->members[projection->start[class + 1]++] = state;
    }
}

static bool list_members(struct rl_projection *projection)
{
    const uint64_t states = rl_protocol_states(projection->protocol, &projection->params);
    uint64_t *const allowance = projection->classes.allowance;
    uint64_t members = 0, starts = 0;
    if (!rl_interned_room(allowance, &projection->members, &members, states,
                          sizeof *projection->members) ||
        !rl_interned_room(allowance, &projection->start, &starts, states + 2,
                          sizeof *projection->start))
        return false;
    memset(projection->start, 0, (states + 2) * sizeof *projection->start);
    if (!count_members(projection, states))
        return false;
    place_members(projection, states);
    return true;
}

/* ---- outcomes ---- */

static bool is_listed(const struct rl_projection *projection, uint64_t from,
                      struct rl_outcome outcome)
{
    for (uint64_t i = from; i < projection->list_count; i++)
        if (projection->list[i].l == outcome.l && projection->list[i].r == outcome.r)
            return true;
    return false;
}

static bool append(struct rl_projection *projection, struct rl_outcome outcome)
{
    if (!rl_interned_room(projection->pairs.allowance, &projection->list, &projection->list_room,
                          projection->list_count + 1, sizeof outcome))
        return false;
    projection->list[projection->list_count++] = outcome;
    return true;
}

/* Lets two states interact and lists the outcome, unless nothing shown changes or it is among those
 * from `from` on already. */
static bool list_outcome(struct rl_projection *projection, uint64_t from, bool no_leader,
                         rl_state l_before, rl_state r_before)
{
    rl_state l = l_before, r = r_before;
    struct rl_outcome outcome = {0};
    projection->protocol->interact(&projection->params, no_leader, &l, &r);
    if (((l ^ l_before) & projection->shown) == 0 && ((r ^ r_before) & projection->shown) == 0)
        return true;
    outcome.changes = rl_projection_changes(projection->protocol, l_before, r_before, l, r);
    return rl_projection_class(projection, l, &outcome.l) &&
           rl_projection_class(projection, r, &outcome.r) &&
           (is_listed(projection, from, outcome) || append(projection, outcome));
}

static bool list_outcomes(struct rl_projection *projection, bool no_leader, uint32_t l, uint32_t r)
{
    const uint64_t from = projection->list_count;
    if (!projection->hides)
        return list_outcome(projection, from, no_leader, rl_projection_state(projection, l),
                            rl_projection_state(projection, r));
    const uint64_t *const start = projection->start;
    for (uint64_t i = start[l]; i < start[l + 1]; i++)
        for (uint64_t j = start[r]; j < start[r + 1]; j++)
            if (!list_outcome(projection, from, no_leader, projection->members[i],
                              projection->members[j]))
                return false;
    return true;
}

bool rl_projection_outcomes(struct rl_projection *projection, uint32_t l, uint32_t r,
                            bool no_leader, struct rl_outcomes *outcomes_out)
{
    uint32_t pair;
    const uint64_t key = (uint64_t)l << 33 | (uint64_t)r << 1 | no_leader;
    const enum rl_interned_answer answer = rl_interned_add(&projection->pairs, key, &pair);
    if (answer == RL_INTERNED_NO_ROOM ||
        !rl_interned_room(projection->pairs.allowance, &projection->begin, &projection->begin_room,
                          projection->pairs.count + 1, sizeof *projection->begin))
        return false;
    if (answer == RL_INTERNED_NEW) {
        projection->begin[pair] = projection->list_count;
        if (!list_outcomes(projection, no_leader, l, r))
            return false;
        projection->begin[pair + 1] = projection->list_count;
    }
    outcomes_out->count = projection->begin[pair + 1] - projection->begin[pair];
    outcomes_out->list = outcomes_out->count ? projection->list + projection->begin[pair] : NULL;
    return true;
}

/* ---- all of it ---- */

enum rl_status rl_projection_init(struct rl_projection *projection,
                                  const struct rl_protocol *protocol,
                                  const struct rl_params *params, uint64_t variables,
                                  uint64_t *allowance)
{
    const rl_state all = bits_of(protocol, UINT64_MAX);
    *projection = (struct rl_projection){.protocol = protocol,
                                         .params = *params,
                                         .shown = bits_of(protocol, variables),
                                         .classes.allowance = allowance,
                                         .pairs.allowance = allowance};
    projection->hides = projection->shown != all;
    return !projection->hides || list_members(projection) ? RL_OK : RL_TOO_LARGE;
}

void rl_projection_free(struct rl_projection *projection)
{
    rl_interned_free(&projection->classes);
    free(projection->members);
    free(projection->start);
    rl_interned_free(&projection->pairs);
    free(projection->begin);
    free(projection->list);
    *projection = (struct rl_projection){0};
}
