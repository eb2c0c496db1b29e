/* SPDX-License-Identifier: MIT
 *
 * Pens: which kind, that nothing is drawn after a failure, and the memory that a file is made in.
 */
#include "draw/inside.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct pen_kind *kind_of(const struct rl_pen *pen)
{
    return pen->format == RL_PEN_SVG ? &pen_kind_svg : &pen_kind_cairo;
}

size_t pen_dashes(const struct rl_pen_style *style, const double **lengths_out)
{
    static const double patterns[][6] = {{0},     {6, 3}, {2, 2}, {6, 2, 1.5, 2},
                                         {12, 3}, {1, 3}, {3, 1}, {6, 2, 1.5, 2, 1.5, 2}};
    static const size_t counts[] = {0, 2, 2, 4, 2, 2, 2, 6};
    *lengths_out = patterns[style->dash % 8];
    return counts[style->dash % 8];
}

/* How many bytes are raised or lowered by the sign at `at`; 0 if it is no such sign. */
static size_t script(const char *text, const char *at)
{
    const size_t minus = *at == '^' && at[1] == '-';
    size_t length = *at == '^' ? strspn(at + 1 + minus, "0123456789.") : 0;
    if (length > 0)
        return length + minus - (at[minus + length] == '.'); /* the full stop of a sentence */
    if (*at == '^' && isalpha((unsigned char)at[1]) && !isalnum((unsigned char)at[2]))
        return 1;
    if (*at == '_' && at > text && isalpha((unsigned char)at[-1]) &&
        (at == text + 1 || !isalnum((unsigned char)at[-2])))
        while (isalnum((unsigned char)at[1 + length]))
            length++;
    return length;
}

static bool is_theta(const char *at)
{
    return strncmp(at, "Theta(", strlen("Theta(")) == 0;
}

bool rl_formula_next(struct rl_formula *formula)
{
    const char *const text = formula->text, *const at = formula->next;
    size_t length = script(text, at);
    if (length > 0)
        *formula = (struct rl_formula){text, at + 1 + length, at + 1, length, *at == '^' ? 1 : -1};
    else if (is_theta(at))
        *formula = (struct rl_formula){text, at + strlen("Theta"), "Θ", strlen("Θ"), 0};
    else {
        for (length = *at != '\0'; at[length]; length++)
            if (script(text, at + length) > 0 || is_theta(at + length))
                break;
        *formula = (struct rl_formula){text, at + length, at, length, 0};
    }
    return formula->length > 0;
}

void rl_pen_open(struct rl_pen *pen, enum rl_pen_format format, double width, double height,
                 const char *title)
{
    assert(width > 0 && height > 0 && "a picture has a size");
    *pen = (struct rl_pen){.format = format, .width = width, .height = height, .title = title};
    pen->stream = open_memstream(&pen->text, &pen->length);
    pen->status = pen->stream ? RL_OK : RL_NO_MEMORY;
    if (!pen->status)
        kind_of(pen)->open(pen);
}

enum rl_status rl_pen_close(struct rl_pen *pen, rl_put put, void *user)
{
    if (pen->stream) {
        kind_of(pen)->finish(pen);
        const bool written = !ferror(pen->stream);
        if (fclose(pen->stream) != 0 || !written)
            pen->status = RL_NO_MEMORY;
    }
    if (!pen->status && put && !put(user, pen->text, pen->length))
        pen->status = RL_IO;
    const enum rl_status status = pen->status;
    free(pen->text);
    *pen = (struct rl_pen){0};
    return status;
}

void rl_pen_rect(struct rl_pen *pen, double x, double y, double width, double height, uint32_t fill)
{
    if (!pen->status)
        kind_of(pen)->rect(pen, x, y, width, height, fill);
}

void rl_pen_line(struct rl_pen *pen, double x1, double y1, double x2, double y2, uint32_t line,
                 double line_width)
{
    const struct rl_pen_point points[] = {{x1, y1}, {x2, y2}};
    rl_pen_path(pen, points, 2, false, &(struct rl_pen_style){RL_PEN_NONE, line, line_width});
}

void rl_pen_circle(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                   uint32_t line, double line_width)
{
    if (!pen->status)
        kind_of(pen)->circle(pen, x, y, radius, &(struct rl_pen_style){fill, line, line_width});
}

void rl_pen_path(struct rl_pen *pen, const struct rl_pen_point *points, size_t count, bool closed,
                 const struct rl_pen_style *style)
{
    if (!pen->status)
        kind_of(pen)->path(pen, points, count, closed, style);
}

void rl_pen_text(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                 bool bold, uint32_t fill, const char *text)
{
    if (!pen->status)
        kind_of(pen)->text(pen, x, y, anchor, size, bold, fill, text);
}

void rl_pen_title(struct rl_pen *pen, uint32_t fill, const char *title)
{
    /* A pen cannot measure what it writes (an SVG has no font); bold letters and figures are 0.58
     * of their size wide on average, or less. */
    const double left = 14, most = 15;
    const double fits = (pen->width - 2 * left) / (0.58 * (double)(strlen(title) + 1));
    rl_pen_text(pen, left, 27, RL_PEN_LEFT, fits < most ? fits : most, true, fill, title);
}
