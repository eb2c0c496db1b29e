/* SPDX-License-Identifier: MIT
 *
 * Workers that are threads.
 *
 * Tasks go to them through one pipe, and pointers to what they did come back through another: a
 * pipe is a queue that many may read from and write to, and that can be waited for. What is written
 * is short enough to arrive whole.
 */
#define _GNU_SOURCE /* pipe2 */
#include "ringleader/study.h"
#include "study/inside.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct result {
    size_t count;
    struct rl_trial trials[];
};

enum { READ, WRITE };

struct team {
    const struct rl_plan *plan;
    int tasks[2], results[2];
    atomic_bool stopping;
    size_t count;
    pthread_t threads[];
};

/* Between spells of work. */
static bool stop_asked(void *self)
{
    struct team *team = self;
    return atomic_load_explicit(&team->stopping, memory_order_relaxed);
}

/* False at the end: the pipe is empty, and nobody will write any more. */
static bool receive(int pipe, void *out, size_t bytes)
{
    ssize_t got;
    while ((got = read(pipe, out, bytes)) < 0 && errno == EINTR)
        ;
    return got == (ssize_t)bytes;
}

static void send(int pipe, const void *what, size_t bytes)
{
    while (write(pipe, what, bytes) < 0 && errno == EINTR)
        ;
}

/* NULL without memory. */
static struct result *do_task(struct team *team, const struct rl_task *task)
{
    const struct rl_trial_stop stop = {team, stop_asked};
    struct result *result = malloc(sizeof *result + task->count * sizeof result->trials[0]);
    for (uint32_t i = 0; result && i < task->count; i++) {
        result->count = i + 1;
        if (!rl_trial_run(&team->plan->points[task->point], task->point, task->first + i, stop,
                          &result->trials[i]))
            break;
    }
    return result;
}

static void *work(void *self)
{
    struct team *team = self;
    struct rl_task task;
    /* For who wants to say something when a protocol has used up the stack. */
    char spare[1 << 14];
    sigaltstack(&(stack_t){.ss_sp = spare, .ss_size = sizeof spare}, NULL);
    while (receive(team->tasks[READ], &task, sizeof task) && !stop_asked(team)) {
        struct result *const result = do_task(team, &task);
        send(team->results[WRITE], &result, sizeof result);
    }
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    return NULL;
}

static enum rl_status team_give(void *self, const struct rl_task *task)
{
    send(((struct team *)self)->tasks[WRITE], task, sizeof *task);
    return RL_OK;
}

static size_t team_take(void *self, double seconds, struct rl_trial *trials_out)
{
    struct team *team = self;
    struct pollfd ready = {.fd = team->results[READ], .events = POLLIN};
    struct result *result;
    if (poll(&ready, 1, (int)(1000 * seconds)) <= 0 || !receive(ready.fd, &result, sizeof result))
        return 0;
    const size_t count = result ? result->count : 1;
    *trials_out = (struct rl_trial){.status = RL_NO_MEMORY};
    if (result)
        memcpy(trials_out, result->trials, count * sizeof *trials_out);
    free(result);
    return count;
}

static void team_stop(void *self)
{
    struct team *team = self;
    struct result *result;
    atomic_store(&team->stopping, true);
    close(team->tasks[WRITE]);
    for (size_t i = 0; i < team->count; i++)
        pthread_join(team->threads[i], NULL);
    close(team->tasks[READ]);
    close(team->results[WRITE]);
    while (receive(team->results[READ], &result, sizeof result))
        free(result);
    close(team->results[READ]);
    free(team);
}

enum rl_status rl_crew_threads(struct rl_crew *workers, const struct rl_plan *plan, size_t jobs)
{
    assert(jobs > 0 && "nobody to do the work");
    *workers = (struct rl_crew){0};
    struct team *team = calloc(1, sizeof *team + jobs * sizeof team->threads[0]);
    if (!team)
        return RL_NO_MEMORY;
    team->plan = plan;
    team->tasks[READ] = team->tasks[WRITE] = team->results[READ] = team->results[WRITE] = -1;
    const bool fine = !pipe2(team->tasks, O_CLOEXEC) && !pipe2(team->results, O_CLOEXEC);
    /* With fewer threads than asked for it only takes longer. */
    while (fine && team->count < jobs &&
           pthread_create(&team->threads[team->count], NULL, work, team) == 0)
        team->count++;
    if (team->count == 0) {
        team_stop(team);
        return RL_NO_THREAD;
    }
    *workers = (struct rl_crew){team, team->count, team_give, team_take, team_stop};
    return RL_OK;
}
