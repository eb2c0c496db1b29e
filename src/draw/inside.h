/* SPDX-License-Identifier: MIT
 *
 * What pictures are drawn with.
 */
#ifndef RINGLEADER_DRAW_INSIDE_H
#define RINGLEADER_DRAW_INSIDE_H

#include "ringleader/picture.h"

/* Begins a picture; rl_pen_close ends it in any case. One with a title (NULL: none), for those who
 * cannot see it, is a plot, and measured in points. */
void rl_pen_open(struct rl_pen *pen, enum rl_pen_format format, double width, double height,
                 const char *title);

/* Writes the file through `put(user, bytes, size)`, which says whether it could, and frees
 * everything. RL_NO_MEMORY or RL_IO. With `put` NULL the picture is thrown away. */
RL_MUST_CHECK enum rl_status rl_pen_close(struct rl_pen *pen, rl_put put, void *user);

void rl_pen_rect(struct rl_pen *pen, double x, double y, double width, double height,
                 uint32_t fill);

void rl_pen_line(struct rl_pen *pen, double x1, double y1, double x2, double y2, uint32_t line,
                 double line_width);

void rl_pen_circle(struct rl_pen *pen, double x, double y, double radius, uint32_t fill,
                   uint32_t line, double line_width);

/* An open line, or a closed shape. */
void rl_pen_path(struct rl_pen *pen, const struct rl_pen_point *points, size_t count, bool closed,
                 const struct rl_pen_style *style);

/* The text's baseline is at y. Formulas in it are typeset. */
void rl_pen_text(struct rl_pen *pen, double x, double y, enum rl_pen_anchor anchor, double size,
                 bool bold, uint32_t fill, const char *text);

/* A text with formulas, such as "S_RL" or "Theta(n^1.5)", piece by piece: a number or a letter
 * behind ^ is raised, what stands behind a single letter and _ is lowered, Theta is a letter.
 * Begins with
 * {.text = TEXT, .next = TEXT}; false: that was all. */
struct rl_formula {
    const char *text, *next;
    const char *piece;
    size_t length;
    int level; /* 1: raised, -1: lowered */
};
bool rl_formula_next(struct rl_formula *formula);

/* A title at the top left, in letters as small as it takes for it to fit. */
void rl_pen_title(struct rl_pen *pen, uint32_t fill, const char *title);

/* Widens an axis to hold the values; a logarithmic one ignores those that are not positive. Start
 * from low > high. */
void rl_plot_widen(struct rl_plot_axis *axis, const double *values, size_t count);
/* The same for both axes and all series. */
void rl_plot_widen_all(struct rl_plot *plot);

/* Writes the plot as SVG, PNG or PDF through `put`, as rl_pen_close does. An SVG stands alone;
 * inside a page the style sheet of rl_plot_css colours it. */
RL_MUST_CHECK enum rl_status rl_plot_draw(const struct rl_plot *plot, enum rl_pen_format format,
                                          rl_put put, void *user);

/* The style sheet of a page with plots, for light, dark and paper. */
void rl_plot_css(FILE *stream);

/* A note at the edge. */
void rl_spacetime_note(struct rl_spacetime *picture, uint64_t at, bool fault, const char *label);

/* Text in XML and HTML. Control characters are not allowed there at all: the replacement character
 * stands for them. */
void rl_pen_escape(FILE *stream, const char *text, size_t length);

#endif
