/* SPDX-License-Identifier: MIT
 *
 * Reports: one or more studies as a page with plots, CSV and TeX tables.
 */
#ifndef RINGLEADER_REPORT_H
#define RINGLEADER_REPORT_H

#include <stdio.h>

#include "ringleader/study.h"

RL_BEGIN

enum { RL_REPORT_PLOTS = 64 }; /* at most; the rest is left out */

struct rl_report {
    struct rl_summary summary; /* finished */
    char *plans;               /* the texts of all plans, one after the other */
};

/* Reads the studies: the shares of one study, or several to compare. RL_BAD_STUDY if they contain
 * no trials. Call rl_report_free even after a failure. */
RL_MUST_CHECK enum rl_status rl_report_load(struct rl_report *report, const char *const *paths,
                                            size_t count, struct rl_error *error);
void rl_report_free(struct rl_report *report);

/* Writes index.html, plots/NAME.svg, .pdf and .csv, trials.csv, points.csv, growth.csv, growth.tex,
 * curves.csv (if the study has curves) and written.txt, which marks the directory as a report. The
 * directory appears when it is complete, and replaces an older report. If anything else is there,
 * the answer is RL_BAD_PARAMETER and nothing is touched. `written_out`, if not NULL, gets the
 * number of plots and how many were left out. */
struct rl_report_looks {
    const char *title; /* NULL: a sentence about the study */
    double width;      /* of figures, in points, with 8 pt letters; 0: the default */
};
struct rl_report_written {
    size_t plots, left_out;
};
RL_MUST_CHECK enum rl_status rl_report_write(const struct rl_report *report, const char *directory,
                                             const struct rl_report_looks *looks,
                                             struct rl_report_written *written_out,
                                             struct rl_error *error);

/* All trials as CSV, sorted: the same bytes no matter how the study was run. */
void rl_report_trials_csv(const struct rl_report *report, FILE *stream);
/* The curves as CSV: for each point, the value of its gauge at each step. */
void rl_report_curves_csv(const struct rl_report *report, FILE *stream);
/* All families with their fits, as one JSON object. */
void rl_report_growth_json(const struct rl_report *report, FILE *stream);

RL_END

#endif
