/* SPDX-License-Identifier: MIT
 *
 * A piece of work: what it may cost, who does it, who watches, and what has become of it.
 *
 * A failure stays: after it nothing more is done, and all that is made is empty, so it is enough to
 * look in the end.
 */
#ifndef RINGLEADER_VERIFY_EFFORT_H
#define RINGLEADER_VERIFY_EFFORT_H

#include "ringleader/verify.h"

struct rl_effort {
    uint64_t memory;              /* bytes it may take */
    unsigned jobs;                /* threads, the caller included */
    const struct rl_watch *watch; /* may be NULL */
    struct rl_progress progress;  /* what the watch is told */
    enum rl_status status;
};

static inline void rl_effort_phase(struct rl_effort *effort, const char *phase, const char *subject)
{
    effort->progress = (struct rl_progress){.phase = phase, .subject = subject};
}

/* Memory that there is not is a failure: false. */
static inline bool rl_effort_has(struct rl_effort *effort, bool memory)
{
    if (!effort->status && !memory)
        effort->status = RL_NO_MEMORY;
    return !effort->status;
}

/* `count` elements of `size` bytes, all zero, to be freed; in huge pages, where the system has them
 * and it is worth it. NULL is a failure, and follows one. */
void *rl_effort_calloc(struct rl_effort *effort, size_t count, size_t size);

/* Adds an arc to an execution. */
void rl_effort_record(struct rl_effort *effort, struct rl_counterexample *execution, uint32_t arc);

/* Tells the watch how much was found, where nobody can say how much there is. False: something has
 * failed, or whoever watches has lost patience, which is the failure RL_STOPPED. */
bool rl_effort_goes_on(struct rl_effort *effort, uint64_t found);

/* Calls work(user, task) once for each task 0 .. tasks-1. Tasks are handed out in order to whoever
 * is free; nothing may depend on who does which. The calling thread works too, and between its
 * tasks tells the watch how far things are: it is RL_STOPPED if not all were done. */
void rl_effort_run(struct rl_effort *effort, size_t tasks, void (*work)(void *user, size_t task),
                   void *user);

/* An array cut into tasks of this many elements, so that sums are the same for any number of
 * threads. */
enum { RL_EFFORT_CHUNK = 1 << 16 };
static inline size_t rl_effort_tasks(size_t elements)
{
    return (elements + RL_EFFORT_CHUNK - 1) / RL_EFFORT_CHUNK;
}
static inline size_t rl_effort_end(size_t task, size_t elements)
{
    const size_t end = (task + 1) * RL_EFFORT_CHUNK;
    return end < elements ? end : elements;
}

#endif
