/* SPDX-License-Identifier: MIT
 *
 * How an agent looks and what happens to it, for any protocol: in the protocol's own words if it
 * has some, otherwise from its variables.
 */
#include "ringleader/ring.h"
#include "core/inside.h"

#include <assert.h>

static const struct rl_variable *named(const struct rl_protocol *protocol, const char *name)
{
    for (size_t i = 0; i < protocol->variable_count; i++)
        if (rl_text_equal(protocol->variables[i].name, name))
            return &protocol->variables[i];
    return NULL;
}

struct rl_look rl_look_of(const struct rl_protocol *protocol)
{
    return (struct rl_look){
        .protocol = protocol,
        .bullet = named(protocol, "bullet"),
        .shield = named(protocol, "shield"),
        .signal = named(protocol, "signal") ? named(protocol, "signal") : named(protocol, "probe"),
        .dist = named(protocol, "dist"),
    };
}

static uint32_t value_of(const struct rl_variable *variable, rl_state state)
{
    return variable ? rl_variable_get(variable, state) : 0;
}

uint32_t rl_look_marks(const struct rl_look *look, rl_state state)
{
    if (look->protocol->marks)
        return look->protocol->marks(state);
    uint32_t marks = value_of(look->signal, state) ? RL_MARK_SIGNAL : 0;
    const uint32_t bullet = value_of(look->bullet, state);
    if (bullet > 0)
        marks |= bullet + 1 == look->bullet->size ? RL_MARK_LIVE : RL_MARK_DUMMY;
    if (look->protocol->leads(state))
        marks |= value_of(look->shield, state) ? RL_MARK_LEADER | RL_MARK_SHIELD : RL_MARK_LEADER;
    return marks;
}

uint32_t rl_look_agent(const struct rl_look *look, const struct rl_ring *ring, uint32_t i)
{
    assert(i < ring->params.n && "the ring has no such agent");
    const struct rl_protocol *protocol = look->protocol;
    const bool turned = protocol->faces_left && protocol->faces_left(ring, i);
    const bool barrier = protocol->has_barrier && protocol->has_barrier(ring, i);
    return rl_look_marks(look, rl_ring_get(ring, i)) |
           (turned != protocol->bullets_fly_left ? RL_MARK_LEFTWARD : 0) |
           (barrier ? RL_MARK_BARRIER : 0);
}

uint32_t rl_look_possible(const struct rl_look *look)
{
    uint32_t marks = RL_MARK_LEADER;
    if (look->bullet)
        marks |= look->bullet->size > 2 ? RL_MARK_LIVE | RL_MARK_DUMMY : RL_MARK_LIVE;
    if (look->shield)
        marks |= RL_MARK_SHIELD;
    if (look->signal)
        marks |= RL_MARK_SIGNAL;
    if (look->protocol->has_barrier)
        marks |= RL_MARK_BARRIER;
    return marks;
}

rl_state rl_look_crowned(const struct rl_protocol *protocol, const struct rl_params *params,
                         rl_state state, bool leads)
{
    if (protocol->leads(state) == leads)
        return state;
    for (size_t i = 0; i < protocol->variable_count; i++) {
        const struct rl_variable *variable = &protocol->variables[i];
        for (uint32_t value = 0; value < rl_variable_size(variable, params); value++) {
            const rl_state other = rl_variable_set(variable, state, value);
            if (protocol->leads(other) == leads)
                return other;
        }
    }
    return state;
}

static void print_value(const struct rl_variable *variable, uint32_t value, struct rl_text *text)
{
    if (variable->symbols && variable->symbols[value][0])
        rl_text_string(text, variable->symbols[value]);
    else
        rl_text_number(text, value);
}

void rl_look_changes(const struct rl_variable *variables, size_t count, uint32_t agent,
                     rl_state before, rl_state after, struct rl_text *text)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t old = rl_variable_get(&variables[i], before);
        const uint32_t new = rl_variable_get(&variables[i], after);
        if (old == new)
            continue;
        if (any)
            rl_text_format(text, "; %s from ", variables[i].name);
        else
            rl_text_format(text, "u_%u.%s went from ", agent, variables[i].name);
        print_value(&variables[i], old, text);
        rl_text_string(text, " to ");
        print_value(&variables[i], new, text);
        any = true;
    }
    if (any)
        rl_text_char(text, '\n');
}

static void explain_leader(const struct rl_protocol *protocol, uint32_t agent, rl_state before,
                           rl_state after, struct rl_text *text)
{
    const bool leads = protocol->leads(after);
    if (leads != protocol->leads(before))
        rl_text_format(text, "u_%u %s\n", agent,
                       leads ? "became a leader" : "is no longer a leader");
}

void rl_look_explain(const struct rl_ring *ring, uint32_t arc, bool no_leader, struct rl_text *text)
{
    assert(arc < rl_ring_arcs(ring) && "the ring has no such arc");
    const uint32_t initiator = rl_ring_initiator(ring, arc);
    const uint32_t responder = rl_ring_responder(ring, arc);
    const rl_state l_before = rl_ring_get(ring, initiator), r_before = rl_ring_get(ring, responder);
    rl_state l = l_before, r = r_before;
    ring->protocol->interact(&ring->params, no_leader, &l, &r);
    if (l == l_before && r == r_before)
        return;
    if (ring->protocol->explain) {
        ring->protocol->explain(ring, arc, no_leader, text);
        return;
    }
    const struct rl_protocol *protocol = ring->protocol;
    explain_leader(protocol, initiator, l_before, l, text);
    explain_leader(protocol, responder, r_before, r, text);
    rl_look_changes(protocol->variables, protocol->variable_count, initiator, l_before, l, text);
    rl_look_changes(protocol->variables, protocol->variable_count, responder, r_before, r, text);
}

void rl_look_describe(const struct rl_ring *ring, uint32_t i, struct rl_text *text)
{
    if (ring->protocol->describe)
        ring->protocol->describe(ring, i, text);
}
