/* SPDX-License-Identifier: MIT
 *
 * What can be said of any protocol from its declaration: parameters, names, the numbering of
 * states.
 */
#include "ringleader/protocol.h"

#include <assert.h>

#include "ringleader/status.h"
#include "core/inside.h"

const struct rl_protocol *rl_protocol_named(const char *name)
{
    assert(name && "a protocol has a name");
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        if (rl_text_equal(protocol->name, name) ||
            (protocol->path && rl_text_equal(protocol->path, name)))
            return protocol;
    return NULL;
}

enum rl_status rl_protocol_refuse(const char *name, struct rl_error *error)
{
    struct rl_nearest nearest = {.word = name};
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        rl_nearest_try(&nearest, protocol->name);
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "there is no protocol '%s'%s (see ringleader protocols)", name,
                        nearest.hint);
}

/* Of an array of things, each of which begins with its name. */
static int find(const void *things, size_t bytes, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (rl_text_equal(*(const char *const *)((const char *)things + i * bytes), name))
            return (int)i;
    return -1;
}

int rl_protocol_parameter(const struct rl_protocol *protocol, const char *name)
{
    return find(protocol->parameters, sizeof *protocol->parameters, protocol->parameter_count,
                name);
}

int rl_protocol_gauge(const struct rl_protocol *protocol, const char *name)
{
    return find(protocol->gauges, sizeof *protocol->gauges, protocol->gauge_count, name);
}

int rl_protocol_set(const struct rl_protocol *protocol, const char *name)
{
    return find(protocol->sets, sizeof *protocol->sets, protocol->set_count, name);
}

size_t rl_protocol_set_count(const struct rl_protocol *protocol)
{
    const bool some = protocol->set_count > 0 && protocol->sets[protocol->target].contains;
    return some ? protocol->set_count : 0;
}

bool rl_protocol_has_start(const struct rl_protocol *protocol, const char *name)
{
    return rl_text_equal(name, RL_START_RANDOM) ||
           find(protocol->starts, sizeof *protocol->starts, protocol->start_count, name) >= 0;
}

/* Whether the value of a choice is one; of what is no choice, anything is. */
static bool is_choice(const struct rl_parameter *parameter, uint32_t value)
{
    for (uint32_t i = 0; parameter->choices && i <= value; i++)
        if (!parameter->choices[i])
            return false;
    return true;
}

static bool is_ring_size(uint32_t n)
{
    return n >= 2 && n <= RL_MAX_AGENTS;
}

uint32_t rl_protocol_modulus(const struct rl_protocol *protocol, const struct rl_params *params)
{
    const struct rl_promise *promise = &protocol->promise;
    assert(promise->by <= protocol->parameter_count && "there is no such parameter");
    const uint32_t modulus = promise->by > 0 ? params->value[promise->by - 1] : promise->modulus;
    return modulus > 1 ? modulus : 1;
}

static enum rl_status unpromised(struct rl_error *error, const char *what, const char *why)
{
    return rl_error_set(error, RL_UNPROMISED, "%s%s%s", what, why ? ": " : "", why ? why : "");
}

static enum rl_status check_promise(const struct rl_protocol *protocol,
                                    const struct rl_params *params, struct rl_error *error)
{
    const struct rl_promise *promise = &protocol->promise;
    const uint32_t modulus = rl_protocol_modulus(protocol, params), n = params->n;
    char what[160];
    struct rl_text text = rl_text_into(what, sizeof what);
    if (n < promise->least) {
        rl_text_format(&text, "%s needs n >= %u", protocol->name, promise->least);
        return unpromised(error, what, promise->below);
    }
    if (modulus == 1 || (n % modulus == promise->remainder) != promise->other)
        return RL_OK;
    if (promise->remainder == 0)
        rl_text_format(&text, "n = %u is %s multiple of %u", n, promise->other ? "a" : "no",
                       modulus);
    else
        rl_text_format(&text, "%s needs n with %sremainder %u modulo %u, not n = %u",
                       protocol->name, promise->other ? "another than " : "", promise->remainder,
                       modulus, n);
    return unpromised(error, what, promise->without);
}

enum rl_status rl_protocol_allows(const struct rl_protocol *protocol,
                                  const struct rl_params *params, struct rl_error *error)
{
    assert(protocol->parameter_count <= RL_MAX_PARAMETERS && protocol->set_count <= RL_MAX_SETS &&
           protocol->gauge_count <= RL_MAX_GAUGES &&
           "a protocol has no more than there is room for");
    if (!is_ring_size(params->n))
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "a ring has 2 to %u agents (2^27 - 1), not n = %u", RL_MAX_AGENTS,
                            params->n);
    for (size_t i = 0; i < protocol->parameter_count; i++)
        if (!is_choice(&protocol->parameters[i], params->value[i]))
            return rl_error_set(error, RL_BAD_PARAMETER, "%s has no choice number %u",
                                protocol->parameters[i].name, params->value[i]);
    const enum rl_status status = protocol->check ? protocol->check(params, error) : RL_OK;
    return status ? status : check_promise(protocol, params, error);
}

struct rl_params rl_protocol_usual(const struct rl_protocol *protocol, uint32_t n)
{
    struct rl_params params = {.n = n, .data = protocol->data};
    for (size_t i = 0; is_ring_size(n) && i < protocol->parameter_count; i++)
        params.value[i] = protocol->parameters[i].default_for(n);
    return params;
}

enum rl_status rl_protocol_complete(const struct rl_protocol *protocol, struct rl_params *params,
                                    const bool *given, struct rl_error *error)
{
    assert(protocol && given && "which protocol, and which parameters are given?");
    const struct rl_params usual = rl_protocol_usual(protocol, params->n);
    params->data = protocol->data;
    for (size_t i = 0; i < protocol->parameter_count; i++)
        if (!given[i])
            params->value[i] = usual.value[i];
    return rl_protocol_allows(protocol, params, error);
}

static uint32_t usual_settled(uint32_t n)
{
    return n < UINT32_MAX / 20 ? 20 * n : UINT32_MAX;
}

void rl_protocol_settle(struct rl_protocol *protocol,
                        struct rl_parameter parameters[RL_MAX_PARAMETERS])
{
    static const struct rl_set SETTLED[] = {RL_SETTLED};
    const size_t count = protocol->parameter_count;
    if (protocol->set_count > 0)
        return;
    protocol->sets = SETTLED;
    protocol->set_count = 1;
    protocol->target = 0;
    if (count == RL_MAX_PARAMETERS)
        return;
    for (size_t i = 0; i < count; i++)
        parameters[i] = protocol->parameters[i];
    parameters[count] = (struct rl_parameter){
        .name = "settled",
        .meaning = "parallel time without a change of output after which it counts as settled",
        .default_for = usual_settled};
    protocol->parameters = parameters;
    protocol->parameter_count = count + 1;
}

/* Of all combinations of values. */
static uint64_t combinations(const struct rl_protocol *protocol, const struct rl_params *params)
{
    uint64_t count = 1;
    for (size_t i = 0; i < protocol->variable_count; i++)
        count *= rl_variable_size(&protocol->variables[i], params);
    return count;
}

uint64_t rl_protocol_states(const struct rl_protocol *protocol, const struct rl_params *params)
{
    return protocol->numbering ? protocol->numbering->count(params)
                               : combinations(protocol, params);
}

rl_state rl_protocol_state(const struct rl_protocol *protocol, const struct rl_params *params,
                           uint64_t index)
{
    assert(index < rl_protocol_states(protocol, params) && "there is no state of that number");
    if (protocol->numbering)
        return protocol->numbering->state(params, index);
    rl_state state = 0;
    for (size_t i = 0; i < protocol->variable_count; i++) {
        const struct rl_variable *variable = &protocol->variables[i];
        const uint32_t size = rl_variable_size(variable, params);
        state = rl_variable_set(variable, state, (uint32_t)(index % size));
        index /= size;
    }
    return state;
}

uint64_t rl_protocol_index(const struct rl_protocol *protocol, const struct rl_params *params,
                           rl_state state)
{
    if (protocol->numbering)
        return protocol->numbering->index(params, state);
    uint64_t index = 0;
    for (size_t i = protocol->variable_count; i-- > 0;) {
        const struct rl_variable *variable = &protocol->variables[i];
        index = index * rl_variable_size(variable, params) + rl_variable_get(variable, state);
    }
    return index;
}

bool rl_protocol_is_state(const struct rl_protocol *protocol, const struct rl_params *params,
                          rl_state word)
{
    rl_state rebuilt = 0;
    for (size_t i = 0; i < protocol->variable_count; i++) {
        const struct rl_variable *variable = &protocol->variables[i];
        const uint32_t value = rl_variable_get(variable, word);
        if (value >= rl_variable_size(variable, params))
            return false;
        rebuilt = rl_variable_set(variable, rebuilt, value);
    }
    if (!protocol->numbering)
        return rebuilt == word;
    const uint64_t index = protocol->numbering->index(params, rebuilt);
    return index < protocol->numbering->count(params) &&
           protocol->numbering->state(params, index) == word;
}

rl_state rl_protocol_random_state(const struct rl_protocol *protocol,
                                  const struct rl_params *params, struct rl_random *random)
{
    const struct rl_numbering *numbering = protocol->numbering;
    if (numbering && numbering->count(params) < combinations(protocol, params))
        return numbering->state(params, rl_random_below(random, numbering->count(params)));
    rl_state state = 0;
    for (size_t i = 0; i < protocol->variable_count; i++) {
        const struct rl_variable *variable = &protocol->variables[i];
        const uint32_t size = rl_variable_size(variable, params);
        state = rl_variable_set(variable, state, rl_random_below(random, size));
    }
    return numbering ? numbering->state(params, numbering->index(params, state)) : state;
}
