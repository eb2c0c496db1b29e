/* SPDX-License-Identifier: MIT
 *
 * The answer of a command, row by row: printed for people, or as JSON, from the same rows.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>

#include "cli/cli.h"

enum { LABEL = 9, WIDTH = 80, COLUMNS = 12, MOST_ROWS = 1024 };

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

/* The table of open rows, or of one row. The first has the labels; NULL: a row has no such field.
 */
static const char *cells[MOST_ROWS][COLUMNS];
static struct column {
    size_t width;
    bool words; /* they stand at the left, numbers at the right */
} columns[COLUMNS];
static size_t row_count, column_count;

static void begin_table(void)
{
    memset(cells, 0, sizeof cells);
    row_count = 1;
    column_count = 0;
}

static const char *keep_text(const char *text)
{
    return strcpy(claim(strlen(text) + 1, NULL), text);
}

static void add_cell(const char *label, const char *value)
{
    const size_t length = strlen(value);
    size_t k = 0;
    if (row_count == MOST_ROWS)
        return;
    while (k < column_count && strcmp(cells[0][k], label) != 0)
        k++;
    assert(k < COLUMNS && "a row has so many fields");
    if (k == column_count) {
        columns[column_count++] = (struct column){.width = strlen(label)};
        cells[0][k] = keep_text(label);
    }
    cells[row_count][k] = keep_text(value);
    columns[k].words |= !isdigit((unsigned char)value[0]);
    columns[k].width = length > columns[k].width ? length : columns[k].width;
}

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
        if (answer->in_row)
            add_cell(label, value);
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

/* ---- tables ---- */

static void print_table(void)
{
    for (size_t row = 0; row < row_count; row++) {
        int gap = 0;
        for (size_t k = 0; k < column_count; k++) {
            const char *text = cells[row][k] ? cells[row][k] : "";
            const int rest = (int)(columns[k].width - strlen(text));
            gap += 2 + (columns[k].words ? 0 : rest);
            if (*text) {
                printf("%*s%s", gap, "", text);
                gap = 0;
            }
            gap += columns[k].words ? rest : 0;
        }
        putchar('\n');
    }
}

/* Rows that are too wide for a table, or alone: "name: label value, label value". */
static void print_lists(void)
{
    static char memory[1 << 17]; /* what is longer, people do not read */
    for (size_t row = 1; row < row_count; row++) {
        struct rl_text text = rl_text_into(memory, sizeof memory);
        const char *between = ": ";
        rl_text_format(&text, "  %s", cells[row][0]);
        for (size_t k = 1; k < column_count; k++)
            if (cells[row][k]) {
                rl_text_format(&text, "%s%s %s", between, cells[0][k], cells[row][k]);
                between = ", ";
            }
        print_wrapped(memory, 0, LABEL);
    }
}

void open_rows(struct answer *answer, const char *key, char mark)
{
    put_open(answer, key, mark);
    answer->title = key;
    begin_table();
}

void close_rows(struct answer *answer, char mark)
{
    size_t width = 0;
    put_close(answer, mark);
    for (size_t k = 0; k < column_count; k++)
        width += 2 + columns[k].width;
    if (answer->people && row_count > 1) {
        putchar('\n');
        if (width > WIDTH)
            puts(key_text(answer->title));
        (width > WIDTH ? print_lists : print_table)();
    }
    answer->title = NULL;
}

void open_row(struct answer *answer, const char *key, const char *name)
{
    if (!answer->title)
        begin_table();
    put_open(answer, key ? NULL : name, '{');
    if (key)
        rl_json_string(&answer->json, key, name);
    add_cell(answer->title ? key_text(answer->title) : "", name);
    answer->in_row = true;
}

void close_row(struct answer *answer)
{
    put_close(answer, '}');
    row_count += row_count < MOST_ROWS;
    answer->in_row = false;
    if (answer->people && !answer->title)
        print_lists();
}
