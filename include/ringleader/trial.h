/* SPDX-License-Identifier: MIT
 *
 * A trial: one run at a point of a plan, and what is kept of it.
 *
 * The result is exactly what `ringleader elect --json` tells for the same options.
 */
#ifndef RINGLEADER_TRIAL_H
#define RINGLEADER_TRIAL_H

#include "ringleader/plan.h"

RL_BEGIN

/* Plain data: ranks send it to each other as bytes. */
struct rl_trial {
    uint32_t point; /* index in the plan */
    enum rl_run_state end;
    uint64_t trial;
    uint64_t steps;
    uint64_t hits[RL_MAX_SETS]; /* since the last fault; RL_NEVER: not hit */
    uint64_t events;
    uint32_t leaders;
    uint32_t leader; /* the first one; n if there is none */
    uint32_t fault_count;
    enum rl_status status; /* RL_OK, or why there is no result */
    struct rl_fault faults[RL_PLAN_FAULTS];
    double wall_seconds;
};

/* Asked between spells of work whether to give up. */
struct rl_trial_stop {
    void *user;
    bool (*asked)(void *user);
};

/* Runs trial number `trial` of a point; false if it was stopped. `point_index` is copied into the
 * result. RL_NO_MEMORY is reported in its status. */
bool rl_trial_run(const struct rl_point *point, uint32_t point_index, uint64_t trial,
                  struct rl_trial_stop stop, struct rl_trial *trial_out);

/* The trial that this thread is in the middle of, for somebody who must tell where it crashed;
 * false: none. May be called by a signal handler. */
bool rl_trial_now(const struct rl_point **point_out, uint64_t *trial_out);
/* Changes with every spell of work of this thread's trial: one that does not, stands. */
unsigned rl_trial_beats(void);

/* Whether the target was hit. */
bool rl_trial_reached(const struct rl_point *point, const struct rl_trial *trial);

/* Whether a run at this point could end so: numbers in their domains, no more steps than the limit,
 * hits since the last fault and in the order of the protocol's sets, each of which contains the
 * next, and faults as planned. What a damaged file holds often could not. */
bool rl_trial_possible(const struct rl_point *point, const struct rl_trial *trial);

/* What studies measure, in steps: the hit of the target, or with faults the recovery from the last
 * one. Where the target was not hit, the steps that were not enough. */
double rl_trial_measure(const struct rl_point *point, const struct rl_trial *trial);

RL_END

#endif
