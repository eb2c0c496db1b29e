/* SPDX-License-Identifier: MIT
 *
 * JSON, written as it goes: by the store, the report and the command line.
 */
#ifndef RINGLEADER_BASE_JSON_H
#define RINGLEADER_BASE_JSON_H

#include <stdarg.h>
#include <stdio.h>

#include "ringleader/protocol.h"
#include "ringleader/status.h"

struct rl_json {
    FILE *stream;         /* where it goes, or NULL: */
    struct rl_text *text; /* there, or NULL: nowhere */
    bool comma;
};

/* An answer: one object in one line. Its last key is the program's version. */
struct rl_json rl_json_begin(FILE *stream);
void rl_json_end(struct rl_json *json);

/* A key inside an object; NULL inside an array or at the top. */
void rl_json_open(struct rl_json *json, const char *key, char bracket);
void rl_json_close(struct rl_json *json, char bracket);
void rl_json_string(struct rl_json *json, const char *key,
                    const char *value); /* or null, of NULL */
void rl_json_count(struct rl_json *json, const char *key, uint64_t value);
void rl_json_real(struct rl_json *json, const char *key, double value);
/* Several fields, as in rl_json_put(json, "start=%s seed=%ju", start, seed): %s is a string, or
 * null of NULL; %ju, %zu and %u are counts; %jd is a step, or null of RL_NEVER; %d is a truth, or
 * null of -1; %g is a real. A key of 62 letters at most. */
RL_FORMAT(2, 3)
void rl_json_put(struct rl_json *json, const char *fields, ...);
void rl_json_fields(struct rl_json *json, const char *fields, va_list values);

/* The hit of each set, as an object. */
void rl_json_hits(struct rl_json *json, const char *key, const struct rl_protocol *protocol,
                  const uint64_t *hits);
/* A fault, as an object. */
void rl_json_fault(struct rl_json *json, uint64_t step, uint32_t agents, uint64_t recovered_after);
/* The protocol's parameters, each under its name, in the object at hand; choices by theirs. */
void rl_json_parameters(struct rl_json *json, const struct rl_protocol *protocol,
                        const struct rl_params *params);

#endif
