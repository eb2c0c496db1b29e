/* SPDX-License-Identifier: MIT
 *
 * A timeline: what the protocol's gauges show at chosen steps of a run.
 *
 * Samples are taken at step 0, at four steps to the octave (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, ...),
 * at every hit, just after every fault, and at the end. They are in steps, not events, and show
 * the configuration at exactly that step, whatever the engine.
 */
#ifndef RINGLEADER_TIMELINE_H
#define RINGLEADER_TIMELINE_H

#include "ringleader/run.h"

RL_BEGIN

struct rl_sample {
    uint64_t step;
    uint64_t leaders;
    uint64_t gauges[RL_MAX_GAUGES]; /* in the protocol's order */
};

/* Stays where it is, for the run points to it. */
struct rl_timeline {
    void *user;
    void (*sample)(void *user, const struct rl_run *run, const struct rl_sample *sample);
    uint64_t next;  /* next step of the regular ones */
    uint64_t taken; /* last step sampled; RL_NEVER: none */
};

/* Makes `timeline` watch `run`, before it begins. The timeline must outlive the run. */
void rl_timeline_watch(struct rl_timeline *timeline, struct rl_run *run, void *user,
                       void (*sample)(void *user, const struct rl_run *run,
                                      const struct rl_sample *sample));

RL_END

#endif
