/* SPDX-License-Identifier: MIT
 *
 * Experiments, read and written.
 *
 * What a value means depends on others: a parameter needs the protocol, 2n needs n. So there are
 * three passes over the items, for the protocol, for n and for the rest, and items may come in any
 * order.
 */
#include "ringleader/experiment.h"

#include <assert.h>

#include "ringleader/status.h"
#include "core/inside.h"

enum { NAME_ROOM = 64 };

/* What is being read, and where the reader stands. */
struct reader {
    struct rl_experiment *experiment;
    const struct rl_item *items;
    size_t count;
    bool given[RL_MAX_PARAMETERS];
    size_t culprit;
    struct rl_error *error;
};

/* ---- engines and ends ---- */

static const char *const NAMES[] = {[RL_ENGINE_EVENT] = "event", [RL_ENGINE_STEP] = "step"};

const char *rl_engine_name(enum rl_engine_kind kind)
{
    return NAMES[kind];
}

bool rl_engine_named(const char *name, enum rl_engine_kind *kind_out)
{
    for (size_t k = 0; k < sizeof NAMES / sizeof NAMES[0]; k++)
        if (rl_text_equal(NAMES[k], name)) {
            *kind_out = (enum rl_engine_kind)k;
            return true;
        }
    return false;
}

uint64_t rl_settled_usual(const struct rl_protocol *protocol, const struct rl_params *params)
{
    const uint64_t n = params->n;
    if (protocol->set_count > 0 && protocol->sets[protocol->target].contains)
        return 0;
    const int parameter = rl_protocol_parameter(protocol, "settled");
    return parameter >= 0 ? n * params->value[parameter] : 20 * n * n;
}

void rl_end_at_target(struct rl_end *end, const struct rl_protocol *protocol,
                      const struct rl_params *params)
{
    end->set = protocol->target;
    end->steps = rl_settled_usual(protocol, params);
    end->kind = end->steps ? RL_UNTIL_SETTLED : RL_UNTIL_SET;
}

/* Reads "S_RL", "steps=COUNT" or "settled=COUNT" over that. */
static enum rl_status parse_end(const char *text, const struct rl_protocol *protocol, uint32_t n,
                                struct rl_end *end, struct rl_error *error)
{
    const char *settled = rl_text_after(text, "settled=");
    const char *count = settled ? settled : rl_text_after(text, "steps=");
    const int set = rl_protocol_set(protocol, text);
    if (!count && set < 0)
        return rl_error_set(error, RL_BAD_PARAMETER,
                            "protocol %s has no set '%s' (see ringleader protocols %s)",
                            protocol->name, text, protocol->name);
    if (!count) {
        end->set = (size_t)set;
        end->kind = protocol->sets[set].contains ? RL_UNTIL_SET : RL_UNTIL_SETTLED;
        return RL_OK;
    }
    const enum rl_status status = rl_text_parse_count(count, n, &end->steps, error);
    end->kind = settled ? RL_UNTIL_SETTLED : RL_UNTIL_STEPS;
    return !status && settled && end->steps == 0
               ? rl_error_set(error, RL_BAD_TEXT, "settled=0: give some steps")
               : status;
}

/* ---- the whole ---- */

/* It has no ring yet. */
static struct rl_experiment of_protocol(const struct rl_protocol *protocol)
{
    struct rl_experiment experiment = {.protocol = protocol, .start = RL_START_RANDOM};
#define OTHERWISE(member, place, key, least, most, otherwise, ...) experiment.place = otherwise;
    RL_EXPERIMENT_COUNTS(OTHERWISE)
#undef OTHERWISE
    return experiment;
}

void rl_experiment_init(struct rl_experiment *experiment, const struct rl_protocol *protocol,
                        uint32_t n)
{
    assert(protocol && "no protocol: is its name right?");
    *experiment = of_protocol(protocol);
    experiment->params = rl_protocol_usual(protocol, n);
    rl_end_at_target(&experiment->end, protocol, &experiment->params);
}

enum rl_status rl_experiment_fill(const struct rl_experiment *experiment, struct rl_ring *ring,
                                  struct rl_error *error)
{
    const struct rl_ring words = {experiment->protocol, experiment->params,
                                  (void *)experiment->configuration}; /* only read */
    struct rl_random random;
    size_t length = 0;
    for (uint32_t i = 0; words.agents && i < words.params.n; i++)
        rl_ring_set(ring, i, rl_ring_get(&words, i));
    if (words.agents)
        return RL_OK;
    while (experiment->start_text && experiment->start_text[length])
        length++;
    rl_random_init(&random, experiment->seed, experiment->trial, RL_PURPOSE_START);
    return experiment->start_text
               ? rl_ring_parse(ring, experiment->start_text, length, error)
               : rl_ring_start(ring, experiment->start ? experiment->start : RL_START_RANDOM,
                               &random, error);
}

/* ---- keys ---- */

enum rl_key rl_experiment_has_key(const char *key)
{
#define KEY(member, place, key, ...) key,
    static const char *const KEYS[] = {"protocol",        "p",    "undirected", "n",      "oracle",
                                       "start",           "seed", "trial",      "engine", "until",
                                       RL_END_COUNTS(KEY)};
#undef KEY
    enum { OF_END = 9 };
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        if (rl_text_equal(key, KEYS[i]))
            return i < OF_END ? RL_KEY_OF_RING : RL_KEY_OF_END;
    return RL_KEY_NONE;
}

bool rl_protocol_any_parameter(const char *key)
{
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++)
        if (rl_protocol_parameter(protocol, key) >= 0)
            return true;
    return false;
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
    return rl_error_set(error, RL_BAD_TEXT, "'%s' is not one of %s", value, names);
}

enum rl_status rl_parameter_read(const struct rl_parameter *parameter, const char *value,
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

const char *rl_parameter_choice(const struct rl_parameter *parameter, uint32_t value)
{
    return parameter->choices ? parameter->choices[value] : NULL;
}

void rl_parameter_print(const struct rl_parameter *parameter, uint32_t value, struct rl_text *text)
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

static enum rl_status check_keys(struct reader *reader)
{
    for (size_t i = 0; i < reader->count; i++) {
        const char *key = reader->items[i].key;
        if (!rl_experiment_has_key(key) && !rl_protocol_any_parameter(key) &&
            rl_protocol_parameter(reader->experiment->protocol, key) < 0)
            return rl_error_set(reader->error, RL_BAD_PARAMETER, "a request has no '%s'", key);
        for (size_t k = 0; k < i; k++)
            if (rl_text_equal(reader->items[k].key, key))
                return rl_error_set(reader->error, RL_BAD_PARAMETER, "%s is given twice", key);
    }
    return RL_OK;
}

static enum rl_status read_protocol(struct reader *reader)
{
    struct rl_experiment *experiment = reader->experiment;
    const struct rl_item *named = find(reader, "protocol");
    named = named ? named : find(reader, "p");
    if (named && !(experiment->protocol = rl_protocol_named(named->value)))
        return rl_protocol_refuse(named->value, reader->error);
    if (!find(reader, "undirected") || experiment->protocol->undirected)
        return RL_OK;
    char name[NAME_ROOM];
    struct rl_text text = rl_text_into(name, sizeof name);
    rl_text_format(&text, "%s-undirected", experiment->protocol->name);
    const struct rl_protocol *composed = rl_protocol_named(name);
    if (!composed)
        return rl_error_set(reader->error, RL_BAD_PARAMETER,
                            "protocol %s is for directed rings only", experiment->protocol->name);
    experiment->protocol = composed;
    return RL_OK;
}

static enum rl_status read_size(struct reader *reader)
{
    const struct rl_item *size = find(reader, "n");
    uint64_t n = 0;
    if (!size)
        return rl_error_set(reader->error, RL_BAD_PARAMETER,
                            "how many agents? give -n COUNT, 2 or more");
    const enum rl_status status = rl_text_parse_count(size->value, 0, &n, reader->error);
    if (status)
        return status;
    reader->experiment->params = (struct rl_params){.n = (uint32_t)n};
    if (n < 2 || n > RL_MAX_AGENTS)
        return rl_error_set(reader->error, RL_BAD_PARAMETER,
                            "a ring has 2 to %u agents (2^27 - 1), not %s", RL_MAX_AGENTS,
                            size->value);
    return RL_OK;
}

static enum rl_status read_parameter(struct reader *reader, size_t index, const char *value)
{
    struct rl_experiment *experiment = reader->experiment;
    if (reader->given[index])
        return rl_error_set(reader->error, RL_BAD_TEXT, "%s is given twice",
                            experiment->protocol->parameters[index].name);
    reader->given[index] = true;
    return rl_parameter_read(&experiment->protocol->parameters[index], value, experiment->params.n,
                             &experiment->params.value[index], reader->error);
}

/* delay=COUNT, another way to say the parameter that is the oracle's delay. */
static enum rl_status read_oracle(struct reader *reader, const char *value)
{
    const struct rl_protocol *protocol = reader->experiment->protocol;
    const char *rest = rl_text_after(value, "delay=");
    if (!protocol->oracle)
        return rl_error_set(reader->error, RL_BAD_PARAMETER, "protocol %s has no oracle",
                            protocol->name);
    if (!rest)
        return rl_error_set(reader->error, RL_BAD_TEXT, "'%s' is not delay=COUNT, such as delay=2n",
                            value);
    return read_parameter(reader, protocol->delay, rest);
}

enum rl_status rl_count_read(const struct rl_item *item, uint32_t n, uint64_t least, uint64_t most,
                             uint64_t *count_out, struct rl_error *error)
{
    if (most == RL_NEVER && rl_text_equal(item->value, "none")) {
        *count_out = RL_NEVER;
        return RL_OK;
    }
    const enum rl_status status = rl_text_parse_count(item->value, n, count_out, error);
    if (status || (*count_out >= least && *count_out <= most))
        return status;
    return rl_error_set(error, RL_BAD_PARAMETER, "%s is at %s %llu", item->key,
                        *count_out < least ? "least" : "most",
                        (unsigned long long)(*count_out < least ? least : most));
}

static enum rl_status read_parameter_item(struct reader *reader, const struct rl_item *item)
{
    const struct rl_protocol *protocol = reader->experiment->protocol;
    const int index = rl_protocol_parameter(protocol, item->key);
    if (index < 0)
        return rl_error_set(reader->error, RL_BAD_PARAMETER, "protocol %s has no parameter %s",
                            protocol->name, item->key);
    return read_parameter(reader, (size_t)index, item->value);
}

/* What may depend on the protocol and on n. */
static enum rl_status read_rest(struct reader *reader, const struct rl_item *item)
{
    struct rl_experiment *experiment = reader->experiment;
    if (rl_text_equal(item->key, "start"))
        experiment->start = item->value;
    if (rl_text_equal(item->key, "trial"))
        return rl_text_parse_count(item->value, 0, &experiment->trial, reader->error);
    if (rl_text_equal(item->key, "engine") && !rl_engine_named(item->value, &experiment->engine))
        return rl_error_set(reader->error, RL_BAD_TEXT,
                            "there is no engine '%s'; there are event and step", item->value);
    if (rl_text_equal(item->key, "oracle"))
        return read_oracle(reader, item->value);
#define COUNT(member, place, name, least, most, ...)                                               \
    if (rl_text_equal(item->key, name))                                                            \
        return rl_count_read(item, experiment->params.n, least, most, &experiment->place,          \
                             reader->error);
    RL_EXPERIMENT_COUNTS(COUNT)
#undef COUNT
    return rl_experiment_has_key(item->key) ? RL_OK : read_parameter_item(reader, item);
}

/* What ends it may depend on the parameters. */
static enum rl_status read_end(struct reader *reader)
{
    struct rl_experiment *experiment = reader->experiment;
    const struct rl_item *until = find(reader, "until");
    rl_end_at_target(&experiment->end, experiment->protocol, &experiment->params);
    return until ? parse_end(until->value, experiment->protocol, experiment->params.n,
                             &experiment->end, reader->error)
                 : RL_OK;
}

static enum rl_status read_all(struct reader *reader)
{
    struct rl_experiment *experiment = reader->experiment;
    enum rl_status status = check_keys(reader);
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
    reader->culprit = reader->count;
    const enum rl_status complete = rl_protocol_complete(experiment->protocol, &experiment->params,
                                                         reader->given, reader->error);
    status = !complete || complete == RL_UNPROMISED ? read_end(reader) : RL_OK;
    return status ? status : complete;
}

enum rl_status rl_experiment_read(struct rl_experiment *experiment, const struct rl_item *items,
                                  size_t count, size_t *culprit_out, struct rl_error *error)
{
    struct reader reader = {
        .experiment = experiment, .items = items, .count = count, .error = error};
    *experiment = of_protocol(experiment->protocol ? experiment->protocol : rl_protocol_at(0));
    const enum rl_status status = read_all(&reader);
    if (culprit_out)
        *culprit_out = reader.culprit;
    return status;
}

/* ---- as one text ---- */

enum rl_status rl_experiment_parse(struct rl_experiment *experiment, char *text,
                                   struct rl_error *error)
{
    struct rl_item items[RL_REQUEST_ITEMS] = {{NULL, NULL}};
    size_t count = 0, culprit;
    for (char *item; (item = rl_text_take(&text, ";&"));) {
        const char *key = rl_text_take(&item, "=");
        if (!item || count == RL_REQUEST_ITEMS)
            return rl_error_set(error, RL_BAD_TEXT, "'%s' is not a key, = and a value", key);
        items[count++] = (struct rl_item){key, rl_text_take(&item, "")};
    }
    const enum rl_status status = rl_experiment_read(experiment, items, count, &culprit, error);
    if (status == RL_BAD_TEXT && culprit < count && error) {
        const struct rl_error inner = *error;
        rl_error_set(error, status, "%s: %s", items[culprit].key, inner.text);
    }
    return status;
}
