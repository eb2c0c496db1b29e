/* SPDX-License-Identifier: MIT
 *
 * Pens: which kind, and that nothing is drawn after a failure.
 */
#include "draw/pen.h"

#include <string.h>

static const struct pen_kind *kind_of(const struct rl_pen *pen)
{
    return pen->format == RL_PEN_SVG ? &pen_kind_svg : &pen_kind_png;
}

void rl_pen_open(struct rl_pen *pen, enum rl_pen_format format, double width, double height)
{
    *pen = (struct rl_pen){.format = format, .width = width, .height = height};
    kind_of(pen)->open(pen);
}

enum rl_status rl_pen_close(struct rl_pen *pen,
                            bool (*put)(void *user, const void *bytes, size_t size), void *user)
{
    return kind_of(pen)->close(pen, put, user);
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
    rl_pen_polygon(pen, points, 2, RL_PEN_NONE, line, line_width);
}

void rl_pen_circle(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                   uint32_t line, double line_width)
{
    if (!pen->status)
        kind_of(pen)->circle(pen, x, y, radius, fill, line, line_width);
}

void rl_pen_polygon(struct rl_pen *pen, const struct rl_pen_point *points, size_t count,
                    uint32_t fill, uint32_t line, double line_width)
{
    if (!pen->status)
        kind_of(pen)->polygon(pen, points, count, fill, line, line_width);
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
