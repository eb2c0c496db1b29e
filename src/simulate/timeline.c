/* SPDX-License-Identifier: MIT
 *
 * Timelines: samples of a run at exact steps, found by walking the batch.
 */
#include "ringleader/run.h"

#include <assert.h>

static void take(struct rl_timeline *timeline, const struct rl_run *run, uint64_t step)
{
    struct rl_sample sample = {.step = step, .leaders = rl_ring_leaders(&run->ring)};
    if (run->ring.protocol->measure)
        run->ring.protocol->measure(&run->ring, sample.gauges);
    timeline->sample(timeline->user, run, &sample);
    timeline->taken = step;
}

static uint64_t after(uint64_t step)
{
    if (step < 4)
        return step + 1;
    return step + (UINT64_C(1) << (61 - __builtin_clzll(step)));
}

/* The earliest step to be sampled up to `last`; RL_NEVER if none. */
static uint64_t next_sample(const struct rl_timeline *timeline, const struct rl_run *run,
                            uint64_t last)
{
    uint64_t next = timeline->next;
    for (size_t i = 0; i < run->ring.protocol->set_count; i++) {
        const uint64_t hit = run->hits[i];
        if (hit != RL_NEVER && hit > timeline->taken && hit < next)
            next = hit;
    }
    return next <= last ? next : RL_NEVER;
}

static void on_batch(void *user, struct rl_run *run)
{
    struct rl_timeline *timeline = user;
    size_t position = 0; /* in the batch, after all events up to `step` */
    uint64_t step;
    while ((step = next_sample(timeline, run, run->step)) != RL_NEVER) {
        while (position < run->batch.count && run->batch.events[position].step <= step)
            position++;
        rl_batch_seek(&run->batch, &run->ring, position);
        take(timeline, run, step);
        while (timeline->next <= step)
            timeline->next = after(timeline->next);
    }
    rl_batch_seek(&run->batch, &run->ring, run->batch.count);
    if (run->state != RL_RUNNING && timeline->taken != run->step)
        take(timeline, run, run->step);
}

static void on_began(void *user, struct rl_run *run)
{
    take(user, run, run->step);
}

static void on_fault(void *user, struct rl_run *run, size_t index, const uint32_t *agents)
{
    (void)index, (void)agents;
    take(user, run, run->step);
}

void rl_timeline_watch(struct rl_timeline *timeline, struct rl_run *run, void *user,
                       void (*sample)(void *user, const struct rl_run *run,
                                      const struct rl_sample *sample))
{
    assert(sample && "nobody to take the samples");
    *timeline = (struct rl_timeline){.user = user, .sample = sample, .next = 1, .taken = RL_NEVER};
    rl_run_observe(run,
                   (struct rl_observer){
                       .user = timeline, .began = on_began, .batch = on_batch, .fault = on_fault});
}
