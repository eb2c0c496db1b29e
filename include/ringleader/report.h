/* SPDX-License-Identifier: MIT
 *
 * Reports: one or more studies as a page with plots, CSV and TeX tables.
 */
#ifndef RINGLEADER_REPORT_H
#define RINGLEADER_REPORT_H

#include <stdio.h>

#include "ringleader/study.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * Growth: how means at several x (n or N, say) grow with x, and whether that agrees with the claim.
 *
 * The claim is tested first: mean / claimed = c + b/x, or c + b/sqrt(x), at all x, so that small
 * rings may differ from large ones. The free exponent comes second: what the means look like
 * without the claim. docs/decisions/185-test-the-claim.md says why.
 */

/* The forms that are compared. Each has two unknowns, so AIC and BIC both choose the one with the
 * least weighted sum of squares. `weight` is its Akaike weight: exp(-chi2/2), divided by the sum
 * over all forms compared. */
enum rl_growth_form {
    RL_GROWTH_POWER,       /* c x^a */
    RL_GROWTH_POWER_LOG,   /* c x^a log x */
    RL_GROWTH_EXPONENTIAL, /* c exp(a x) */
    RL_GROWTH_FORMS
};

/* The trials at one x (n, N, or whatever grows). All of them reached the target. */
struct rl_growth_sample {
    double x;
    double claimed;   /* the claimed value, up to a factor; 0: none */
    double mean;      /* positive */
    double deviation; /* of a trial */
    size_t count;
};

/* No interval is given if an x has fewer trials: it would miss the truth too often. */
enum { RL_GROWTH_TRIALS = 5 };

/* A form, fitted to the means. */
struct rl_growth_curve {
    double factor;    /* c */
    double exponent;  /* a */
    double low, high; /* 95 % interval of a; NaN if there is none */
    double chi2;
    double noise; /* the probability that noise alone scatters the means this much */
    double weight;
};

enum rl_growth_verdict {
    RL_GROWTH_UNTESTED,  /* there is no claim, or it cannot be computed */
    RL_GROWTH_AGREES,    /* mean / claimed tends to a positive number */
    RL_GROWTH_SLOWER,    /* it falls, and its limit may be 0 */
    RL_GROWTH_UNEVEN,    /* it jumps by more than noise, but neither rises nor falls */
    RL_GROWTH_DISAGREES, /* it rises */
    RL_GROWTH_UNDECIDED, /* there are too few trials to say */
};

/* The claim, tested. */
struct rl_growth_test {
    enum rl_growth_verdict verdict;
    double factor, low, high; /* c with its 95 % interval; NaN: no interval */
    double bend;              /* b */
    bool root;                /* the correction is b/sqrt(x), not b/x */
    double chi2;
    size_t degrees;
    double noise; /* as above */
};

struct rl_growth {
    size_t count; /* how many x were used */
    struct rl_growth_test test;
    struct rl_growth_curve form[RL_GROWTH_FORMS];
    enum rl_growth_form best;
};

/* A curve whose `noise` is below this does not fit: the means bend or jump by more than noise. */
#define RL_GROWTH_DOUBT 0.01

/* -------------------------------------------------------------------------------------------------
 *
 * The summary of a study: its trials in memory, statistics of every point, and families of points
 * along which something grows.
 */

/* Statistics of one quantity over all trials of a point. A quantile that depends on trials that
 * gave up is NaN. If every trial gave up, only the mean is known, as a lower bound; the rest is
 * NaN. All zero: there are no trials.
 */
struct rl_summary_stats {
    struct rl_stats stats;
    double p05, p25, median, p75, p95;
};

struct rl_summary_point {
    const struct rl_point *point;
    const struct rl_trial *trials; /* ordered by number */
    size_t count;
    double *values;   /* the results of trials that hit the target */
    size_t reached;   /* length of `values`; the others gave up */
    char target[120]; /* the target: "S_RL", or a note that it is observed, not proved */
    struct rl_summary_stats measure;           /* of `values`, in steps */
    struct rl_summary_stats hits[RL_MAX_SETS]; /* since the last fault, in steps */
    struct rl_summary_stats *curve;            /* of its gauge, at each step of a curve: ... */
    size_t curve_count;                        /* ... this many steps; 0: no curve */
};

enum { RL_FAMILY_VERDICT = 400 };

/* Points that differ in one thing only, and ordered by it: in n (with parameters such as N = n or
 * 2n), in one parameter, or in the number of agents that the last fault strikes. */
struct rl_family {
    enum rl_family_axis axis;
    const char *axis_name;        /* "n", "N", "agents struck" */
    char label[RL_FAMILY_LABEL];  /* "prl, N=n, leaderless" */
    const struct rl_point *point; /* the first one in the plan */
    struct rl_family_point {
        const struct rl_summary_point *point;
        double x;       /* its place on the axis */
        double claimed; /* the claimed value, up to a factor; 0: none */
    } * at;             /* at least two, in order of x */
    size_t count;
    size_t left_out;   /* points with trials that gave up; fits do not use them */
    const char *claim; /* the claimed growth, from the plan or else from the authors; or "" */
    bool fitted;
    enum rl_growth_form form; /* that of the claim */
    struct rl_growth growth;
    char verdict[RL_FAMILY_VERDICT]; /* the claim in words, if fitted */
};

struct rl_summary {
    struct rl_plan plan;
    struct rl_trial *trials;
    double *values; /* of all points */
    size_t trial_count, trial_room;
    uint64_t wanted;  /* trials of the finished study, as far as is known */
    uint64_t dropped; /* impossible rows that were skipped */
    char easy[2000];  /* which starts were left out on large rings, and why; may be empty */
    struct rl_summary_point *points; /* as many as plan.count */
    struct rl_family *families;
    size_t family_count, family_room;
};

/* -------------------------------------------------------------------------------------------------
 *
 * A report.
 */

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
