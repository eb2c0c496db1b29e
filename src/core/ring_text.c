/* SPDX-License-Identifier: MIT
 *
 * Configurations as text, printed and parsed from the protocol's declaration of its variables.
 *
 * An agent is written without spaces, its variables in their declared order: "0LBs", "3b!". When
 * reading, a variable may be anywhere in the agent, at most once; an absent one has the value whose
 * text is empty, or 0. The longest symbol that fits wins, so symbols may be prefixes of each other.
 * Agents are separated by white space or line ends; # starts a comment.
 */
#include "ringleader/ring.h"

#include <assert.h>

#include "ringleader/status.h"
#include "core/inside.h"

void rl_ring_print_state(const struct rl_protocol *protocol, rl_state state, struct rl_text *text)
{
    const size_t before = text->length;
    for (size_t i = 0; i < protocol->variable_count; i++) {
        const struct rl_variable *variable = &protocol->variables[i];
        const uint32_t value = rl_variable_get(variable, state);
        if (variable->symbols) {
            rl_text_string(text, variable->symbols[value]);
        } else if (value > 0 || !variable->prefix[0]) {
            rl_text_string(text, variable->prefix);
            rl_text_number(text, value);
        }
    }
    if (text->length == before)
        rl_text_char(text, '-');
}

struct rl_ring_state rl_ring_state(const struct rl_protocol *protocol, rl_state state)
{
    struct rl_ring_state out = {.text = ""};
    struct rl_text text = rl_text_into(out.text, sizeof out.text);
    rl_ring_print_state(protocol, state, &text);
    return out;
}

void rl_ring_print(const struct rl_ring *ring, struct rl_text *text)
{
    for (uint32_t i = 0; i < ring->params.n; i++) {
        if (i > 0)
            rl_text_char(text, ' ');
        rl_ring_print_state(ring->protocol, rl_ring_get(ring, i), text);
    }
}

/* ---- reading ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void rl_reader_skip(struct rl_reader *reader)
{
    bool comment = false;
    for (; reader->at < reader->end; reader->at++) {
        comment = (comment || *reader->at == '#') && *reader->at != '\n';
        if (!comment && !is_space(*reader->at))
            return;
        if (*reader->at == '\n') {
            reader->line++;
            reader->line_start = reader->at + 1;
        }
    }
}

struct rl_error *rl_reader_here(const struct rl_reader *reader, struct rl_error *error)
{
    if (error) {
        error->line = reader->line;
        error->column = (uint32_t)(reader->at - reader->line_start) + 1;
    }
    return error;
}

size_t rl_reader_sees(const struct rl_reader *reader, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++)
        if (reader->at + i >= reader->end || reader->at[i] != word[i])
            return 0;
    return i;
}

static bool digit_after(const struct rl_reader *reader, size_t length)
{
    const char *next = reader->at + length;
    return next < reader->end && *next >= '0' && *next <= '9';
}

bool rl_reader_number(struct rl_reader *reader, uint64_t most, uint64_t *number_out)
{
    const char *const begin = reader->at;
    uint64_t value = digit_after(reader, 0) ? 0 : UINT64_MAX;
    for (; digit_after(reader, 0) && value <= most; reader->at++)
        value = value * 10 + (uint64_t)(*reader->at - '0');
    if (value > most)
        reader->at = begin;
    *number_out = value;
    return value <= most;
}

static bool ends_agent(const struct rl_reader *reader)
{
    return reader->at == reader->end || is_space(*reader->at) || *reader->at == '#';
}

/* Something that may come next: a value of a variable, or the prefix of a number. */
struct token {
    size_t length;
    size_t variable;
    uint32_t value;
};

/* Of a variable that the protocol does not have if nothing fits. */
static struct token longest_token(const struct rl_reader *reader, const struct rl_ring *ring)
{
    struct token best = {.variable = ring->protocol->variable_count};
    const size_t none = best.variable;
    for (size_t v = 0; v < none; v++) {
        const struct rl_variable *variable = &ring->protocol->variables[v];
        if (!variable->symbols) {
            const size_t length = rl_reader_sees(reader, variable->prefix);
            const bool fits = length > 0 || !variable->prefix[0];
            if (fits && digit_after(reader, length) &&
                (best.variable == none || length > best.length))
                best = (struct token){length, v, 0};
            continue;
        }
        const uint32_t size = rl_variable_size(variable, &ring->params);
        for (uint32_t value = 0; value < size; value++) {
            const size_t length = rl_reader_sees(reader, variable->symbols[value]);
            if (length > best.length)
                best = (struct token){length, v, value};
        }
    }
    return best;
}

static rl_state default_state(const struct rl_ring *ring)
{
    rl_state state = 0;
    for (size_t v = 0; v < ring->protocol->variable_count; v++) {
        const struct rl_variable *variable = &ring->protocol->variables[v];
        const uint32_t size = variable->symbols ? rl_variable_size(variable, &ring->params) : 0;
        uint32_t value = 0;
        while (value < size && variable->symbols[value][0])
            value++;
        state = rl_variable_set(variable, state, value < size ? value : 0);
    }
    return state;
}

static enum rl_status read_agent(struct rl_reader *reader, const struct rl_ring *ring,
                                 rl_state *state_out, struct rl_error *error)
{
    const struct rl_protocol *protocol = ring->protocol;
    rl_state state = default_state(ring);
    uint64_t seen = 0;
    const struct rl_reader begin = *reader;
    if (*reader->at == '-') {
        reader->at++;
        if (!ends_agent(reader))
            return rl_error_set(rl_reader_here(&begin, error), RL_BAD_TEXT,
                                "a dash stands alone, for an agent with nothing to write");
    }
    while (!ends_agent(reader)) {
        const struct token token = longest_token(reader, ring);
        if (token.variable == protocol->variable_count)
            return rl_error_set(
                rl_reader_here(reader, error), RL_BAD_TEXT,
                "this is not part of an agent of %s (see 'ringleader protocols %s')",
                protocol->name, protocol->name);
        const struct rl_variable *variable = &protocol->variables[token.variable];
        if (seen & (UINT64_C(1) << token.variable))
            return rl_error_set(rl_reader_here(reader, error), RL_BAD_TEXT,
                                "%s is given twice for one agent", variable->name);
        seen |= UINT64_C(1) << token.variable;
        reader->at += token.length;
        uint64_t value = token.value, most = rl_variable_size(variable, &ring->params) - 1;
        if (!variable->symbols && !rl_reader_number(reader, most, &value))
            return rl_error_set(rl_reader_here(reader, error), RL_BAD_TEXT,
                                "%s is above its maximum, %u", variable->name, (unsigned)most);
        state = rl_variable_set(variable, state, (uint32_t)value);
    }
    if (!rl_protocol_is_state(protocol, &ring->params, state))
        return rl_error_set(rl_reader_here(&begin, error), RL_BAD_TEXT,
                            "no agent of %s can have these values together", protocol->name);
    *state_out = state;
    return RL_OK;
}

enum rl_status rl_ring_parse(struct rl_ring *ring, const char *text, size_t length,
                             struct rl_error *error)
{
    assert(ring->agents && "a ring without memory");
    struct rl_reader reader = rl_reader_of(text, length);
    uint32_t count = 0;
    for (rl_reader_skip(&reader); reader.at < reader.end; rl_reader_skip(&reader)) {
        rl_state state = 0;
        const struct rl_reader begin = reader;
        const enum rl_status status = read_agent(&reader, ring, &state, error);
        if (status)
            return status;
        if (count == ring->params.n)
            return rl_error_set(rl_reader_here(&begin, error), RL_BAD_TEXT,
                                "more than n = %u agents", ring->params.n);
        rl_ring_set(ring, count++, state);
    }
    return count == ring->params.n ? RL_OK
                                   : rl_error_set(rl_reader_here(&reader, error), RL_BAD_TEXT,
                                                  "%u agents, but n = %u", count, ring->params.n);
}
