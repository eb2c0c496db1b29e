/* SPDX-License-Identifier: MIT
 *
 * Projections. The outcomes of a pair of classes are those of all pairs of their states, so a
 * projection shows every execution of the protocol, and perhaps more.
 */
#include "verify/explore/projection.h"
#include "core/inside.h"

#include <assert.h>
#include <stdlib.h>

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

uint32_t rl_projection_class(struct rl_projection *projection, rl_state state)
{
    const rl_state key = state & projection->shown;
    assert(projection->protocol->leads(key) == projection->protocol->leads(state));
    const uint32_t class = rl_interned_add(&projection->classes, key);
    if (class >= RL_PROJECTION_CLASSES)
        projection->classes.effort->status = RL_TOO_LARGE;
    return class;
}

unsigned rl_projection_changes(const struct rl_protocol *protocol, rl_state l, rl_state r,
                               rl_state l_after, rl_state r_after)
{
    const bool was[] = {protocol->leads(l), protocol->leads(r)};
    const bool is[] = {protocol->leads(l_after), protocol->leads(r_after)};
    return ((!was[0] && is[0]) || (!was[1] && is[1]) ? RL_CREATION : 0u) |
           ((was[0] && !is[0]) || (was[1] && !is[1]) ? RL_DEATH : 0u);
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

/* Lets two states interact and lists the outcome, unless nothing shown changes or it is among those
 * from `from` on already. */
static void list_outcome(struct rl_projection *projection, uint64_t from, bool no_leader,
                         rl_state l_before, rl_state r_before)
{
    rl_state l = l_before, r = r_before;
    projection->protocol->interact(&projection->params, no_leader, &l, &r);
    if (((l ^ l_before) & projection->shown) == 0 && ((r ^ r_before) & projection->shown) == 0)
        return;
    const struct rl_outcome outcome = {
        rl_projection_class(projection, l), rl_projection_class(projection, r),
        rl_projection_changes(projection->protocol, l_before, r_before, l, r)};
    if (!is_listed(projection, from, outcome) &&
        rl_interned_room(projection->pairs.effort, &projection->list, &projection->list_room,
                         projection->list_count + 1, sizeof outcome))
        projection->list[projection->list_count++] = outcome;
}

static void list_outcomes(struct rl_projection *projection, bool no_leader, uint32_t l, uint32_t r)
{
    const uint64_t from = projection->list_count, states = projection->state_count;
    const rl_state *state = projection->states, shown = projection->shown;
    const rl_state l_shown = rl_projection_state(projection, l);
    const rl_state r_shown = rl_projection_state(projection, r);
    if (!state)
        list_outcome(projection, from, no_leader, l_shown, r_shown);
    for (uint64_t i = 0; state && i < states; i++)
        for (uint64_t j = 0; (state[i] & shown) == l_shown && j < states; j++)
            if ((state[j] & shown) == r_shown)
                list_outcome(projection, from, no_leader, state[i], state[j]);
}

struct rl_outcomes rl_projection_outcomes(struct rl_projection *projection, uint32_t l, uint32_t r,
                                          bool no_leader)
{
    const uint64_t count = projection->pairs.count;
    const uint64_t key = (uint64_t)l << 33 | (uint64_t)r << 1 | no_leader;
    const uint32_t pair = rl_interned_add(&projection->pairs, key);
    if (!rl_interned_room(projection->pairs.effort, &projection->begin, &projection->begin_room,
                          projection->pairs.count + 1, sizeof *projection->begin))
        return (struct rl_outcomes){0};
    uint64_t *const begin = projection->begin;
    if (pair == count) { /* it is new */
        begin[pair] = projection->list_count;
        list_outcomes(projection, no_leader, l, r);
        begin[pair + 1] = projection->list_count;
    }
    return (struct rl_outcomes){projection->list ? projection->list + begin[pair] : NULL,
                                begin[pair + 1] - begin[pair]};
}

/* ---- all of it ---- */

void rl_projection_init(struct rl_projection *projection, const struct rl_protocol *protocol,
                        const struct rl_params *params, uint64_t variables,
                        struct rl_effort *effort)
{
    const bool whole = bits_of(protocol, variables) == bits_of(protocol, UINT64_MAX);
    /* A word may have more than its variables: that of a rulebook has the output. */
    *projection = (struct rl_projection){.protocol = protocol,
                                         .params = *params,
                                         .shown = whole ? UINT64_MAX : bits_of(protocol, variables),
                                         .classes.effort = effort,
                                         .pairs.effort = effort};
    const uint64_t states = rl_protocol_states(protocol, params);
    if (whole || !rl_interned_room(effort, &projection->states, &projection->state_count, states,
                                   sizeof *projection->states))
        return;
    for (uint64_t i = 0; i < states; i++) {
        projection->states[i] = rl_protocol_state(protocol, params, i);
        rl_projection_class(projection, projection->states[i]);
    }
}

void rl_projection_free(struct rl_projection *projection)
{
    rl_interned_free(&projection->classes);
    free(projection->states);
    rl_interned_free(&projection->pairs);
    free(projection->begin);
    free(projection->list);
    *projection = (struct rl_projection){0};
}
