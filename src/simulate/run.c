/* SPDX-License-Identifier: MIT
 *
 * A run: batches of events from an engine, hits, faults, observers.
 *
 * After every batch each set not yet hit is tested once. The sets are closed, so a set that
 * contains the ring now was entered inside this batch, and bisection finds where. A test costs O(n)
 * and batches grow with the run up to n/4 events, so tests stay a small part of the work while a
 * short run does not overshoot by much. At the end of the run the ring is taken back to the hit.
 */
#include "ringleader/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/text.h"

enum { LEAST_BATCH = 16, LEAST_ROOM = 1024 };

static size_t batch_room(uint32_t n)
{
    return n / 4 < LEAST_ROOM ? LEAST_ROOM : n / 4;
}

enum rl_status rl_run_parse_fault(const char *text, uint32_t n, struct rl_fault *fault_out,
                                  struct rl_error *error)
{
    char agents[32] = "";
    const size_t length = strcspn(text, "@");
    uint64_t count;
    if (text[length] != '@' || length == 0 || length >= sizeof agents)
        return rl_error_set(error, RL_BAD_TEXT, "a fault is K@STEP, such as 10@1e6, not '%s'",
                            text);
    memcpy(agents, text, length);
    const bool percent = agents[length - 1] == '%';
    agents[length - percent] = '\0';
    *fault_out = (struct rl_fault){.recovered_after = RL_NEVER};
    enum rl_status status = rl_text_parse_count(agents, percent ? 0 : n, &count, error);
    if (!status)
        status = rl_text_parse_count(text + length + 1, n, &fault_out->step, error);
    if (status)
        return status;
    if (percent)
        count = count > 100 ? 0 : (count * n + 99) / 100;
    if (count < 1 || count > n)
        return rl_error_set(
            error, RL_BAD_PARAMETER,
            "the fault '%s' strikes no agent or too many: 1 to n = %u can be struck", text, n);
    fault_out->agents = (uint32_t)count;
    return RL_OK;
}

static void forget_hits(struct rl_run *run)
{
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        run->hits[i] = RL_NEVER;
}

static enum rl_status take_memory(struct rl_run *run, const struct rl_run_options *options)
{
    const uint32_t n = options->params.n;
    size_t largest = 1;
    for (size_t i = 0; i < options->fault_count; i++)
        largest = options->faults[i].agents > largest ? options->faults[i].agents : largest;
    run->faults = malloc((options->fault_count + 1) * sizeof *run->faults);
    run->struck = malloc(largest * sizeof *run->struck);
    run->ring.agents = malloc(rl_ring_bytes(options->protocol, n));
    if (!run->faults || !run->struck || !run->ring.agents)
        return RL_NO_MEMORY;
    return rl_batch_init(&run->batch, batch_room(n));
}

static void copy_faults(struct rl_run *run, const struct rl_run_options *options)
{
    run->fault_count = options->fault_count;
    for (size_t i = 0; i < options->fault_count; i++) {
        assert(options->faults[i].agents <= options->params.n);
        assert(i == 0 || options->faults[i - 1].step <= options->faults[i].step);
        run->faults[i] = options->faults[i];
        run->faults[i].recovered_after = RL_NEVER;
    }
}

static enum rl_status fill_ring(struct rl_run *run, const struct rl_run_options *options,
                                struct rl_error *error)
{
    if (options->configuration) {
        memcpy(run->ring.agents, options->configuration,
               rl_ring_bytes(options->protocol, options->params.n));
        return RL_OK;
    }
    struct rl_random random;
    rl_random_init(&random, options->seed, options->trial, RL_PURPOSE_START);
    return rl_ring_start(&run->ring, options->start, &random, error);
}

enum rl_status rl_run_init(struct rl_run *run, const struct rl_run_options *options,
                           struct rl_error *error)
{
    *run = (struct rl_run){
        .ring = {.protocol = options->protocol, .params = options->params},
        .until = options->until,
        .until_steps = options->until_steps,
        .max_steps = options->max_steps,
    };
    forget_hits(run);
    enum rl_status status = take_memory(run, options);
    if (status)
        return status;
    copy_faults(run, options);
    status = fill_ring(run, options, error);
    if (status)
        return status;
    struct rl_random random;
    rl_random_init(&random, options->seed, options->trial, RL_PURPOSE_SCHEDULE);
    rl_random_init(&run->fault_random, options->seed, options->trial, RL_PURPOSE_FAULT);
    if (options->schedule)
        run->cursor = rl_schedule_begin(options->schedule);
    return rl_engine_init(&run->engine, options->engine, &run->ring, &random,
                          options->schedule ? &run->cursor : NULL);
}

void rl_run_free(struct rl_run *run)
{
    rl_engine_free(&run->engine);
    rl_batch_free(&run->batch);
    free(run->ring.agents);
    free(run->faults);
    free(run->struck);
    *run = (struct rl_run){0};
}

void rl_run_observe(struct rl_run *run, struct rl_observer observer)
{
    assert(run->observer_count < RL_MAX_OBSERVERS && !run->began);
    run->observers[run->observer_count++] = observer;
}

static void note_hit(struct rl_run *run, size_t set, uint64_t step)
{
    run->hits[set] = step;
    if (set == run->until && run->faults_done > 0) {
        struct rl_fault *fault = &run->faults[run->faults_done - 1];
        fault->recovered_after = step - fault->step;
    }
}

/* At the start and after a fault: the sets that contain the ring as it stands. */
static void note_hits_here(struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    for (size_t i = 0; i < protocol->set_count; i++)
        if (protocol->sets[i].contains(&run->ring))
            note_hit(run, i, run->step);
}

/* The sets entered in this batch. */
static void note_hits_in_batch(struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    for (size_t i = 0; i < protocol->set_count && run->batch.count > 0; i++) {
        if (run->hits[i] != RL_NEVER || !protocol->sets[i].contains(&run->ring))
            continue;
        const size_t position = rl_batch_first_in(&run->batch, &run->ring, &protocol->sets[i]);
        assert(position > 0);
        note_hit(run, i, run->batch.events[position - 1].step);
    }
}

static bool is_finished(const struct rl_run *run)
{
    return !run->until_steps && run->faults_done == run->fault_count &&
           run->hits[run->until] != RL_NEVER;
}

/* Number of events of the batch up to and including `step`. */
static size_t events_until(const struct rl_batch *batch, uint64_t step)
{
    size_t count = batch->count;
    while (count > 0 && batch->events[count - 1].step > step)
        count--;
    return count;
}

/* Takes the run back to the hit that ends it and forgets what the engine did beyond. */
static void stop_at_hit(struct rl_run *run)
{
    run->step = run->hits[run->until];
    const size_t count = events_until(&run->batch, run->step);
    rl_batch_seek(&run->batch, &run->ring, count);
    run->batch.count = count;
    for (size_t i = 0; i < run->ring.protocol->set_count; i++)
        if (run->hits[i] != RL_NEVER && run->hits[i] > run->step)
            run->hits[i] = RL_NEVER;
    run->state = RL_REACHED;
}

static void keep_struck(void *user, uint32_t agent)
{
    struct rl_run *run = user;
    run->struck[run->struck_count++] = agent;
}

static void strike(struct rl_run *run)
{
    const size_t index = run->faults_done++;
    run->struck_count = 0;
    rl_ring_fault(&run->ring, run->faults[index].agents, &run->fault_random, keep_struck, run);
    rl_engine_disturbed(&run->engine);
    forget_hits(run);
    note_hits_here(run);
    for (size_t i = 0; i < run->observer_count; i++)
        if (run->observers[i].fault)
            run->observers[i].fault(run->observers[i].user, run, index, run->struck);
}

static bool fault_is_due(const struct rl_run *run)
{
    return run->faults_done < run->fault_count && run->faults[run->faults_done].step == run->step;
}

/* Is this the end? Not while a fault is due. */
static void conclude(struct rl_run *run)
{
    if (fault_is_due(run) || run->state != RL_RUNNING)
        return;
    if (is_finished(run))
        run->state = RL_REACHED;
    else if (run->step >= run->max_steps)
        run->state = RL_LIMIT;
    else if (run->engine.over)
        run->state = RL_EXHAUSTED;
}

static void settle(struct rl_run *run)
{
    while (fault_is_due(run))
        strike(run);
    conclude(run);
}

static void begin(struct rl_run *run)
{
    run->began = true;
    for (size_t i = 0; i < run->observer_count; i++)
        if (run->observers[i].began)
            run->observers[i].began(run->observers[i].user, run);
    note_hits_here(run);
    settle(run);
}

static uint64_t next_stop(const struct rl_run *run)
{
    if (run->faults_done == run->fault_count)
        return run->max_steps;
    const uint64_t fault = run->faults[run->faults_done].step;
    return fault < run->max_steps ? fault : run->max_steps;
}

static void choose_batch_size(struct rl_run *run)
{
    const uint64_t wanted = run->events / 8;
    run->batch.wanted = wanted < LEAST_BATCH       ? LEAST_BATCH
                        : wanted > run->batch.room ? run->batch.room
                                                   : (size_t)wanted;
}

enum rl_run_state rl_run_advance(struct rl_run *run)
{
    if (!run->began)
        begin(run);
    if (run->state != RL_RUNNING)
        return run->state;
    choose_batch_size(run);
    rl_engine_advance(&run->engine, next_stop(run), &run->batch);
    run->step = run->engine.step;
    note_hits_in_batch(run);
    if (is_finished(run))
        stop_at_hit(run);
    conclude(run);
    run->events += run->batch.count;
    for (size_t i = 0; i < run->observer_count; i++)
        if (run->observers[i].batch)
            run->observers[i].batch(run->observers[i].user, run);
    if (run->state == RL_RUNNING)
        settle(run);
    return run->state;
}
