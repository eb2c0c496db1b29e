/* SPDX-License-Identifier: MIT
 *
 * Status codes and text.
 */
#ifndef RINGLEADER_STATUS_H
#define RINGLEADER_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -------------------------------------------------------------------------------------------------
 *
 * What every public header begins and ends with. Between RL_BEGIN and RL_END declarations are C's,
 * also for C++, and belong to the interface: everything else stays hidden inside the library.
 */

#ifdef __cplusplus
#define RL_BEGIN                                                                                   \
    _Pragma("GCC visibility push(default)") extern "C"                                             \
    {
#define RL_END                                                                                     \
    }                                                                                              \
    _Pragma("GCC visibility pop")
#else
#define RL_BEGIN _Pragma("GCC visibility push(default)")
#define RL_END   _Pragma("GCC visibility pop")
#endif

/* A caller must look at the status it gets. */
#define RL_MUST_CHECK __attribute__((warn_unused_result))
/* Argument `form` is a format of printf's, for the arguments from `first` on. */
#define RL_FORMAT(form, first) __attribute__((format(printf, form, first)))

RL_BEGIN
/* The version of the library and the program, "MAJOR.MINOR.PATCH", stored with every result. A
 * static string. */
const char *rl_version(void);

/* -------------------------------------------------------------------------------------------------
 *
 * Status codes: what a function answers when it can fail.
 *
 * There is one list. It gives the enum, the names and the messages. "Not self-stabilizing" or
 * "step limit reached" are answers, not errors, and do not appear here.
 */

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

/* Takes the bytes of a file that is being written, one piece after the other; false: it cannot. */
typedef bool (*rl_put)(void *user, const void *bytes, size_t size);

/* -------------------------------------------------------------------------------------------------
 *
 * Text without an operating system: a bounded writer, a tiny formatter and the reading of counts.
 *
 * The core must compile for a browser and a microcontroller, so it cannot use stdio.
 */

/* A writer into the caller's memory. It never writes past `size`, always ends the text with a
 * zero byte, and goes on counting, so `length >= size` says that the text was cut. */
struct rl_text {
    char *at;
    size_t size;
    size_t length;
    size_t longest_string; /* of what %s writes; 0: any. Of a longer one the middle is left out. */
};

struct rl_text rl_text_into(char *memory, size_t size);
void rl_text_char(struct rl_text *text, char c);
void rl_text_string(struct rl_text *text, const char *string);
void rl_text_number(struct rl_text *text, uint64_t number);

/* What printf would write, for %s, %c, %u, %lu, %llu, %zu and %%; others are a mistake of the
 * caller. The compiler checks the arguments. */
RL_FORMAT(2, 3) void rl_text_format(struct rl_text *text, const char *format, ...);

/* Whether a text can be the name of something: 1 to 47 letters, digits, and _ - . + between them.
 */
bool rl_text_is_name(const char *string);
/* A number with commas, as people read it: use `.text` in the same expression. */
struct rl_text_grouped {
    char text[28]; /* "12,345,678" */
};

bool rl_text_equal(const char *a, const char *b);

RL_END

#endif
