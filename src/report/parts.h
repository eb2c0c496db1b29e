/* SPDX-License-Identifier: MIT
 *
 * What the files of the report share.
 */
#ifndef RINGLEADER_REPORT_PARTS_H
#define RINGLEADER_REPORT_PARTS_H

#include "ringleader/picture.h"
#include "ringleader/report.h"

/* ---- growth (growth.c) ---- */

/* "n^a", "n^a log n", "exp(a n)". */
const char *rl_growth_name(enum rl_growth_form form);

/* A form as it was fitted: "n^1.87 log n", "2.90^n". */
enum { RL_GROWTH_PRINTED = 160 };
void rl_growth_print(const struct rl_growth *growth, enum rl_growth_form form, const char *x,
                     char text[RL_GROWTH_PRINTED]);

/* The form of a claim such as "O(n^2 log n)": told by a log or an exp in it, else a power. */
enum rl_growth_form rl_growth_claimed(const char *claim);

/* What stands between the brackets of a claim, a product of powers of n, of parameters and of
 * log n (to base 2), at these parameters; 0 if it is something else. */
double rl_growth_claimed_at(const char *claim, const struct rl_protocol *protocol,
                            const struct rl_params *params);

/* Fits by weighted least squares. Needs 3 different x >= 2, in order, and 2 trials at each:
 * RL_BAD_PARAMETER otherwise. Time: O(count). */
RL_MUST_CHECK enum rl_status rl_growth_fit(const struct rl_growth_sample *samples, size_t count,
                                           struct rl_growth *out);

/* The fitted curve of a form at x. */
double rl_growth_at(const struct rl_growth *growth, enum rl_growth_form form, double x);

/* Mean over claimed at x, by the test. */
double rl_growth_ratio_at(const struct rl_growth_test *test, double x);

/* The verdict in words: "agrees with O(nN): 5.01 ± 0.08 times nN". */
void rl_growth_tell(const struct rl_growth *growth, const char *claim, const char *x,
                    struct rl_text *text);

/* ---- the summary (summary.c, family.c) ---- */

/* Fills in the families of a summary whose points are measured. */
RL_MUST_CHECK enum rl_status find_families(struct rl_summary *summary);

void rl_summary_free(struct rl_summary *summary);
/* A summary is zero at first; add any number of studies (shares of one, say), then finish. */
RL_MUST_CHECK enum rl_status rl_summary_add(struct rl_summary *summary, struct rl_store *store,
                                            struct rl_error *error);

/* RL_IO if two files hold the same trial with different results: a result is a function of
 * its seed, so one of them is wrong. Time: O(trials log trials). */
RL_MUST_CHECK enum rl_status rl_summary_finish(struct rl_summary *summary, struct rl_error *error);

/* ---- text (sheet.c) ---- */

struct sheet {
    FILE *stream;
    enum { HTML, CSV, TEX } markup;
};

/* As printf, but a string (%s) is escaped, or a cell of CSV; one with formulas (%-s) is typeset
 * too. Counts (%u, %zu, %ju) and %.0f have commas in HTML. RL_NEVER and NaN are nothing. */
RL_FORMAT(2, 3) void report_put(const struct sheet *sheet, const char *format, ...);

/* ---- the directory (files.c) ---- */

/* The first failure sticks: after it nothing is written. */
struct report_place {
    char path[4096];      /* where it goes */
    char made[4096 + 40]; /* where it is made, beside it, ... */
    int at;               /* ... and open */
    bool begun;
    enum rl_status status;
    struct rl_error *error;
};

/* RL_BAD_PARAMETER if something is there that is not a report. End it also after a failure. */
void report_place_begin(struct report_place *place, const char *directory, struct rl_error *error);
/* Begins a file of this name; NULL after a failure. */
FILE *report_place_open(struct report_place *place, const char *name);
/* Ends it. Legal with NULL. */
void report_place_close(struct report_place *place, FILE *stream);
/* Puts it in its place if all went well, else leaves nothing of it; how it ended. */
RL_MUST_CHECK enum rl_status report_place_end(struct report_place *place);

/* ---- figures ---- */

enum { REPORT_SERIES = 3 * RL_PLOT_STYLES };

struct figure {
    char name[80];      /* of its files, without ending */
    char caption[4000]; /* what it shows */
    struct rl_plot plot;
    struct rl_plot_series series[REPORT_SERIES]; /* each has one piece of memory, at x */
    struct writer *writer;
};

/* A report that is being written. */
struct writer {
    struct report_place place;
    struct sheet page;
    double width;         /* of figures, in points; 0: the usual */
    struct figure figure; /* the present one, ... */
    size_t figures;       /* ... and how many there were; ... */
    size_t left_out;      /* ... there was no room for these */
};

/* Whether it has a claim that could be tested. */
static inline bool report_is_tested(const struct rl_family *family)
{
    return family->growth.test.verdict != RL_GROWTH_UNTESTED;
}

/* All plots that make sense for a summary (figures.c). */
void report_write_figures(struct writer *writer, const struct rl_summary *summary);

bool report_has_curves(const struct rl_summary *summary);
/* What gauges show as time passes, a figure for each gauge (curves.c). */
void report_add_curves(struct writer *writer, const struct rl_summary *summary);

/* Begins a figure (figure.c), named by its number and this. NULL if there are RL_REPORT_PLOTS
 * already. */
RL_FORMAT(2, 3) struct figure *report_new_figure(struct writer *writer, const char *format, ...);

/* Room for `count` points in x, y, low and high; none if memory is full. */
RL_FORMAT(5, 6)
struct rl_plot_series *report_new_series(struct figure *figure, enum rl_plot_kind kind,
                                         unsigned style, size_t count, const char *label, ...);

/* Says what it shows, makes the axes wide enough, and writes it. */
RL_FORMAT(2, 3) void report_end_figure(struct figure *figure, const char *caption, ...);

/* Whether no point of the plan before this one is of its protocol. */
bool report_is_first_of_protocol(const struct rl_plan *plan, size_t index);

/* ---- tables (tables.c) ---- */

/* Every hit at every point. */
void report_points_csv(const struct rl_report *report, FILE *stream);
/* Every family with its fits. */
void report_growth_csv(const struct rl_report *report, FILE *stream);
void report_growth_tex(const struct rl_report *report, FILE *stream);
/* The rows of a table of families, with their headings; for HTML or TeX. */
void report_families(const struct sheet *sheet, const struct rl_summary *summary);

/* ---- the page (page.c) ---- */

void report_write_page(struct writer *writer, const struct rl_report *report, const char *title);

#endif
