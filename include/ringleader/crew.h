/* SPDX-License-Identifier: MIT
 *
 * Workers: who does the trials. Threads of this process, or other ranks under MPI.
 *
 * The one who asks keeps the plan, the queue and the store to itself; workers get tasks and give
 * back trials, in any order.
 */
#ifndef RINGLEADER_CREW_H
#define RINGLEADER_CREW_H

#include "ringleader/queue.h"

RL_BEGIN

enum {
    RL_TASK_MOST = 64, /* trials in a task */
    RL_CREW_AHEAD = 4, /* tasks under way for each worker: one at work, the others waiting */
};

struct rl_crew {
    void *self;
    size_t count; /* how many work at the same time */
    /* Hands out a task. Never more than RL_CREW_AHEAD * count are under way. */
    enum rl_status (*give)(void *self, const struct rl_task *task);
    /* The trials of one finished task (at most RL_TASK_MOST); 0 if none comes within `seconds`. */
    size_t (*take)(void *self, double seconds, struct rl_trial *trials_out);
    /* Gives up what is under way, takes the workers home and frees them. */
    void (*stop)(void *self);
};

/* `jobs` threads for the points of `plan`, which must outlive them. */
RL_MUST_CHECK enum rl_status rl_crew_threads(struct rl_crew *workers, const struct rl_plan *plan,
                                             size_t jobs);

RL_END

#endif
