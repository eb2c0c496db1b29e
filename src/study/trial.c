/* SPDX-License-Identifier: MIT
 *
 * A trial: one run at a point of a plan.
 */
#include "ringleader/trial.h"

#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct rl_run_options options_of(const struct rl_point *point, uint64_t trial)
{
    return (struct rl_run_options){
        .protocol = point->protocol,
        .params = point->params,
        .seed = point->seed,
        .trial = trial,
        .start = point->start,
        .engine = point->engine,
        .until = point->protocol->target,
        .settled = rl_run_usual_settled(point->protocol, &point->params),
        .max_steps = point->max_steps,
        .faults = point->faults,
        .fault_count = point->fault_count,
    };
}

static void keep(const struct rl_run *run, struct rl_trial *out)
{
    out->end = run->state;
    out->steps = run->settled && run->state == RL_REACHED ? run->since : run->step;
    memcpy(out->hits, run->hits, sizeof out->hits);
    out->events = run->events;
    out->leaders = rl_ring_leaders(&run->ring);
    out->leader = rl_ring_first_leader(&run->ring);
    out->fault_count = (uint32_t)run->faults_done;
    memcpy(out->faults, run->faults, run->faults_done * sizeof out->faults[0]);
}

bool rl_trial_run(const struct rl_point *point, uint32_t point_index, uint64_t trial,
                  struct rl_trial_stop stop, struct rl_trial *trial_out)
{
    const struct rl_run_options options = options_of(point, trial);
    const double began = seconds_now();
    struct rl_run run;
    bool stopped = false;
    /* All of it: it is sent as bytes, padding included. */
    memset(trial_out, 0, sizeof *trial_out);
    trial_out->point = point_index;
    trial_out->trial = trial;
    trial_out->status = rl_run_init(&run, &options, NULL);
    while (!trial_out->status && !stopped && rl_run_advance(&run) == RL_RUNNING)
        stopped = stop.asked && stop.asked(stop.user);
    if (!trial_out->status)
        keep(&run, trial_out);
    rl_run_free(&run);
    trial_out->wall_seconds = seconds_now() - began;
    return !stopped;
}

bool rl_trial_reached(const struct rl_point *point, const struct rl_trial *trial)
{
    return trial->hits[point->protocol->target] != RL_NEVER;
}

double rl_trial_measure(const struct rl_point *point, const struct rl_trial *trial)
{
    if (point->fault_count == 0 || trial->fault_count < point->fault_count)
        return (double)trial->steps;
    return (double)(trial->steps - point->faults[point->fault_count - 1].step);
}
