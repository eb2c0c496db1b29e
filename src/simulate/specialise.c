/* SPDX-License-Identifier: MIT
 *
 * The inner loops of both engines, compiled once for each protocol, and once for any.
 *
 * The build defines PROTOCOL_FILE and PROTOCOL_ID and compiles this file for every protocol of the
 * list; so does `-p FILE.c` for a protocol of one's own. The protocol's declaration is then a
 * constant of this compilation, and the compiler sees through its pointers: the loops below call
 * nothing, and branches that are for an oracle or undirected rings are not there for the others.
 * Without PROTOCOL_FILE the same loops go through the pointers of the ring's protocol.
 *
 * Facts that shaped the sparse loop: an event at arc i can change the activity of arcs i-1, i and
 * i+1 only; in the common case (a bullet or a signal moves on by one agent) all words touched lie
 * in one cache line of the ring and one of `place`; and drawing the next choice one event ahead, so
 * that both lines are fetched while this event is done, saves 15 % at a million agents.
 */
#ifdef PROTOCOL_FILE
#ifndef RL_WORLD_WITH_N
#define RL_WORLD_WITHOUT_N
#endif
#include PROTOCOL_FILE

#include "protocols/declare.h"
#define PROTOCOL_OF(engine) (&DECLARED)
#else
#define PROTOCOL_OF(engine) ((engine)->ring->protocol)
#endif

#include "simulate/specialise.h"

/* A spell of work between two returns to the caller: below 10 ms. */
enum { SPELL_STEPS = 1 << 19 };

/* Arcs drawn ahead of their interactions. */
enum { AHEAD = 16 };

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* The two agents of an arc, as in ring.h. */
struct pair {
    uint32_t initiator;
    uint32_t responder;
};

static inline struct pair pair_of(const struct rl_protocol *protocol, uint32_t n, uint32_t arc)
{
    const bool reversed = protocol->undirected && arc >= n;
    const uint32_t left = reversed ? arc - n : arc;
    const uint32_t right = left + 1 == n ? 0 : left + 1;
    return reversed ? (struct pair){right, left} : (struct pair){left, right};
}

/* The oracle sees the words of an event. */
static inline void watch(const struct rl_protocol *protocol, struct rl_oracle *oracle,
                         const struct rl_event *before, rl_state l, rl_state r)
{
    rl_oracle_watch(oracle,
                    (uint32_t)protocol->leads(before->l) + (uint32_t)protocol->leads(before->r),
                    (uint32_t)protocol->leads(l) + (uint32_t)protocol->leads(r), before->step);
}

/* Draws the next arcs and asks for their words, so that the memory works on all of them at once. */
static inline void draw_arcs(const struct rl_protocol *protocol, struct rl_random *random,
                             uint32_t n, const void *agents, uint32_t *arcs, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        arcs[i] = rl_random_below(random, protocol->undirected ? 2 * n : n);
        __builtin_prefetch((const char *)agents +
                           (size_t)pair_of(protocol, n, arcs[i]).initiator * protocol->width);
    }
}

static void run_steps(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    const struct rl_protocol *const protocol = PROTOCOL_OF(engine);
    void *const agents = engine->ring->agents;
    const struct rl_params params = engine->ring->params;
    struct rl_event *events = batch->events;
    size_t count = batch->count;
    uint64_t step = engine->step;
    const uint64_t end = until - step > SPELL_STEPS ? step + SPELL_STEPS : until;
    uint32_t arcs[AHEAD];
    while (step < end && count < batch->wanted) {
        /* No more than can be done even if all are events: none is drawn in vain. */
        unsigned ahead = AHEAD;
        ahead = end - step < ahead ? (unsigned)(end - step) : ahead;
        ahead = batch->wanted - count < ahead ? (unsigned)(batch->wanted - count) : ahead;
        draw_arcs(protocol, &engine->random, params.n, agents, arcs, ahead);
        for (unsigned i = 0; i < ahead; i++) {
            const uint32_t arc = arcs[i];
            const struct pair pair = pair_of(protocol, params.n, arc);
            const rl_state l_before = rl_word_get(agents, protocol->width, pair.initiator);
            const rl_state r_before = rl_word_get(agents, protocol->width, pair.responder);
            rl_state l = l_before, r = r_before;
            const bool no_leader =
                protocol->oracle && step >= rl_oracle_speaks_after(&engine->oracle, engine->delay);
            protocol->interact(&params, no_leader, &l, &r);
            step++;
            if (l == l_before && r == r_before)
                continue;
            rl_word_set(agents, protocol->width, pair.initiator, l);
            rl_word_set(agents, protocol->width, pair.responder, r);
            events[count++] = (struct rl_event){step, l_before, r_before, arc};
            if (protocol->oracle)
                watch(protocol, &engine->oracle, &events[count - 1], l, r);
        }
    }
    engine->step = step;
    batch->count = batch->cursor = count;
}

/* Would the interaction change a state? */
static inline bool is_active_in(const struct rl_protocol *protocol, const struct rl_params *params,
                                bool no_leader, rl_state l, rl_state r)
{
    if (protocol->is_active)
        return protocol->is_active(params, no_leader, l, r);
    const rl_state l_before = l, r_before = r;
    protocol->interact(params, no_leader, &l, &r);
    return l != l_before || r != r_before;
}

/* Brings the list up to date about one arc. */
static inline void set_active(uint32_t *active, uint32_t *active_count, uint32_t *place,
                              uint32_t arc, bool is_now)
{
    const uint32_t at = place[arc];
    if (LIKELY((at != RL_INACTIVE) == is_now))
        return;
    if (is_now) {
        active[*active_count] = arc;
        place[arc] = (*active_count)++;
    } else {
        const uint32_t last = active[--*active_count];
        active[at] = last;
        place[last] = at;
        place[arc] = RL_INACTIVE;
    }
}

/* Brings the list up to date about all arcs between u_i and u_{i+1}, whose states are l and r. */
static inline void set_edge_active(struct rl_engine *engine, uint32_t *active_count,
                                   const struct rl_params *params, uint32_t i, rl_state l,
                                   rl_state r)
{
    const struct rl_protocol *const protocol = PROTOCOL_OF(engine);
    const bool no_leader = protocol->oracle && engine->told;
    set_active(engine->active, active_count, engine->place, i,
               is_active_in(protocol, params, no_leader, l, r));
    if (protocol->undirected)
        set_active(engine->active, active_count, engine->place, params->n + i,
                   is_active_in(protocol, params, no_leader, r, l));
}

static void run_events(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    const struct rl_protocol *const protocol = PROTOCOL_OF(engine);
    const unsigned width = protocol->width;
    void *const agents = engine->ring->agents;
    const struct rl_params params = engine->ring->params;
    const uint32_t n = params.n;
    uint32_t *const active = engine->active;
    uint32_t active_count = engine->active_count;
    struct rl_wait *const wait = engine->wait;
    struct rl_random random = engine->random;
    uint64_t step = engine->step, next_step = engine->next_step, choice = engine->choice;
    size_t count = batch->count;
    const bool had_leader = engine->oracle.leaders > 0;
    /* At step `until` nothing is drawn any more: the caller may be about to change the ring or the
     * oracle to speak, and then a waiting time would be forgotten, or not, as the batch was cut. */
    while (step < until && count < batch->wanted && active_count > 0 &&
           active_count + RL_MOST_ADDED(protocol->undirected) <= engine->active_room) {
        /* When a leader appears or the last one goes, the activity of all arcs may change: engine.c
         * sees to it. */
        if (protocol->oracle && had_leader != (engine->oracle.leaders > 0))
            break;
        if (next_step == 0)
            next_step = step + 1 + rl_wait_geometric(wait, &random, active_count);
        if (UNLIKELY(next_step > until)) {
            step = until;
            break;
        }
        step = next_step;
        next_step = 0;
        uint32_t index;
        while (!rl_random_fit(choice, active_count, &index))
            choice = rl_random_next(&random);
        const uint32_t arc = active[index];
        /* The bits for the next choice now: they most likely mean this arc then, too. */
        choice = rl_random_next(&random);
        rl_random_fit(choice, active_count, &index);
        __builtin_prefetch((char *)agents +
                           (size_t)pair_of(protocol, n, active[index]).initiator * width);
        __builtin_prefetch(&engine->place[active[index]]);
        const struct pair pair = pair_of(protocol, n, arc);
        const uint32_t i = protocol->undirected && arc >= n ? arc - n : arc;
        const uint32_t left = i == 0 ? n - 1 : i - 1;
        const uint32_t right = i + 1 == n ? 0 : i + 1;
        const uint32_t far = right + 1 == n ? 0 : right + 1;
        struct rl_event *event = &batch->events[count++];
        *event = (struct rl_event){step, rl_word_get(agents, width, pair.initiator),
                                   rl_word_get(agents, width, pair.responder), arc};
        rl_state l = event->l, r = event->r;
        protocol->interact(&params, protocol->oracle && engine->told, &l, &r);
        rl_word_set(agents, width, pair.initiator, l);
        rl_word_set(agents, width, pair.responder, r);
        if (protocol->oracle)
            watch(protocol, &engine->oracle, event, l, r);
        const rl_state at_i = pair.initiator == i ? l : r, at_right = pair.initiator == i ? r : l;
        set_edge_active(engine, &active_count, &params, i, at_i, at_right);
        set_edge_active(engine, &active_count, &params, left, rl_word_get(agents, width, left),
                        at_i);
        set_edge_active(engine, &active_count, &params, right, at_right,
                        rl_word_get(agents, width, far));
    }
    engine->active_count = active_count;
    engine->random = random;
    engine->step = step;
    engine->next_step = next_step;
    engine->choice = choice;
    batch->count = batch->cursor = count;
}

static bool list_active(struct rl_engine *engine)
{
    const struct rl_protocol *const protocol = PROTOCOL_OF(engine);
    const struct rl_ring *ring = engine->ring;
    const uint32_t n = ring->params.n;
    engine->active_count = 0;
    for (uint32_t i = 0; i < (protocol->undirected ? 2 * n : n); i++)
        engine->place[i] = RL_INACTIVE;
    rl_state l = rl_word_get(ring->agents, protocol->width, 0);
    for (uint32_t i = 0; i < n; i++) {
        const rl_state r = rl_word_get(ring->agents, protocol->width, i + 1 == n ? 0 : i + 1);
        set_edge_active(engine, &engine->active_count, &ring->params, i, l, r);
        if (engine->active_count + RL_MOST_ADDED(protocol->undirected) > engine->active_room)
            return false;
        l = r;
    }
    return true;
}

#ifdef PROTOCOL_FILE
static const struct rl_loops loops = {run_steps, run_events, list_active};

#define PASTE(a, b)       a##b
#define PROTOCOL_NAME(id) PASTE(rl_protocol_, id)
extern const struct rl_protocol *const PROTOCOL_NAME(PROTOCOL_ID);
const struct rl_protocol *const PROTOCOL_NAME(PROTOCOL_ID) = &DECLARED;
#else
const struct rl_loops rl_loops_for_any = {run_steps, run_events, list_active};
#endif
