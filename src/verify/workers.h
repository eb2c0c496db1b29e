/* SPDX-License-Identifier: MIT
 *
 * A job cut into tasks, done by a few threads.
 *
 * Tasks are handed out in order to whoever is free; nothing may depend on who does which. The
 * calling thread works too, and between its tasks tells the watch how far things are.
 */
#ifndef RINGLEADER_WORKERS_H
#define RINGLEADER_WORKERS_H

#include "ringleader/verify.h"

struct rl_workers {
    unsigned jobs;                /* threads, the caller included */
    const struct rl_watch *watch; /* may be NULL */
    struct rl_progress progress;  /* what the watch is told; `done` is kept by rl_workers_run */
    bool stopped;                 /* the watch said stop: no task is begun any more */
};

/* Calls work(user, task) once for each task 0 .. tasks-1. RL_STOPPED if not all were done. */
RL_MUST_CHECK enum rl_status rl_workers_run(struct rl_workers *workers, size_t tasks,
                                            void (*work)(void *user, size_t task), void *user);

/* An array cut into tasks of this many elements, so that sums are the same for any number of
 * threads. */
enum { RL_WORKERS_CHUNK = 1 << 16 };
static inline size_t rl_workers_tasks(size_t elements)
{
    return (elements + RL_WORKERS_CHUNK - 1) / RL_WORKERS_CHUNK;
}
static inline size_t rl_workers_end(size_t task, size_t elements)
{
    const size_t end = (task + 1) * RL_WORKERS_CHUNK;
    return end < elements ? end : elements;
}

#endif
