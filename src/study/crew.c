/* SPDX-License-Identifier: MIT
 *
 * Workers that are threads.
 *
 * A table of jobs under one mutex: given, at work, done. At most RL_CREW_AHEAD * count tasks are
 * under way, so there is always room. A task takes about 50 ms or one long trial, so the mutex is
 * idle and a job is found by looking at all.
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

enum job_state { JOB_NONE, JOB_GIVEN, JOB_AT_WORK, JOB_DONE };

struct job {
    enum job_state state;
    uint64_t order; /* in which they were given */
    struct rl_task task;
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
    struct job *jobs;
    size_t room;
    uint64_t given;
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

/* The one of a state that was given first; NULL: there is none. */
static struct job *first_of(const struct team *team, enum job_state state)
{
    struct job *first = NULL;
    for (size_t i = 0; i < team->room; i++)
        if (team->jobs[i].state == state && (!first || team->jobs[i].order < first->order))
            first = &team->jobs[i];
    return first;
}

static void do_job(struct team *team, struct job *job)
{
    const struct rl_trial_stop stop = {team, stop_asked};
    const struct rl_task *task = &job->task;
    for (job->count = 0; job->count < task->count; job->count++)
        if (!rl_trial_run(&team->plan->points[task->point], task->point, task->first + job->count,
                          stop, &job->trials[job->count]))
            break;
}

static void *work(void *self)
{
    struct team *team = self;
    struct job *job;
    /* For who wants to say something when a protocol has used up the stack. */
    char spare[1 << 14];
    sigaltstack(&(stack_t){.ss_sp = spare, .ss_size = sizeof spare}, NULL);
    pthread_mutex_lock(&team->mutex);
    while (!is_stopping(team)) {
        if (!(job = first_of(team, JOB_GIVEN))) {
            pthread_cond_wait(&team->work, &team->mutex);
            continue;
        }
        job->state = JOB_AT_WORK;
        pthread_mutex_unlock(&team->mutex);
        do_job(team, job);
        pthread_mutex_lock(&team->mutex);
        job->state = job->count > 0 ? JOB_DONE : JOB_NONE;
        pthread_cond_signal(&team->result);
    }
    pthread_mutex_unlock(&team->mutex);
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    return NULL;
}

static enum rl_status team_give(void *self, const struct rl_task *task)
{
    struct team *team = self;
    pthread_mutex_lock(&team->mutex);
    struct job *job = first_of(team, JOB_NONE);
    assert(job && "no more tasks are under way than may be");
    job->state = JOB_GIVEN;
    job->order = team->given++;
    job->task = *task;
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
    struct job *job;
    while (!(job = first_of(team, JOB_DONE)) &&
           pthread_cond_timedwait(&team->result, &team->mutex, &until) != ETIMEDOUT)
        ;
    if (job) {
        count = job->count;
        memcpy(trials_out, job->trials, count * sizeof *trials_out);
        job->state = JOB_NONE;
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
    free(team->jobs);
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
    team->jobs = calloc(team->room, sizeof *team->jobs);
    const bool fine = team->threads && team->jobs;
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
