/* SPDX-License-Identifier: MIT
 *
 * Workers that are threads.
 *
 * Two rings of fixed size under one mutex: tasks on their way in, finished tasks on their way out.
 * At most 2 * count tasks are under way, so neither ring can overflow. A task takes about 50 ms or
 * one long trial, so the mutex is idle.
 */
#include "ringleader/workers.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct finished {
    size_t count;
    struct rl_trial trials[RL_TASK_MOST];
};

struct crew {
    const struct rl_plan *plan;
    pthread_t *threads;
    size_t thread_count;
    atomic_bool stopping;

    pthread_mutex_t mutex;
    pthread_cond_t work, result;
    size_t room; /* of both rings */
    struct rl_task *tasks;
    size_t task_first, task_count;
    struct finished *finished;
    size_t finished_first, finished_count;
};

static bool crew_stopping(void *self)
{
    struct crew *crew = self;
    return atomic_load_explicit(&crew->stopping, memory_order_relaxed);
}

/* Waits for a task; false when it is time to go home. */
static bool next_task(struct crew *crew, struct rl_task *task)
{
    pthread_mutex_lock(&crew->mutex);
    while (crew->task_count == 0 && !crew_stopping(crew))
        pthread_cond_wait(&crew->work, &crew->mutex);
    const bool more = !crew_stopping(crew);
    if (more) {
        *task = crew->tasks[crew->task_first];
        crew->task_first = (crew->task_first + 1) % crew->room;
        crew->task_count--;
    }
    pthread_mutex_unlock(&crew->mutex);
    return more;
}

static void hand_in(struct crew *crew, const struct finished *finished)
{
    pthread_mutex_lock(&crew->mutex);
    assert(crew->finished_count < crew->room);
    struct finished *place =
        &crew->finished[(crew->finished_first + crew->finished_count++) % crew->room];
    place->count = finished->count;
    memcpy(place->trials, finished->trials, finished->count * sizeof finished->trials[0]);
    pthread_cond_signal(&crew->result);
    pthread_mutex_unlock(&crew->mutex);
}

static void *work(void *self)
{
    struct crew *crew = self;
    struct rl_task task;
    struct finished finished;
    const struct rl_trial_stop stop = {crew, crew_stopping};
    while (next_task(crew, &task)) {
        finished.count = 0;
        while (finished.count < task.count &&
               rl_trial_run(&crew->plan->points[task.point], task.point,
                            task.first + finished.count, stop, &finished.trials[finished.count]))
            finished.count++;
        if (finished.count > 0)
            hand_in(crew, &finished);
    }
    return NULL;
}

static enum rl_status crew_give(void *self, const struct rl_task *task)
{
    struct crew *crew = self;
    pthread_mutex_lock(&crew->mutex);
    assert(crew->task_count < crew->room);
    crew->tasks[(crew->task_first + crew->task_count++) % crew->room] = *task;
    pthread_cond_signal(&crew->work);
    pthread_mutex_unlock(&crew->mutex);
    return RL_OK;
}

static struct timespec moment_in(double seconds)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    const long nanoseconds = moment.tv_nsec + (long)(seconds * 1e9);
    moment.tv_sec += nanoseconds / 1000000000;
    moment.tv_nsec = nanoseconds % 1000000000;
    return moment;
}

static size_t crew_take(void *self, double seconds, struct rl_trial *trials_out)
{
    struct crew *crew = self;
    const struct timespec until = moment_in(seconds);
    size_t count = 0;
    pthread_mutex_lock(&crew->mutex);
    while (crew->finished_count == 0 &&
           pthread_cond_timedwait(&crew->result, &crew->mutex, &until) != ETIMEDOUT)
        ;
    if (crew->finished_count > 0) {
        const struct finished *finished = &crew->finished[crew->finished_first];
        count = finished->count;
        memcpy(trials_out, finished->trials, count * sizeof *trials_out);
        crew->finished_first = (crew->finished_first + 1) % crew->room;
        crew->finished_count--;
    }
    pthread_mutex_unlock(&crew->mutex);
    return count;
}

static void crew_stop(void *self)
{
    struct crew *crew = self;
    pthread_mutex_lock(&crew->mutex);
    atomic_store(&crew->stopping, true);
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->mutex);
    for (size_t i = 0; i < crew->thread_count; i++)
        pthread_join(crew->threads[i], NULL);
    pthread_cond_destroy(&crew->work);
    pthread_cond_destroy(&crew->result);
    pthread_mutex_destroy(&crew->mutex);
    free(crew->threads);
    free(crew->tasks);
    free(crew->finished);
    free(crew);
}

enum rl_status rl_workers_threads(struct rl_workers *workers, const struct rl_plan *plan,
                                  size_t jobs)
{
    *workers = (struct rl_workers){0};
    struct crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return RL_NO_MEMORY;
    crew->plan = plan;
    crew->room = 2 * jobs;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->result, &monotonic);
    pthread_condattr_destroy(&monotonic);
    crew->threads = calloc(jobs, sizeof *crew->threads);
    crew->tasks = calloc(crew->room, sizeof *crew->tasks);
    crew->finished = calloc(crew->room, sizeof *crew->finished);
    bool fine = crew->threads && crew->tasks && crew->finished;
    while (fine && crew->thread_count < jobs) {
        fine = pthread_create(&crew->threads[crew->thread_count], NULL, work, crew) == 0;
        crew->thread_count += fine;
    }
    if (!fine) {
        crew_stop(crew);
        return RL_NO_MEMORY;
    }
    *workers = (struct rl_workers){crew, jobs, crew_give, crew_take, crew_stop};
    return RL_OK;
}
