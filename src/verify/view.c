/* SPDX-License-Identifier: MIT
 *
 * Views. The outcomes of a pair of classes are those of all pairs of their states, so a view shows
 * every execution of the protocol, and perhaps more.
 */
#include "verify/view.h"

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

static bool look_the_same(const struct rl_view *view, rl_state a, rl_state b)
{
    return ((a ^ b) & view->shown) == 0 && view->protocol->leads(a) == view->protocol->leads(b);
}

/* The class of a state: that of the first state which looks the same. */
static void find_classes(struct rl_view *view, uint64_t states)
{
    for (uint64_t i = 0; i < states; i++) {
        const rl_state state = rl_protocol_state(view->protocol, &view->params, i);
        uint32_t class = 0;
        while (class < view->class_count && !look_the_same(view, state, view->first[class]))
            class ++;
        if (class == view->class_count)
            view->first[view->class_count++] = state;
        view->classes[i] = class;
    }
}

unsigned rl_view_changes(const struct rl_protocol *protocol, rl_state l, rl_state r,
                         rl_state l_after, rl_state r_after)
{
    const bool was[] = {protocol->leads(l), protocol->leads(r)};
    const bool is[] = {protocol->leads(l_after), protocol->leads(r_after)};
    return ((!was[0] && is[0]) || (!was[1] && is[1]) ? RL_CREATION : 0u) |
           ((was[0] && !is[0]) || (was[1] && !is[1]) ? RL_DEATH : 0u);
}

static bool is_listed(const struct rl_view *view, uint64_t from, struct rl_outcome outcome)
{
    for (uint64_t i = from; i < view->list_count; i++)
        if (view->list[i].l == outcome.l && view->list[i].r == outcome.r)
            return true;
    return false;
}

static bool append(struct rl_view *view, struct rl_outcome outcome)
{
    if (view->list_count == view->list_room) {
        const uint64_t room = view->list_room ? 2 * view->list_room : 1024;
        struct rl_outcome *list = realloc(view->list, room * sizeof *list);
        if (!list)
            return false;
        view->list = list;
        view->list_room = room;
    }
    view->list[view->list_count++] = outcome;
    return true;
}

/* The states of each class, one class after the other: order[start[c]] .. order[start[c+1] - 1]. */
struct members {
    rl_state *order;
    uint64_t *start;
};

static bool sort_members(const struct rl_view *view, uint64_t states, struct members *members)
{
    members->order = malloc(states * sizeof *members->order);
    members->start = calloc((size_t)view->class_count + 2, sizeof *members->start);
    if (!members->order || !members->start)
        return false;
    /* start[c + 1] runs from the beginning of class c to its end, the beginning of class c + 1. */
    for (uint64_t i = 0; i < states; i++)
        members->start[view->classes[i] + 2]++;
    for (uint32_t c = 0; c < view->class_count; c++)
        members->start[c + 2] += members->start[c + 1];
    for (uint64_t i = 0; i < states; i++)
        members->order[members->start[view->classes[i] + 1]++] =
            rl_protocol_state(view->protocol, &view->params, i);
    return true;
}

static bool list_outcomes(struct rl_view *view, const struct members *members, uint32_t l_class,
                          uint32_t r_class)
{
    const uint64_t from = view->list_count;
    for (uint64_t i = members->start[l_class]; i < members->start[l_class + 1]; i++)
        for (uint64_t j = members->start[r_class]; j < members->start[r_class + 1]; j++) {
            rl_state l = members->order[i], r = members->order[j];
            view->protocol->interact(&view->params, &l, &r);
            const struct rl_outcome outcome = {
                rl_view_class(view, l), rl_view_class(view, r),
                rl_view_changes(view->protocol, members->order[i], members->order[j], l, r)};
            const bool null = outcome.l == l_class && outcome.r == r_class;
            if (!null && !is_listed(view, from, outcome) && !append(view, outcome))
                return false;
        }
    return true;
}

static enum rl_status find_outcomes(struct rl_view *view, uint64_t states)
{
    struct members members = {0};
    const uint64_t classes = view->class_count;
    const unsigned reports = view->protocol->oracle ? 2 : 1;
    bool fine = sort_members(view, states, &members);
    view->begin = malloc((reports * classes * classes + 1) * sizeof *view->begin);
    uint64_t pair = 0;
    for (unsigned report = 0; fine && view->begin && report < reports; report++) {
        view->params.no_leader = report == 1;
        for (uint64_t p = 0; fine && p < classes * classes; p++) {
            view->begin[pair++] = view->list_count;
            fine = list_outcomes(view, &members, (uint32_t)(p / classes), (uint32_t)(p % classes));
        }
    }
    if (view->begin)
        view->begin[pair] = view->list_count;
    free(members.order);
    free(members.start);
    return fine && view->begin ? RL_OK : RL_NO_MEMORY;
}

enum rl_status rl_view_init(struct rl_view *view, const struct rl_protocol *protocol,
                            const struct rl_params *params, uint64_t variables)
{
    *view = (struct rl_view){.protocol = protocol, .params = *params};
    view->shown = bits_of(protocol, variables);
    const uint64_t states = rl_protocol_states(protocol, params);
    view->classes = malloc(states * sizeof *view->classes);
    view->first = malloc(states * sizeof *view->first);
    if (!view->classes || !view->first)
        return RL_NO_MEMORY;
    find_classes(view, states);
    return find_outcomes(view, states);
}

void rl_view_free(struct rl_view *view)
{
    free(view->classes);
    free(view->first);
    free(view->begin);
    free(view->list);
    *view = (struct rl_view){0};
}
