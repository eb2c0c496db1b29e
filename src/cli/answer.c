/* SPDX-License-Identifier: MIT
 *
 * The answer of a command, row by row: printed for people, or as JSON, from the same rows.
 */
#include <math.h>
#include <stdarg.h>

#include "cli/cli.h"

enum { LABEL = 9, NAME = 10, WIDTH = 80 };

struct answer answer_begin(bool json)
{
    struct answer answer = {.people = !json};
    if (json)
        answer.json = rl_json_begin(stdout);
    return answer;
}

void answer_end(struct answer *answer)
{
    if (!answer->people)
        rl_json_end(&answer->json);
}

void line(const struct answer *answer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (answer->people)
        vprintf(format, arguments);
    va_end(arguments);
}

void print_wrapped(const char *text, size_t column, size_t indent)
{
    for (bool first = true; *text; first = false) {
        const size_t spaces = first ? 0 : strspn(text, " \n");
        const size_t length = strcspn(text + spaces, " \n");
        const bool line_end = memchr(text, '\n', spaces);
        const size_t shown = line_end ? 1 : spaces;
        if (!first && length > 0 && column + shown + length > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (length > 0) {
            printf("%*s", (int)shown, "");
            column += shown;
        }
        fwrite(text + spaces, 1, length, stdout);
        column += length;
        text += spaces + length;
    }
    putchar('\n');
}

void say(const struct answer *answer, const char *label, const char *format, ...)
{
    static char text[1 << 16]; /* what is longer, people do not read */
    va_list arguments;
    if (!answer->people)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const int used = printf(strlen(label) < LABEL ? "%-9s" : "%s  ", label);
    print_wrapped(text, (size_t)used, LABEL);
}

/* ---- rows for both ---- */

static char row_memory[1 << 16];
static struct rl_text row; /* the one that is open */

/* A key as people read it, in static memory. */
static const char *key_text(const char *key)
{
    static char text[64];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(key, "="), key);
    for (char *at = text; (at = strchr(at, '_'));)
        *at = ' ';
    return text;
}

/* A value as people read it, by its letters in a format. */
static const char *value_text(const char *kind, va_list *values)
{
    static char real[32];
    if (*kind == 's') {
        const char *text = va_arg(*values, const char *);
        return text ? text : "none";
    }
    if (*kind == 'd') {
        const int truth = va_arg(*values, int);
        return truth < 0 ? "unknown" : truth ? "yes" : "NO";
    }
    if (*kind == 'g') {
        const double value = va_arg(*values, double);
        snprintf(real, sizeof real, "%.*g", fabs(value) < 1e-3 ? 2 : 8, value);
        return isnan(value) ? "unknown" : isinf(value) ? "infinite" : real;
    }
    const uintmax_t count = *kind == 'u'   ? va_arg(*values, unsigned)
                            : *kind == 'z' ? va_arg(*values, size_t)
                                           : va_arg(*values, uintmax_t);
    return count == RL_NEVER ? "none" : grouped(count);
}

static void tell_people(struct answer *answer, const char *fields, va_list *values)
{
    while (*fields) {
        const char *label = key_text(fields);
        const char *value = value_text(strchr(fields, '=') + 2, values);
        if (answer->cells > 0)
            rl_text_format(&row, answer->cells++ > 1 ? ", %s %s" : "%s %s", label, value);
        else
            say(answer, label, "%s", value);
        fields += strcspn(fields, " ");
        fields += *fields == ' ';
    }
}

void tell(struct answer *answer, const char *fields, ...)
{
    va_list values;
    va_start(values, fields);
    if (answer->people)
        tell_people(answer, fields, &values);
    else
        rl_json_fields(&answer->json, fields, values);
    va_end(values);
}

void tell_numbers(struct answer *answer, const char *key, const uint32_t *numbers, size_t count)
{
    char memory[512];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    put_open(answer, key, '[');
    for (size_t i = 0; i < count; i++) {
        rl_json_count(&answer->json, NULL, numbers[i]);
        rl_text_format(&text, i ? ", %u" : "%u", numbers[i]);
    }
    put_close(answer, ']');
    if (count > 0)
        say(answer, key_text(key), "%s", memory);
}

void open_rows(struct answer *answer, const char *key, char mark)
{
    put_open(answer, key, mark);
    answer->title = key;
}

void open_row(struct answer *answer, const char *key, const char *name)
{
    row = rl_text_into(row_memory, sizeof row_memory);
    put_open(answer, key ? NULL : name, '{');
    if (key)
        rl_json_string(&answer->json, key, name);
    if (answer->title)
        line(answer, "\n%s\n", key_text(answer->title));
    answer->title = NULL;
    answer->cells = 1;
    rl_text_format(&row, "  %s: ", name);
    while (row.length < NAME)
        rl_text_char(&row, ' ');
}

void close_row(struct answer *answer)
{
    put_close(answer, '}');
    answer->cells = 0;
    if (answer->people)
        print_wrapped(row_memory, 0, NAME);
}
