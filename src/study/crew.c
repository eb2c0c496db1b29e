/* SPDX-License-Identifier: MIT
 *
 * Workers that are threads.
 *
 * Two rings of fixed size under one mutex: tasks on their way in, finished tasks on their way out.
 * At most RL_CREW_AHEAD * count tasks are under way, so neither ring can overflow. A task takes
 * about 50 ms or one long trial, so the mutex is idle.
 */
#define _DEFAULT_SOURCE
#include "ringleader/study.h"
#include "study/inside.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct finished {
    size_t count;
    struct rl_trial trials[RL_TASK_MOST];
};

struct team {
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

static bool is_stopping(struct team *team)
{
    return atomic_load_explicit(&team->stopping, memory_order_relaxed);
}

/* Between spells of work. */
static bool stop_asked(void *self)
{
    return is_stopping(self);
}

/* Waits for a task; false when it is time to go home. */
static bool next_task(struct team *team, struct rl_task *task_out)
{
    pthread_mutex_lock(&team->mutex);
    while (team->task_count == 0 && !is_stopping(team))
        pthread_cond_wait(&team->work, &team->mutex);
    const bool more = !is_stopping(team);
    if (more) {
        *task_out = team->tasks[team->task_first];
        team->task_first = (team->task_first + 1) % team->room;
        team->task_count--;
    }
    pthread_mutex_unlock(&team->mutex);
    return more;
}

static void hand_in(struct team *team, const struct finished *done)
{
    pthread_mutex_lock(&team->mutex);
    assert(team->finished_count < team->room);
    struct finished *place =
        &team->finished[(team->finished_first + team->finished_count++) % team->room];
    place->count = done->count;
    memcpy(place->trials, done->trials, done->count * sizeof place->trials[0]);
    pthread_cond_signal(&team->result);
    pthread_mutex_unlock(&team->mutex);
}

static void *work(void *self)
{
    struct team *team = self;
    const struct rl_trial_stop stop = {team, stop_asked};
    struct rl_task task;
    struct finished done;
    /* For who wants to say something when a protocol has used up the stack. */
    char spare[1 << 14];
    sigaltstack(&(stack_t){.ss_sp = spare, .ss_size = sizeof spare}, NULL);
    while (next_task(team, &task)) {
        const struct rl_point *point = &team->plan->points[task.point];
        for (done.count = 0; done.count < task.count; done.count++)
            if (!rl_trial_run(point, task.point, task.first + done.count, stop,
                              &done.trials[done.count]))
                break;
        if (done.count > 0)
            hand_in(team, &done);
    }
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    return NULL;
}

static enum rl_status team_give(void *self, const struct rl_task *task)
{
    struct team *team = self;
    pthread_mutex_lock(&team->mutex);
    assert(team->task_count < team->room);
    team->tasks[(team->task_first + team->task_count++) % team->room] = *task;
    pthread_cond_signal(&team->work);
    pthread_mutex_unlock(&team->mutex);
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

static size_t team_take(void *self, double seconds, struct rl_trial *trials_out)
{
    struct team *team = self;
    const struct timespec until = moment_in(seconds);
    size_t count = 0;
    pthread_mutex_lock(&team->mutex);
    while (team->finished_count == 0 &&
           pthread_cond_timedwait(&team->result, &team->mutex, &until) != ETIMEDOUT)
        ;
    if (team->finished_count > 0) {
        const struct finished *finished = &team->finished[team->finished_first];
        count = finished->count;
        memcpy(trials_out, finished->trials, count * sizeof *trials_out);
        team->finished_first = (team->finished_first + 1) % team->room;
        team->finished_count--;
    }
    pthread_mutex_unlock(&team->mutex);
    return count;
}

static void team_stop(void *self)
{
    struct team *team = self;
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->stopping, true);
    pthread_cond_broadcast(&team->work);
    pthread_mutex_unlock(&team->mutex);
    for (size_t i = 0; i < team->thread_count; i++)
        pthread_join(team->threads[i], NULL);
    pthread_cond_destroy(&team->work);
    pthread_cond_destroy(&team->result);
    pthread_mutex_destroy(&team->mutex);
    free(team->threads);
    free(team->tasks);
    free(team->finished);
    free(team);
}

enum rl_status rl_crew_threads(struct rl_crew *workers, const struct rl_plan *plan, size_t jobs)
{
    assert(jobs > 0 && "nobody to do the work");
    *workers = (struct rl_crew){0};
    struct team *team = calloc(1, sizeof *team);
    if (!team)
        return RL_NO_MEMORY;
    team->plan = plan;
    team->room = RL_CREW_AHEAD * jobs;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->work, NULL);
    pthread_cond_init(&team->result, &monotonic);
    pthread_condattr_destroy(&monotonic);
    team->threads = calloc(jobs, sizeof *team->threads);
    team->tasks = calloc(team->room, sizeof *team->tasks);
    team->finished = calloc(team->room, sizeof *team->finished);
    const bool fine = team->threads && team->tasks && team->finished;
    /* With fewer threads than asked for it only takes longer. */
    while (fine && team->thread_count < jobs) {
        if (pthread_create(&team->threads[team->thread_count], NULL, work, team) != 0)
            break;
        team->thread_count++;
    }
    if (team->thread_count == 0) {
        team_stop(team);
        return fine ? RL_NO_THREAD : RL_NO_MEMORY;
    }
    *workers = (struct rl_crew){team, team->thread_count, team_give, team_take, team_stop};
    return RL_OK;
}
