/* SPDX-License-Identifier: MIT
 *
 * The summary of a study: its trials in memory, statistics of every point, and families of points
 * along which something grows.
 */
#ifndef RINGLEADER_SUMMARY_H
#define RINGLEADER_SUMMARY_H

#include "ringleader/growth.h"
#include "ringleader/stats.h"
#include "ringleader/store.h"

RL_BEGIN

/* Of one quantity over all trials of a point. A quantile that depends on trials that gave up is
 * NaN; if none has the quantity, so is everything but the mean, a lower bound. All zero: no trial.
 */
struct rl_summary_stats {
    struct rl_stats stats;
    double p05, p25, median, p75, p95;
};

struct rl_summary_point {
    const struct rl_point *point;
    const struct rl_trial *trials; /* in order of number */
    size_t count;
    double *values;                            /* what was measured, where the target was hit */
    size_t reached;                            /* length of `values`; the others gave up */
    struct rl_summary_stats measure;           /* of `values`, in steps */
    struct rl_summary_stats hits[RL_MAX_SETS]; /* since the last fault, in steps */
};

enum rl_family_axis { RL_FAMILY_N, RL_FAMILY_PARAMETER, RL_FAMILY_FAULT };

enum { RL_FAMILY_LABEL = 640 };

/* Points that differ in one thing only, in order of it: in n (parameters that are n, 2n, ... go
 * along), in one parameter, or in the number of agents that the last fault strikes. */
struct rl_family {
    enum rl_family_axis axis;
    const char *axis_name;       /* "n", "N", "agents struck" */
    char label[RL_FAMILY_LABEL]; /* "prl, N=n, leaderless" */
    size_t *points;              /* indices; at least two */
    size_t count;
    size_t first;    /* the least index */
    size_t left_out; /* points with trials that gave up, which no fit has in it */
    bool fitted;
    enum rl_growth_form form; /* that of the claim */
    struct rl_growth growth;
};

struct rl_summary {
    struct rl_plan plan;
    struct rl_trial *trials;
    size_t trial_count, trial_room;
    uint64_t wanted;  /* trials there will be when the study is finished, as far as one can tell */
    uint64_t dropped; /* impossible rows that were left out */
    struct rl_summary_point *points; /* as many as plan.count */
    struct rl_family *families;
    size_t family_count, family_room;
};

/* An empty summary; add any number of studies (shares of one, say), then finish. */
void rl_summary_init(struct rl_summary *summary);
void rl_summary_free(struct rl_summary *summary);
RL_MUST_CHECK enum rl_status rl_summary_add(struct rl_summary *summary, struct rl_store *store,
                                            struct rl_error *error);
/* RL_BAD_STUDY if two files hold the same trial with different results: a result is a function of
 * its seed, so one of them is wrong. Time: O(trials log trials). */
RL_MUST_CHECK enum rl_status rl_summary_finish(struct rl_summary *summary, struct rl_error *error);

/* The growth that is claimed: by the plan, else by the protocol's authors; "" if none. */
const char *rl_summary_claim(const struct rl_summary *summary, const struct rl_family *family);
/* What its steps lead to: "S_RL", or "settled (observed, not proved: no output changed for 20 n^2
 * steps)". */
void rl_summary_target(const struct rl_point *point, struct rl_text *text);
/* Where point `index` stands on the axis of a family. */
double rl_summary_x(const struct rl_summary *summary, const struct rl_family *family, size_t index);

RL_END

#endif
