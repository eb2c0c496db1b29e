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

/* Of one quantity over the trials that have it. All zero if none has. */
struct rl_summary_stats {
    struct rl_stats stats;
    double p05, p25, median, p75, p95;
};

struct rl_summary_point {
    const struct rl_point *point;
    const struct rl_trial *trials; /* in order of number */
    size_t count;
    double *values;                            /* what was measured, where the target was hit */
    size_t reached;                            /* length of `values` */
    struct rl_summary_stats measure;           /* of `values`, in steps */
    struct rl_summary_stats hits[RL_MAX_SETS]; /* since the last fault, in steps */
};

enum rl_family_axis { RL_FAMILY_N, RL_FAMILY_PARAMETER, RL_FAMILY_FAULT };

enum { RL_FAMILY_LABEL = 160 };

/* Points that differ in one thing only, in order of it: in n (parameters that are n, 2n, ... go
 * along), in one parameter, or in the number of agents that the last fault strikes. */
struct rl_family {
    enum rl_family_axis axis;
    const char *axis_name;       /* "n", "N", "agents struck" */
    char label[RL_FAMILY_LABEL]; /* "prl, N=n, leaderless" */
    size_t *points;              /* indices; at least two */
    size_t count;
    bool fitted;
    enum rl_growth_form form;       /* that of the claim */
    struct rl_growth growth, large; /* of all points, and of the largest along n (growth.h) */
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
/* Time: O(trials log trials), and RL_GROWTH_ROUNDS * trials for the fits. */
RL_MUST_CHECK enum rl_status rl_summary_finish(struct rl_summary *summary);

/* The growth that is claimed: by the plan, else by the protocol's authors; "" if none. */
const char *rl_summary_claim(const struct rl_summary *summary, const struct rl_family *family);
/* Where point `index` stands on the axis of a family. */
double rl_summary_x(const struct rl_summary *summary, const struct rl_family *family, size_t index);

RL_END

#endif
