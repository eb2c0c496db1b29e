/* SPDX-License-Identifier: MIT
 *
 * The inner loops of both engines, compiled once for each protocol.
 *
 * The build defines PROTOCOL_FILE and PROTOCOL_ID and compiles this file for every protocol of the
 * list. Including the protocol's source gives `interact`, `leads` and WIDTH as static names, so
 * the loops below call nothing. The protocol's declaration is compiled here along with it.
 *
 * Facts that shaped the sparse loop: an event at arc i can change the activity of arcs i-1, i and
 * i+1 only; in the common case (a bullet or a signal moves on by one agent) all words touched lie
 * in one cache line of the ring and one of `place`; and drawing the next choice one event ahead, so
 * that both lines are fetched while this event is done, saves 15 % at a million agents.
 */
#include PROTOCOL_FILE

#include "simulate/specialise.h"

/* A spell of work between two returns to the caller: below 10 ms. */
enum { SPELL_STEPS = 1 << 19 };

/* Arcs drawn ahead of their interactions. */
enum { AHEAD = 16 };

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Draws the next arcs and asks for their words, so that the memory works on all of them at once. */
static inline void draw_arcs(struct rl_random *random, uint32_t n, const void *agents,
                             uint32_t *arcs, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        arcs[i] = rl_random_below(random, n);
        __builtin_prefetch((const char *)agents + (size_t)arcs[i] * WIDTH);
    }
}

static void run_steps(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
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
        draw_arcs(&engine->random, params.n, agents, arcs, ahead);
        for (unsigned i = 0; i < ahead; i++) {
            const uint32_t arc = arcs[i];
            const uint32_t right = arc + 1 == params.n ? 0 : arc + 1;
            const rl_state l_before = rl_word_get(agents, WIDTH, arc);
            const rl_state r_before = rl_word_get(agents, WIDTH, right);
            rl_state l = l_before, r = r_before;
            interact(&params, &l, &r);
            step++;
            if (l == l_before && r == r_before)
                continue;
            rl_word_set(agents, WIDTH, arc, l);
            rl_word_set(agents, WIDTH, right, r);
            events[count++] = (struct rl_event){step, l_before, r_before, arc};
        }
    }
    engine->step = step;
    batch->count = batch->cursor = count;
}

#ifndef HAS_ACTIVE
static inline bool is_active(const struct rl_params *params, rl_state l, rl_state r)
{
    const rl_state l_before = l, r_before = r;
    interact(params, &l, &r);
    return l != l_before || r != r_before;
}
#endif

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

static void run_events(struct rl_engine *engine, uint64_t until, struct rl_batch *batch)
{
    void *const agents = engine->ring->agents;
    const struct rl_params params = engine->ring->params;
    const uint32_t n = params.n;
    uint32_t *const active = engine->active;
    uint32_t *const place = engine->place;
    uint32_t active_count = engine->active_count;
    struct rl_random random = engine->random;
    uint64_t step = engine->step, next_step = engine->next_step, choice = engine->choice;
    size_t count = batch->count;
    /* One event adds at most two arcs to the list, for it was itself on it. */
    while (count < batch->wanted && active_count > 0 && active_count + 2 <= engine->active_room) {
        if (next_step == 0)
            next_step = step + 1 + rl_wait_geometric(&engine->wait, &random, active_count);
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
        __builtin_prefetch((char *)agents + (size_t)active[index] * WIDTH);
        __builtin_prefetch(&place[active[index]]);
        const uint32_t right = arc + 1 == n ? 0 : arc + 1;
        const uint32_t left = arc == 0 ? n - 1 : arc - 1;
        const uint32_t far = right + 1 == n ? 0 : right + 1;
        const rl_state l_before = rl_word_get(agents, WIDTH, arc);
        const rl_state r_before = rl_word_get(agents, WIDTH, right);
        rl_state l = l_before, r = r_before;
        interact(&params, &l, &r);
        rl_word_set(agents, WIDTH, arc, l);
        rl_word_set(agents, WIDTH, right, r);
        batch->events[count++] = (struct rl_event){step, l_before, r_before, arc};
        set_active(active, &active_count, place, arc, is_active(&params, l, r));
        set_active(active, &active_count, place, left,
                   is_active(&params, rl_word_get(agents, WIDTH, left), l));
        set_active(active, &active_count, place, right,
                   is_active(&params, r, rl_word_get(agents, WIDTH, far)));
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
    const struct rl_ring *ring = engine->ring;
    const uint32_t n = ring->params.n;
    engine->active_count = 0;
    rl_state l = rl_word_get(ring->agents, WIDTH, 0);
    for (uint32_t i = 0; i < n; i++) {
        const rl_state r = rl_word_get(ring->agents, WIDTH, i + 1 == n ? 0 : i + 1);
        engine->place[i] = RL_INACTIVE;
        if (is_active(&ring->params, l, r)) {
            if (engine->active_count + 2 >= engine->active_room)
                return false;
            engine->place[i] = engine->active_count;
            engine->active[engine->active_count++] = i;
        }
        l = r;
    }
    return true;
}

#define PASTE(a, b)   a##b
#define CODE_NAME(id) PASTE(rl_engine_code_, id)

extern const struct rl_engine_code CODE_NAME(PROTOCOL_ID);
const struct rl_engine_code CODE_NAME(PROTOCOL_ID) = {run_steps, run_events, list_active};
