/* SPDX-License-Identifier: MIT
 *
 * Text without an operating system: the bounded writer and the reading of counts.
 *
 * Counts are read in integers only: 2.5e3 is 25 and two zeros, and n^1.5 is the least integer x
 * with x^2 >= n^3, found by bisection. So "1e15" is exactly 10^15 and no platform rounds
 * differently. n^3 does not fit 64 bits for large rings, so power_one_and_a_half takes a detour.
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

static bool is_one_of(char c, const char *set)
{
    while (*set && *set != c)
        set++;
    return *set;
}

char *rl_text_take(char **rest, const char *ends)
{
    static const char SPACES[] = " \t\r\n\v\f";
    char *piece = *rest, *end = piece;
    if (!piece)
        return NULL;
    while (*end && !is_one_of(*end, ends))
        end++;
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    while (is_one_of(*piece, SPACES))
        piece++;
    while (end > piece && is_one_of(end[-1], SPACES))
        *--end = '\0';
    return piece;
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

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is a name the word but for so many letters that are others, too many or missing? Capitals do not
 * count. */
static bool is_near(const char *word, const char *name, uint32_t slips)
{
    for (; *word && small(*word) == small(*name); word++)
        name++;
    if (!*word && !*name)
        return true;
    return slips > 0 && ((*word && *name && is_near(word + 1, name + 1, slips - 1)) ||
                         (*word && is_near(word + 1, name, slips - 1)) ||
                         (*name && is_near(word, name + 1, slips - 1)));
}

void rl_nearest_try(struct rl_nearest *nearest, const char *name)
{
    const uint32_t most = nearest->hint[0] ? nearest->slips : 3;
    for (uint32_t slips = 0; slips < most; slips++)
        if (is_near(nearest->word, name, slips) && !is_near("", name, slips)) {
            struct rl_text text = rl_text_into(nearest->hint, sizeof nearest->hint);
            rl_text_format(&text, "; did you mean '%s'?", name);
            nearest->slips = slips;
            return;
        }
}

/* ---- counts ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* value * factor + more; false if that is 2^63 or more. */
static bool scale_up(uint64_t *value, uint64_t factor, uint64_t more)
{
    if (*value > (INT64_MAX - more) / factor)
        return false;
    *value = *value * factor + more;
    return true;
}

/* e6, k, M, G after the digits: the power of ten. */
static const char *read_scale(const char *at, int *exponent_out)
{
    *exponent_out = *at == 'k' ? 3 : *at == 'M' ? 6 : *at == 'G' ? 9 : 0;
    if (*exponent_out)
        return at + 1;
    if (*at == 'e' && is_digit(at[1]))
        for (at++; is_digit(*at); at++)
            *exponent_out = *exponent_out > 99 ? 99 : *exponent_out * 10 + (*at - '0');
    return at;
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

/* "n", "n^1.5" or "n^2" at `at`; returns the end or NULL. */
static const char *read_power_of_n(const char *at, uint64_t n, uint64_t *out)
{
    const char *half = rl_text_after(at, "n^1.5"), *square = rl_text_after(at, "n^2");
    if (n >> 31 && at[1] == '^')
        return NULL;
    *out = half ? power_one_and_a_half(n) : square ? n * n : n;
    return half ? half : square ? square : at[1] != '^' ? at + 1 : NULL;
}

enum rl_status rl_text_parse_count(const char *string, uint64_t n, uint64_t *count_out,
                                   struct rl_error *error)
{
    assert(string && count_out && "no text, or nowhere to put the count");
    const char *at = string;
    uint64_t count = *at == 'n', factor = 1;
    int exponent, decimals = 0;
    bool right = is_digit(*at) || *at == 'n';
    for (bool point = false; right && (is_digit(*at) || (*at == '.' && !point && is_digit(at[1])));
         at++) {
        decimals += point;
        if (*at == '.')
            point = true;
        else
            right = scale_up(&count, 10, (uint64_t)(*at - '0'));
    }
    at = read_scale(at, &exponent);
    exponent -= decimals;
    right &= exponent >= 0; /* a count is whole */
    for (; right && count > 0 && exponent > 0; exponent--)
        right = scale_up(&count, 10, 0);
    if (*at == 'n' && n > 0)
        at = read_power_of_n(at, n, &factor);
    if (!right || !at || *at || !scale_up(&count, factor, 0))
        return rl_error_set(error, RL_BAD_TEXT,
                            "'%s' is not a count: write 1000, 1e6, 10k%s (below 2^63)", string,
                            n > 0 ? ", 2n or n^1.5" : "");
    *count_out = count;
    return RL_OK;
}
