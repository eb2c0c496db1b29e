/* SPDX-License-Identifier: MIT
 *
 * Trials that are rings of real processes, beside the simulated ones of the same study.
 *
 * A crew round a crew of threads: it passes on what is simulated and keeps the rings to itself. A
 * ring is held, one at a time, by the one who takes, while no thread has work: it wants the machine
 * to itself, and processes are forked from it.
 */
#include <stdlib.h>

#include "cli/ring.h"
#include "cli/study.h"

/* Interactions a second and arc, and what a ring needs from its last leader to its target. */
#define RATE    50.0
#define HOLD(n) (0.5 + 3 * (n) / RATE)
enum { LIMIT = 600 };

struct ring_crew {
    struct rl_crew threads;
    const struct rl_plan *plan;
    size_t with_threads; /* tasks under way */
    int *outcome_out;    /* of a ring that failed */
    size_t first, count, room;
    struct rl_task waiting[];
};

/* What came out of a ring, as a trial; `user` is where to. */
static int keep_trial(const struct real_ring *ring, const struct rl_account *account, bool elected)
{
    const struct ring_request *request = ring->request;
    struct rl_trial *trial = request->user;
    struct course course;
    (void)elected; /* whether the target was hit is what counts */
    if (ring->interrupted)
        return EXIT_NO;
    if (account->anomalies > 0)
        return complain(EXIT_OUTSIDE,
                        "a ring of %u processes had %s interactions that are none of "
                        "the protocol's",
                        ring->n, grouped(account->anomalies));
    const int outcome = follow_account(&request->rules, account, &course);
    if (outcome != GO_ON)
        return outcome;
    const uint64_t hit = course.hits[request->rules.protocol->target];
    trial->end = hit == RL_NEVER ? RL_LIMIT : RL_REACHED;
    trial->steps = hit == RL_NEVER ? account->arc_count : hit;
    for (size_t k = 0; k < RL_MAX_SETS; k++)
        trial->hits[k] = course.hits[k] <= trial->steps ? course.hits[k] : RL_NEVER;
    trial->events = course.events;
    trial->leaders = course.leaders;
    trial->leader = course.leader;
    trial->trip = round_trip_of(ring) * request->rate;
    trial->wall_seconds = seconds_now() - ring->began;
    return GO_ON;
}

static int request_of(const struct rl_point *point, struct ring_request *request)
{
    struct rl_error error = {0};
    *request = (struct ring_request){.rate = RATE,
                                     .hold = HOLD(point->params.n),
                                     .limit = LIMIT,
                                     .start = point->start,
                                     .seed = point->seed,
                                     .finish = keep_trial};
    if (point->params.n > MOST_NODES)
        return complain(EXIT_REQUEST, "a ring of processes has 2 to %d of them, not %u", MOST_NODES,
                        point->params.n);
    if (!point->protocol->sets[point->protocol->target].contains)
        return complain(EXIT_REQUEST,
                        "%s declares no set whose hit in a ring of processes could be told",
                        point->protocol->name);
    const enum rl_status status =
        rl_rules_init(&request->rules, point->protocol, &point->params, &error);
    return status ? complain_status(status, &error, NULL) : GO_ON;
}

int check_rings(const struct rl_plan *plan)
{
    static struct ring_request request; /* the rules point into it */
    int outcome = GO_ON;
    for (size_t i = 0; i < plan->count && outcome == GO_ON; i++)
        if (plan->points[i].engine == RL_ENGINE_PROCESSES)
            outcome = request_of(&plan->points[i], &request);
    return outcome;
}

/* False if the ring was interrupted or something failed, which has been said. */
static bool hold_trial(const struct ring_crew *crew, const struct rl_task *task, uint64_t number,
                       struct rl_trial *trial)
{
    static struct ring_request request; /* the rules point into it */
    int outcome = request_of(&crew->plan->points[task->point], &request);
    *trial = (struct rl_trial){.point = task->point, .trial = number};
    request.trial = number;
    request.user = trial;
    if (outcome == GO_ON)
        outcome = hold_ring(&request);
    if (!interrupted())
        *crew->outcome_out = outcome;
    return outcome == GO_ON;
}

static enum rl_status give(void *self, const struct rl_task *task)
{
    struct ring_crew *crew = self;
    if (crew->plan->points[task->point].engine == RL_ENGINE_PROCESSES) {
        crew->waiting[(crew->first + crew->count++) % crew->room] = *task;
        return RL_OK;
    }
    crew->with_threads++;
    return crew->threads.give(crew->threads.self, task);
}

static size_t take(void *self, double seconds, struct rl_trial *trials_out)
{
    struct ring_crew *crew = self;
    if (crew->with_threads > 0) {
        const size_t count = crew->threads.take(crew->threads.self, seconds, trials_out);
        crew->with_threads -= count > 0;
        return count;
    }
    if (crew->count == 0)
        return 0;
    const struct rl_task task = crew->waiting[crew->first];
    size_t done = 0;
    while (done < task.count && hold_trial(crew, &task, task.first + done, &trials_out[done]))
        done++;
    crew->first = (crew->first + 1) % crew->room;
    crew->count--;
    return done;
}

static size_t rescue(void *self, struct rl_trial *trials_out)
{
    struct ring_crew *crew = self;
    return crew->threads.rescue(crew->threads.self, trials_out);
}

static bool stuck(void *self, double seconds, struct rl_task *task_out)
{
    struct ring_crew *crew = self;
    return crew->threads.stuck(crew->threads.self, seconds, task_out);
}

static void stop(void *self)
{
    struct ring_crew *crew = self;
    crew->threads.stop(crew->threads.self);
    free(crew);
}

enum rl_status hire_with_rings(struct rl_crew *workers, const struct rl_plan *plan, size_t jobs,
                               int *outcome_out)
{
    *workers = (struct rl_crew){0};
    const size_t room = RL_CREW_AHEAD * jobs; /* there are no more threads than that */
    struct ring_crew *crew = calloc(1, sizeof *crew + room * sizeof crew->waiting[0]);
    enum rl_status status = crew ? rl_crew_threads(&crew->threads, plan, jobs) : RL_NO_MEMORY;
    if (status) {
        free(crew);
        return status;
    }
    crew->plan = plan;
    crew->outcome_out = outcome_out;
    crew->room = room;
    *workers = (struct rl_crew){crew, crew->threads.count, give, take, stop, rescue, stuck};
    return RL_OK;
}
