/* SPDX-License-Identifier: MIT
 *
 * Batches: undo, redo and the bisection for hits.
 */
#include "test.h"

/* A ring and a batch of the events of some hundred random interactions on it. */
static void record(struct rl_ring *ring, struct rl_batch *batch, uint64_t seed)
{
    struct rl_random random = test_random(seed, 0, RL_PURPOSE_SCHEDULE);
    rl_ring_randomize(ring, &random);
    assert_int_equal(rl_batch_init(batch, 500), RL_OK);
    for (uint64_t step = 1; step <= 400; step++) {
        const uint32_t arc = rl_random_below(&random, ring->params.n);
        struct rl_event event = {.step = step,
                                 .arc = arc,
                                 .l = rl_ring_get(ring, arc),
                                 .r = rl_ring_get(ring, rl_ring_right(ring, arc))};
        if (rl_ring_interact(ring, arc))
            batch->events[batch->count++] = event;
    }
    batch->cursor = batch->count;
}

TEST(a_new_batch_wants_as_much_as_it_has_room_for)
{
    struct rl_batch batch;
    assert_int_equal(rl_batch_init(&batch, 7), RL_OK);
    assert_int_equal(batch.room, 7);
    assert_int_equal(batch.wanted, 7);
    assert_int_equal(batch.count, 0);
    assert_int_equal(batch.cursor, 0);
    rl_batch_free(&batch);
    assert_null(batch.events);
    rl_batch_free(&batch);
}

TEST(seeking_shows_every_configuration_and_comes_back)
{
    FREED(rl_ring) ring = test_ring("prl", 9, 12), replay = test_ring("prl", 9, 12);
    FREED(rl_batch) batch;
    record(&ring, &batch, 3);
    const size_t bytes = rl_ring_bytes(ring.protocol, 9), count = batch.count;
    assert_true(count > 50);
    void *end = malloc(bytes);
    memcpy(end, ring.agents, bytes);
    rl_batch_seek(&batch, &ring, 0);
    memcpy(replay.agents, ring.agents, bytes);
    for (size_t i = 0; i < count; i++) {
        assert_true(rl_ring_interact(&replay, batch.events[i].arc));
        rl_batch_seek(&batch, &ring, i + 1);
        assert_memory_equal(ring.agents, replay.agents, bytes);
    }
    for (size_t jump = 0; jump < 100; jump++)
        rl_batch_seek(&batch, &ring, (jump * 37) % (count + 1));
    rl_batch_seek(&batch, &ring, count);
    assert_memory_equal(ring.agents, end, bytes);
    free(end);
}

/* Against a walk through the batch from its beginning. */
TEST(the_first_position_in_a_set_is_found_by_bisection)
{
    size_t inside = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        FREED(rl_ring) ring = test_ring("prl", 7, 7);
        FREED(rl_batch) batch;
        record(&ring, &batch, seed);
        for (size_t s = 0; s < 3; s++) {
            const struct rl_set *set = &ring.protocol->sets[s];
            if (!set->contains(&ring))
                continue;
            const size_t found = rl_batch_first_in(&batch, &ring, set);
            assert_int_equal(batch.cursor, batch.count);
            size_t first = 0;
            for (rl_batch_seek(&batch, &ring, 0); !set->by_definition(&ring); first++)
                rl_batch_seek(&batch, &ring, first + 1);
            assert_int_equal(found, first);
            rl_batch_seek(&batch, &ring, batch.count);
            inside += first > 0;
        }
    }
    assert_true(inside > 50);
}
