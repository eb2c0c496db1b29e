/* SPDX-License-Identifier: MIT
 *
 * What a plot is drawn on: a few shapes, in points, the origin at the top left. plot_svg.c and
 * plot_pdf.c are the two kinds of paper.
 */
#ifndef RINGLEADER_DRAW_PLOT_CANVAS_H
#define RINGLEADER_DRAW_PLOT_CANVAS_H

#include "ringleader/plot.h"

/* Inks: the styles of series come after these. */
enum plot_ink { INK_TEXT, INK_AXIS, INK_GRID, INK_SERIES };

enum plot_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct plot_canvas {
    void *self;
    /* An open line; `dash` 0 is solid, others are patterns. `role` names what it is, for those who
     * look into the SVG. */
    void (*line)(void *self, int ink, double width, unsigned dash, const char *role,
                 const double *xy, size_t count);
    /* A closed shape, filled; `open` ones are filled with the paper and outlined. */
    void (*shape)(void *self, int ink, bool open, const char *role, const double *xy, size_t count);
    /* A text of 9 points; `upright` is turned to read upwards. */
    void (*text)(void *self, double x, double y, enum plot_anchor anchor, bool upright,
                 const char *text);
};

struct plot_size {
    double width, height;
};

/* Lays the plot out, and draws it. */
struct plot_size plot_layout(const struct rl_plot *plot);
void plot_draw(const struct rl_plot *plot, const struct plot_canvas *canvas);

/* Light colours of the inks, as 0xRRGGBB. */
unsigned plot_colour(int ink);
/* Dash patterns: lengths on and off; the count is 0 for a solid line. */
size_t plot_dash(unsigned dash, const double **lengths_out);

#endif
