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
 * Facts that shaped the sparse loop: an event at arc i can make arcs i-1, i and i+1 active, no
 * other. In the common case (a bullet or a signal moves on by one agent) arc i ceases to be active
 * and a neighbour takes its place on the list, so that the length of the list, and with it the rate
 * of waiting, stays. A neighbour that ceases to be active stays on the list until it is drawn: that
 * is a step without an event, as exact as any other, and where it stands is then known. So nobody
 * has to know where an arc stands on the list, only whether it does: a bit. Choices are drawn
 * ahead, so that the list and the agents are fetched while other events are done.
 * docs/decisions/160-listed.md
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

#include <string.h>

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

/* Which arcs an event can make active, as bits: those between u_{i-1} and u_i, u_i and u_{i+1},
 * u_{i+1} and u_{i+2}; and the reversed ones of undirected rings, three bits further up. */
static inline uint32_t arc_of(uint32_t n, uint32_t i, unsigned bit)
{
    uint32_t edge = i + bit % 3 - 1;
    if (UNLIKELY(edge >= n))
        edge = edge == n ? 0 : n - 1;
    return bit < 3 ? edge : n + edge;
}

/* Three bits of `is_listed` in a row, as they stand in two of its bytes; the ends of the ring
 * apart. */
static inline unsigned listed_around(const uint8_t *bits, uint32_t n, uint32_t i)
{
    if (LIKELY(i - 1 < n - 2)) {
        const uint8_t *const pair = &bits[(i - 1) >> 3];
        return (unsigned)(pair[0] | pair[1] << 8) >> ((i - 1) & 7) & 7;
    }
    unsigned found = 0;
    for (unsigned bit = 0; bit < 3; bit++)
        found |= (bits[arc_of(n, i, bit) >> 3] >> (arc_of(n, i, bit) & 7) & 1u) << bit;
    return found;
}

static inline void flip_around(uint8_t *bits, uint32_t n, uint32_t i, unsigned flips)
{
    if (LIKELY(i - 1 < n - 2)) {
        uint8_t *const pair = &bits[(i - 1) >> 3];
        const unsigned both = (unsigned)(pair[0] | pair[1] << 8) ^ flips << ((i - 1) & 7);
        pair[0] = (uint8_t)both;
        pair[1] = (uint8_t)(both >> 8);
        return;
    }
    for (unsigned bit = 0; bit < 3; bit++)
        bits[arc_of(n, i, bit) >> 3] ^= (uint8_t)((flips >> bit & 1) << (arc_of(n, i, bit) & 7));
}

/* Where a choice falls, near enough to fetch it. */
static inline uint32_t place_of(uint64_t choice, uint32_t places)
{
    return (uint32_t)((choice >> 32) * places >> 32);
}

/* Asks for what draws to come need: for one its place on the list, for an earlier one, whose place
 * is there by now, the agents and bits of its arc. An empty place holds any number. (Not always
 * inlined, it would be taken for a function that does nothing.) */
static inline __attribute__((always_inline)) void fetch(const struct rl_protocol *protocol,
                                                        const struct rl_engine *engine,
                                                        const struct rl_draw *draw, uint32_t places)
{
    enum { AGENTS_AHEAD = RL_DRAWS_AHEAD / 2 };
    const uint32_t n = engine->ring->params.n;
    const uint32_t arc = engine->listed[place_of(draw[AGENTS_AHEAD].choice, places)];
    const uint32_t i = protocol->undirected && arc >= n ? arc - n : arc;
    __builtin_prefetch(&engine->listed[place_of(draw[RL_DRAWS_AHEAD].choice, places)]);
    __builtin_prefetch((const char *)engine->ring->agents + (size_t)i * protocol->width);
    __builtin_prefetch(&engine->is_listed[i >> 3]);
}

static void run_events(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    enum { FEW = 1 << 7 }; /* that they, and what is around them, are at hand anyway */
    const struct rl_protocol *const protocol = PROTOCOL_OF(engine);
    const unsigned width = protocol->width;
    void *const agents = engine->ring->agents;
    const struct rl_params params = engine->ring->params;
    const uint32_t n = params.n;
    const bool told = protocol->oracle && engine->told;
    uint8_t *const bits = engine->is_listed, *const bits_reversed = bits + n / 8 + 2;
    uint32_t *const listed = engine->listed;
    struct rl_wait *const wait = engine->wait;
    const uint32_t most = engine->listed_room - RL_MOST_ADDED(protocol->undirected);
    uint32_t count = engine->listed_count, places = engine->listed_places;
    if (count == 0 || places > most)
        return;
    double per_unit = rl_wait_per_unit(wait, places);
    uint64_t step = engine->step, next_step = engine->next_step;
    struct rl_random random = engine->random;
    struct rl_draw *draw = &engine->draws[engine->next_draw];
    struct rl_event *event = &batch->events[batch->count];
    const struct rl_event *const enough = &batch->events[batch->wanted];
    const bool had_leader = engine->oracle.leaders > 0;
    for (; event < enough; draw++) {
        /* When a leader appears or the last one goes, the activity of all arcs may change: engine.c
         * sees to it. */
        if (protocol->oracle && had_leader != (engine->oracle.leaders > 0))
            break;
        if (UNLIKELY(next_step > until)) {
            step = until;
            break;
        }
        step = next_step;
        if (UNLIKELY(draw == &engine->draws[RL_DRAWS_AHEAD])) {
            memcpy(engine->draws, draw, sizeof engine->draws / 2);
            draw = engine->draws;
        }
        draw[RL_DRAWS_AHEAD].choice = rl_random_next(&random);
        draw[RL_DRAWS_AHEAD].wait = rl_wait_exponential(wait, &random);
        if (places > FEW)
            fetch(protocol, engine, draw, places);
        next_step = step + 1 + (uint64_t)(int64_t)(draw->wait * per_unit);
        uint32_t index;
        while (UNLIKELY(!rl_random_fit(draw->choice, places, &index)))
            draw->choice = rl_random_next(&random);
        if (UNLIKELY(index >= count))
            continue;
        const uint32_t arc = listed[index];
        const bool reversed = protocol->undirected && arc >= n;
        const uint32_t i = reversed ? arc - n : arc;
        const uint32_t at_before = i == 0 ? n - 1 : i - 1;
        const uint32_t at_next = i + 1 < n ? i + 1 : 0;
        const uint32_t at_after = i + 2 < n ? i + 2 : i + 2 - n;
        const uint32_t initiator = reversed ? at_next : i, responder = reversed ? i : at_next;
        *event = (struct rl_event){step, rl_word_get(agents, width, initiator),
                                   rl_word_get(agents, width, responder), arc};
        rl_state l = event->l, r = event->r;
        protocol->interact(&params, told, &l, &r);
        rl_word_set(agents, width, initiator, l);
        rl_word_set(agents, width, responder, r);
        if (protocol->oracle)
            watch(protocol, &engine->oracle, event, l, r);
        /* If nothing has changed it was no event, and below the arc leaves the list. */
        event += (l != event->l) | (r != event->r);
        const rl_state u = reversed ? r : l, v = reversed ? l : r;
        const rl_state before = rl_word_get(agents, width, at_before);
        const rl_state after = rl_word_get(agents, width, at_after);
        unsigned active = (unsigned)is_active_in(protocol, &params, told, before, u) |
                          (unsigned)is_active_in(protocol, &params, told, u, v) << 1 |
                          (unsigned)is_active_in(protocol, &params, told, v, after) << 2;
        unsigned had = listed_around(bits, n, i);
        if (protocol->undirected) {
            active |= (unsigned)is_active_in(protocol, &params, told, u, before) << 3 |
                      (unsigned)is_active_in(protocol, &params, told, v, u) << 4 |
                      (unsigned)is_active_in(protocol, &params, told, after, v) << 5;
            had |= listed_around(bits_reversed, n, i) << 3;
        }
        if (UNLIKELY(n == 2))
            active &= 033; /* u_{i-1} is u_{i+1} */
        const unsigned own = reversed ? 020 : 02;
        unsigned fresh = active & ~(had & ~own);
        const unsigned flips = fresh ^ own;
        flip_around(bits, n, i, flips & 7);
        if (protocol->undirected)
            flip_around(bits_reversed, n, i, flips >> 3);
        /* Mostly one: a bullet or a signal has moved on by an agent. It takes the arc's place. */
        if (LIKELY(fresh != 0))
            listed[index] = arc_of(n, i, (unsigned)__builtin_ctz(fresh));
        else
            listed[index] = listed[--count];
        if (LIKELY(fresh != 0 && (fresh & (fresh - 1)) == 0))
            continue;
        for (fresh &= fresh - 1; fresh != 0; fresh &= fresh - 1)
            listed[count++] = arc_of(n, i, (unsigned)__builtin_ctz(fresh));
        if (places - count > places / 32) { /* or there are more arcs than places */
            places = rl_engine_places(count);
            if (count == 0 || places > most)
                break;
            per_unit = rl_wait_per_unit(wait, places);
            next_step = step + 1 + (uint64_t)(int64_t)(draw->wait * per_unit);
        }
    }
    engine->listed_count = count;
    engine->listed_places = places;
    engine->random = random;
    engine->step = step;
    engine->next_step = next_step;
    engine->next_draw = (uint32_t)(draw - engine->draws);
    batch->count = batch->cursor = (size_t)(event - batch->events);
}

static bool list_active(struct rl_engine *engine)
{
    const struct rl_protocol *const protocol = PROTOCOL_OF(engine);
    const struct rl_ring *ring = engine->ring;
    const uint32_t n = ring->params.n;
    const bool told = protocol->oracle && engine->told;
    uint32_t count = 0;
    rl_state l = rl_word_get(ring->agents, protocol->width, 0);
    for (uint32_t i = 0; i < n; i++) {
        const rl_state r = rl_word_get(ring->agents, protocol->width, i + 1 == n ? 0 : i + 1);
        if (is_active_in(protocol, &ring->params, told, l, r))
            engine->listed[count++] = i;
        if (protocol->undirected && is_active_in(protocol, &ring->params, told, r, l))
            engine->listed[count++] = n + i;
        if (count + RL_MOST_ADDED(protocol->undirected) > engine->listed_room)
            return false;
        l = r;
    }
    engine->listed_count = count;
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
