/* SPDX-License-Identifier: MIT
 *
 * Text without an operating system: a bounded writer, a tiny formatter and the reading of counts.
 *
 * The core must compile for a browser and a microcontroller, so it cannot use stdio.
 */
#ifndef RINGLEADER_TEXT_H
#define RINGLEADER_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringleader/status.h"

RL_BEGIN

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
RL_FORMAT(2, 0)
void rl_text_formatv(struct rl_text *text, const char *format, va_list arguments);

/* Whether a text can be the name of something: 1 to 47 letters, digits, and _ - . + between them.
 */
bool rl_text_is_name(const char *string);
/* A number with commas, as people read it: use `.text` in the same expression. */
struct rl_text_grouped {
    char text[28]; /* "12,345,678" */
};
struct rl_text_grouped rl_text_grouped(uint64_t number);

bool rl_text_equal(const char *a, const char *b);
/* What follows `prefix` in a string that begins with it, else NULL. */
const char *rl_text_after(const char *string, const char *prefix);

/* "; did you mean 'x'?", where x is the name nearest to `word`, by two typing slips at most, or
 * nothing. `name(i)` lists the names, NULL after the last. */
void rl_text_suggest(struct rl_text *text, const char *word, const char *(*name)(size_t index));

/* Reads a count as people write it: a whole number, 1000, 1e6, 2.5e3, 10k, 3M, or one told in n,
 * 2n, n, n^1.5, 0.5n^2 (rounded up). `n` is the ring size that "n" stands for; 0 means "n" is not
 * allowed here. Fails with RL_BAD_TEXT on anything else and on values of 2^63 or more. */
RL_MUST_CHECK enum rl_status rl_text_parse_count(const char *string, uint64_t n,
                                                 uint64_t *count_out, struct rl_error *error);

RL_END

#endif
