/* SPDX-License-Identifier: MIT
 *
 * What the page calls: one execution that can be opened, advanced, looked at and broken.
 *
 * It is an engine, hits and a ring from the library, nothing of its own. The page may stop at any
 * step, so batches are cut where it wants; an execution does not depend on that. Steps cross over
 * as doubles, exact to 2^53.
 */
#include "web/shim.h"

#include <stdlib.h>
#include <string.h>

#include "web/libc/memory.h"
#include "core/inside.h"
#include "simulate/inside.h"

struct page page;
char buffer[BUFFER_SIZE];

enum { BATCH = 4096, MOMENTS = 64 };

/* A moment of the page's execution: all that its rest depends on. */
struct moment {
    struct rl_snapshot snapshot;
    struct rl_random fault_random, view_random;
    uint64_t events;
    uint64_t hits[RL_MAX_SETS];
    struct rl_settled settled;
};

static struct moment *moments[MOMENTS];

/* ---- opening ---- */

char *EXPORT(page_buffer)(void)
{
    return buffer;
}

static enum rl_status take_memory(void)
{
    const uint32_t n = page.ring.params.n;
    page.ring.agents = malloc(rl_ring_bytes(page.ring.protocol, n));
    page.marks = malloc(n);
    page.shade = malloc(n * sizeof *page.shade);
    page.obstacles = malloc(n);
    if (!page.ring.agents || !page.marks || !page.shade || !page.obstacles)
        return RL_NO_MEMORY;
    memset(page.obstacles, 0, n);
    return rl_batch_init(&page.batch, BATCH);
}

/* At the start and after a disturbance. */
static void note_hits_here(void)
{
    rl_hits_forget(page.hits);
    rl_hits_note(page.hits, &page.ring, page.engine.step);
    rl_settled_begin(&page.settled, &page.ring, page.engine.step);
}

static enum rl_status open_page(const struct rl_experiment *experiment, uint32_t engine,
                                const char *configuration, uint32_t length, struct rl_error *error)
{
    const uint64_t seed = experiment->seed, trial = experiment->trial;
    enum rl_status status = take_memory();
    if (!status)
        status = length ? rl_ring_parse(&page.ring, configuration, length, error)
                        : rl_experiment_fill(experiment, &page.ring, error);
    if (status)
        return status;
    struct rl_random random;
    rl_random_init(&random, seed, trial, RL_PURPOSE_SCHEDULE);
    rl_random_init(&page.fault_random, seed, trial, RL_PURPOSE_FAULT);
    page.view_random = page.fault_random;
    rl_random_next(&page.view_random);
    status = rl_engine_init(&page.engine, engine ? RL_ENGINE_STEP : RL_ENGINE_EVENT, &page.ring,
                            &random, NULL);
    if (!status)
        status = rl_snapshot_init(&page.snapshot, &page.engine);
    page.settled.wanted = rl_settled_usual(experiment->protocol, &experiment->params);
    if (!status)
        note_hits_here();
    return status;
}

/* Opens an execution. The buffer holds the experiment as a link writes it (experiment.h), a zero
 * byte and a configuration of `length` bytes, or none. On failure the buffer says why. */
uint32_t EXPORT(page_open)(uint32_t engine, uint32_t length)
{
    struct rl_experiment experiment = {0};
    struct rl_error error = {0};
    const char *configuration = buffer;
    while (*configuration)
        configuration++;
    memory_reset();
    memset(moments, 0, sizeof moments);
    page = (struct page){0};
    enum rl_status status = rl_experiment_parse(&experiment, buffer, &error);
    page.ring = (struct rl_ring){.protocol = experiment.protocol, .params = experiment.params};
    if (!status)
        status = open_page(&experiment, engine, configuration + 1, length, &error);
    if (status) {
        struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
        if (error.line)
            rl_text_format(&text, "line %u, column %u: ", error.line, error.column);
        rl_text_string(&text, error.text[0] ? error.text : rl_status_message(status));
    }
    return status;
}

/* ---- going on ---- */

/* The outputs in the batch: where they have settled is a hit, and the execution goes on. */
static void watch_outputs(void)
{
    uint64_t *hit = &page.hits[page.ring.protocol->target];
    if (!page.settled.wanted)
        return;
    const size_t done =
        rl_settled_watch(&page.settled, &page.ring, &page.batch, 0, *hit == RL_NEVER);
    if (*hit == RL_NEVER &&
        (done < page.batch.count || rl_settled_is(&page.settled, page.engine.step)))
        *hit = page.settled.since;
    rl_settled_watch(&page.settled, &page.ring, &page.batch, done, false);
}

static void find_hits(void)
{
    rl_hits_find(page.hits, &page.ring, &page.batch);
    watch_outputs();
}

static void advance(uint64_t until, size_t wanted)
{
    page.batch.wanted = wanted < BATCH ? wanted : BATCH;
    rl_engine_advance(&page.engine, until, &page.batch);
    page.events += page.batch.count;
    find_hits();
}

static uint64_t as_step(double step)
{
    return step < 0x1p53 ? (uint64_t)step : RL_NEVER;
}

/* Goes on to step `until` or for `events` events, or a spell of work; the number of events. */
uint32_t EXPORT(page_advance)(double until, uint32_t events)
{
    advance(as_step(until), events);
    return (uint32_t)page.batch.count;
}

/* Goes on to where the outputs have settled, if they stay as they are. */
static bool advance_to_settled(uint64_t until)
{
    const uint64_t settled = page.settled.since + page.settled.wanted;
    advance(page.settled.leaders == 1 && settled < until ? settled : until, BATCH);
    return page.hits[page.ring.protocol->target] != RL_NEVER;
}

/* As page_advance, but stops exactly at the hit of a set; says whether it is in the set now. */
bool EXPORT(page_advance_to_set)(double until, uint32_t set)
{
    if (page.hits[set] != RL_NEVER)
        return true;
    if (!page.ring.protocol->sets[set].contains)
        return advance_to_settled(as_step(until));
    page.batch.wanted = BATCH;
    const bool hit = rl_hits_advance_to(page.hits, set, &page.engine, as_step(until),
                                        &page.snapshot, &page.batch);
    page.events += page.batch.count;
    watch_outputs();
    return hit;
}

/* One step; the arc that interacted. */
uint32_t EXPORT(page_step)(void)
{
    const uint32_t arc = rl_engine_step(&page.engine, &page.view_random, &page.batch);
    page.events += page.batch.count;
    find_hits();
    return arc;
}

/* ---- anywhere in time ---- */

/* Keeps this moment in place `slot`, which is made when it is first used; says whether there was
 * memory for it. */
bool EXPORT(page_save)(uint32_t slot)
{
    if (!moments[slot]) {
        struct moment *moment = malloc(sizeof *moment);
        if (!moment || rl_snapshot_init(&moment->snapshot, &page.engine))
            return false;
        moments[slot] = moment;
    }
    struct moment *moment = moments[slot];
    rl_snapshot_take(&moment->snapshot, &page.engine);
    moment->fault_random = page.fault_random;
    moment->view_random = page.view_random;
    moment->events = page.events;
    memcpy(moment->hits, page.hits, sizeof page.hits);
    moment->settled = page.settled;
    return true;
}

void EXPORT(page_restore)(uint32_t slot)
{
    const struct moment *moment = moments[slot];
    rl_snapshot_restore(&moment->snapshot, &page.engine);
    page.fault_random = moment->fault_random;
    page.view_random = moment->view_random;
    page.events = moment->events;
    memcpy(page.hits, moment->hits, sizeof page.hits);
    page.settled = moment->settled;
    page.batch.count = page.batch.cursor = 0;
}

/* ---- breaking it ---- */

static void disturbed(void)
{
    page.batch.count = page.batch.cursor = 0;
    rl_engine_disturbed(&page.engine);
    note_hits_here();
}

void EXPORT(page_fault)(uint32_t agents)
{
    rl_ring_fault(&page.ring, agents, &page.fault_random, NULL, NULL);
    disturbed();
}

void EXPORT(page_set)(uint32_t agent, uint32_t variable, uint32_t value)
{
    const rl_state state = rl_ring_get(&page.ring, agent);
    rl_ring_set(&page.ring, agent,
                rl_variable_set(&page.ring.protocol->variables[variable], state, value));
    disturbed();
}

/* Makes the agents from .. to-1 leaders, or followers. */
void EXPORT(page_crown)(uint32_t from, uint32_t to, bool leads)
{
    for (uint32_t i = from; i < to; i++)
        rl_ring_set(&page.ring, i,
                    rl_look_crowned(page.ring.protocol, &page.ring.params,
                                    rl_ring_get(&page.ring, i), leads));
    disturbed();
}

/* An interaction by hand: one step like any other. The batch then holds it, if it is an event. */
bool EXPORT(page_interact)(uint32_t arc)
{
    const bool changed = rl_engine_interact(&page.engine, arc, &page.batch);
    page.events += changed;
    rl_hits_note(page.hits, &page.ring, page.engine.step);
    watch_outputs();
    return changed;
}
