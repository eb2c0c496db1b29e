/* SPDX-License-Identifier: MIT
 *
 * Plots: a description, and how it is drawn.
 *
 * Series are told apart by colour, by the shape of their marks and by the dashes of their lines, so
 * colour is never the only difference. The colours are those of Okabe and Ito (2008), but for one.
 */
#ifndef RINGLEADER_PLOT_H
#define RINGLEADER_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ringleader/pen.h"

RL_BEGIN

enum { RL_PLOT_STYLES = 8, RL_PLOT_TICKS = 16 };

enum rl_plot_kind {
    RL_PLOT_POINTS,    /* marks, with bars from low to high where these are given */
    RL_PLOT_LINE,      /* x, y joined */
    RL_PLOT_STAIRS,    /* a distribution function: horizontal, then up */
    RL_PLOT_BARS,      /* x are places 0, 1, ...; from low to y */
    RL_PLOT_REFERENCE, /* x, y joined by a thin grey line, to compare with */
};

struct rl_plot_series {
    enum rl_plot_kind kind;
    unsigned style;    /* 0 .. RL_PLOT_STYLES-1, wraps round */
    const char *label; /* in the legend; NULL: not there */
    const double *x, *y, *low, *high;
    size_t count;
};

struct rl_plot_axis {
    const char *label; /* with units */
    bool logarithmic;
    double low, high;
    /* Ticks of one's own; 0: chosen here. Labels may be NULL: the numbers. */
    double ticks[RL_PLOT_TICKS];
    const char *tick_labels[RL_PLOT_TICKS];
    size_t tick_count;
};

struct rl_plot {
    const char *title; /* for those who cannot see it */
    double width;      /* in points, for letters of 8; 0: the usual 400, letters of 9 */
    struct rl_plot_axis x, y;
    const struct rl_plot_series *series;
    size_t count;
};

/* Widens an axis to hold the values; a logarithmic one ignores those that are not positive. Start
 * from low > high. */
void rl_plot_widen(struct rl_plot_axis *axis, const double *values, size_t count);

/* Writes the plot as SVG, PNG or PDF through `put`, as rl_pen_close does. An SVG stands alone;
 * inside a page the style sheet of rl_plot_css colours it. */
RL_MUST_CHECK enum rl_status rl_plot_draw(const struct rl_plot *plot, enum rl_pen_format format,
                                          bool (*put)(void *user, const void *bytes, size_t size),
                                          void *user);
/* The style sheet of a page with plots, for light, dark and paper. */
void rl_plot_css(FILE *stream);

RL_END

#endif
