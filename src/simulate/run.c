/* SPDX-License-Identifier: MIT
 *
 * A run: batches of events from an engine, hits, faults, observers.
 *
 * After every batch the sets entered in it are found (run.h). That costs O(n) and batches grow
 * with the run up to n/4 events (n/16 on large rings), so it stays a small part of the work while a
 * short run does not overshoot by much. At the end of the run the ring is taken back to the hit.
 */
#include "ringleader/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/status.h"
#include "core/inside.h"
#include "simulate/inside.h"

enum { LEAST_BATCH = 16, LEAST_ROOM = 1024, LARGE_ROOM = 1 << 17 };

/* n/4 events; on large rings n/16, for the sake of memory. */
static size_t batch_room(uint32_t n)
{
    const uint32_t most = n / 4 < LARGE_ROOM ? n / 4 : LARGE_ROOM;
    const uint32_t room = n / 16 < most ? most : n / 16;
    return room < LEAST_ROOM ? LEAST_ROOM : room;
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

static enum rl_status take_memory(struct rl_run *run, const struct rl_experiment *experiment)
{
    const uint32_t n = experiment->params.n;
    size_t largest = 1;
    for (size_t i = 0; i < experiment->fault_count; i++)
        largest = experiment->faults[i].agents > largest ? experiment->faults[i].agents : largest;
    run->faults = malloc((experiment->fault_count + 1) * sizeof *run->faults);
    run->struck = malloc(largest * sizeof *run->struck);
    run->ring.agents = rl_large_alloc(rl_ring_bytes(experiment->protocol, n));
    if (!run->faults || !run->struck || !run->ring.agents)
        return RL_NO_MEMORY;
    return rl_batch_init(&run->batch, batch_room(n));
}

/* In order of step. */
static void copy_faults(struct rl_run *run, const struct rl_experiment *experiment)
{
    for (size_t i = 0; i < experiment->fault_count; i++) {
        struct rl_fault fault = experiment->faults[i];
        size_t place = run->fault_count++;
        assert(fault.agents <= experiment->params.n && "more agents than the ring has");
        for (; place > 0 && run->faults[place - 1].step > fault.step; place--)
            run->faults[place] = run->faults[place - 1];
        fault.recovered_after = RL_NEVER;
        run->faults[place] = fault;
    }
}

enum rl_status rl_run_check_fault(const struct rl_fault *fault, uint64_t max_steps,
                                  struct rl_error *error)
{
    if (fault->step <= max_steps)
        return RL_OK;
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "a fault at step %llu comes after the end of the run, step %llu",
                        (unsigned long long)fault->step, (unsigned long long)max_steps);
}

static uint64_t last_step(const struct rl_end *end)
{
    const uint64_t limit = end->max_steps ? end->max_steps : RL_NEVER;
    return end->kind == RL_UNTIL_STEPS && end->steps < limit ? end->steps : limit;
}

/* The last fault is the one to look at. */
static enum rl_status check_faults(const struct rl_run *run, const struct rl_schedule *schedule,
                                   struct rl_error *error)
{
    uint64_t end = run->last_step;
    if (schedule && schedule->length < end)
        end = schedule->length;
    return run->fault_count > 0 ? rl_run_check_fault(&run->faults[run->fault_count - 1], end, error)
                                : RL_OK;
}

enum rl_status rl_run_init(struct rl_run *run, const struct rl_experiment *experiment,
                           struct rl_error *error)
{
    assert(experiment->protocol && "no protocol");
    assert(experiment->end.set < RL_MAX_SETS && "there is no such set");
    /* Where no set shows the target, outputs are watched whatever ends the run. */
    const uint64_t wanted = experiment->end.kind == RL_UNTIL_SETTLED ? experiment->end.steps
                            : experiment->end.kind == RL_UNTIL_SET
                                ? 0
                                : rl_settled_usual(experiment->protocol, &experiment->params);
    *run = (struct rl_run){
        .ring = {.protocol = experiment->protocol, .params = experiment->params},
        .end = experiment->end,
        .last_step = last_step(&experiment->end),
        .settled = {.wanted = wanted},
    };
    rl_hits_forget(run->hits);
    enum rl_status status = rl_protocol_allows(experiment->protocol, &experiment->params, error);
    if (!status || (status == RL_UNPROMISED && experiment->unpromised))
        status = take_memory(run, experiment);
    if (status)
        return status;
    copy_faults(run, experiment);
    status = check_faults(run, experiment->schedule, error);
    if (!status)
        status = rl_experiment_fill(experiment, &run->ring, error);
    if (status)
        return status;
    struct rl_random random;
    rl_random_init(&random, experiment->seed, experiment->trial, RL_PURPOSE_SCHEDULE);
    rl_random_init(&run->fault_random, experiment->seed, experiment->trial, RL_PURPOSE_FAULT);
    if (experiment->schedule)
        run->cursor.schedule = experiment->schedule;
    return rl_engine_init(&run->engine, experiment->engine, &run->ring, &random,
                          experiment->schedule ? &run->cursor : NULL);
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
    assert(run->observer_count < RL_MAX_OBSERVERS && "too many observers");
    assert(!run->began && "the run has begun");
    run->observers[run->observer_count++] = observer;
}

/* After the hits have been brought up to date: the last fault is over once the target is hit. */
static void note_recovery(struct rl_run *run)
{
    const uint64_t hit = run->hits[run->end.set];
    if (hit != RL_NEVER && run->faults_done > 0) {
        struct rl_fault *fault = &run->faults[run->faults_done - 1];
        fault->recovered_after = hit - fault->step;
    }
}

/* At the start and after a fault: the sets that contain the ring as it stands. */
static void note_hits_here(struct rl_run *run)
{
    rl_hits_forget(run->hits);
    rl_hits_note(run->hits, &run->ring, run->step);
    note_recovery(run);
    rl_settled_begin(&run->settled, &run->ring, run->step);
}

static bool is_finished(const struct rl_run *run)
{
    if (run->faults_done < run->fault_count)
        return false;
    return run->end.kind == RL_UNTIL_SETTLED
               ? rl_settled_is(&run->settled, run->step)
               : run->end.kind == RL_UNTIL_SET && run->hits[run->end.set] != RL_NEVER;
}

/* Up to where the run has settled, if it does. */
static void watch_outputs(struct rl_run *run)
{
    const bool last = run->faults_done == run->fault_count && run->end.kind == RL_UNTIL_SETTLED;
    run->batch.count = rl_settled_watch(&run->settled, &run->ring, &run->batch, 0, last);
    if (last && rl_settled_is(&run->settled, run->step))
        run->step = run->settled.since + run->settled.wanted;
}

/* The outputs have settled: that is the hit of what stands in for a set, if it is the target. */
static void stop_settled(struct rl_run *run)
{
    const struct rl_protocol *protocol = run->ring.protocol;
    rl_hits_forget_after(run->hits, run->step);
    if (protocol->set_count > run->end.set && !protocol->sets[run->end.set].contains) {
        run->hits[run->end.set] = run->settled.since;
        note_recovery(run);
    }
    run->state = RL_REACHED;
}

/* Number of events of the batch up to and including `step`. */
static size_t events_until(const struct rl_batch *batch, uint64_t step)
{
    size_t count = batch->count;
    while (count > 0 && batch->events[count - 1].step > step)
        count--;
    return count;
}

/* The step at which a run ends whose set is hit. */
static uint64_t end_after_hit(const struct rl_run *run)
{
    const uint64_t hit = run->hits[run->end.set];
    return run->end.after < RL_NEVER - hit ? hit + run->end.after : RL_NEVER;
}

/* Takes the run back to the step at which it ends and forgets what the engine did beyond. */
static void stop_at(struct rl_run *run, uint64_t step)
{
    run->step = step;
    const size_t count = events_until(&run->batch, run->step);
    rl_batch_seek(&run->batch, &run->ring, count);
    run->batch.count = count;
    rl_hits_forget_after(run->hits, run->step);
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
    const bool at_limit = run->step >= run->last_step || run->engine.over;
    if (is_finished(run) && (run->settled.wanted || at_limit || run->step >= end_after_hit(run)))
        run->state = RL_REACHED;
    else if (run->step >= run->last_step)
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
    const struct rl_settled *settled = &run->settled;
    if (run->faults_done == run->fault_count && run->end.kind == RL_UNTIL_SETTLED &&
        settled->leaders == 1 && run->last_step - settled->since > settled->wanted)
        return settled->since + settled->wanted;
    if (is_finished(run) && !settled->wanted && end_after_hit(run) < run->last_step)
        return end_after_hit(run);
    if (run->faults_done == run->fault_count)
        return run->last_step;
    const uint64_t fault = run->faults[run->faults_done].step;
    return fault < run->last_step ? fault : run->last_step;
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
    assert(run->engine.ring && "the run was not prepared: what did rl_run_init say?");
    if (!run->began)
        begin(run);
    if (run->state != RL_RUNNING)
        return run->state;
    choose_batch_size(run);
    rl_engine_advance(&run->engine, next_stop(run), &run->batch);
    run->step = run->engine.step;
    rl_hits_find(run->hits, &run->ring, &run->batch);
    note_recovery(run);
    if (run->settled.wanted)
        watch_outputs(run);
    if (is_finished(run) && run->settled.wanted)
        stop_settled(run);
    else if (is_finished(run) && run->step >= end_after_hit(run))
        stop_at(run, end_after_hit(run));
    conclude(run);
    run->events += run->batch.count;
    for (size_t i = 0; i < run->observer_count; i++)
        if (run->observers[i].batch)
            run->observers[i].batch(run->observers[i].user, run);
    if (run->state == RL_RUNNING)
        settle(run);
    return run->state;
}
