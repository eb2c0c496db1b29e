/* SPDX-License-Identifier: MIT
 *
 * Writing HTML, CSV and TeX: what is escaped, how numbers and formulas look.
 */
#include <math.h>
#include <string.h>

#include "report/parts.h"
#include "core/inside.h"
#include "draw/inside.h"

/* What TeX reads as something else, in pairs. */
static const char *const TEX_WORDS[] = {"%",  "\\%",
                                        "_",  "\\_",
                                        "#",  "\\#",
                                        "&",  "\\&",
                                        "$",  "\\$",
                                        "{",  "\\{",
                                        "}",  "\\}",
                                        "^",  "\\textasciicircum{}",
                                        "~",  "\\textasciitilde{}",
                                        "\\", "\\textbackslash{}",
                                        "±",  "$\\pm$",
                                        "−",  "$-$",
                                        "Θ",  "\\ensuremath{\\Theta}"};

/* What stands for the first `*length_out` bytes of a text; NULL: for one, itself. */
static const char *escape(const struct sheet *sheet, const char *at, size_t *length_out)
{
    *length_out = 1;
    if (sheet->markup == HTML)
        return xml_entity(*at);
    for (size_t i = 0; i < sizeof TEX_WORDS / sizeof TEX_WORDS[0]; i += 2)
        if (strncmp(at, TEX_WORDS[i], strlen(TEX_WORDS[i])) == 0) {
            *length_out = strlen(TEX_WORDS[i]);
            return TEX_WORDS[i + 1];
        }
    return (unsigned char)*at < ' ' ? " " : NULL;
}

static void put_escaped(const struct sheet *sheet, const char *text, size_t size)
{
    for (size_t i = 0, length; i < size; i += length) {
        const char *other = escape(sheet, text + i, &length);
        if (other)
            fputs(other, sheet->stream);
        else
            fputc(text[i], sheet->stream);
    }
}

/* A cell of CSV, quoted if it must be. */
static void put_cell(const struct sheet *sheet, const char *text)
{
    const bool plain = !strpbrk(text, ",\"\r\n");
    fputs(plain ? text : "\"", sheet->stream);
    for (; !plain && *text; text++)
        fprintf(sheet->stream, *text == '"' ? "%c%c" : "%c", *text, *text);
    fputs(plain ? "" : "\"", sheet->stream);
}

static void put_formula(const struct sheet *sheet, const char *text)
{
    static const char *const html[][2] = {{"<sub>", "</sub>"}, {"", ""}, {"<sup>", "</sup>"}};
    static const char *const tex[][2] = {{"$_{", "}$"}, {"", ""}, {"$^{", "}$"}};
    for (struct rl_formula at = {.text = text, .next = text}; rl_formula_next(&at);) {
        const char *const *tags = (sheet->markup == HTML ? html : tex)[at.level + 1];
        fputs(tags[0], sheet->stream);
        put_escaped(sheet, at.piece, at.length);
        fputs(tags[1], sheet->stream);
    }
}

static void put_count(const struct sheet *sheet, uint64_t count)
{
    if (count == RL_NEVER)
        return;
    if (sheet->markup == HTML)
        fputs(rl_text_grouped(count).text, sheet->stream);
    else
        fprintf(sheet->stream, "%llu", (unsigned long long)count);
}

static void put_real(const struct sheet *sheet, const char *directive, double value)
{
    if (isnan(value))
        return;
    if (sheet->markup == HTML && strcmp(directive, "%.0f") == 0)
        put_count(sheet, (uint64_t)(value + 0.5));
    else
        fprintf(sheet->stream, directive, value);
}

static void put_string(const struct sheet *sheet, bool formula, const char *text)
{
    if (sheet->markup == CSV)
        put_cell(sheet, text);
    else if (formula)
        put_formula(sheet, text);
    else
        put_escaped(sheet, text, strlen(text));
}

void report_put(const struct sheet *sheet, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (size_t length; *format; format += length + 1) {
        char directive[8];
        length = *format == '%' ? strcspn(format + 1, "%sufg") + 1 : 0;
        snprintf(directive, sizeof directive, "%.*s", (int)length + 1, format);
        if (length == 0 || format[length] == '%')
            fputc(*format, sheet->stream);
        else if (format[length] == 's')
            put_string(sheet, format[1] == '-', va_arg(values, const char *));
        else if (format[length] != 'u')
            put_real(sheet, directive, va_arg(values, double));
        else if (format[1] == 'j')
            put_count(sheet, va_arg(values, uintmax_t));
        else
            put_count(sheet, format[1] == 'z' ? va_arg(values, size_t) : va_arg(values, unsigned));
    }
    va_end(values);
}
