/* SPDX-License-Identifier: MIT
 *
 * What the files of the report share.
 */
#ifndef RINGLEADER_REPORT_PARTS_H
#define RINGLEADER_REPORT_PARTS_H

#include "ringleader/plot.h"
#include "ringleader/report.h"

/* ---- figures (figures.c) ---------------------------------------------------------------
 */

enum { REPORT_SERIES = 16 };

struct figure {
    char name[80];     /* of its files, without ending */
    char caption[400]; /* what it shows */
    struct rl_plot plot;
    struct rl_plot_series series[REPORT_SERIES];
    double *numbers[REPORT_SERIES]; /* what the series point into */
    char labels[REPORT_SERIES][RL_FAMILY_LABEL];
    char x_label[80], y_label[120];
    char tick_labels[RL_PLOT_TICKS][16];
};

struct figures {
    struct figure *at; /* RL_REPORT_PLOTS of them */
    size_t count;
    size_t left_out; /* there was no room for these */
};

/* All plots that make sense for a summary. Free also after a failure. */
RL_MUST_CHECK enum rl_status report_make_figures(struct figures *figures,
                                                 const struct rl_summary *summary);

/* ---- what figures are made of (series.c) ------------------------------------------------
 */

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
/* Sets the axes from the series, once they are all there. */
void report_widen_axes(struct figure *figure);
/* Ticks at the values themselves if they are few. */
void report_tick_at_values(struct figure *figure);

/* ---- tables (tables.c) -----------------------------------------------------------------
 */

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

/* ---- files (files.c) -------------------------------------------------------------------
 */

enum { REPORT_NAME = 100 }; /* the longest name of a file, as written.txt has it */

struct report_file {
    char name[REPORT_NAME]; /* in the report's directory */
    enum rl_status (*put)(FILE *stream, const void *what);
    const void *what;
};

/* Writes the files in this order, in place of those of an earlier report in the directory, which is
 * made if it is not there. RL_BAD_PARAMETER if one of them is there and is not a report's: then
 * nothing is changed. */
RL_MUST_CHECK enum rl_status report_write_files(const char *directory,
                                                const struct report_file *files, size_t count,
                                                struct rl_error *error);

/* ---- the page (page.c) -----------------------------------------------------------------
 */

RL_MUST_CHECK enum rl_status report_write_page(FILE *stream, const struct rl_summary *summary,
                                               const struct figures *figures, const char *title,
                                               const char *plans);

#endif
