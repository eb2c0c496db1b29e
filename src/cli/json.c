/* SPDX-License-Identifier: MIT
 *
 * JSON, written as it goes.
 */
#include "cli/cli.h"

static void escaped(struct json *json, const char *text)
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

static void name(struct json *json, const char *key)
{
    if (json->comma)
        fputc(',', json->stream);
    json->comma = true;
    if (key) {
        escaped(json, key);
        fputc(':', json->stream);
    }
}

void json_open(struct json *json, const char *key, char bracket)
{
    name(json, key);
    fputc(bracket, json->stream);
    json->comma = false;
}

void json_close(struct json *json, char bracket)
{
    fputc(bracket, json->stream);
    json->comma = true;
}

void json_string(struct json *json, const char *key, const char *value)
{
    name(json, key);
    escaped(json, value);
}

void json_count(struct json *json, const char *key, uint64_t value)
{
    name(json, key);
    fprintf(json->stream, "%llu", (unsigned long long)value);
}

void json_real(struct json *json, const char *key, double value)
{
    name(json, key);
    fprintf(json->stream, "%.15g", value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    name(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void json_null(struct json *json, const char *key)
{
    name(json, key);
    fputs("null", json->stream);
}

void json_hit(struct json *json, const char *key, uint64_t step)
{
    if (step == RL_NEVER)
        json_null(json, key);
    else
        json_count(json, key, step);
}
