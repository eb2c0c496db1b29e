/* SPDX-License-Identifier: MIT
 *
 * Workers that are threads.
 *
 * Two rings of fixed size under one mutex: tasks on their way in, finished tasks on their way out.
 * At most RL_CREW_AHEAD * count tasks are under way, so neither ring can overflow. A task takes
 * about 50 ms or one long trial, so the mutex is idle.
 */
#include "ringleader/crew.h"

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

/* A thread's place: what it is doing, for others to see. */
struct post {
    struct team *team;
    pthread_t thread;
    struct rl_task task;
    struct finished finished; /* of the task; those up to `done` may be looked at */
    atomic_size_t done;
    atomic_uint beats; /* changes with every spell of work */
    bool at_work, rescued;
    /* When it was last seen to have gone on, in its own processor time. */
    unsigned beats_seen;
    double seconds_seen;
};

struct team {
    const struct rl_plan *plan;
    struct post *posts;
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
    struct post *post = self;
    atomic_fetch_add_explicit(&post->beats, 1, memory_order_relaxed);
    return is_stopping(post->team);
}

/* Waits for a task; false when it is time to go home. */
static bool next_task(struct post *post)
{
    struct team *team = post->team;
    pthread_mutex_lock(&team->mutex);
    while (team->task_count == 0 && !is_stopping(team))
        pthread_cond_wait(&team->work, &team->mutex);
    const bool more = !is_stopping(team);
    if (more) {
        post->task = team->tasks[team->task_first];
        post->at_work = true;
        atomic_fetch_add_explicit(&post->beats, 1, memory_order_relaxed);
        team->task_first = (team->task_first + 1) % team->room;
        team->task_count--;
    }
    pthread_mutex_unlock(&team->mutex);
    return more;
}

static void hand_in(struct post *post)
{
    struct team *team = post->team;
    const size_t count = atomic_load(&post->done);
    pthread_mutex_lock(&team->mutex);
    post->at_work = false;
    if (count > 0 && !post->rescued) {
        assert(team->finished_count < team->room);
        struct finished *place =
            &team->finished[(team->finished_first + team->finished_count++) % team->room];
        place->count = count;
        memcpy(place->trials, post->finished.trials, count * sizeof place->trials[0]);
        pthread_cond_signal(&team->result);
    }
    atomic_store(&post->done, 0);
    pthread_mutex_unlock(&team->mutex);
}

static void *work(void *self)
{
    struct post *post = self;
    const struct rl_trial_stop stop = {post, stop_asked};
    while (next_task(post)) {
        const struct rl_task task = post->task;
        const struct rl_point *point = &post->team->plan->points[task.point];
        for (size_t i = 0; i < task.count; i++) {
            if (!rl_trial_run(point, task.point, task.first + i, stop, &post->finished.trials[i]))
                break;
            atomic_store_explicit(&post->done, i + 1, memory_order_release);
        }
        hand_in(post);
    }
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

/* ---- workers that do not come back -------------------------------------------------------------
 */

/* The processor time of a thread. */
static double seconds_of(const struct post *post)
{
    clockid_t clock;
    struct timespec now = {0};
    if (pthread_getcpuclockid(post->thread, &clock) == 0)
        clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool team_stuck(void *self, double seconds, struct rl_task *task_out)
{
    struct team *team = self;
    bool stuck = false;
    pthread_mutex_lock(&team->mutex);
    for (size_t i = 0; i < team->thread_count && !stuck; i++) {
        struct post *post = &team->posts[i];
        const unsigned beats = atomic_load(&post->beats);
        const double now = seconds_of(post);
        if (!post->at_work || beats != post->beats_seen) {
            post->beats_seen = beats;
            post->seconds_seen = now;
        } else if (now - post->seconds_seen >= seconds) {
            const uint64_t trial = post->task.first + atomic_load(&post->done);
            *task_out = (struct rl_task){.point = post->task.point, .count = 1, .first = trial};
            stuck = true;
        }
    }
    pthread_mutex_unlock(&team->mutex);
    return stuck;
}

static size_t team_rescue(void *self, struct rl_trial *trials_out)
{
    struct team *team = self;
    size_t count = 0;
    pthread_mutex_lock(&team->mutex);
    for (size_t i = 0; i < team->thread_count && count == 0; i++) {
        struct post *post = &team->posts[i];
        if (post->rescued)
            continue;
        post->rescued = true;
        count = atomic_load_explicit(&post->done, memory_order_acquire);
        memcpy(trials_out, post->finished.trials, count * sizeof *trials_out);
    }
    pthread_mutex_unlock(&team->mutex);
    return count ? count : team_take(self, 0, trials_out);
}

static void team_stop(void *self)
{
    struct team *team = self;
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->stopping, true);
    pthread_cond_broadcast(&team->work);
    pthread_mutex_unlock(&team->mutex);
    for (size_t i = 0; i < team->thread_count; i++)
        pthread_join(team->posts[i].thread, NULL);
    pthread_cond_destroy(&team->work);
    pthread_cond_destroy(&team->result);
    pthread_mutex_destroy(&team->mutex);
    free(team->posts);
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
    team->posts = calloc(jobs, sizeof *team->posts);
    team->tasks = calloc(team->room, sizeof *team->tasks);
    team->finished = calloc(team->room, sizeof *team->finished);
    const bool fine = team->posts && team->tasks && team->finished;
    /* With fewer threads than asked for it only takes longer. */
    while (fine && team->thread_count < jobs) {
        struct post *post = &team->posts[team->thread_count];
        post->team = team;
        if (pthread_create(&post->thread, NULL, work, post) != 0)
            break;
        team->thread_count++;
    }
    if (team->thread_count == 0) {
        team_stop(team);
        return fine ? RL_NO_THREAD : RL_NO_MEMORY;
    }
    *workers = (struct rl_crew){team,      team->thread_count, team_give, team_take,
                                team_stop, team_rescue,        team_stuck};
    return RL_OK;
}
