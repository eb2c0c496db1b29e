/* SPDX-License-Identifier: MIT
 *
 * JSON, written as it goes.
 */
#include "study/json.h"

#include "ringleader/run.h"

static void escaped(struct rl_json *json, const char *text)
{
    fputc('"', json->stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(json->stream, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            fprintf(json->stream, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, json->stream);
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
    name(json, key);
    fprintf(json->stream, "%.15g", value);
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
