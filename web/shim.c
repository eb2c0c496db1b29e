/* SPDX-License-Identifier: MIT
 *
 * What the page calls: one execution that can be opened, advanced, looked at and broken.
 *
 * It is an engine and a ring from the library, nothing of its own. The page may stop at any step,
 * so batches are cut where it wants; an execution does not depend on that. A hit is found behind
 * the engine's back: to stop exactly there, the batch is undone, the engine put back to what it was
 * before the batch, and told to go just that far. Steps cross over as doubles, exact to 2^53.
 */
#include "web/shim.h"

#include <stdlib.h>
#include <string.h>

#include "web/libc/memory.h"

struct page page;
char buffer[BUFFER_SIZE];

enum { BATCH = 4096, MOST_SNAPSHOTS = 64 };

static struct snapshot *snapshots[MOST_SNAPSHOTS];

static void forget_hits(void)
{
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        page.hits[i] = RL_NEVER;
}

static void note_hits_here(void)
{
    const struct rl_protocol *protocol = page.ring.protocol;
    for (size_t i = 0; i < protocol->set_count; i++)
        if (page.hits[i] == RL_NEVER && protocol->sets[i].contains(&page.ring))
            page.hits[i] = page.engine.step;
}

static void note_hits_in_batch(void)
{
    const struct rl_protocol *protocol = page.ring.protocol;
    for (size_t i = 0; i < protocol->set_count && page.batch.count > 0; i++) {
        if (page.hits[i] != RL_NEVER || !protocol->sets[i].contains(&page.ring))
            continue;
        const size_t at = rl_batch_first_in(&page.batch, &page.ring, &protocol->sets[i]);
        page.hits[i] = page.batch.events[at - 1].step;
    }
}

/* ---- opening ----------------------------------------------------------------------------------
 */

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

/* From a configuration in words, if there is one, else from the start of the request. */
static enum rl_status fill(const struct rl_request *request, const char *configuration,
                           uint32_t length, struct rl_error *error)
{
    if (length > 0)
        return rl_ring_parse(&page.ring, configuration, length, error);
    struct rl_random random;
    rl_random_init(&random, request->seed, request->trial, RL_PURPOSE_START);
    return rl_ring_start(&page.ring, request->start, &random, error);
}

static enum rl_status open_page(const struct rl_request *request, uint32_t engine,
                                const char *configuration, uint32_t length, struct rl_error *error)
{
    const uint64_t seed = request->seed, trial = request->trial;
    enum rl_status status = take_memory();
    if (!status)
        status = fill(request, configuration, length, error);
    if (status)
        return status;
    struct rl_random random;
    rl_random_init(&random, seed, trial, RL_PURPOSE_SCHEDULE);
    rl_random_init(&page.fault_random, seed, trial, RL_PURPOSE_FAULT);
    page.view_random = page.fault_random;
    rl_random_next(&page.view_random);
    status = rl_engine_init(&page.engine, engine ? RL_ENGINE_STEP : RL_ENGINE_EVENT, &page.ring,
                            &random, NULL);
    forget_hits();
    if (!status)
        note_hits_here();
    return status;
}

/* Opens an execution. The buffer holds the request as a link writes it (request.h), a zero byte and
 * a configuration of `length` bytes, or none. On failure the buffer says why. */
uint32_t EXPORT(page_open)(uint32_t engine, uint32_t length)
{
    struct rl_request request;
    struct rl_error error = {0};
    const char *configuration = buffer;
    while (*configuration)
        configuration++;
    memory_reset();
    memset(snapshots, 0, sizeof snapshots);
    page = (struct page){0};
    rl_request_init(&request);
    enum rl_status status = rl_request_parse(&request, buffer, &error);
    page.ring = (struct rl_ring){.protocol = request.protocol, .params = request.params};
    if (!status)
        status = open_page(&request, engine, configuration + 1, length, &error);
    if (status) {
        struct rl_text text = rl_text_into(buffer, BUFFER_SIZE);
        if (error.line)
            rl_text_format(&text, "line %u, column %u: ", error.line, error.column);
        rl_text_string(&text, error.text[0] ? error.text : rl_status_message(status));
    }
    return status;
}

/* ---- going on ---------------------------------------------------------------------------------
 */

static void advance(uint64_t until, size_t wanted)
{
    page.batch.wanted = wanted < BATCH ? wanted : BATCH;
    rl_engine_advance(&page.engine, until, &page.batch);
    page.events += page.batch.count;
    note_hits_in_batch();
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

/* ---- anywhere in time -------------------------------------------------------------------------
 */

/* The execution as it stood: all but the list of active arcs is copied whole. */
struct snapshot {
    struct page page;
    void *agents;
    uint32_t *active, *place;
};

static struct snapshot *take_snapshot(void)
{
    struct snapshot *snapshot = malloc(sizeof *snapshot);
    const size_t arcs = rl_ring_arcs(&page.ring) * sizeof(uint32_t);
    if (!snapshot)
        return NULL;
    *snapshot = (struct snapshot){
        .agents = malloc(rl_ring_bytes(page.ring.protocol, page.ring.params.n)),
        .active = malloc(arcs + 64),
        .place = malloc(arcs),
    };
    return snapshot->agents && snapshot->active && snapshot->place ? snapshot : NULL;
}

/* Keeps the execution as it stands in place `slot`; says whether there was memory for it. */
bool EXPORT(page_save)(uint32_t slot)
{
    struct snapshot *snapshot = snapshots[slot] ? snapshots[slot] : take_snapshot();
    if (!snapshot)
        return false;
    snapshots[slot] = snapshot;
    snapshot->page = page;
    memcpy(snapshot->agents, page.ring.agents,
           rl_ring_bytes(page.ring.protocol, page.ring.params.n));
    if (page.engine.sparse) {
        memcpy(snapshot->active, page.engine.active,
               page.engine.active_count * sizeof *snapshot->active);
        memcpy(snapshot->place, page.engine.place,
               rl_ring_arcs(&page.ring) * sizeof *snapshot->place);
    }
    return true;
}

void EXPORT(page_restore)(uint32_t slot)
{
    const struct snapshot *snapshot = snapshots[slot];
    page = snapshot->page;
    page.batch.count = page.batch.cursor = 0;
    memcpy(page.ring.agents, snapshot->agents,
           rl_ring_bytes(page.ring.protocol, page.ring.params.n));
    if (page.engine.sparse) {
        memcpy(page.engine.active, snapshot->active,
               page.engine.active_count * sizeof *snapshot->active);
        memcpy(page.engine.place, snapshot->place,
               rl_ring_arcs(&page.ring) * sizeof *snapshot->place);
    }
}

/* ---- one step ---------------------------------------------------------------------------------
 */

static bool would_change(uint32_t arc)
{
    rl_state l = rl_ring_get(&page.ring, rl_ring_initiator(&page.ring, arc));
    rl_state r = rl_ring_get(&page.ring, rl_ring_responder(&page.ring, arc));
    const rl_state l_before = l, r_before = r;
    page.ring.protocol->interact(&page.ring.params, &l, &r);
    return l != l_before || r != r_before;
}

/* One step; the arc that interacted. An engine that skips null interactions never draws their
 * arcs, so for the eye one is drawn here among those that would change nothing. */
uint32_t EXPORT(page_step)(void)
{
    const uint32_t arcs = rl_ring_arcs(&page.ring);
    const bool skips = page.engine.sparse;
    struct rl_random ahead = page.engine.random;
    uint32_t arc = rl_random_below(&ahead, arcs);
    advance(page.engine.step + 1, 1);
    if (page.batch.count == 1)
        return page.batch.events[0].arc;
    for (int tries = 0; skips && tries < 1000; tries++) {
        arc = rl_random_below(&page.view_random, arcs);
        if (!would_change(arc))
            break;
    }
    return arc;
}

/* ---- breaking it ------------------------------------------------------------------------------
 */

static void disturbed(void)
{
    page.batch.count = page.batch.cursor = 0;
    rl_engine_disturbed(&page.engine);
    forget_hits();
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
    struct rl_event *event = &page.batch.events[0];
    event->l = rl_ring_get(&page.ring, rl_ring_initiator(&page.ring, arc));
    event->r = rl_ring_get(&page.ring, rl_ring_responder(&page.ring, arc));
    event->arc = arc;
    event->step = ++page.engine.step;
    const bool changed = rl_oracle_interact(&page.engine.oracle, &page.ring, arc, page.engine.step);
    rl_engine_disturbed(&page.engine);
    page.batch.count = page.batch.cursor = changed;
    page.events += changed;
    note_hits_here();
    return changed;
}
