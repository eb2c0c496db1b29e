/* SPDX-License-Identifier: MIT
 *
 * Threads come and go with each call: starting one takes some 20 microseconds, a job takes
 * milliseconds at least where threads matter, and nothing has to be kept alive in between.
 *
 * Expected steps gather values from all over arrays of hundreds of megabytes. With pages of 4 kB
 * nearly every load misses the processor's table of pages; with pages of 2 MB few do: a load at
 * random from 500 MB, the vector of n = N = 5, took 29 ns with small pages and 15 with large ones.
 */
#include "verify/effort.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/inside.h"

enum { MOST_THREADS = 256 };

void *rl_effort_calloc(struct rl_effort *effort, size_t count, size_t size)
{
    void *memory = NULL;
    if (!effort->status && count <= SIZE_MAX / size)
        memory = rl_large_alloc(count * size);
    return rl_effort_has(effort, memory) ? memset(memory, 0, count * size) : NULL;
}

void rl_effort_record(struct rl_effort *effort, struct rl_counterexample *execution, uint32_t arc)
{
    uint32_t *arcs = realloc(execution->arcs, (execution->length + 1) * sizeof *arcs);
    if (arcs)
        execution->arcs = arcs;
    if (rl_effort_has(effort, arcs))
        arcs[execution->length++] = arc;
}

static bool tell(struct rl_effort *effort)
{
    if (!effort->status && effort->watch &&
        !effort->watch->tell(effort->watch->user, &effort->progress))
        effort->status = RL_STOPPED;
    return !effort->status;
}

bool rl_effort_goes_on(struct rl_effort *effort, uint64_t found)
{
    effort->progress.found = found;
    return tell(effort);
}

/* ---- threads ---- */

struct job {
    void (*work)(void *user, size_t task);
    void *user;
    size_t tasks;
    atomic_size_t next;
    atomic_bool stop;
};

static bool do_next(struct job *job)
{
    const size_t task = atomic_fetch_add(&job->next, 1);
    if (task < job->tasks)
        job->work(job->user, task);
    return task < job->tasks;
}

static void *help(void *user)
{
    struct job *job = user;
    while (!atomic_load_explicit(&job->stop, memory_order_relaxed) && do_next(job))
        ;
    return NULL;
}

void rl_effort_run(struct rl_effort *effort, size_t tasks, void (*work)(void *user, size_t task),
                   void *user)
{
    struct job job = {.work = work, .user = user, .tasks = tasks};
    pthread_t threads[MOST_THREADS];
    unsigned started = 0;
    if (effort->status)
        return;
    /* A thread that cannot be started is no failure: the others do its share. */
    while (started + 1 < effort->jobs && started + 1 < tasks && started < MOST_THREADS &&
           pthread_create(&threads[started], NULL, help, &job) == 0)
        started++;
    while (!effort->status && do_next(&job)) {
        const size_t next = atomic_load(&job.next);
        effort->progress.done = (double)(next < tasks ? next : tasks) / (double)tasks;
        tell(effort);
    }
    atomic_store(&job.stop, effort->status != RL_OK);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
