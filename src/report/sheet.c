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
static const char *const TEX_WORDS[][2] = {{"%", "\\%"},
                                           {"_", "\\_"},
                                           {"#", "\\#"},
                                           {"&", "\\&"},
                                           {"$", "\\$"},
                                           {"{", "\\{"},
                                           {"}", "\\}"},
                                           {"^", "\\textasciicircum{}"},
                                           {"~", "\\textasciitilde{}"},
                                           {"\\", "\\textbackslash{}"},
                                           {"±", "$\\pm$"},
                                           {"−", "$-$"},
                                           {"Θ", "\\ensuremath{\\Theta}"}};

static void put_escaped(const struct sheet *sheet, const char *text, size_t size)
{
    const size_t words = sizeof TEX_WORDS / sizeof TEX_WORDS[0];
    if (sheet->markup == HTML) {
        rl_pen_escape(sheet->stream, text, size);
        return;
    }
    for (size_t at = 0, i; at < size; at += i < words ? strlen(TEX_WORDS[i][0]) : 1) {
        for (i = 0; i < words; i++)
            if (strncmp(text + at, TEX_WORDS[i][0], strlen(TEX_WORDS[i][0])) == 0)
                break;
        if (i < words)
            fputs(TEX_WORDS[i][1], sheet->stream);
        else
            fputc((unsigned char)text[at] < ' ' ? ' ' : text[at], sheet->stream);
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
