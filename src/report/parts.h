/* SPDX-License-Identifier: MIT
 *
 * What the files of the report share.
 */
#ifndef RINGLEADER_REPORT_PARTS_H
#define RINGLEADER_REPORT_PARTS_H

#include "ringleader/picture.h"
#include "ringleader/report.h"

/* ---- figures (figures.c) ---- */

enum { REPORT_SERIES = 3 * RL_PLOT_STYLES };

struct figure {
    char name[80];      /* of its files, without ending */
    char caption[4000]; /* what it shows */
    struct rl_plot plot;
    struct rl_plot_series series[REPORT_SERIES];
    double *numbers[REPORT_SERIES]; /* what the series point into */
    char labels[REPORT_SERIES][RL_FAMILY_LABEL];
    char x_label[80], y_label[300];
    char tick_labels[RL_PLOT_TICKS][16];
};

struct figures {
    struct figure *at; /* RL_REPORT_PLOTS of them */
    size_t count;
    size_t left_out; /* there was no room for these */
    double width;    /* in points; 0: the usual */
};

/* All plots that make sense for a summary. Free also after a failure. */
RL_MUST_CHECK enum rl_status report_make_figures(struct figures *figures,
                                                 const struct rl_summary *summary, double width);

/* ---- curves (curves.c) ---- */

bool report_has_curves(const struct rl_summary *summary);
/* What gauges show as time passes, a figure for each gauge. */
RL_MUST_CHECK enum rl_status report_add_curves(struct figures *figures,
                                               const struct rl_summary *summary);

/* ---- what figures are made of (series.c) ---- */

void report_free_figures(struct figures *figures);

/* NULL if there are RL_REPORT_PLOTS already. */
struct figure *report_new_figure(struct figures *figures, const char *name);

/* Room for `count` points in x, y, low and high; false if the figure is full or memory is. */
struct numbers {
    double *x, *y, *low, *high;
};
bool report_new_series(struct figure *figure, enum rl_plot_kind kind, unsigned style,
                       const char *label, size_t count, struct numbers *out);

__attribute__((format(printf, 2, 3))) void report_describe(struct figure *figure,
                                                           const char *format, ...);
/* "S_RL" with its subscript lowered, in place. */
void report_typeset(char *text, size_t size);
/* Sets the axes from the series, once they are all there. */
void report_widen_axes(struct figure *figure);
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
/* What people are shown of a curve: the base of an exponential, the exponent of a power. */
double report_exponent_or_base(enum rl_growth_form form, double exponent);
/* Mean steps over what they are compared with; NAN where it makes no sense. */
enum ratio { RATIO_NN, RATIO_N2, RATIO_N2LOG, RATIO_N3, RATIOS };
extern const char *const REPORT_RATIO_NAMES[RATIOS];
double report_ratio_of(const struct rl_summary_point *point, enum ratio ratio);

/* ---- the directory (files.c) ---- */

/* The first failure sticks: after it nothing is written. */
struct report_place {
    char *path; /* where it goes */
    char *made; /* where it is made, beside it */
    bool begun;
    enum rl_status status;
    struct rl_error *error;
};

/* RL_BAD_PARAMETER if something is there that is not a report. End it also after a failure. */
void report_place_begin(struct report_place *place, const char *directory, struct rl_error *error);
/* Writes a file of this name. */
void report_place_write(struct report_place *place, const char *name,
                        enum rl_status (*put)(FILE *stream, const void *what), const void *what);
/* Puts it in its place if all went well, else leaves nothing of it; how it ended. */
RL_MUST_CHECK enum rl_status report_place_end(struct report_place *place);

/* ---- the page (page.c) ---- */

RL_MUST_CHECK enum rl_status report_write_page(FILE *stream, const struct rl_summary *summary,
                                               const struct figures *figures, const char *title,
                                               const char *plans);

#endif
