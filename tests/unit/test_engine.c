/* SPDX-License-Identifier: MIT
 *
 * Engines: each event and each configuration checked against plain interactions, the list of active
 * arcs, and independence of how an execution is cut into batches.
 */
#include "statistics.h"
#include "simulate/inside.h"

enum { STARTS = 5 };
static const char *const STARTS_TRIED[STARTS] = {"random", "leaderless", "leaders", "bullets",
                                                 "safe"};

struct setting {
    const char *protocol;
    const char *start;
    uint32_t n, N;
    uint64_t seed;
    enum rl_engine_kind kind;
};

static struct rl_ring begin(const struct setting *setting, struct rl_engine *engine,
                            struct rl_ring *ring)
{
    *ring = test_ring(setting->protocol, setting->n, setting->N);
    struct rl_random random = test_random(setting->seed, 0, RL_PURPOSE_START);
    assert_int_equal(rl_ring_start(ring, setting->start, &random, NULL), RL_OK);
    rl_random_init(&random, setting->seed, 0, RL_PURPOSE_SCHEDULE);
    assert_int_equal(rl_engine_init(engine, setting->kind, ring, &random, NULL), RL_OK);
    struct rl_ring copy = test_ring(setting->protocol, setting->n, setting->N);
    memcpy(copy.agents, ring->agents, rl_ring_bytes(ring->protocol, setting->n));
    return copy;
}

/* The validator: every active arc is on the list, none is twice, and the bits say which are. */
static void assert_list_is_right(const struct rl_engine *engine)
{
    struct rl_ring ring = *engine->ring;
    const uint32_t n = ring.params.n, arcs = rl_ring_arcs(&ring);
    uint8_t *times = calloc(arcs, 1);
    assert_true(engine->listed_count <= engine->listed_room);
    for (uint32_t k = 0; k < engine->listed_count; k++)
        times[engine->listed[k]]++;
    for (uint32_t arc = 0; arc < arcs; arc++) {
        rl_state l = rl_ring_get(&ring, rl_ring_initiator(&ring, arc));
        rl_state r = rl_ring_get(&ring, rl_ring_responder(&ring, arc));
        const rl_state l_before = l, r_before = r;
        ring.protocol->interact(&ring.params, engine->told, &l, &r);
        const uint32_t place = arc < n ? arc : arc - n;
        const uint8_t *bits = engine->is_listed + (arc < n ? 0 : n / 8 + 2);
        assert_int_equal(bits[place / 8] >> place % 8 & 1, times[arc]);
        if (l != l_before || r != r_before)
            assert_int_equal(times[arc], 1);
    }
    free(times);
}

/* Follows the engine with plain interactions on a copy; returns how many batches it kept a list. */
static size_t follow(const struct setting *setting, uint64_t until)
{
    FREED(rl_ring) ring;
    FREED(rl_engine) engine;
    FREED(rl_batch) batch;
    FREED(rl_ring) copy = begin(setting, &engine, &ring);
    const size_t bytes = rl_ring_bytes(ring.protocol, setting->n);
    assert_int_equal(rl_batch_init(&batch, 97), RL_OK);
    uint64_t last = 0;
    size_t lists = 0;
    while (engine.step < until && !engine.over) {
        batch.wanted = 1 + (batch.wanted * 5 + 3) % batch.room;
        rl_engine_advance(&engine, until, &batch);
        assert_true(batch.count <= batch.wanted && batch.cursor == batch.count);
        const size_t count = batch.count;
        rl_batch_seek(&batch, &ring, 0);
        assert_memory_equal(ring.agents, copy.agents, bytes);
        for (size_t i = 0; i < count; i++) {
            assert_true(batch.events[i].step > last);
            last = batch.events[i].step;
            assert_true(rl_ring_interact(&copy, batch.events[i].arc));
            rl_batch_seek(&batch, &ring, i + 1);
            assert_memory_equal(ring.agents, copy.agents, bytes);
        }
        assert_true(engine.step >= last && engine.step <= until);
        if (engine.sparse) {
            lists++;
            assert_list_is_right(&engine);
        }
    }
    return lists;
}

TEST(every_event_is_an_interaction_that_changes_a_state)
{
    size_t lists = 0;
    for (uint32_t n = 2; n <= 130; n += 1 + n / 2)
        for (int s = 0; s < STARTS; s++)
            for (int kind = 0; kind <= 1; kind++) {
                struct setting setting = {"prl",     STARTS_TRIED[s], n,
                                          n + n / 3, n + (uint64_t)s, (enum rl_engine_kind)kind};
                lists += follow(&setting, 60 * (uint64_t)n * n + 1000);
                setting.protocol = "prl-dummy";
                follow(&setting, 20 * (uint64_t)n * n + 1000);
            }
    assert_true(lists > 1000); /* the sparse mode was really seen */
}

/* On an undirected ring a leader walks either way, and of two that meet one is left. */
static void walk(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    (void)params, (void)no_leader;
    *r |= *l;
    *l = 0;
}

static bool leads(rl_state state)
{
    return state == 1;
}

TEST(every_event_of_an_undirected_ring_is_one_too)
{
    static const struct rl_variable leader = {.name = "leader", .width = 1, .size = 2};
    static const struct rl_protocol walkers = {.name = "walkers",
                                               .interact = walk,
                                               .leads = leads,
                                               .width = 4,
                                               .undirected = true,
                                               .variables = &leader,
                                               .variable_count = 1};
    size_t lists = 0;
    assert_true(rl_protocol_add(&walkers));
    for (uint32_t n = 2; n <= 130; n += 1 + n / 2) {
        const struct setting setting = {"walkers", "random", n, n, n, RL_ENGINE_EVENT};
        lists += follow(&setting, 60 * (uint64_t)n * n + 1000);
    }
    assert_true(lists > 100);
}

TEST(an_engine_that_is_disturbed_goes_on_from_the_new_configuration)
{
    FREED(rl_ring) ring;
    FREED(rl_engine) engine;
    FREED(rl_batch) batch;
    const struct setting setting = {"prl", "safe", 100, 100, 8, RL_ENGINE_EVENT};
    FREED(rl_ring) copy = begin(&setting, &engine, &ring);
    struct rl_random random = test_random(8, 0, RL_PURPOSE_FAULT);
    assert_int_equal(rl_batch_init(&batch, 64), RL_OK);
    for (int round = 0; round < 20; round++) {
        const uint64_t until = engine.step + 20000;
        while (engine.step < until) {
            rl_engine_advance(&engine, until, &batch);
            for (size_t i = 0; i < batch.count; i++)
                assert_true(rl_ring_interact(&copy, batch.events[i].arc));
            assert_memory_equal(ring.agents, copy.agents, 400);
            if (engine.sparse)
                assert_list_is_right(&engine);
        }
        rl_ring_fault(&ring, 10, &random, NULL, NULL);
        memcpy(copy.agents, ring.agents, 400);
        rl_engine_disturbed(&engine);
    }
}

/* The page goes step by step: every step is one interaction, of the arc that is told, and the
 * execution is that of larger batches. */
TEST(a_step_is_the_interaction_of_the_arc_that_is_told)
{
    for (int kind = 0; kind <= 1; kind++) {
        FREED(rl_ring) ring;
        FREED(rl_engine) engine;
        FREED(rl_batch) batch;
        const struct setting setting = {"prl", "random", 12, 12, 4, (enum rl_engine_kind)kind};
        FREED(rl_ring) copy = begin(&setting, &engine, &ring);
        uint64_t events = 0;
        struct rl_random eye = test_random(4, 0, RL_PURPOSE_FAULT);
        assert_int_equal(rl_batch_init(&batch, 4), RL_OK);
        for (uint64_t step = 1; step <= 20000; step++) {
            const uint32_t arc = rl_engine_step(&engine, &eye, &batch);
            assert_int_equal(engine.step, step);
            assert_true(arc < 12);
            assert_int_equal(rl_ring_interact(&copy, arc), batch.count == 1);
            assert_memory_equal(ring.agents, copy.agents, rl_ring_bytes(ring.protocol, 12));
            events += batch.count;
        }
        assert_true(events > 100 && events < 20000);
        for (uint32_t arc = 0; arc < 12; arc++) { /* chosen by the caller, one step each */
            assert_int_equal(rl_engine_interact(&engine, arc, &batch),
                             rl_ring_interact(&copy, arc));
            assert_int_equal(engine.step, 20001 + arc);
            assert_memory_equal(ring.agents, copy.agents, rl_ring_bytes(ring.protocol, 12));
        }
    }
}

/* The arcs of the next events, as one number. */
static uint64_t next_events(struct rl_engine *engine, struct rl_batch *batch)
{
    uint64_t digest = 0;
    for (int i = 0; i < 100; i++) {
        rl_engine_advance(engine, RL_NEVER / 2, batch);
        digest = digest * 1000003 + batch->events[0].arc + (engine->step << 16);
    }
    return digest;
}

/* Whoever stops at an event, because he wanted that many or because he wanted that step, and
 * changes the ring there, goes on the same way. */
TEST(it_does_not_matter_why_an_engine_stopped_where_it_is_disturbed)
{
    size_t kept_lists = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const struct setting setting = {"prl", "random", 300, 300, seed, RL_ENGINE_EVENT};
        struct rl_ring ring[2];
        struct rl_engine engine[2];
        FREED(rl_batch) one, many;
        uint64_t digest[2];
        assert_int_equal(rl_batch_init(&one, 1), RL_OK);
        assert_int_equal(rl_batch_init(&many, 997), RL_OK); /* none ends with event 30000 */
        for (int way = 0; way < 2; way++) {
            FREED(rl_ring) copy = begin(&setting, &engine[way], &ring[way]);
        }
        for (int i = 0; i < 30000; i++)
            rl_engine_advance(&engine[0], RL_NEVER / 2, &one);
        kept_lists += engine[0].sparse;
        while (engine[1].step < engine[0].step)
            rl_engine_advance(&engine[1], engine[0].step, &many);
        for (int way = 0; way < 2; way++) {
            rl_engine_disturbed(&engine[way]);
            digest[way] = next_events(&engine[way], &one);
            rl_engine_free(&engine[way]);
            rl_ring_free(&ring[way]);
        }
        assert_true(digest[0] == digest[1]);
    }
    assert_true(kept_lists > 50);
}

TEST(a_schedule_drives_the_plain_engine)
{
    FREED(rl_ring) ring = test_ring("prl", 5, 5), copy = test_ring("prl", 5, 5);
    FREED(rl_schedule) schedule = test_schedule(5, "(seqR 0 4)^2 seqL 3 1");
    struct rl_cursor cursor = {.schedule = &schedule}, same = cursor;
    FREED(rl_engine) engine;
    FREED(rl_batch) batch;
    struct rl_random random = test_random(1, 0, RL_PURPOSE_SCHEDULE);
    assert_int_equal(rl_engine_init(&engine, RL_ENGINE_STEP, &ring, &random, &cursor), RL_OK);
    assert_int_equal(rl_batch_init(&batch, 64), RL_OK);
    rl_engine_advance(&engine, RL_NEVER, &batch);
    assert_true(engine.over);
    assert_int_equal(engine.step, 13);
    uint32_t arc;
    size_t events = 0;
    for (uint64_t step = 1; rl_schedule_next(&same, &arc); step++)
        if (rl_ring_interact(&copy, arc)) {
            assert_int_equal(batch.events[events].step, step);
            assert_int_equal(batch.events[events++].arc, arc);
        }
    assert_int_equal(batch.count, events);
    assert_memory_equal(ring.agents, copy.agents, 20);
}

/* The plain engine draws every arc equally often. Error probability 10^-6. */
TEST(every_arc_is_equally_likely)
{
    FREED(rl_ring) ring = test_ring("prl", 7, 7);
    FREED(rl_engine) engine;
    FREED(rl_batch) batch;
    uint64_t observed[8] = {0};
    double probability[7];
    struct rl_random random = test_random(2, 0, RL_PURPOSE_SCHEDULE);
    assert_int_equal(rl_engine_init(&engine, RL_ENGINE_STEP, &ring, &random, NULL), RL_OK);
    assert_int_equal(rl_batch_init(&batch, 1), RL_OK);
    enum { TRIALS = 50000 };
    for (int t = 0; t < TRIALS; t++) {
        test_fill(&ring, "1 1 1 1 1 1 1"); /* from here every arc is active */
        rl_engine_advance(&engine, engine.step + 1, &batch);
        assert_int_equal(batch.count, 1);
        observed[batch.events[0].arc]++;
    }
    for (int i = 0; i < 7; i++)
        probability[i] = 1.0 / 7;
    assert_distributed("arcs", observed, probability, 6, TRIALS);
}
