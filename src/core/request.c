/* SPDX-License-Identifier: MIT
 *
 * Requests, read and written.
 *
 * What a value means depends on others: a parameter on the protocol, 2n on n. So the items are gone
 * through three times, for the protocol, for n and for the rest, and may stand in any order.
 */
#include "ringleader/experiment.h"

#include <assert.h>

#include "ringleader/status.h"
#include "core/inside.h"

static const char *const KEYS[] = {"protocol", "p",     "undirected", "n",
                                   "oracle",   "start", "seed",       "trial"};

enum { KEY_COUNT = sizeof KEYS / sizeof KEYS[0], NAME_ROOM = 64 };

/* What is being read, and where the reader stands. */
struct reader {
    struct rl_request *request;
    const struct rl_item *items;
    size_t count;
    bool given[RL_MAX_PARAMETERS];
    size_t culprit;
    struct rl_error *error;
};

void rl_request_init(struct rl_request *request)
{
    *request =
        (struct rl_request){.protocol = rl_protocol_at(0), .start = RL_START_RANDOM, .seed = 1};
}

static bool is_own_key(const char *key)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (rl_text_equal(key, KEYS[i]))
            return true;
    return false;
}

bool rl_request_has_key(const char *key)
{
    const struct rl_protocol *protocol;
    bool found = is_own_key(key);
    for (size_t i = 0; (protocol = rl_protocol_at(i)) && !found; i++)
        found = rl_protocol_parameter(protocol, key) >= 0;
    return found;
}

/* ---- values ---- */

static enum rl_status read_choice(const struct rl_parameter *parameter, const char *value,
                                  uint32_t *value_out, struct rl_error *error)
{
    for (uint32_t i = 0; parameter->choices[i]; i++)
        if (rl_text_equal(parameter->choices[i], value)) {
            *value_out = i;
            return RL_OK;
        }
    char names[NAME_ROOM];
    struct rl_text text = rl_text_into(names, sizeof names);
    for (uint32_t i = 0; parameter->choices[i]; i++)
        rl_text_format(&text, i ? ", %s" : "%s", parameter->choices[i]);
    return rl_error_set(error, RL_BAD_TEXT, "'%s' is none of %s", value, names);
}

enum rl_status rl_request_read_value(const struct rl_parameter *parameter, const char *value,
                                     uint32_t n, uint32_t *value_out, struct rl_error *error)
{
    uint64_t count;
    if (parameter->choices)
        return read_choice(parameter, value, value_out, error);
    const enum rl_status status = rl_text_parse_count(value, n, &count, error);
    if (status)
        return status;
    if (count > UINT32_MAX)
        return rl_error_set(error, RL_BAD_TEXT, "%s is too large: it must be below 2^32", value);
    *value_out = (uint32_t)count;
    return RL_OK;
}

const char *rl_request_choice(const struct rl_parameter *parameter, uint32_t value)
{
    return parameter->choices ? parameter->choices[value] : NULL;
}

void rl_request_print_value(const struct rl_parameter *parameter, uint32_t value,
                            struct rl_text *text)
{
    if (parameter->choices)
        rl_text_string(text, parameter->choices[value]);
    else
        rl_text_number(text, value);
}

/* ---- reading ---- */

/* The item of that key, or NULL. The culprit is now this item, for whatever goes wrong with it. */
static const struct rl_item *find(struct reader *reader, const char *key)
{
    for (size_t i = 0; i < reader->count; i++)
        if (rl_text_equal(reader->items[i].key, key)) {
            reader->culprit = i;
            return &reader->items[i];
        }
    return NULL;
}

/* The error's text says all: it is about no item in particular. */
static enum rl_status at_large(struct reader *reader, enum rl_status status)
{
    reader->culprit = reader->count;
    return status;
}

static enum rl_status check_keys(struct reader *reader)
{
    for (size_t i = 0; i < reader->count; i++) {
        const char *key = reader->items[i].key;
        if (!rl_request_has_key(key))
            return rl_error_set(reader->error, RL_BAD_TEXT, "a request has no '%s'", key);
        for (size_t k = 0; k < i; k++)
            if (rl_text_equal(reader->items[k].key, key))
                return rl_error_set(reader->error, RL_BAD_TEXT, "%s is given twice", key);
    }
    return RL_OK;
}

static enum rl_status read_protocol(struct reader *reader)
{
    struct rl_request *request = reader->request;
    const struct rl_item *named = find(reader, "protocol");
    named = named ? named : find(reader, "p");
    if (named && !(request->protocol = rl_protocol_named(named->value)))
        return at_large(reader, rl_protocol_refuse(named->value, reader->error));
    if (!find(reader, "undirected") || request->protocol->undirected)
        return RL_OK;
    char name[NAME_ROOM];
    struct rl_text text = rl_text_into(name, sizeof name);
    rl_text_format(&text, "%s-undirected", request->protocol->name);
    const struct rl_protocol *composed = rl_protocol_named(name);
    if (!composed)
        return at_large(reader, rl_error_set(reader->error, RL_BAD_PARAMETER,
                                             "protocol %s is for directed rings only",
                                             request->protocol->name));
    request->protocol = composed;
    return RL_OK;
}

static enum rl_status read_size(struct reader *reader)
{
    const struct rl_item *size = find(reader, "n");
    uint64_t n = 0;
    if (!size)
        return at_large(reader, rl_error_set(reader->error, RL_BAD_TEXT,
                                             "how many agents? give -n COUNT, 2 or more"));
    const enum rl_status status = rl_text_parse_count(size->value, 0, &n, reader->error);
    if (status)
        return status;
    reader->request->params = (struct rl_params){.n = (uint32_t)n};
    if (n < 2 || n > RL_MAX_AGENTS)
        return at_large(reader, rl_error_set(reader->error, RL_BAD_PARAMETER,
                                             "a ring has 2 to %u agents (2^27 - 1), not %s",
                                             RL_MAX_AGENTS, size->value));
    return RL_OK;
}

static enum rl_status read_parameter(struct reader *reader, size_t index, const char *value)
{
    struct rl_request *request = reader->request;
    if (reader->given[index])
        return rl_error_set(reader->error, RL_BAD_TEXT, "%s is given twice",
                            request->protocol->parameters[index].name);
    reader->given[index] = true;
    return rl_request_read_value(&request->protocol->parameters[index], value, request->params.n,
                                 &request->params.value[index], reader->error);
}

/* delay=COUNT, another way to say the parameter that is the oracle's delay. */
static enum rl_status read_oracle(struct reader *reader, const char *value)
{
    const struct rl_protocol *protocol = reader->request->protocol;
    const char *rest = rl_text_after(value, "delay=");
    if (!protocol->oracle)
        return at_large(reader, rl_error_set(reader->error, RL_BAD_PARAMETER,
                                             "protocol %s has no oracle", protocol->name));
    if (!rest)
        return rl_error_set(reader->error, RL_BAD_TEXT, "'%s' is not delay=COUNT, such as delay=2n",
                            value);
    return read_parameter(reader, protocol->delay, rest);
}

static enum rl_status read_rest(struct reader *reader, const struct rl_item *item)
{
    struct rl_request *request = reader->request;
    if (rl_text_equal(item->key, "start"))
        request->start = item->value;
    else if (rl_text_equal(item->key, "seed"))
        return rl_text_parse_count(item->value, 0, &request->seed, reader->error);
    else if (rl_text_equal(item->key, "trial"))
        return rl_text_parse_count(item->value, 0, &request->trial, reader->error);
    else if (rl_text_equal(item->key, "oracle"))
        return read_oracle(reader, item->value);
    if (is_own_key(item->key))
        return RL_OK;
    const int index = rl_protocol_parameter(request->protocol, item->key);
    if (index < 0)
        return at_large(reader, rl_error_set(reader->error, RL_BAD_PARAMETER,
                                             "protocol %s has no parameter %s",
                                             request->protocol->name, item->key));
    return read_parameter(reader, (size_t)index, item->value);
}

static enum rl_status read_all(struct reader *reader)
{
    enum rl_status status = at_large(reader, check_keys(reader));
    if (!status)
        status = read_protocol(reader);
    if (!status)
        status = read_size(reader);
    for (size_t i = 0; i < reader->count && !status; i++) {
        reader->culprit = i;
        status = read_rest(reader, &reader->items[i]);
    }
    if (status)
        return status;
    /* All parameters are filled in before they are checked. */
    return at_large(reader,
                    rl_protocol_complete(reader->request->protocol, &reader->request->params,
                                         reader->given, reader->error));
}

enum rl_status rl_request_read(struct rl_request *request, const struct rl_item *items,
                               size_t count, size_t *culprit_out, struct rl_error *error)
{
    assert(request->protocol && "a request begins with rl_request_init");
    struct reader reader = {.request = request, .items = items, .count = count, .error = error};
    const enum rl_status status = read_all(&reader);
    if (culprit_out)
        *culprit_out = reader.culprit;
    return status;
}

/* ---- as one text ---- */

/* Ends the text at the first of two characters; what is behind it, or NULL. */
static char *cut(char *text, char one, char other)
{
    while (*text && *text != one && *text != other)
        text++;
    if (!*text)
        return NULL;
    *text = '\0';
    return text + 1;
}

static char *without_spaces(char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

enum rl_status rl_request_parse(struct rl_request *request, char *text, struct rl_error *error)
{
    struct rl_item items[RL_REQUEST_ITEMS] = {{NULL, NULL}};
    size_t count = 0, culprit;
    for (char *item = text, *next; item; item = next) {
        next = cut(item, ';', '&');
        char *value = cut(item, '=', '=');
        if (!value || count == RL_REQUEST_ITEMS)
            return rl_error_set(error, RL_BAD_TEXT, "'%s' is not a key, = and a value", item);
        items[count++] = (struct rl_item){without_spaces(item), value};
    }
    const enum rl_status status = rl_request_read(request, items, count, &culprit, error);
    if (status && culprit < count && error) {
        const struct rl_error inner = *error;
        rl_error_set(error, status, "%s: %s", items[culprit].key, inner.text);
    }
    return status;
}
