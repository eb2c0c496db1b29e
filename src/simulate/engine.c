/* SPDX-License-Identifier: MIT
 *
 * Engines: memory, and the event engine's choice between its two modes.
 *
 * While at least one arc in SPARSE is active the event engine is the plain engine: null steps are
 * then cheaper to do than to avoid, as drawing an arc costs less than keeping the list. It looks at
 * the share of events in every block of steps, and when that falls below one in SPARSE it lists
 * the active arcs and goes on with those: every active arc is on the list, and some others are. The
 * blocks are counted in steps, so that the execution does not depend on how it is cut into batches.
 * The list holds up to n / DENSE arcs; when it is full the engine is plain again. An oracle that
 * speaks or falls silent may change the activity of every arc; that too makes the engine plain
 * again.
 */
#include "ringleader/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/status.h"
#include "simulate/specialise.h"
#include "core/inside.h"
#include "simulate/inside.h"

enum { SPARSE = 4, DENSE = 3, LEAST_BLOCK = 64 };

/* Steps without an event after which an engine returns to its caller. */
enum { SPELL = 1 << 19 };

/* A bit for each arc, the reversed ones apart, and one byte more for who looks at two at a time. */
static size_t bytes_of_bits(const struct rl_ring *ring)
{
    return ((size_t)ring->params.n / 8 + 2) * (ring->protocol->undirected ? 2 : 1);
}

enum rl_status rl_engine_init(struct rl_engine *engine, enum rl_engine_kind kind,
                              struct rl_ring *ring, const struct rl_random *random,
                              struct rl_cursor *schedule)
{
    assert((!schedule || kind == RL_ENGINE_STEP) && "a schedule needs the plain engine");
    assert(ring->protocol->interact && ring->protocol->leads &&
           (ring->protocol->width == 4 || ring->protocol->width == 8) &&
           "a protocol has `interact`, `leads` and words of 4 or 8 bytes");
    const struct rl_loops *loops = ring->protocol->loops;
    *engine = (struct rl_engine){.loops = loops ? loops : &rl_loops_for_any,
                                 .kind = kind,
                                 .ring = ring,
                                 .random = *random,
                                 .schedule = schedule};
    if (ring->protocol->oracle)
        engine->delay = ring->params.value[ring->protocol->delay];
    rl_oracle_look(&engine->oracle, ring, 0);
    if (kind == RL_ENGINE_STEP)
        return RL_OK;
    engine->listed_room =
        rl_ring_arcs(ring) / DENSE + 2 * RL_MOST_ADDED(ring->protocol->undirected);
    engine->listed = rl_large_alloc(engine->listed_room * sizeof *engine->listed);
    engine->is_listed = rl_large_alloc(bytes_of_bits(ring));
    engine->wait = malloc(sizeof *engine->wait);
    if (!engine->listed || !engine->is_listed || !engine->wait)
        return RL_NO_MEMORY;
    engine->wait->trials = 0; /* no tables yet */
    return RL_OK;
}

void rl_engine_free(struct rl_engine *engine)
{
    free(engine->listed);
    free(engine->is_listed);
    free(engine->wait);
    *engine = (struct rl_engine){0};
}

void rl_engine_disturbed(struct rl_engine *engine)
{
    engine->sparse = false;
    engine->block_steps = engine->block_events = 0;
    engine->over = false;
    rl_oracle_look(&engine->oracle, engine->ring, engine->step);
}

/* Makes the arc interact as the next step, and writes it down as event number batch->count, which
 * then counts if it is one. */
static bool interact(struct rl_engine *engine, uint32_t arc, struct rl_batch *batch)
{
    struct rl_event *event = &batch->events[batch->count];
    event->step = ++engine->step;
    event->arc = arc;
    event->l = rl_ring_get(engine->ring, rl_ring_initiator(engine->ring, arc));
    event->r = rl_ring_get(engine->ring, rl_ring_responder(engine->ring, arc));
    const bool changed = rl_oracle_interact(&engine->oracle, engine->ring, arc, engine->step);
    batch->count += changed;
    return changed;
}

/* The plain engine with arcs from a file. */
static void advance_schedule(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    const uint64_t end = until - engine->step > SPELL ? engine->step + SPELL : until;
    uint32_t arc;
    while (engine->step < end && batch->count < batch->wanted) {
        if (!rl_schedule_next(engine->schedule, &arc)) {
            engine->over = true;
            break;
        }
        interact(engine, arc, batch);
    }
    batch->cursor = batch->count;
}

static uint32_t block_length(const struct rl_engine *engine)
{
    const uint32_t arcs = rl_ring_arcs(engine->ring);
    return arcs / 4 < LEAST_BLOCK ? LEAST_BLOCK : arcs / 4;
}

void rl_engine_mark_listed(struct rl_engine *engine)
{
    const uint32_t n = engine->ring->params.n;
    memset(engine->is_listed, 0, bytes_of_bits(engine->ring));
    for (uint32_t k = 0; k < engine->listed_count; k++) {
        const uint32_t arc = engine->listed[k];
        uint8_t *const bits = engine->is_listed + (arc < n ? 0 : n / 8 + 2);
        bits[(arc < n ? arc : arc - n) >> 3] |= (uint8_t)(1u << ((arc < n ? arc : arc - n) & 7));
    }
}

static void go_sparse(struct rl_engine *engine)
{
    engine->told = engine->step >= rl_oracle_of_ring(&engine->oracle, engine->ring);
    engine->sparse = engine->loops->list(engine);
    engine->listed_places = rl_engine_places(engine->listed_count);
    if (engine->sparse)
        rl_engine_mark_listed(engine);
    /* Small rings mostly never get here and need no tables. */
    if (engine->sparse && engine->wait->trials == 0)
        rl_wait_init(engine->wait, rl_ring_arcs(engine->ring));
    if (!engine->sparse || engine->listed_count == 0)
        return;
    engine->next_draw = 0;
    for (unsigned k = 0; k < RL_DRAWS_AHEAD; k++) {
        engine->draws[k].choice = rl_random_next(&engine->random);
        engine->draws[k].wait = rl_wait_exponential(engine->wait, &engine->random);
    }
    engine->next_step = engine->step + 1 +
                        rl_wait_geometric(engine->wait, &engine->random,
                                          rl_wait_per_unit(engine->wait, engine->listed_places));
}

/* The plain engine up to the end of the block at most; at the end of a block it asks whether to
 * list the active arcs. */
static void advance_dense(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    const uint32_t left = block_length(engine) - engine->block_steps;
    const uint64_t begin = engine->step;
    const size_t events = batch->count;
    engine->loops->steps(engine, until - begin > left ? begin + left : until, batch);
    engine->block_steps += (uint32_t)(engine->step - begin);
    engine->block_events += (uint32_t)(batch->count - events);
    if (engine->block_steps < block_length(engine))
        return;
    if ((uint64_t)engine->block_events * SPARSE < engine->block_steps)
        go_sparse(engine);
    engine->block_steps = engine->block_events = 0;
}

/* Events from the list. With an oracle the list holds until the oracle speaks, whose step is known,
 * or a leader appears or the last one goes, which ends the loop at that event. A waiting time that
 * reaches beyond it is forgotten, which is exact, for waiting times have no memory. */
static void advance_sparse(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    const bool had_leader = engine->oracle.leaders > 0;
    const uint64_t speaks =
        engine->told ? RL_NEVER : rl_oracle_of_ring(&engine->oracle, engine->ring);
    const uint64_t end = speaks < until ? speaks : until;
    engine->loops->events(engine, end, batch);
    const bool has_leader = engine->oracle.leaders > 0;
    if (engine->listed_count == 0 && had_leader == has_leader) {
        engine->over = end == until && speaks == RL_NEVER;
        if (end != RL_NEVER)
            engine->step = end;
    }
    if (engine->step == speaks || had_leader != has_leader) {
        engine->sparse = engine->over = false;
    } else if (engine->listed_places + RL_MOST_ADDED(engine->ring->protocol->undirected) >
               engine->listed_room) {
        engine->sparse = false;
    }
}

void rl_engine_advance(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    assert(batch->wanted > 0 && batch->wanted <= batch->room && "a batch wants 1 to `room` events");
    batch->count = batch->cursor = 0;
    if (engine->schedule) {
        advance_schedule(engine, until, batch);
    } else if (engine->kind == RL_ENGINE_STEP) {
        engine->loops->steps(engine, until, batch);
    } else {
        const uint64_t begin = engine->step;
        if (engine->over && until != RL_NEVER) /* steps pass in silence, too */
            engine->step = until;
        while (engine->step < until && batch->count < batch->wanted && !engine->over &&
               (batch->count > 0 || engine->step - begin < SPELL)) {
            if (engine->sparse)
                advance_sparse(engine, until, batch);
            else
                advance_dense(engine, until, batch);
        }
    }
}

/* ---- one interaction at a time ---- */

static bool would_change(const struct rl_engine *engine, uint32_t arc)
{
    const struct rl_ring *ring = engine->ring;
    rl_state l = rl_ring_get(ring, rl_ring_initiator(ring, arc));
    rl_state r = rl_ring_get(ring, rl_ring_responder(ring, arc));
    const rl_state l_before = l, r_before = r;
    ring->protocol->interact(&ring->params, engine->told, &l, &r);
    return l != l_before || r != r_before;
}

uint32_t rl_engine_step(struct rl_engine *engine, struct rl_random *eye, struct rl_batch *batch)
{
    enum { TRIES = 1000 };
    const uint32_t arcs = rl_ring_arcs(engine->ring);
    const bool skips = engine->sparse;
    struct rl_random ahead = engine->random;
    uint32_t arc = rl_random_below(&ahead, arcs);
    batch->wanted = 1;
    rl_engine_advance(engine, engine->step + 1, batch);
    if (batch->count == 1)
        return batch->events[0].arc;
    for (int i = 0; skips && i < TRIES; i++) {
        arc = rl_random_below(eye, arcs);
        if (!would_change(engine, arc))
            break;
    }
    return arc;
}

bool rl_engine_interact(struct rl_engine *engine, uint32_t arc, struct rl_batch *batch)
{
    assert(arc < rl_ring_arcs(engine->ring) && "the ring has no such arc");
    batch->count = 0;
    const bool changed = interact(engine, arc, batch);
    batch->cursor = batch->count;
    rl_engine_disturbed(engine);
    return changed;
}
