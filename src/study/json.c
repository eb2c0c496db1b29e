/* SPDX-License-Identifier: MIT
 *
 * JSON, written as it goes.
 */
#include "study/json.h"

#include <math.h>

#include "ringleader/run.h"
#include "study/plain.h"

/* The length of the UTF-8 sequence at `text` (RFC 3629), or 0 if there is none. */
static size_t sequence(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, least, most; /* of the first byte and of the second */
        size_t length;
    } forms[] = {
        {0x20, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (text[1] < forms[i].least || text[1] > forms[i].most))
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((text[k] & 0xc0) != 0x80)
                return 0;
        return forms[i].length;
    }
    return 0;
}

/* A byte that is no UTF-8, such as there may be in a file's name, is written as the lone surrogate
 * that Python and others use for it (U+DC80 to U+DCFF), so that the name can be had back. */
static void escaped(struct rl_json *json, const char *text)
{
    fputc('"', json->stream);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = sequence(at);
        if (length == 0)
            fprintf(json->stream, "\\u%04x", *at < 0x80 ? *at : 0xdc00 + *at);
        else if (*at == '"' || *at == '\\')
            fprintf(json->stream, "\\%c", *at);
        else
            fwrite(at, 1, length, json->stream);
        at += length ? length : 1;
    }
    fputc('"', json->stream);
}

static void name(struct rl_json *json, const char *key)
{
    if (json->comma)
        fputc(',', json->stream);
    json->comma = true;
    if (key) {
        escaped(json, key);
        fputc(':', json->stream);
    }
}

void rl_json_open(struct rl_json *json, const char *key, char bracket)
{
    name(json, key);
    fputc(bracket, json->stream);
    json->comma = false;
}

void rl_json_close(struct rl_json *json, char bracket)
{
    fputc(bracket, json->stream);
    json->comma = true;
}

void rl_json_string(struct rl_json *json, const char *key, const char *value)
{
    name(json, key);
    escaped(json, value);
}

void rl_json_count(struct rl_json *json, const char *key, uint64_t value)
{
    name(json, key);
    fprintf(json->stream, "%llu", (unsigned long long)value);
}

void rl_json_real(struct rl_json *json, const char *key, double value)
{
    if (!isfinite(value)) { /* JSON has no word for it */
        rl_json_null(json, key);
        return;
    }
    name(json, key);
    char number[40];
    plain_print(number, sizeof number, "%.15g", value);
    fputs(number, json->stream);
}

void rl_json_bool(struct rl_json *json, const char *key, bool value)
{
    name(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void rl_json_null(struct rl_json *json, const char *key)
{
    name(json, key);
    fputs("null", json->stream);
}

void rl_json_hit(struct rl_json *json, const char *key, uint64_t step)
{
    if (step == RL_NEVER)
        rl_json_null(json, key);
    else
        rl_json_count(json, key, step);
}
