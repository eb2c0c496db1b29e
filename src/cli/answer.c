/* SPDX-License-Identifier: MIT
 *
 * The answer of a command, row by row: printed for people, or as JSON, from the same rows.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>

#include "cli/cli.h"

enum { LABEL = 9, WIDTH = 80, COLUMNS = 12 };

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

/* The cells of open rows, each "label TAB value" in a line of its own; an empty line ends a row. */
static char cells_memory[1 << 16];
static struct rl_text cells;

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
            rl_text_format(&cells, "%s\t%s\n", label, value);
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

struct column {
    const char *label; /* up to its tab */
    size_t width;
    bool words; /* they stand at the left, numbers at the right */
};

static bool has_label(const char *cell, const char *label)
{
    const size_t length = strcspn(cell, "\t\n");
    return length == strcspn(label, "\t\n") && memcmp(cell, label, length) == 0;
}

static const char *value_of(const char *cell, size_t *length_out)
{
    const char *value = cell + strcspn(cell, "\t\n") + 1;
    *length_out = strcspn(value, "\n");
    return value;
}

static const char *next_cell(const char *cell)
{
    return cell + strcspn(cell, "\n") + 1;
}

/* Returns how wide the table is. */
static size_t list_columns(struct column *columns, size_t *count_out)
{
    size_t width = 0, length;
    *count_out = 0;
    for (const char *cell = cells_memory; *cell; cell = next_cell(cell)) {
        size_t k = 0;
        if (*cell == '\n')
            continue;
        while (k < *count_out && !has_label(columns[k].label, cell))
            k++;
        assert(k < COLUMNS && "a row has so many fields");
        if (k == *count_out)
            columns[(*count_out)++] = (struct column){cell, strcspn(cell, "\t\n"), false};
        const char *value = value_of(cell, &length);
        columns[k].words |= !isdigit((unsigned char)*value);
        columns[k].width = length > columns[k].width ? length : columns[k].width;
    }
    for (size_t k = 0; k < *count_out; k++)
        width += 2 + columns[k].width;
    return width;
}

/* The values of a row, each in its column; NULL: the labels. */
static void print_row(const struct column *columns, size_t count, const char *row)
{
    int gap = 0;
    for (size_t k = 0; k < count; k++) {
        const char *cell = row, *text = columns[k].label;
        size_t length = strcspn(text, "\t\n");
        while (cell && *cell != '\n' && !has_label(cell, text))
            cell = next_cell(cell);
        if (cell)
            text = value_of(cell, &length);
        if (cell && *cell == '\n') /* it has none */
            length = 0;
        const int rest = (int)(columns[k].width - length);
        gap += 2 + (columns[k].words ? 0 : rest);
        if (length > 0) {
            printf("%*s%.*s", gap, "", (int)length, text);
            gap = 0;
        }
        gap += columns[k].words ? rest : 0;
    }
    putchar('\n');
}

/* Rows that are too wide for a table, or alone: "name: label value, label value". */
static void print_lists(void)
{
    static char memory[2 * sizeof cells_memory];
    for (const char *at = cells_memory; *at; at += 2) {
        struct rl_text text = rl_text_into(memory, sizeof memory);
        const char *between = ": ";
        rl_text_string(&text, "  ");
        for (at += strcspn(at, "\t") + 1; at[0] != '\n' || at[1] != '\n'; at++)
            if (*at == '\n') {
                rl_text_string(&text, between);
                between = ", ";
            } else
                rl_text_char(&text, *at == '\t' ? ' ' : *at);
        print_wrapped(memory, 0, LABEL);
    }
}

void open_rows(struct answer *answer, const char *key, char mark)
{
    put_open(answer, key, mark);
    answer->title = key;
    cells = rl_text_into(cells_memory, sizeof cells_memory);
}

void close_rows(struct answer *answer, char mark)
{
    struct column columns[COLUMNS];
    size_t count;
    put_close(answer, mark);
    if (answer->people && cells.length > 0) {
        putchar('\n');
        const bool fits = list_columns(columns, &count) <= WIDTH;
        const char *row = cells_memory;
        if (!fits) {
            puts(key_text(answer->title));
            print_lists();
        } else
            print_row(columns, count, NULL);
        for (const char *cell = row; fits && *cell; cell = next_cell(cell))
            if (*cell == '\n') {
                print_row(columns, count, row);
                row = next_cell(cell);
            }
    }
    answer->title = NULL;
}

void open_row(struct answer *answer, const char *key, const char *name)
{
    if (!answer->title)
        cells = rl_text_into(cells_memory, sizeof cells_memory);
    put_open(answer, key ? NULL : name, '{');
    if (key)
        rl_json_string(&answer->json, key, name);
    rl_text_format(&cells, "%s\t%s\n", answer->title ? key_text(answer->title) : "", name);
    answer->in_row = true;
}

void close_row(struct answer *answer)
{
    put_close(answer, '}');
    rl_text_char(&cells, '\n');
    if (cells.length >= sizeof cells_memory) /* what is longer, people do not read */
        memcpy(cells_memory + sizeof cells_memory - 3, "\n\n", 3);
    answer->in_row = false;
    if (answer->people && !answer->title)
        print_lists();
}
