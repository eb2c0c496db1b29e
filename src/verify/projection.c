/* SPDX-License-Identifier: MIT
 *
 * Projections. The outcomes of a pair of classes are those of all pairs of their states, so a
 * projection shows every execution of the protocol, and perhaps more.
 */
#include "verify/projection.h"

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

static bool look_the_same(const struct rl_projection *projection, rl_state a, rl_state b)
{
    return ((a ^ b) & projection->shown) == 0 &&
           projection->protocol->leads(a) == projection->protocol->leads(b);
}

/* The class of a state: that of the first state which looks the same. */
static void find_classes(struct rl_projection *projection, uint64_t states)
{
    for (uint64_t i = 0; i < states; i++) {
        const rl_state state = rl_protocol_state(projection->protocol, &projection->params, i);
        uint32_t class = 0;
        while (class < projection->class_count &&
               !look_the_same(projection, state, projection->first[class]))
            class ++;
        if (class == projection->class_count)
            projection->first[projection->class_count++] = state;
        projection->classes[i] = class;
    }
}

unsigned rl_projection_changes(const struct rl_protocol *protocol, rl_state l, rl_state r,
                               rl_state l_after, rl_state r_after)
{
    const bool was[] = {protocol->leads(l), protocol->leads(r)};
    const bool is[] = {protocol->leads(l_after), protocol->leads(r_after)};
    return ((!was[0] && is[0]) || (!was[1] && is[1]) ? RL_CREATION : 0u) |
           ((was[0] && !is[0]) || (was[1] && !is[1]) ? RL_DEATH : 0u);
}

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
    if (projection->list_count == projection->list_room) {
        const uint64_t room = projection->list_room ? 2 * projection->list_room : 1024;
        struct rl_outcome *list = realloc(projection->list, room * sizeof *list);
        if (!list)
            return false;
        projection->list = list;
        projection->list_room = room;
    }
    projection->list[projection->list_count++] = outcome;
    return true;
}

/* The states of each class, one class after the other: order[start[c]] .. order[start[c+1] - 1]. */
struct members {
    rl_state *order;
    uint64_t *start;
};

static bool sort_members(const struct rl_projection *projection, uint64_t states,
                         struct members *members)
{
    members->order = malloc(states * sizeof *members->order);
    members->start = calloc((size_t)projection->class_count + 2, sizeof *members->start);
    if (!members->order || !members->start)
        return false;
    /* start[c + 1] runs from the beginning of class c to its end, the beginning of class c + 1. */
    for (uint64_t i = 0; i < states; i++)
        members->start[projection->classes[i] + 2]++;
    for (uint32_t c = 0; c < projection->class_count; c++)
        members->start[c + 2] += members->start[c + 1];
    for (uint64_t i = 0; i < states; i++)
        members->order[members->start[projection->classes[i] + 1]++] =
            rl_protocol_state(projection->protocol, &projection->params, i);
    return true;
}

static bool list_outcomes(struct rl_projection *projection, const struct members *members,
                          uint32_t l_class, uint32_t r_class)
{
    const uint64_t from = projection->list_count;
    for (uint64_t i = members->start[l_class]; i < members->start[l_class + 1]; i++)
        for (uint64_t j = members->start[r_class]; j < members->start[r_class + 1]; j++) {
            rl_state l = members->order[i], r = members->order[j];
            projection->protocol->interact(&projection->params, &l, &r);
            const struct rl_outcome outcome = {
                rl_projection_class(projection, l), rl_projection_class(projection, r),
                rl_projection_changes(projection->protocol, members->order[i], members->order[j], l,
                                      r)};
            const bool null = outcome.l == l_class && outcome.r == r_class;
            if (!null && !is_listed(projection, from, outcome) && !append(projection, outcome))
                return false;
        }
    return true;
}

static enum rl_status find_outcomes(struct rl_projection *projection, uint64_t states)
{
    struct members members = {0};
    const uint64_t classes = projection->class_count;
    const unsigned reports = projection->protocol->oracle ? 2 : 1;
    bool fine = sort_members(projection, states, &members);
    projection->begin = malloc((reports * classes * classes + 1) * sizeof *projection->begin);
    uint64_t pair = 0;
    for (unsigned report = 0; fine && projection->begin && report < reports; report++) {
        projection->params.no_leader = report == 1;
        for (uint64_t p = 0; fine && p < classes * classes; p++) {
            projection->begin[pair++] = projection->list_count;
            fine = list_outcomes(projection, &members, (uint32_t)(p / classes),
                                 (uint32_t)(p % classes));
        }
    }
    if (projection->begin)
        projection->begin[pair] = projection->list_count;
    free(members.order);
    free(members.start);
    return fine && projection->begin ? RL_OK : RL_NO_MEMORY;
}

enum rl_status rl_projection_init(struct rl_projection *projection,
                                  const struct rl_protocol *protocol,
                                  const struct rl_params *params, uint64_t variables)
{
    *projection = (struct rl_projection){.protocol = protocol, .params = *params};
    projection->shown = bits_of(protocol, variables);
    const uint64_t states = rl_protocol_states(protocol, params);
    projection->classes = malloc(states * sizeof *projection->classes);
    projection->first = malloc(states * sizeof *projection->first);
    if (!projection->classes || !projection->first)
        return RL_NO_MEMORY;
    find_classes(projection, states);
    return find_outcomes(projection, states);
}

void rl_projection_free(struct rl_projection *projection)
{
    free(projection->classes);
    free(projection->first);
    free(projection->begin);
    free(projection->list);
    *projection = (struct rl_projection){0};
}
