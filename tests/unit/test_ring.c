/* SPDX-License-Identifier: MIT
 *
 * The ring: arcs, interactions, leaders, starts and faults.
 */
#include "statistics.h"
#include "core/inside.h"

TEST(arc_i_joins_an_agent_and_its_right_neighbour)
{
    FREED(rl_ring) ring = test_ring("prl", 5, 5);
    assert_int_equal(rl_ring_arcs(&ring), 5);
    assert_int_equal(rl_ring_initiator(&ring, 3), 3);
    assert_int_equal(rl_ring_responder(&ring, 3), 4);
    assert_int_equal(rl_ring_initiator(&ring, 4), 4);
    assert_int_equal(rl_ring_responder(&ring, 4), 0);
    assert_int_equal(rl_ring_left(&ring, 0), 4);
    assert_int_equal(rl_ring_right(&ring, 4), 0);
}

TEST(an_undirected_ring_has_every_arc_in_both_directions)
{
    struct rl_protocol undirected = *rl_protocol_named("prl");
    undirected.undirected = true;
    struct rl_ring ring = {.protocol = &undirected, .params = {.n = 5}};
    assert_int_equal(rl_ring_arcs(&ring), 10);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(rl_ring_initiator(&ring, 5 + i), rl_ring_responder(&ring, i));
        assert_int_equal(rl_ring_responder(&ring, 5 + i), rl_ring_initiator(&ring, i));
    }
}

TEST(an_interaction_changes_its_two_agents_only_and_says_so)
{
    FREED(rl_ring) ring = test_ring("prl", 4, 9);
    test_fill(&ring, "0L 7 7 7");
    assert_true(rl_ring_interact(&ring, 0));
    assert_string_equal(test_text(&ring), "0L 1 7 7");
    assert_false(rl_ring_interact(&ring, 0));
    assert_true(rl_ring_interact(&ring, 3));
    assert_string_equal(test_text(&ring), "0L 1 7 7!");
}

TEST(leaders_are_counted_and_the_first_is_found)
{
    FREED(rl_ring) ring = test_ring("prl", 4, 4);
    test_fill(&ring, "0 0 0L 0L");
    assert_int_equal(rl_ring_leaders(&ring), 2);
    assert_int_equal(rl_ring_first_leader(&ring), 2);
    test_fill(&ring, "0 0 0 0");
    assert_int_equal(rl_ring_leaders(&ring), 0);
    assert_int_equal(rl_ring_first_leader(&ring), 4);
}

TEST(words_of_four_and_eight_bytes_do_not_touch_their_neighbours)
{
    uint64_t memory[6];
    for (unsigned width = 4; width <= 8; width += 4) {
        memset(memory, 0x55, sizeof memory);
        rl_word_set(memory, width, 2, 0xabcdef01);
        assert_int_equal(rl_word_get(memory, width, 2), 0xabcdef01);
        assert_int_equal(rl_word_get(memory, width, 1) & 0xffffffff, 0x55555555);
        assert_int_equal(rl_word_get(memory, width, 3) & 0xffffffff, 0x55555555);
    }
    rl_word_set(memory, 8, 1, UINT64_MAX - 1);
    assert_true(rl_word_get(memory, 8, 1) == UINT64_MAX - 1);
    assert_int_equal(rl_ring_bytes(rl_protocol_named("prl"), 1000), 4000);
}

TEST(a_start_that_the_protocol_does_not_have_is_refused)
{
    FREED(rl_ring) ring = test_ring("prl", 4, 4);
    struct rl_error error = {0};
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    assert_int_equal(rl_ring_start(&ring, "nowhere", &random, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text, "protocol prl has no start 'nowhere'");
}

/* Error probability 10^-6. */
TEST(the_random_start_is_uniform_over_all_states)
{
    enum { STATES = 24 * 4, TRIALS = 50000 };
    FREED(rl_ring) ring = test_ring("prl", 2, 3);
    struct rl_random random = test_random(5, 0, RL_PURPOSE_START);
    uint64_t observed[2][STATES + 1] = {{0}};
    double probability[STATES];
    assert_int_equal(rl_protocol_states(ring.protocol, &ring.params), STATES);
    for (int t = 0; t < TRIALS; t++) {
        assert_int_equal(rl_ring_start(&ring, "random", &random, NULL), RL_OK);
        for (uint32_t i = 0; i < 2; i++)
            observed[i][rl_protocol_index(ring.protocol, &ring.params, rl_ring_get(&ring, i))]++;
    }
    for (int s = 0; s < STATES; s++)
        probability[s] = 1.0 / STATES;
    assert_distributed("first agent", observed[0], probability, STATES - 1, TRIALS);
    assert_distributed("second agent", observed[1], probability, STATES - 1, TRIALS);
}

struct struck {
    uint32_t agents[16];
    uint32_t count;
};

static void note_struck(void *user, uint32_t agent)
{
    struct struck *struck = user;
    struck->agents[struck->count++] = agent;
}

TEST(a_fault_strikes_that_many_distinct_agents_and_no_other)
{
    FREED(rl_ring) ring = test_ring("prl", 8, 8);
    struct rl_random random = test_random(6, 0, RL_PURPOSE_FAULT);
    for (uint32_t count = 0; count <= 8; count++) {
        struct struck struck = {.count = 0};
        for (uint32_t i = 0; i < 8; i++)
            rl_ring_set(&ring, i, 0xffffffff); /* no state of the protocol */
        rl_ring_fault(&ring, count, &random, note_struck, &struck);
        assert_int_equal(struck.count, count);
        for (uint32_t i = 0; i < 8; i++) {
            bool listed = false;
            for (uint32_t k = 0; k < count; k++)
                listed |= struck.agents[k] == i;
            assert_int_equal(rl_ring_get(&ring, i) != 0xffffffff, listed);
        }
    }
}

/* All 10 pairs of 5 agents are equally likely. Error probability 10^-6. */
TEST(a_fault_strikes_every_set_of_agents_equally_often)
{
    enum { TRIALS = 50000 };
    FREED(rl_ring) ring = test_ring("prl", 5, 5);
    struct rl_random random = test_random(9, 0, RL_PURPOSE_FAULT);
    uint64_t observed[11] = {0};
    double probability[10];
    for (int t = 0; t < TRIALS; t++) {
        struct struck struck = {.count = 0};
        rl_ring_fault(&ring, 2, &random, note_struck, &struck);
        const uint32_t a = struck.agents[0], b = struck.agents[1];
        assert_true(a < b);
        observed[b * (b - 1) / 2 + a]++;
    }
    for (int i = 0; i < 10; i++)
        probability[i] = 0.1;
    assert_distributed("pairs", observed, probability, 9, TRIALS);
}
