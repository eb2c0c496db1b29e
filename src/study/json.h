/* SPDX-License-Identifier: MIT
 *
 * JSON, written as it goes: by the store, the report and the command line.
 */
#ifndef RINGLEADER_STUDY_JSON_H
#define RINGLEADER_STUDY_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct rl_json {
    FILE *stream;
    bool comma;
};

/* A key inside an object; NULL inside an array or at the top. */
void rl_json_open(struct rl_json *json, const char *key, char bracket);
void rl_json_close(struct rl_json *json, char bracket);
void rl_json_string(struct rl_json *json, const char *key, const char *value);
void rl_json_count(struct rl_json *json, const char *key, uint64_t value);
void rl_json_real(struct rl_json *json, const char *key, double value);
void rl_json_bool(struct rl_json *json, const char *key, bool value);
void rl_json_null(struct rl_json *json, const char *key);
/* A hit: the count, or null for RL_NEVER. */
void rl_json_hit(struct rl_json *json, const char *key, uint64_t step);

#endif
