/* SPDX-License-Identifier: MIT
 *
 * Status codes: what a function answers when it can fail.
 *
 * There is one list. It gives the enum, the names and the messages. "Not self-stabilizing" or
 * "step limit reached" are answers, not errors, and do not appear here.
 */
#ifndef RINGLEADER_STATUS_H
#define RINGLEADER_STATUS_H

#include <stdint.h>

#include "ringleader/api.h"

RL_BEGIN

#define RL_STATUS_LIST(X)                                                                          \
    X(OK, "done")                                                                                  \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(NO_THREAD, "no thread could be started")                                                     \
    X(BAD_PARAMETER, "a parameter is out of its range")                                            \
    X(UNPROMISED, "outside what the protocol promises")                                            \
    X(BAD_TEXT, "a text does not have the form it should")                                         \
    X(BAD_PROTOCOL, "a file is not the protocol it should be")                                     \
    X(BAD_TRACE, "a trace is damaged")                                                             \
    X(BAD_STUDY, "a file is not the study it should be")                                           \
    X(BAD_CERTIFICATE, "a certificate does not prove what it says")                                \
    X(IO, "a file could not be read or written")                                                   \
    X(TOO_LARGE, "this does not fit into the memory allowed")                                      \
    X(STOPPED, "stopped on request")

enum rl_status {
#define RL_STATUS_ENUM(name, message) RL_##name,
    RL_STATUS_LIST(RL_STATUS_ENUM)
#undef RL_STATUS_ENUM
};

/* The details of a failure, for a person. Owned by the caller; every function that takes one
 * accepts NULL. `line` and `column` count from 1 and are 0 where they make no sense. */
struct rl_error {
    uint32_t line;
    uint32_t column;
    char text[480];
};

/* The name ("RL_NO_MEMORY") and the general message of a status. Static strings. */
const char *rl_status_name(enum rl_status status);
const char *rl_status_message(enum rl_status status);

/* Writes a formatted reason into `error` (which may be NULL) and returns `status`, so that a
 * failing function ends in one line. Of a long string among the arguments the middle is left out,
 * so that the reason is not lost behind it. `format` as in rl_text_format. */
RL_FORMAT(3, 4)
enum rl_status rl_error_set(struct rl_error *error, enum rl_status status, const char *format, ...);

RL_END

#endif
