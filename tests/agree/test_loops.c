/* SPDX-License-Identifier: MIT
 *
 * The engines' loops for any protocol against those compiled for one: the same executions, event by
 * event; a snapshot of a schedule, and where a hit is. (test_cut.c has the other snapshots.)
 */
#include "registry.h"
#include "core/inside.h"
#include "simulate/inside.h"

enum { AGENTS = 60, STEPS = 20000, EVENTS = 500 };

/* An engine on a ring of its own. */
struct player {
    struct rl_ring ring;
    struct rl_engine engine;
    struct rl_batch batch;
};

static void begin(struct player *player, const struct rl_protocol *protocol,
                  enum rl_engine_kind kind)
{
    uint32_t n = AGENTS;
    while (!registry_ring(protocol, n, &player->ring))
        n++;
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    rl_ring_randomize(&player->ring, &random);
    rl_random_init(&random, 1, 0, RL_PURPOSE_SCHEDULE);
    assert_int_equal(rl_engine_init(&player->engine, kind, &player->ring, &random, NULL), RL_OK);
    assert_int_equal(rl_batch_init(&player->batch, EVENTS), RL_OK);
}

static void end(struct player *player)
{
    rl_engine_free(&player->engine);
    rl_batch_free(&player->batch);
    free(player->ring.agents);
}

static void assert_same_ring(const struct player *a, const struct player *b)
{
    assert_memory_equal(a->ring.agents, b->ring.agents,
                        rl_ring_bytes(a->ring.protocol, a->ring.params.n));
}

static void assert_same_batch(const struct player *a, const struct player *b)
{
    assert_int_equal(a->engine.step, b->engine.step);
    assert_int_equal(a->batch.count, b->batch.count);
    for (size_t i = 0; i < a->batch.count; i++) {
        assert_int_equal(a->batch.events[i].step, b->batch.events[i].step);
        assert_int_equal(a->batch.events[i].arc, b->batch.events[i].arc);
    }
    assert_same_ring(a, b);
}

/* Until STEPS steps, but long enough for the event engine to keep a list where it does. */
static void check_protocol(const struct rl_protocol *protocol, enum rl_engine_kind kind,
                           bool with_activity)
{
    struct player ours, any;
    struct rl_protocol bare = *protocol;
    bare.loops = NULL;
    if (!with_activity)
        bare.is_active = NULL;
    begin(&ours, protocol, kind);
    begin(&any, &bare, kind);
    assert_true(protocol->loops && ours.engine.loops != any.engine.loops);
    while (ours.engine.step < STEPS && !ours.engine.over) {
        rl_engine_advance(&ours.engine, STEPS, &ours.batch);
        rl_engine_advance(&any.engine, STEPS, &any.batch);
        assert_same_batch(&ours, &any);
    }
    end(&ours);
    end(&any);
}

TEST(a_protocol_without_loops_of_its_own_runs_the_same)
{
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (int k = 0; k < 4; k++)
            check_protocol(protocol, k & 1 ? RL_ENGINE_STEP : RL_ENGINE_EVENT, k & 2);
}

/* ---- snapshots ---- */

TEST(a_snapshot_keeps_the_place_in_a_schedule)
{
    FREED(rl_ring) ring = test_ring("prl", 5, 5);
    FREED(rl_schedule) schedule = test_schedule(5, "(seqR 0 4)^2 seqL 3 1");
    struct rl_cursor cursor = {.schedule = &schedule};
    struct rl_random random = {0};
    FREED(rl_engine) engine;
    FREED(rl_batch) batch;
    FREED(rl_snapshot) snapshot;
    assert_int_equal(rl_engine_init(&engine, RL_ENGINE_STEP, &ring, &random, &cursor), RL_OK);
    assert_int_equal(rl_batch_init(&batch, EVENTS), RL_OK);
    rl_engine_advance(&engine, 4, &batch);
    assert_int_equal(rl_snapshot_init(&snapshot, &engine), RL_OK);
    rl_snapshot_take(&snapshot, &engine);
    rl_engine_advance(&engine, RL_NEVER, &batch);
    char *seen = strdup(test_text(&ring));
    rl_snapshot_seek(&snapshot, &engine, RL_NEVER, &batch);
    assert_int_equal(engine.step, 13);
    assert_string_equal(test_text(&ring), seen);
    free(seen);
}

/* ---- hits ---- */

/* Stops at each set in its turn, and goes on to the same end as an execution that never stopped. */
TEST(an_execution_stops_exactly_at_a_hit_and_goes_on)
{
    struct player stopping, going;
    struct rl_snapshot snapshot;
    uint64_t hits[RL_MAX_SETS], all[RL_MAX_SETS];
    begin(&stopping, rl_protocol_named("prl"), RL_ENGINE_EVENT);
    begin(&going, rl_protocol_named("prl"), RL_ENGINE_EVENT);
    assert_int_equal(rl_snapshot_init(&snapshot, &stopping.engine), RL_OK);
    rl_hits_forget(hits);
    rl_hits_forget(all);
    rl_hits_note(hits, &stopping.ring, 0);
    rl_hits_note(all, &going.ring, 0);
    while (all[2] == RL_NEVER) {
        rl_engine_advance(&going.engine, RL_NEVER, &going.batch);
        rl_hits_find(all, &going.ring, &going.batch);
    }
    for (size_t set = 0; set < 3; set++) {
        while (
            !rl_hits_advance_to(hits, set, &stopping.engine, RL_NEVER, &snapshot, &stopping.batch))
            continue;
        assert_int_equal(hits[set], all[set]);
        assert_true(stopping.engine.step >= all[set]);
        for (size_t i = set; i < 3; i++)
            assert_true(stopping.ring.protocol->sets[i].contains(&stopping.ring) ==
                        (all[i] <= stopping.engine.step));
    }
    assert_int_equal(stopping.engine.step, all[2]);
    const uint64_t until = going.engine.step + 1000;
    while (stopping.engine.step < until)
        rl_engine_advance(&stopping.engine, until, &stopping.batch);
    while (going.engine.step < until)
        rl_engine_advance(&going.engine, until, &going.batch);
    assert_same_ring(&stopping, &going);
    rl_snapshot_free(&snapshot);
    end(&stopping);
    end(&going);
}
