/* SPDX-License-Identifier: MIT
 *
 * A trial: one run at a point of a plan.
 */
#include "ringleader/study.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "core/inside.h"
#include "study/inside.h"

/* Of this thread. */
static _Thread_local const struct rl_point *point_now;
static _Thread_local uint64_t trial_now;
static _Thread_local volatile unsigned beats;

unsigned rl_trial_now(const struct rl_point **point_out, uint64_t *trial_out)
{
    *point_out = point_now;
    *trial_out = trial_now;
    return point_now ? beats : 0;
}

static void keep(const struct rl_run *run, struct rl_trial *out)
{
    out->steps = run->step;
    if (run->state == RL_REACHED)
        out->steps = run->settled.wanted ? run->settled.since : run->hits[run->end.set];
    memcpy(out->hits, run->hits, sizeof out->hits);
    out->events = run->events;
    out->leaders = rl_ring_leaders(&run->ring);
    out->leader = rl_ring_first_leader(&run->ring);
    out->fault_count = (uint32_t)run->faults_done;
    memcpy(out->faults, run->faults, run->faults_done * sizeof out->faults[0]);
}

/* ---- curves ---- */

uint64_t rl_curve_step(size_t index)
{
    if (index < 2)
        return index;
    return index % 2 ? UINT64_C(3) << (index - 3) / 2 : UINT64_C(1) << index / 2;
}

/* How many steps of a curve there are up to `end`. */
static size_t count_curve(uint64_t end)
{
    size_t count = 0;
    while (count < RL_CURVE_STEPS && rl_curve_step(count) <= end)
        count++;
    return count;
}

/* What is seen at one step twice is seen before and after a fault: the last counts. */
static void keep_sample(void *user, const struct rl_run *run, const struct rl_sample *sample)
{
    struct rl_trial *trial = user;
    const int gauge = rl_protocol_gauge(run->ring.protocol, point_now->curve);
    const uint64_t value = gauge < 0 ? sample->leaders : sample->gauges[gauge];
    if (value > UINT32_MAX)
        trial->status = RL_BAD_PARAMETER;
    if (trial->curve_count < RL_CURVE_STEPS && sample->step == rl_curve_step(trial->curve_count))
        trial->curve_count++;
    if (trial->curve_count && sample->step == rl_curve_step(trial->curve_count - 1))
        trial->curve[trial->curve_count - 1] = (uint32_t)value;
}

bool rl_trial_run(const struct rl_point *point, uint32_t point_index, uint64_t trial,
                  struct rl_trial_stop stop, struct rl_trial *trial_out)
{
    struct rl_experiment experiment = point->run;
    const double began = seconds_now();
    struct rl_run run;
    struct rl_timeline timeline;
    bool stopped = false;
    /* All of it: it is sent as bytes, padding included. */
    memset(trial_out, 0, sizeof *trial_out);
    trial_out->point = point_index;
    trial_out->trial = trial;
    point_now = point;
    trial_now = experiment.trial = trial;
    beats++;
    trial_out->status = rl_run_init(&run, &experiment, NULL);
    if (!trial_out->status && point->curve[0])
        rl_timeline_watch(&timeline, &run, trial_out, keep_sample);
    while (!trial_out->status && !stopped && rl_run_advance(&run) == RL_RUNNING) {
        stopped = stop.asked && stop.asked(stop.user);
        beats++;
    }
    if (!trial_out->status)
        keep(&run, trial_out);
    rl_run_free(&run);
    point_now = NULL;
    trial_out->wall_seconds = seconds_now() - began;
    return !stopped;
}

bool rl_trial_reached(const struct rl_point *point, const struct rl_trial *trial)
{
    return trial->hits[point->run.protocol->target] != RL_NEVER;
}

/* ---- what is possible ---- */

/* Those that struck are the first ones of the plan, and each was over before the next. */
static bool faults_are_possible(const struct rl_point *point, const struct rl_trial *trial)
{
    const size_t count = trial->fault_count;
    if (count > point->run.fault_count ||
        (count < point->run.fault_count && point->run.faults[count].step < trial->steps))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct rl_fault *fault = &trial->faults[i], *planned = &point->run.faults[i];
        const uint64_t end = i + 1 < count ? trial->faults[i + 1].step : trial->steps;
        if (fault->step != planned->step || fault->agents != planned->agents || fault->step > end ||
            (fault->recovered_after != RL_NEVER && fault->recovered_after > end - fault->step))
            return false;
    }
    return true;
}

/* Hits come one after the other, since the last fault; a run with all its faults ends with that of
 * the target. */
static bool hits_are_possible(const struct rl_point *point, const struct rl_trial *trial)
{
    const size_t count = trial->fault_count;
    const struct rl_fault *last = count ? &trial->faults[count - 1] : NULL;
    uint64_t before = last ? last->step : 0;
    for (size_t i = 0; i < point->run.protocol->set_count; i++) {
        const uint64_t hit = trial->hits[i];
        if (hit < before || (hit != RL_NEVER && hit > trial->steps))
            return false;
        before = hit;
    }
    const uint64_t hit = trial->hits[point->run.protocol->target];
    return hit == RL_NEVER || count < point->run.fault_count ||
           (hit == trial->steps && (!last || last->recovered_after == hit - last->step));
}

bool rl_trial_possible(const struct rl_point *point, const struct rl_trial *trial)
{
    const uint32_t n = point->run.params.n;
    /* Else the steps are those to the last change of an output, and the run went on. */
    const bool is_set = point->run.protocol->sets[point->run.protocol->target].contains;
    const uint64_t most = trial->steps + point->run.end.after; /* it went on for so long */
    return trial->trial < point->trials && (trial->steps | trial->events) <= INT64_MAX &&
           trial->steps <= point->run.end.max_steps && (trial->events <= most || !is_set) &&
           trial->leaders <= n && trial->leader < n + (trial->leaders != 1) &&
           trial->wall_seconds >= 0 && trial->wall_seconds < INFINITY &&
           (trial->curve_count == 0 || (trial->curve_count >= count_curve(trial->steps) &&
                                        (!is_set || trial->curve_count <= count_curve(most)))) &&
           faults_are_possible(point, trial) && hits_are_possible(point, trial);
}

double rl_trial_measure(const struct rl_point *point, const struct rl_trial *trial)
{
    if (point->run.fault_count == 0 || trial->fault_count < point->run.fault_count)
        return (double)trial->steps;
    return (double)(trial->steps - point->run.faults[point->run.fault_count - 1].step);
}
