/* SPDX-License-Identifier: MIT
 *
 * Threads come and go with each call: starting one takes some 20 microseconds, a job takes
 * milliseconds at least where threads matter, and nothing has to be kept alive in between.
 */
#include "verify/workers.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_THREADS = 256 };

struct job {
    struct rl_workers *workers;
    void (*work)(void *user, size_t task);
    void *user;
    size_t tasks;
    atomic_size_t next;
    atomic_bool stop;
};

static void *help(void *user)
{
    struct job *job = user;
    size_t task;
    while (!atomic_load_explicit(&job->stop, memory_order_relaxed) &&
           (task = atomic_fetch_add(&job->next, 1)) < job->tasks)
        job->work(job->user, task);
    return NULL;
}

static void tell(struct job *job)
{
    struct rl_workers *workers = job->workers;
    if (!workers->watch)
        return;
    const size_t next = atomic_load(&job->next);
    workers->progress.done = (double)(next < job->tasks ? next : job->tasks) / (double)job->tasks;
    if (!workers->watch->tell(workers->watch->user, &workers->progress))
        workers->stopped = true;
}

enum rl_status rl_workers_run(struct rl_workers *workers, size_t tasks,
                              void (*work)(void *user, size_t task), void *user)
{
    struct job job = {.workers = workers, .work = work, .user = user, .tasks = tasks};
    pthread_t threads[MOST_THREADS];
    unsigned started = 0;
    if (workers->stopped)
        return RL_STOPPED;
    /* A thread that cannot be started is no failure: the others do its share. */
    while (started + 1 < workers->jobs && started + 1 < tasks && started < MOST_THREADS &&
           pthread_create(&threads[started], NULL, help, &job) == 0)
        started++;
    size_t task;
    while (!workers->stopped && (task = atomic_fetch_add(&job.next, 1)) < tasks) {
        work(user, task);
        tell(&job);
    }
    atomic_store(&job.stop, workers->stopped);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return workers->stopped ? RL_STOPPED : RL_OK;
}
