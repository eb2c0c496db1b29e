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
 * Every public header begins with RL_BEGIN and ends with RL_END. Declarations between the two have
 * C linkage, in C++ too, and are part of the interface. Everything else stays hidden inside the
 * library.
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

/* The caller must check the status it gets. */
#define RL_MUST_CHECK __attribute__((warn_unused_result))
/* Argument `form` is a printf format for the arguments from `first` on. */
#define RL_FORMAT(form, first) __attribute__((format(printf, form, first)))

RL_BEGIN
/* The version of the library and the program, "MAJOR.MINOR.PATCH", stored with every result. A
 * static string. */
const char *rl_version(void);

/* -------------------------------------------------------------------------------------------------
 *
 * Status codes: what a function returns if it can fail.
 *
 * The enum, the names and the messages all come from this one list. "Not self-stabilizing" and
 * "step limit reached" are answers, not errors, so they are not in it.
 */

#define RL_STATUS_LIST(X)                                                                          \
    X(OK, "done")                                                                                  \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(NO_THREAD, "no thread could be started")                                                     \
    X(BAD_PARAMETER, "a parameter is out of range")                                                \
    X(UNPROMISED, "outside what the protocol promises")                                            \
    X(BAD_TEXT, "a text does not have the expected form")                                          \
    X(BAD_PROTOCOL, "a file is not a valid protocol")                                              \
    X(BAD_TRACE, "a trace is damaged")                                                             \
    X(BAD_STUDY, "a file is not a valid study")                                                    \
    X(BAD_CERTIFICATE, "a certificate does not prove what it says")                                \
    X(IO, "a file could not be read or written")                                                   \
    X(TOO_LARGE, "not enough memory is allowed")                                                   \
    X(STOPPED, "stopped on request")

enum rl_status {
#define RL_STATUS_ENUM(name, message) RL_##name,
    RL_STATUS_LIST(RL_STATUS_ENUM)
#undef RL_STATUS_ENUM
};

/* The details of a failure, for people. The caller owns it; every function that takes one also
 * accepts NULL. `line` and `column` count from 1, and are 0 where they do not apply. */
struct rl_error {
    uint32_t line;
    uint32_t column;
    char text[480];
};

/* The general message of a status: a static string. */
const char *rl_status_message(enum rl_status status);

/* Writes a formatted reason into `error` (which may be NULL) and returns `status`, so that a
 * failing function can end with one line. A long string among the arguments loses its middle, so
 * that the rest of the reason still fits. `format` is as in rl_text_format. */
RL_FORMAT(3, 4)
enum rl_status rl_error_set(struct rl_error *error, enum rl_status status, const char *format, ...);

/* Receives the bytes of a file that is being written, piece by piece. Returns false if it cannot
 * take them. */
typedef bool (*rl_put)(void *user, const void *bytes, size_t size);

/* -------------------------------------------------------------------------------------------------
 *
 * Text without an operating system: a bounded writer and a small formatter.
 *
 * The core must also compile for a browser and a microcontroller, so it cannot use stdio.
 */

/* A writer into the caller's memory. It never writes past `size`, always ends the text with a zero
 * byte, and keeps counting: `length >= size` means that the text was cut. */
struct rl_text {
    char *at;
    size_t size;
    size_t length;
    size_t longest_string; /* for %s; longer strings lose their middle; 0: no limit */
};

struct rl_text rl_text_into(char *memory, size_t size);
void rl_text_char(struct rl_text *text, char c);
void rl_text_string(struct rl_text *text, const char *string);
void rl_text_number(struct rl_text *text, uint64_t number);

/* Writes what printf would, for %s, %c, %u, %lu, %llu, %zu and %%. Any other conversion is an error
 * in the caller. The compiler checks the arguments. */
RL_FORMAT(2, 3) void rl_text_format(struct rl_text *text, const char *format, ...);

/* Is the text a valid name? That is 1 to 47 letters and digits, with _ - . + allowed between them.
 */
bool rl_text_is_name(const char *string);
/* A number with commas, for people. Use `.text` within the same expression. */
struct rl_text_grouped {
    char text[28]; /* "12,345,678" */
};

bool rl_text_equal(const char *a, const char *b);

RL_END

#endif
