/* SPDX-License-Identifier: MIT
 *
 * Text without an operating system: the bounded writer and the reading of counts.
 *
 * Counts are read in integers only: a decimal such as 2.5e3 is kept as digits and a power of ten,
 * and n^1.5 is the least integer x with x^2 >= n^3, found by bisection. So "1e15" is exactly 10^15
 * and no platform rounds differently. n^3 does not fit 64 bits for large rings, so
 * power_one_and_a_half takes a detour.
 */
#include "ringleader/status.h"
#include "core/inside.h"

#include <assert.h>

struct rl_text rl_text_into(char *memory, size_t size)
{
    assert((memory || size == 0) && "a text without memory");
    if (size > 0)
        memory[0] = '\0';
    return (struct rl_text){.at = memory, .size = size};
}

void rl_text_char(struct rl_text *text, char c)
{
    if (text->length + 1 < text->size) {
        text->at[text->length] = c;
        text->at[text->length + 1] = '\0';
    }
    text->length++;
}

void rl_text_string(struct rl_text *text, const char *string)
{
    while (*string)
        rl_text_char(text, *string++);
}

void rl_text_number(struct rl_text *text, uint64_t number)
{
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        rl_text_char(text, digits[--count]);
}

/* The number of a directive that ends in u, by its length. */
static uint64_t next_number(const char *length, va_list *arguments)
{
    if (length[0] == 'z')
        return va_arg(*arguments, size_t);
    if (length[0] == 'l' && length[1] == 'l')
        return va_arg(*arguments, unsigned long long);
    return length[0] == 'l' ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned);
}

/* The argument of a %s, without its middle if it is too long. */
static void put_argument(struct rl_text *text, const char *string)
{
    const size_t most = text->longest_string;
    size_t length = 0;
    while (string[length])
        length++;
    if (most == 0 || length <= most) {
        rl_text_string(text, string);
        return;
    }
    for (size_t i = 0; i < most / 2; i++)
        rl_text_char(text, string[i]);
    rl_text_string(text, " ... ");
    rl_text_string(text, string + length - most / 2);
}

void rl_text_formatv(struct rl_text *text, const char *format, va_list given)
{
    va_list arguments;
    va_copy(arguments, given);
    for (; *format; format++) {
        if (*format != '%') {
            rl_text_char(text, *format);
            continue;
        }
        const char *length = ++format;
        while (*format == 'l' || *format == 'z')
            format++;
        assert((*format == 's' || *format == 'c' || *format == 'u' || *format == '%') &&
               "a format that only printf knows");
        if (*format == 's')
            put_argument(text, va_arg(arguments, const char *));
        else if (*format == 'c')
            rl_text_char(text, (char)va_arg(arguments, int));
        else if (*format == 'u')
            rl_text_number(text, next_number(length, &arguments));
        else
            rl_text_char(text, '%');
    }
    va_end(arguments);
}

void rl_text_format(struct rl_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rl_text_formatv(text, format, arguments);
    va_end(arguments);
}

struct rl_text_grouped rl_text_grouped(uint64_t number)
{
    struct rl_text_grouped grouped;
    char digits[28];
    size_t count = 0, length = 0;
    for (int i = 0; i == 0 || number > 0; i++, number /= 10) {
        if (i > 0 && i % 3 == 0)
            digits[count++] = ',';
        digits[count++] = (char)('0' + number % 10);
    }
    while (count > 0)
        grouped.text[length++] = digits[--count];
    grouped.text[length] = '\0';
    return grouped;
}

bool rl_text_is_name(const char *string)
{
    enum { MOST = 47 };
    size_t length = 0;
    for (; string[length]; length++) {
        const char c = string[length];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool inside = (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '+';
        if (!letter && !inside)
            return false;
    }
    return length > 0 && length <= MOST && string[0] != '-' && string[0] != '.' && string[0] != '+';
}

bool rl_text_equal(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const char *rl_text_after(const char *string, const char *prefix)
{
    while (*prefix && *string == *prefix) {
        string++;
        prefix++;
    }
    return *prefix ? NULL : string;
}

/* ---- names that are nearly right ---- */

enum { LONGEST_NAME = 31, SLIPS = 2 };

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Levenshtein's distance, capitals or not; names longer than LONGEST_NAME are far from everything.
 */
static size_t distance(const char *word, const char *name)
{
    size_t row[LONGEST_NAME + 1], columns = 0;
    while (name[columns])
        if (++columns > LONGEST_NAME)
            return SIZE_MAX;
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; word[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            const size_t change = diagonal + (small(word[i]) != small(name[j]));
            const size_t edit = 1 + (row[j] < row[j + 1] ? row[j] : row[j + 1]);
            diagonal = row[j + 1];
            row[j + 1] = change < edit ? change : edit;
        }
    }
    return row[columns] < columns ? row[columns] : SIZE_MAX;
}

void rl_nearest_try(struct rl_nearest *nearest, const char *name)
{
    const size_t slips = distance(nearest->word, name);
    if (slips <= SLIPS && (!nearest->name || slips < nearest->slips)) {
        nearest->name = name;
        nearest->slips = slips;
    }
}

void rl_nearest_print(const struct rl_nearest *nearest, struct rl_text *text)
{
    if (nearest->name)
        rl_text_format(text, "; did you mean '%s'?", nearest->name);
}

/* ---- counts ---- */

/* A decimal: digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

static const uint64_t LIMIT = UINT64_C(1) << 63;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits with at most one point; returns the end, or NULL if there is no digit or too many
 * of them. */
static const char *read_decimal(const char *at, struct decimal *out)
{
    bool point = false;
    bool any = false;
    *out = (struct decimal){0};
    for (;; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(*at))
            return any ? at : NULL;
        const uint64_t digit = (uint64_t)(*at - '0');
        if (out->digits > (LIMIT - 1 - digit) / 10)
            return NULL;
        out->digits = out->digits * 10 + digit;
        out->exponent -= point;
        any = true;
    }
}

/* e6, k, M, G after the digits. */
static const char *read_scale(const char *at, struct decimal *number)
{
    if (*at == 'k' || *at == 'M' || *at == 'G') {
        number->exponent += *at == 'k' ? 3 : *at == 'M' ? 6 : 9;
        return at + 1;
    }
    if (*at != 'e' || !is_digit(at[1]))
        return at;
    int exponent = 0;
    for (at++; is_digit(*at); at++)
        exponent = exponent > 99 ? 99 : exponent * 10 + (*at - '0');
    number->exponent += exponent;
    return at;
}

/* number * factor, rounded up; false if that is LIMIT or more. */
static bool scale_up(struct decimal number, uint64_t factor, uint64_t *out)
{
    if (number.digits >= LIMIT / factor)
        return false;
    uint64_t value = number.digits * factor;
    for (; number.exponent > 0 && value > 0; number.exponent--) {
        if (value > (LIMIT - 1) / 10)
            return false;
        value *= 10;
    }
    for (; number.exponent < 0 && value > 0; number.exponent++)
        value = value / 10 + (value % 10 != 0);
    *out = value;
    return true;
}

static bool is_whole(struct decimal number)
{
    for (; number.exponent < 0 && number.digits % 10 == 0 && number.digits > 0; number.exponent++)
        number.digits /= 10;
    return number.exponent >= 0 || number.digits == 0;
}

/* The least integer x with x^2 >= n^3, for n below 2^31. With x = n root + rest, where root is the
 * integer part of sqrt(n), and divided by n, the comparison fits 64 bits. */
static uint64_t power_one_and_a_half(uint64_t n)
{
    uint64_t root = 0;
    while ((root + 1) * (root + 1) <= n)
        root++;
    uint64_t low = 0, high = n;
    while (low < high) {
        const uint64_t rest = low + (high - low) / 2;
        if (2 * root * rest + rest * rest / n >= n * (n - root * root))
            high = rest;
        else
            low = rest + 1;
    }
    return n * root + low;
}

/* "n", "n^1", "n^1.5" or "n^2" at `at`; returns the end or NULL. */
static const char *read_power_of_n(const char *at, uint64_t n, uint64_t *out)
{
    *out = n;
    at++;
    if (*at != '^')
        return at;
    struct decimal power;
    at = read_decimal(at + 1, &power);
    uint64_t twice;
    if (!at || power.exponent < -1 ||
        !scale_up((struct decimal){power.digits * 2, power.exponent}, 1, &twice))
        return NULL;
    if ((power.exponent == -1 && power.digits % 5 != 0) || twice < 2 || twice > 4)
        return NULL;
    if (n >> 31)
        return NULL;
    *out = twice == 2 ? n : twice == 3 ? power_one_and_a_half(n) : n * n;
    return at;
}

enum rl_status rl_text_parse_count(const char *string, uint64_t n, uint64_t *count_out,
                                   struct rl_error *error)
{
    assert(string && count_out && "no text, or nowhere to put the count");
    const char *at = string;
    struct decimal number = {.digits = 1};
    if (*at != 'n') {
        at = read_decimal(at, &number);
        if (at)
            at = read_scale(at, &number);
    }
    uint64_t factor = 1;
    const bool in_n = at && *at == 'n' && n > 0;
    if (in_n)
        at = read_power_of_n(at, n, &factor);
    if (!at || *at != '\0' || !scale_up(number, factor, count_out))
        return rl_error_set(error, RL_BAD_TEXT,
                            "'%s' is not a count: write 1000, 1e6, 10k%s (below 2^63)", string,
                            n > 0 ? ", 2n or n^1.5" : "");
    if (!in_n && !is_whole(number))
        return rl_error_set(error, RL_BAD_TEXT, "'%s' is not a whole number", string);
    return RL_OK;
}
