/* SPDX-License-Identifier: MIT
 *
 * What the page sees: the registry as JSON, the ring as marks and shades,
 * agents and events in words. Texts go into the buffer; functions return their
 * length.
 */
#include "web/shim.h"

#include "simulate/own.h"
#include "core/inside.h"

/* ---- the registry
 * -----------------------------------------------------------------------------
 */

static void put_string(struct rl_text *text, const char *string)
{
    rl_text_char(text, '"');
    for (; *string; string++) {
        if (*string == '"' || *string == '\\')
            rl_text_char(text, '\\');
        if ((unsigned char)*string < ' ')
            rl_text_format(text, "\\u00%u%c", (unsigned)*string / 16,
                           "0123456789abcdef"[*string % 16]);
        else
            rl_text_char(text, *string);
    }
    rl_text_char(text, '"');
}

/* "key":"value", after a comma unless the object has just begun. */
static void put_key(struct rl_text *text, const char *key, const char *value)
{
    rl_text_format(text, "%s\"%s\":", text->length && buffer[text->length - 1] == '{' ? "" : ",",
                   key);
    put_string(text, value);
}

static void put_comma(struct rl_text *text, size_t index)
{
    if (index > 0)
        rl_text_char(text, ',');
}

/* Begins {"name":...,"meaning":... */
static void put_named(struct rl_text *text, size_t index, const char *name, const char *meaning)
{
    put_comma(text, index);
    rl_text_char(text, '{');
    put_key(text, "name", name);
    if (meaning)
        put_key(text, "meaning", meaning);
}

/* ,"key":[...]} of `count` texts, or of as many as there are before a NULL. */
static void put_texts(struct rl_text *text, const char *key, const char *const *texts, size_t count)
{
    rl_text_format(text, ",\"%s\":[", key);
    for (size_t i = 0; texts && i < count && texts[i]; i++) {
        put_comma(text, i);
        put_string(text, texts[i]);
    }
    rl_text_string(text, "]}");
}

static void put_protocol(struct rl_text *text, const struct rl_protocol *protocol)
{
    const struct rl_look look = rl_look_of(protocol);
    put_named(text, 0, protocol->name, NULL);
    put_key(text, "title", protocol->title);
    put_key(text, "source", protocol->source);
    put_key(text, "claim", protocol->claim);
    if (protocol->text)
        put_key(text, "text", protocol->text);
    rl_text_format(text, ",\"undirected\":%s,\"target\":%zu,\"possible\":%u,\"parameters\":[",
                   protocol->undirected ? "true" : "false", protocol->target,
                   rl_look_possible(&look));
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &protocol->parameters[i];
        put_named(text, i, parameter->name, parameter->meaning);
        put_texts(text, "choices", parameter->choices, SIZE_MAX);
    }
    rl_text_string(text, "],\"variables\":[");
    for (size_t i = 0; i < protocol->variable_count; i++) {
        const struct rl_variable *variable = &protocol->variables[i];
        put_named(text, i, variable->name, NULL);
        put_texts(text, "symbols", variable->symbols, variable->size);
    }
    rl_text_string(text, "],\"starts\":[");
    put_named(text, 0, "random", "uniform over all states");
    for (size_t i = 0; i < protocol->start_count; i++) {
        rl_text_char(text, '}');
        put_named(text, i + 1, protocol->starts[i].name, protocol->starts[i].meaning);
    }
    rl_text_string(text, "}],\"sets\":[");
    for (size_t i = 0; i < protocol->set_count; i++) {
        put_named(text, i, protocol->sets[i].name, protocol->sets[i].meaning);
        rl_text_char(text, '}');
    }
    rl_text_string(text, "],\"obstacles\":[");
    for (size_t i = 0; i < protocol->obstacle_count; i++) {
        put_named(text, i, protocol->obstacles[i].name, protocol->obstacles[i].meaning);
        rl_text_format(text, ",\"set\":%zu}", protocol->obstacles[i].set);
    }
    rl_text_char(text, ']');
    put_texts(text, "gauges", protocol->gauges, protocol->gauge_count);
}

/* The page's own protocol, if it has one, is the first: what is shown unless
 * another is asked for.
 */
uint32_t EXPORT(page_protocols)(void)
{
    struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
    const struct rl_protocol *own = rl_own_on_page ? rl_own_on_page() : NULL, *protocol;
    rl_text_char(&text, '[');
    if (own)
        put_protocol(&text, own);
    for (size_t i = 0; (protocol = rl_protocol_at(i)) && protocol != own; i++) {
        put_comma(&text, own ? 1 : i);
        put_protocol(&text, protocol);
    }
    if (own)
        rl_protocol_add(own);
    rl_text_char(&text, ']');
    return (uint32_t)text.length;
}

/* ---- the ring
 * ---------------------------------------------------------------------------------
 */

GIVES(uint32_t, page_parameter, (uint32_t index), page.ring.params.value[index])
GIVES(double, page_steps, (void), (double)page.engine.step)
GIVES(double, page_events, (void), (double)page.events)
/* No event can follow any more. */
GIVES(bool, page_silent, (void), page.engine.over)
/* -1 if the set has not been hit since the last disturbance. */
GIVES(double, page_hit, (uint32_t set), page.hits[set] == RL_NEVER ? -1 : (double)page.hits[set])
GIVES(uint32_t, page_leader, (void), rl_ring_first_leader(&page.ring))
/* Brings the marks and shades up to date and returns the marks; page_shade has
 * the shades. */
const uint8_t *EXPORT(page_marks)(void)
{
    const struct rl_look look = rl_look_of(page.ring.protocol);
    for (uint32_t i = 0; i < page.ring.params.n; i++) {
        const rl_state state = rl_ring_get(&page.ring, i);
        page.marks[i] = (uint8_t)rl_look_agent(&look, &page.ring, i);
        page.shade[i] = look.dist ? rl_variable_get(look.dist, state) : 0;
    }
    return page.marks;
}

GIVES(const uint32_t *, page_shade, (void), page.shade)
/* What keeps the ring out of its sets, a byte an agent; all 0 if the protocol
 * cannot say. */
const uint8_t *EXPORT(page_obstacles)(void)
{
    if (page.ring.protocol->obstruct)
        page.ring.protocol->obstruct(&page.ring, page.obstacles);
    return page.obstacles;
}

/* How many shades there are; 0 without a dist. */
uint32_t EXPORT(page_shades)(void)
{
    const struct rl_look look = rl_look_of(page.ring.protocol);
    return look.dist ? rl_variable_size(look.dist, &page.ring.params) : 0;
}

/* Leaders, then the protocol's gauges. */
const double *EXPORT(page_gauges)(void)
{
    static double values[1 + RL_MAX_GAUGES];
    uint64_t gauges[RL_MAX_GAUGES] = {0};
    values[0] = rl_ring_leaders(&page.ring);
    if (page.ring.protocol->measure)
        page.ring.protocol->measure(&page.ring, gauges);
    for (size_t i = 0; i < page.ring.protocol->gauge_count; i++)
        values[1 + i] = (double)gauges[i];
    return values;
}

/* ---- agents and events
 * ------------------------------------------------------------------------
 */

GIVES(uint32_t, page_variable, (uint32_t agent, uint32_t variable),
      rl_variable_get(&page.ring.protocol->variables[variable], rl_ring_get(&page.ring, agent)))
GIVES(uint32_t, page_variable_size, (uint32_t variable),
      rl_variable_size(&page.ring.protocol->variables[variable], &page.ring.params))
/* The state as configuration files write it. */
uint32_t EXPORT(page_state)(uint32_t agent)
{
    struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
    rl_ring_print_state(page.ring.protocol, rl_ring_get(&page.ring, agent), &text);
    return (uint32_t)text.length;
}

uint32_t EXPORT(page_describe)(uint32_t agent)
{
    struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
    rl_look_describe(&page.ring, agent, &text);
    return (uint32_t)text.length;
}

uint32_t EXPORT(page_configuration)(void)
{
    struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
    rl_ring_print(&page.ring, &text);
    return (uint32_t)(text.length < BUFFER_SIZE ? text.length : 0);
}

/* The events of the last advance: how many, and of each its arc, its step, and
 * what it did. */
GIVES(uint32_t, page_event_count, (void), (uint32_t)page.batch.count)
GIVES(uint32_t, page_event_arc, (uint32_t index), page.batch.events[index].arc)
GIVES(double, page_event_step, (uint32_t index), (double)page.batch.events[index].step)
/* The value of a variable before an event, of its initiator or its responder.
 */
uint32_t EXPORT(page_event_before)(uint32_t index, bool of_responder, uint32_t variable)
{
    const struct rl_event *event = &page.batch.events[index];
    return rl_variable_get(&page.ring.protocol->variables[variable],
                           of_responder ? event->r : event->l);
}

/* The ring stands before the event: what the oracle must have said for it to
 * end as it did. */
static bool oracle_spoke(const struct rl_event *event)
{
    rl_state l = rl_ring_get(&page.ring, rl_ring_initiator(&page.ring, event->arc));
    rl_state r = rl_ring_get(&page.ring, rl_ring_responder(&page.ring, event->arc));
    page.ring.protocol->interact(&page.ring.params, false, &l, &r);
    return l != event->l || r != event->r;
}

uint32_t EXPORT(page_explain)(uint32_t index)
{
    struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
    rl_batch_seek(&page.batch, &page.ring, index);
    const bool no_leader = oracle_spoke(&page.batch.events[index]);
    rl_look_explain(&page.ring, page.batch.events[index].arc, no_leader, &text);
    rl_batch_seek(&page.batch, &page.ring, page.batch.count);
    return (uint32_t)text.length;
}

/* The first event from `index` on that made or unmade a leader; the number of
 * events if none. */
uint32_t EXPORT(page_next_change_of_leaders)(uint32_t index)
{
    const struct rl_protocol *protocol = page.ring.protocol;
    uint32_t found = (uint32_t)page.batch.count;
    for (uint32_t i = index; i < page.batch.count && found == page.batch.count; i++) {
        const uint32_t initiator = rl_ring_initiator(&page.ring, page.batch.events[i].arc);
        const uint32_t responder = rl_ring_responder(&page.ring, page.batch.events[i].arc);
        rl_batch_seek(&page.batch, &page.ring, i);
        const bool l = protocol->leads(rl_ring_get(&page.ring, initiator));
        const bool r = protocol->leads(rl_ring_get(&page.ring, responder));
        rl_batch_seek(&page.batch, &page.ring, i + 1);
        if (protocol->leads(rl_ring_get(&page.ring, initiator)) != l ||
            protocol->leads(rl_ring_get(&page.ring, responder)) != r)
            found = i;
    }
    rl_batch_seek(&page.batch, &page.ring, page.batch.count);
    return found;
}
