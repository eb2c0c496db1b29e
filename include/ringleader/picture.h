/* SPDX-License-Identifier: MIT
 *
 * Pictures: pens, plots, rings, executions in space and time.
 */
#ifndef RINGLEADER_PICTURE_H
#define RINGLEADER_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ringleader/ring.h"
#include "ringleader/run.h"
#include "ringleader/status.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * A pen draws pictures and plots. The same drawing code writes three kinds of files.
 *
 *     struct rl_pen pen;
 *     rl_pen_open(&pen, RL_PEN_SVG, 640, 400, NULL);
 *     rl_pen_rect(&pen, 0, 0, 640, 400, 0xffffff);
 *     status = rl_pen_close(&pen, put, file);
 *
 * We write SVG ourselves: text stays text, files are small and the same on every machine, and
 * classes let a page colour them for light and dark. Cairo draws PNG and PDF, and embeds the fonts
 * in the PDF as publishers require. Coordinates are pixels (points in a PDF) from the top left
 * corner; colours are 0xrrggbb.
 */

enum rl_pen_format { RL_PEN_SVG, RL_PEN_PNG, RL_PEN_PDF };
/* Where a text is anchored. The last one is anchored in the middle and reads upwards. */
enum rl_pen_anchor { RL_PEN_LEFT, RL_PEN_MIDDLE, RL_PEN_RIGHT, RL_PEN_UPWARDS };

/* No fill, or no line. */
#define RL_PEN_NONE UINT32_MAX

struct rl_pen_point {
    double x, y;
};

struct rl_pen_style {
    uint32_t fill, line;
    double line_width;
    unsigned dash;    /* 0: solid; others are patterns */
    const char *role; /* the class in an SVG; NULL: none */
};

struct rl_pen {
    enum rl_pen_format format;
    double width, height;
    const char *title;     /* NULL: none */
    enum rl_status status; /* the first failure; later drawing does nothing */
    void *surface, *cairo; /* Cairo's */
    FILE *stream;          /* writes into memory: */
    char *text;
    size_t length;
};

/* -------------------------------------------------------------------------------------------------
 *
 * Plots: a description, and how it is drawn.
 *
 * Series differ in colour, in the shape of their marks and in the dashes of their lines, so colour
 * is never the only difference. All colours but one are from Okabe and Ito (2008).
 */

enum { RL_PLOT_STYLES = 8, RL_PLOT_TICKS = 16, RL_PLOT_LABEL = 640 };

enum rl_plot_kind {
    RL_PLOT_POINTS,    /* marks, with bars from low to high if these are given */
    RL_PLOT_LINE,      /* points joined by a line */
    RL_PLOT_STAIRS,    /* a distribution function: across, then up */
    RL_PLOT_BARS,      /* at x = 0, 1, ...; from low to y */
    RL_PLOT_REFERENCE, /* x, y joined by a thin dotted line, to compare with */
};

struct rl_plot_series {
    enum rl_plot_kind kind;
    unsigned style;            /* 0 .. RL_PLOT_STYLES-1, wraps round */
    char label[RL_PLOT_LABEL]; /* in the legend; "": left out */
    double *x, *y, *low, *high;
    size_t count;
};

struct rl_plot_axis {
    char label[RL_PLOT_LABEL]; /* with units */
    bool logarithmic;
    double low, high;
    /* Your own ticks; 0: they are chosen for you. Ordinal: they stand at 0, 1, 2, ... */
    double ticks[RL_PLOT_TICKS];
    size_t tick_count;
    bool ordinal;
};

struct rl_plot {
    const char *title; /* for readers who cannot see it */
    double width;      /* in points, with 8 pt letters; 0: 400, with 9 pt letters */
    struct rl_plot_axis x, y;
    const struct rl_plot_series *series;
    size_t count;
};

/* -------------------------------------------------------------------------------------------------
 *
 * One configuration drawn as a ring: u_0 is at the top, right is clockwise. As on the page, crowns
 * are outside the ring, bullets inside it, and signals inside those. On an undirected ring they
 * point in the direction that the agent has chosen.
 */

/* With more agents than this you would see only a line. */
enum { RL_RINGPICTURE_AGENTS = 20000 };

/* Writes the picture as a file through `put`. RL_TOO_LARGE above RL_RINGPICTURE_AGENTS. */
RL_MUST_CHECK enum rl_status rl_ringpicture_draw(const struct rl_ring *ring, const char *title,
                                                 enum rl_pen_format format, rl_put put, void *user);

/* -------------------------------------------------------------------------------------------------
 *
 * Space-time pictures: an execution with agents across and steps down.
 *
 *     rl_spacetime_init(&picture, &run.ring, &options);
 *     rl_spacetime_watch(&picture, &run);
 *     ...run to the end...
 *     rl_spacetime_end(&picture, run.step, run.events);
 *     rl_spacetime_draw(&picture, title, RL_PEN_PNG, put, file);
 *
 * An execution of any length is sampled into at most `rows` rows, and any number of agents into at
 * most `columns` columns. The picture stays true: a cell shows a leader if and only if one of its
 * agents was a leader at some step of its row. Everything else in a row is as it was at the row's
 * first step. Memory: O(rows * columns). Time: O(1) per event.
 */

enum rl_scale { RL_SCALE_STEPS, RL_SCALE_EVENTS, RL_SCALE_LOG };

struct rl_spacetime_options {
    enum rl_scale scale;
    bool dist;        /* shade followers by dist */
    uint32_t columns; /* at most; 0: 1000 */
    uint32_t rows;    /* at most; 0: 1000 */
};

enum { RL_SPACETIME_NOTES = 64, RL_SPACETIME_MARKS = 5 };

/* A note to write beside a row. */
struct rl_spacetime_note {
    uint64_t at;
    bool fault; /* else the hit of a set */
    char label[24];
};

/* Must not be moved: the run points to it. */
struct rl_spacetime {
    struct rl_spacetime_options options;
    struct rl_look look;
    struct rl_params params;
    uint32_t columns;
    size_t rows, room;
    uint64_t *at;    /* where each row begins, in steps or events */
    uint8_t *cells;  /* rows * columns: the marks (enum rl_mark) to show */
    uint8_t *shades; /* the same: dist from 0 to 255; NULL unless asked for */
    uint32_t *count; /* columns * RL_SPACETIME_MARKS: agents that have each mark now */
    double spacing;  /* from row to row; with log, the factor */
    uint64_t next;   /* where the next row begins */
    uint64_t end;
    const struct rl_ring *ring;
    uint64_t events;            /* before the current batch */
    uint64_t hits[RL_MAX_SETS]; /* already noted */
    struct rl_spacetime_note notes[RL_SPACETIME_NOTES];
    size_t note_count;
};

/* Begins with the current state of `ring`, which must outlive the sampling. Call rl_spacetime_free
 * even after a failure. */
RL_MUST_CHECK enum rl_status rl_spacetime_init(struct rl_spacetime *picture,
                                               const struct rl_ring *ring,
                                               const struct rl_spacetime_options *options);
void rl_spacetime_free(struct rl_spacetime *picture);

/* Makes the picture watch `run`, before it begins. */
void rl_spacetime_watch(struct rl_spacetime *picture, struct rl_run *run);

/* The execution ends here. */
void rl_spacetime_end(struct rl_spacetime *picture, uint64_t step, uint64_t events);

/* Writes the picture as a file through `put`. */
RL_MUST_CHECK enum rl_status rl_spacetime_draw(const struct rl_spacetime *picture,
                                               const char *title, enum rl_pen_format format,
                                               rl_put put, void *user);

RL_END

#endif
