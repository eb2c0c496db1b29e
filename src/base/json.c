/* SPDX-License-Identifier: MIT
 *
 * JSON, written as it goes.
 */
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "ringleader/experiment.h"
#include "base/plain.h"
#include "core/inside.h"

static void put(struct rl_json *json, const char *text)
{
    if (json->stream)
        fputs(text, json->stream);
    else if (json->text)
        rl_text_string(json->text, text);
}

static void put_char(struct rl_json *json, char c)
{
    put(json, (char[]){c, '\0'});
}

/* The length of the UTF-8 sequence at `text` (RFC 3629), or 0 if there is none. */
static size_t sequence(const unsigned char *text)
{
    static const uint32_t LEAST[] = {0x20, 0x20, 0x80, 0x800, 0x10000};
    const size_t length = *text < 0x80   ? 1
                          : *text < 0xc0 ? 0
                          : *text < 0xe0 ? 2
                          : *text < 0xf0 ? 3
                                         : 4;
    uint32_t code = length == 1 ? *text : *text & (0x7fu >> length);
    for (size_t k = 1; k < length; k++) {
        if ((text[k] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[k] & 0x3f);
    }
    const bool fits = *text < 0xf8 && code >= LEAST[length] && code <= 0x10ffff;
    return fits && (code < 0xd800 || code > 0xdfff) ? length : 0;
}

/* A byte that is no UTF-8, such as there may be in a file's name, is written as the lone surrogate
 * that Python and others use for it (U+DC80 to U+DCFF), so that the name can be had back. */
static void escaped(struct rl_json *json, const char *text)
{
    put_char(json, '"');
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = sequence(at);
        char byte[8];
        if (*at == '"' || *at == '\\')
            put_char(json, '\\');
        if (length == 0) {
            snprintf(byte, sizeof byte, "\\u%04x", *at < 0x80 ? *at : 0xdc00 + *at);
            put(json, byte);
        }
        for (size_t i = 0; i < length; i++)
            put_char(json, (char)at[i]);
        at += length ? length : 1;
    }
    put_char(json, '"');
}

static void name(struct rl_json *json, const char *key)
{
    if (json->comma)
        put_char(json, ',');
    json->comma = true;
    if (key) {
        escaped(json, key);
        put_char(json, ':');
    }
}

struct rl_json rl_json_begin(FILE *stream)
{
    struct rl_json json = {.stream = stream};
    rl_json_open(&json, NULL, '{');
    return json;
}

void rl_json_end(struct rl_json *json)
{
    rl_json_string(json, "program_version", rl_version());
    rl_json_close(json, '}');
    put_char(json, '\n');
}

void rl_json_open(struct rl_json *json, const char *key, char bracket)
{
    name(json, key);
    put_char(json, bracket);
    json->comma = false;
}

void rl_json_close(struct rl_json *json, char bracket)
{
    put_char(json, bracket);
    json->comma = true;
}

/* A value that is written as it is. */
static void put_plain(struct rl_json *json, const char *key, const char *value)
{
    name(json, key);
    put(json, value);
}

void rl_json_string(struct rl_json *json, const char *key, const char *value)
{
    name(json, key);
    if (value)
        escaped(json, value);
    else
        put(json, "null");
}

void rl_json_count(struct rl_json *json, const char *key, uint64_t value)
{
    char number[24];
    struct rl_text text = rl_text_into(number, sizeof number);
    rl_text_number(&text, value);
    put_plain(json, key, number);
}

/* JSON has no word for what is not finite. */
void rl_json_real(struct rl_json *json, const char *key, double value)
{
    char number[40] = "null";
    if (isfinite(value))
        plain_print(number, sizeof number, "%.15g", value);
    put_plain(json, key, number);
}

/* The count, or null for RL_NEVER. */
static void put_hit(struct rl_json *json, const char *key, uint64_t step)
{
    if (step == RL_NEVER)
        rl_json_string(json, key, NULL);
    else
        rl_json_count(json, key, step);
}

void rl_json_fields(struct rl_json *json, const char *fields, va_list values)
{
    static const char *const TRUTHS[] = {"null", "false", "true"};
    while (*fields) {
        char key[64];
        const size_t length = strcspn(fields, "=");
        assert(length + 1 < sizeof key && fields[length] && fields[length + 1] == '%');
        snprintf(key, sizeof key, "%.*s", (int)length, fields);
        fields += length + 2;
        if (*fields == 's')
            rl_json_string(json, key, va_arg(values, const char *));
        else if (*fields == 'u')
            rl_json_count(json, key, va_arg(values, unsigned));
        else if (*fields == 'd')
            put_plain(json, key, TRUTHS[va_arg(values, int) + 1]);
        else if (*fields == 'g')
            rl_json_real(json, key, va_arg(values, double));
        else if (*fields == 'z')
            rl_json_count(json, key, va_arg(values, size_t));
        else if (fields[1] == 'u')
            rl_json_count(json, key, va_arg(values, uintmax_t));
        else
            put_hit(json, key, va_arg(values, uintmax_t));
        fields += strcspn(fields, " ");
        fields += *fields == ' ';
    }
}

void rl_json_put(struct rl_json *json, const char *fields, ...)
{
    va_list values;
    va_start(values, fields);
    rl_json_fields(json, fields, values);
    va_end(values);
}

void rl_json_hits(struct rl_json *json, const char *key, const struct rl_protocol *protocol,
                  const uint64_t *hits)
{
    rl_json_open(json, key, '{');
    for (size_t i = 0; i < protocol->set_count; i++)
        put_hit(json, protocol->sets[i].name, hits[i]);
    rl_json_close(json, '}');
}

void rl_json_fault(struct rl_json *json, uint64_t step, uint32_t agents, uint64_t recovered_after)
{
    rl_json_open(json, NULL, '{');
    rl_json_put(json, "step=%ju agents=%u recovered_after=%jd", step, agents, recovered_after);
    rl_json_close(json, '}');
}

void rl_json_parameters(struct rl_json *json, const struct rl_protocol *protocol,
                        const struct rl_params *params)
{
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &protocol->parameters[i];
        const char *choice = rl_parameter_choice(parameter, params->value[i]);
        if (choice)
            rl_json_string(json, parameter->name, choice);
        else
            rl_json_count(json, parameter->name, params->value[i]);
    }
}
