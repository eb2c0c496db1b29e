/* SPDX-License-Identifier: MIT
 *
 * What the files of the report share.
 */
#ifndef RINGLEADER_REPORT_PARTS_H
#define RINGLEADER_REPORT_PARTS_H

#include "ringleader/picture.h"
#include "ringleader/report.h"

/* ---- text (sheet.c) ---- */

struct sheet {
    FILE *stream;
    enum { HTML, CSV, TEX } markup;
};

/* As printf, but a string (%s) is escaped, or a cell of CSV; one with formulas (%-s) is typeset
 * too. Counts (%u, %zu, %ju) and %.0f have commas in HTML. RL_NEVER and NaN are nothing. */
RL_FORMAT(2, 3) void report_put(const struct sheet *sheet, const char *format, ...);

/* ---- figures (figures.c) ---- */

enum { REPORT_SERIES = 3 * RL_PLOT_STYLES };

struct figure {
    char name[80];      /* of its files, without ending */
    char caption[4000]; /* what it shows */
    struct rl_plot plot;
    struct rl_plot_series series[REPORT_SERIES]; /* each has one piece of memory, at x */
    struct figures *all;
};

struct figures {
    struct figure *at; /* RL_REPORT_PLOTS of them */
    size_t count;
    size_t left_out; /* there was no room for these */
    double width;    /* in points; 0: the usual */
    bool failed;     /* for want of memory */
};

/* All plots that make sense for a summary. Free also after a failure. */
RL_MUST_CHECK enum rl_status report_make_figures(struct figures *figures,
                                                 const struct rl_summary *summary, double width);

/* ---- curves (curves.c) ---- */

bool report_has_curves(const struct rl_summary *summary);
/* What gauges show as time passes, a figure for each gauge. */
void report_add_curves(struct figures *figures, const struct rl_summary *summary);

/* ---- what figures are made of (series.c) ---- */

void report_free_figures(struct figures *figures);

/* Named by its number and this. NULL if there are RL_REPORT_PLOTS already. */
RL_FORMAT(2, 3) struct figure *report_new_figure(struct figures *figures, const char *format, ...);

/* Room for `count` points in x, y, low and high; none if memory is full. */
RL_FORMAT(5, 6)
struct rl_plot_series *report_new_series(struct figure *figure, enum rl_plot_kind kind,
                                         unsigned style, size_t count, const char *label, ...);

RL_FORMAT(2, 3) void report_describe(struct figure *figure, const char *format, ...);
/* Ticks at the values themselves if they are few. */
void report_tick_at_values(struct figure *figure);

/* Whether no point of the plan before this one is of its protocol. */
bool report_is_first_of_protocol(const struct rl_plan *plan, size_t index);

/* ---- tables (tables.c) ---- */

/* The numbers behind a figure. */
void report_figure_csv(const struct figure *figure, FILE *stream);
/* Every hit at every point. */
void report_points_csv(const struct rl_report *report, FILE *stream);
/* Every family with its fits. */
void report_growth_csv(const struct rl_report *report, FILE *stream);
void report_growth_tex(const struct rl_report *report, FILE *stream);
/* The rows of a table of families, with their headings; for HTML or TeX. */
void report_families(const struct sheet *sheet, const struct rl_summary *summary);

/* ---- the directory (files.c) ---- */

/* The first failure sticks: after it nothing is written. */
struct report_place {
    char *path;     /* where it goes */
    char *made;     /* where it is made, beside it, ... */
    int at;         /* ... and open */
    char name[120]; /* of the file that is being written */
    bool begun;
    enum rl_status status;
    struct rl_error *error;
};

/* RL_BAD_PARAMETER if something is there that is not a report. End it also after a failure. */
void report_place_begin(struct report_place *place, const char *directory, struct rl_error *error);
/* Begins a file of this name; NULL after a failure. */
FILE *report_place_open(struct report_place *place, const char *name);
/* Ends it; how writing went is in `status`. Legal with NULL. */
void report_place_close(struct report_place *place, FILE *stream, enum rl_status status);
/* Puts it in its place if all went well, else leaves nothing of it; how it ended. */
RL_MUST_CHECK enum rl_status report_place_end(struct report_place *place);

/* ---- the page (page.c) ---- */

RL_MUST_CHECK enum rl_status report_write_page(FILE *stream, const struct rl_report *report,
                                               const struct figures *figures, const char *title);

#endif
