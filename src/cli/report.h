/* SPDX-License-Identifier: MIT
 *
 * What the files of the report command share.
 */
#ifndef RINGLEADER_CLI_REPORT_H
#define RINGLEADER_CLI_REPORT_H

#include "cli/cli.h"
#include "ringleader/plot.h"
#include "ringleader/summary.h"

/* ---- figures (report_figures.c) ---------------------------------------------------------------
 */

enum { MOST_FIGURES = 64, MOST_SERIES = 16 };

struct figure {
    char name[80];     /* of its files, without ending */
    char caption[400]; /* what it shows */
    struct rl_plot plot;
    struct rl_plot_series series[MOST_SERIES];
    double *numbers[MOST_SERIES]; /* what the series point into */
    char labels[MOST_SERIES][RL_FAMILY_LABEL];
    char x_label[80], y_label[120];
    char tick_labels[RL_PLOT_TICKS][16];
};

struct figures {
    struct figure *at; /* MOST_FIGURES of them */
    size_t count;
    size_t left_out; /* there was no room for these */
};

/* All plots that make sense for a summary. -1: fine. Free also after a failure. */
int make_figures(struct figures *figures, const struct rl_summary *summary);

/* ---- what figures are made of (report_series.c) ------------------------------------------------
 */

void free_figures(struct figures *figures);

/* NULL if there are MOST_FIGURES already. */
struct figure *new_figure(struct figures *figures, const char *name);

/* Room for `count` points in x, y, low and high; false if the figure is full or memory is. */
struct numbers {
    double *x, *y, *low, *high;
};
bool new_series(struct figure *figure, enum rl_plot_kind kind, unsigned style, const char *label,
                size_t count, struct numbers *out);

__attribute__((format(printf, 2, 3))) void describe(struct figure *figure, const char *format, ...);
/* Sets the axes from the series, once they are all there. */
void widen_axes(struct figure *figure);
/* Ticks at the values themselves if they are few. */
void tick_at_values(struct figure *figure);

/* ---- tables (report_tables.c) -----------------------------------------------------------------
 */

/* Every trial: a sorted export, the same bytes however the study was done. */
void write_trials_csv(FILE *stream, const struct rl_summary *summary);
/* Every hit at every point. */
void write_points_csv(FILE *stream, const struct rl_summary *summary);
/* Every family with its fits. */
void write_growth_csv(FILE *stream, const struct rl_summary *summary);
void write_growth_tex(FILE *stream, const struct rl_summary *summary);
void write_growth_json(FILE *stream, const struct rl_summary *summary);
/* What people are shown of a curve: the base of an exponential, the exponent of a power. */
double exponent_or_base(enum rl_growth_form form, double exponent);
/* Mean steps over what they are compared with; NAN where it makes no sense. */
enum ratio { RATIO_NN, RATIO_N2, RATIO_N2LOG, RATIO_N3, RATIOS };
extern const char *const RATIO_NAMES[RATIOS];
double ratio_of(const struct rl_summary_point *point, enum ratio ratio);

/* ---- files (report_files.c) -------------------------------------------------------------------
 */

/* All of these: -1 is fine. A directory that is there is fine, too. */
int make_directory(const char *path);
/* Writes DIRECTORY/NAME by `write`. */
int write_file(const char *directory, const char *name,
               enum rl_status (*write)(FILE *stream, const void *what), const void *what);
/* Lists the plots just written into `directory`, and removes those of an earlier report that are
 * not among them. */
int replace_plots(const char *directory, const struct figures *figures);

/* ---- the page (report_page.c) -----------------------------------------------------------------
 */

void write_page(FILE *stream, const struct rl_summary *summary, const struct figures *figures,
                const char *title, const char *plans);

#endif
