/* SPDX-License-Identifier: MIT
 *
 * A replay: the run of an execution, and a second ring on which every event is computed again by
 * the rules alone.
 *
 * A hit is checked at its step: just before it the ring is not in the set, and then it is. The sets
 * need not be closed, because an execution may show that one is not.
 */
#include <stdlib.h>
#include <string.h>

#include "ringleader/run.h"
#include "core/inside.h"

static void fail(struct rl_replay *replay, uint32_t line, const char *format, const char *name,
                 uint64_t step)
{
    if (replay->status)
        return;
    replay->error = (struct rl_error){.line = line, .column = line ? 1 : 0};
    replay->status =
        rl_error_set(&replay->error, RL_BAD_TRACE, format, name, (unsigned long long)step);
}

/* Looks at the ring as it stands after `step` interactions: it is in a set where the record says
 * so, and not before. */
static void look(struct rl_replay *replay, uint64_t step)
{
    const struct rl_execution *execution = replay->execution;
    for (size_t i = 0; i < replay->ring.protocol->set_count; i++) {
        const struct rl_set *set = &replay->ring.protocol->sets[i];
        if (!execution->hit_lines[i] || !set->contains || execution->hits[i] < step)
            continue;
        const bool is_in = set->contains(&replay->ring);
        replay->seen[i] = is_in && execution->hits[i] == step;
        if (is_in && !replay->seen[i])
            fail(replay, execution->hit_lines[i], "the ring already is in %s at step %llu",
                 set->name, step);
    }
}

/* Is something said to be hit at this step? */
static bool is_hit(const struct rl_execution *execution, uint64_t step)
{
    for (size_t i = 0; i < execution->experiment.protocol->set_count; i++)
        if (execution->hit_lines[i] && execution->hits[i] == step)
            return true;
    return false;
}

/* Hits are counted from the last fault on. */
static bool counts(const struct rl_run *run)
{
    return run->faults_done == run->fault_count;
}

static void stand(struct rl_replay *replay, const struct rl_run *run)
{
    rl_oracle_look(&replay->oracle, &replay->ring, run->step);
    if (counts(run))
        look(replay, run->step);
}

static void on_began(void *user, struct rl_run *run)
{
    struct rl_replay *replay = user;
    memcpy(replay->ring.agents, run->ring.agents,
           rl_ring_bytes(run->ring.protocol, run->ring.params.n));
    stand(replay, run);
}

static void on_fault(void *user, struct rl_run *run, size_t index, const uint32_t *agents)
{
    struct rl_replay *replay = user;
    for (uint32_t i = 0; i < run->faults[index].agents; i++)
        rl_ring_set(&replay->ring, agents[i], rl_ring_get(&run->ring, agents[i]));
    stand(replay, run);
}

static void on_batch(void *user, struct rl_run *run)
{
    struct rl_replay *replay = user;
    for (size_t i = 0; i < run->batch.count && !replay->status; i++) {
        const struct rl_event *event = &run->batch.events[i];
        const bool hit = counts(run) && is_hit(replay->execution, event->step);
        if (hit)
            look(replay, event->step - 1);
        if (!rl_oracle_interact(&replay->oracle, &replay->ring, event->arc, event->step))
            fail(replay, 0, "%s: the event at step %llu changes nothing",
                 replay->ring.protocol->name, event->step);
        if (hit)
            look(replay, event->step);
    }
}

enum rl_status rl_replay_watch(struct rl_replay *replay, const struct rl_execution *execution,
                               struct rl_run *run)
{
    *replay = (struct rl_replay){.execution = execution, .ring = run->ring};
    replay->ring.agents = malloc(rl_ring_bytes(run->ring.protocol, run->ring.params.n));
    if (!replay->ring.agents)
        return RL_NO_MEMORY;
    rl_run_observe(run,
                   (struct rl_observer){
                       .user = replay, .began = on_began, .batch = on_batch, .fault = on_fault});
    return RL_OK;
}

void rl_replay_free(struct rl_replay *replay)
{
    free(replay->ring.agents);
    *replay = (struct rl_replay){0};
}

enum rl_status rl_replay_end(struct rl_replay *replay, const struct rl_run *run,
                             struct rl_error *error)
{
    const struct rl_execution *execution = replay->execution;
    const size_t bytes = rl_ring_bytes(run->ring.protocol, run->ring.params.n);
    if (memcmp(replay->ring.agents, run->ring.agents, bytes) != 0)
        fail(replay, 0, "%s: the rules give another ring at step %llu", run->ring.protocol->name,
             run->step);
    if (execution->events != RL_NEVER && run->events != execution->events)
        fail(replay, execution->events_line, "%s: %llu events happen", run->ring.protocol->name,
             run->events);
    for (size_t i = 0; i < run->ring.protocol->set_count; i++) {
        const struct rl_set *set = &run->ring.protocol->sets[i];
        if (!execution->hit_lines[i] || !set->contains)
            continue;
        if (execution->hits[i] == RL_NEVER && set->contains(&replay->ring))
            fail(replay, execution->hit_lines[i], "the ring is in %s at step %llu", set->name,
                 run->step);
        if (execution->hits[i] != RL_NEVER && !replay->seen[i])
            fail(replay, execution->hit_lines[i], "the ring does not enter %s at step %llu",
                 set->name, execution->hits[i]);
    }
    if (replay->status && error)
        *error = replay->error;
    return replay->status;
}
