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

/* Reads the studies (the shares of one, or studies to compare). RL_BAD_STUDY if there is no trial
 * in them. Free also after a failure. */
RL_MUST_CHECK enum rl_status rl_report_load(struct rl_report *report, const char *const *paths,
                                            size_t count, struct rl_error *error);
void rl_report_free(struct rl_report *report);

/* Writes index.html, plots/NAME.svg, .pdf and .csv, trials.csv, points.csv, growth.csv, growth.tex,
 * curves.csv (if the study has curves) and written.txt, which marks the directory as a report. It
 * appears when it is complete; an older report there is removed. RL_BAD_PARAMETER, and nothing is
 * touched, if anything else is there. The number of plots, and of those left out, if wanted. */
struct rl_report_looks {
    const char *title; /* NULL: a sentence about the study */
    double width;      /* of figures, in points, for letters of 8; 0: the usual */
};
struct rl_report_written {
    size_t plots, left_out;
};
RL_MUST_CHECK enum rl_status rl_report_write(const struct rl_report *report, const char *directory,
                                             const struct rl_report_looks *looks,
                                             struct rl_report_written *written_out,
                                             struct rl_error *error);

/* Every trial as CSV: a sorted export, the same bytes however the study was done. */
void rl_report_trials_csv(const struct rl_report *report, FILE *stream);
/* What the gauge of a point showed at each step of its curve, as CSV. */
void rl_report_curves_csv(const struct rl_report *report, FILE *stream);
/* Every family with its fits as one JSON object. */
void rl_report_growth_json(const struct rl_report *report, FILE *stream);

RL_END

#endif
