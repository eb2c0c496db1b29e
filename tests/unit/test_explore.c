/* SPDX-License-Identifier: MIT
 *
 * Exploration: what it finds, that its executions are real and shortest, and how it stops.
 */
#include "test.h"

#include "verify/interned.h"

static struct rl_explore_options options_for(const char *protocol, uint32_t n, uint32_t parameter,
                                             const char *start)
{
    struct rl_explore_options options;
    rl_explore_options_init(&options, rl_protocol_named(protocol), n, start);
    options.experiment.params = (struct rl_params){.n = n, .value = {parameter}};
    return options;
}

static struct rl_exploration explored(const struct rl_explore_options *options)
{
    struct rl_exploration exploration;
    assert_ok(rl_explore(options, &exploration, &error));
    return exploration;
}

TEST(a_leader_of_prl_is_created_after_exactly_N_interactions)
{
    for (uint32_t N = 2; N <= 7; N++) {
        const struct rl_explore_options options =
            options_for("prl", N < 5 ? N : 5, N, "leaderless");
        FREED(rl_exploration) exploration = explored(&options);
        assert_true(exploration.violated && exploration.execution.exists);
        assert_int_equal(exploration.execution.length, N);
        FREED(rl_ring) ring = test_ring("prl", options.experiment.params.n, N);
        for (uint32_t i = 0; i < ring.params.n; i++)
            rl_ring_set(&ring, i, exploration.execution.start[i]);
        for (size_t i = 0; i < exploration.execution.length; i++) {
            assert_int_equal(rl_ring_leaders(&ring), 0);
            assert_true(rl_ring_interact(&ring, exploration.execution.arcs[i]));
        }
        assert_int_equal(rl_ring_leaders(&ring), 1);
    }
}

TEST(the_start_safe_of_prl_is_safe_and_stays_in_S_RL)
{
    struct rl_explore_options options = options_for("prl", 5, 7, "safe");
    for (options.experiment.seed = 1; options.experiment.seed <= 20; options.experiment.seed++) {
        options.set = NULL;
        FREED(rl_exploration) outputs = explored(&options);
        options.set = &options.experiment.protocol->sets[options.experiment.protocol->target];
        FREED(rl_exploration) set = explored(&options);
        assert_false(outputs.violated);
        assert_false(set.violated);
        assert_int_equal(outputs.explored[0].configurations, set.explored[0].configurations);
    }
}

TEST(a_start_outside_the_set_is_a_violation_of_no_interactions)
{
    struct rl_explore_options options = options_for("prl", 4, 4, "paper");
    options.set =
        &options.experiment.protocol->sets[0]; /* C_PB: the paper's example is in it for good */
    FREED(rl_exploration) inside = explored(&options);
    assert_false(inside.violated);
    options.set = &options.experiment.protocol->sets[2];
    FREED(rl_exploration) outside = explored(&options);
    assert_true(outside.violated && outside.execution.exists);
    assert_int_equal(outside.execution.length, 0);
}

TEST(a_divided_protocol_is_seen_to_in_every_part)
{
    static const uint64_t WORDS[] = {1, 1, 2, 3, 5};
    for (uint32_t n = 2; n <= 6; n++) {
        const struct rl_explore_options options = options_for("fences", n, 4, "clean");
        FREED(rl_exploration) exploration = explored(&options);
        assert_false(exploration.violated);
        assert_int_equal(exploration.members, WORDS[n - 2]);
        assert_int_equal(exploration.explored_count, 2);
        assert_string_equal(exploration.explored[0].part, "detection");
        assert_int_equal(exploration.explored[0].agent_classes, 84);
        assert_string_equal(exploration.explored[1].part, "elimination");
        assert_int_equal(exploration.explored[1].agent_classes, 18);
    }
}

/* Seen whole, bullets and idle meetings are told apart as well, so there is more to see. */
TEST(the_whole_stays_in_the_target_too)
{
    for (uint32_t n = 2; n <= 4; n++) {
        struct rl_explore_options options = options_for("fences", n, 3, "clean");
        FREED(rl_exploration) parts = explored(&options);
        options.set = &options.experiment.protocol->sets[options.experiment.protocol->target];
        FREED(rl_exploration) whole = explored(&options);
        assert_false(whole.violated);
        assert_true(whole.explored[0].configurations > parts.explored[0].configurations);
    }
}

TEST(a_death_is_found_in_the_part_it_belongs_to)
{
    FREED(rl_ring) ring = test_ring("fences", 3, 4);
    test_fill(&ring, "0L 0 1B"); /* not peaceful: it will kill u_0 */
    struct rl_explore_options options = options_for("fences", 3, 4, NULL);
    options.experiment.configuration = ring.agents;
    FREED(rl_exploration) exploration = explored(&options);
    assert_true(exploration.violated && exploration.execution.exists);
    assert_string_equal(exploration.explored[exploration.explored_count - 1].part, "elimination");
    assert_int_equal(exploration.execution.length, 1);
    assert_int_equal(exploration.execution.arcs[0], 2);
}

/* Every execution of P_RL ends in S_RL; without line 13 no leader is ever killed. */
TEST(a_goal_is_reached_or_out_of_reach)
{
    struct rl_explore_options options = options_for("prl", 3, 3, "leaders");
    options.goal = &options.experiment.protocol->sets[options.experiment.protocol->target];
    FREED(rl_exploration) within = explored(&options);
    assert_false(within.violated);
    assert_true(within.explored[0].configurations > 100);
    options = options_for("prl-dummy", 3, 3, "leaders");
    options.goal = &options.experiment.protocol->sets[options.experiment.protocol->target];
    FREED(rl_exploration) out = explored(&options);
    assert_true(out.violated && out.execution.exists);
    assert_int_equal(out.execution.length, 0);
}

/* Without line 13, S_RL is out of reach from the moment a second leader is created. */
TEST(the_way_to_where_a_goal_is_out_of_reach_ends_there)
{
    struct rl_explore_options options = options_for("prl-dummy", 3, 3, "leaderless");
    options.goal = &options.experiment.protocol->sets[options.experiment.protocol->target];
    FREED(rl_exploration) exploration = explored(&options);
    const struct rl_counterexample *execution = &exploration.execution;
    assert_true(exploration.violated && execution->exists);
    FREED(rl_ring) ring = test_ring("prl-dummy", 3, 3);
    for (uint32_t i = 0; i < 3; i++)
        rl_ring_set(&ring, i, execution->start[i]);
    for (size_t i = 0; i < execution->length; i++) {
        assert_true(rl_ring_leaders(&ring) < 2);
        rl_ring_interact(&ring, execution->arcs[i]);
    }
    assert_int_equal(rl_ring_leaders(&ring), 2);
}

/* Half a million states and more: only those that are reached count. */
TEST(a_protocol_of_many_states_is_explored_too)
{
    static const uint64_t MEMBERS[] = {4, 8, 16, 8};
    for (uint32_t n = 2; n <= 5; n++) {
        struct rl_explore_options options = options_for("ppl", n, 2, "clean");
        options.experiment.params.value[1] = 1; /* kmax */
        options.set = &options.experiment.protocol->sets[options.experiment.protocol->target];
        FREED(rl_exploration) clean = explored(&options);
        assert_false(clean.violated);
        assert_int_equal(clean.members, MEMBERS[n - 2]);
        options.experiment.start = "safe";
        for (options.experiment.seed = 1; options.experiment.seed <= 10;
             options.experiment.seed++) {
            FREED(rl_exploration) safe = explored(&options);
            assert_false(safe.violated);
        }
    }
}

TEST(too_little_memory_is_said)
{
    struct rl_explore_options options = options_for("fences", 7, 4, "clean");
    options.memory = 1 << 20;
    FREED(rl_exploration) exploration;
    struct rl_error error = {0};
    assert_int_equal(rl_explore(&options, &exploration, &error), RL_TOO_LARGE);
    assert_true(strlen(error.text) > 0);
}

/* Whatever there is no room for first: a pair of agents, a configuration, what leads to it. */
TEST(any_memory_is_enough_or_too_little)
{
    struct rl_explore_options options = options_for("prl", 5, 5, "leaders");
    options.goal = &options.experiment.protocol->sets[options.experiment.protocol->target];
    enum rl_status status = RL_TOO_LARGE;
    int tries = 0;
    for (options.memory = 1000; status; options.memory += options.memory / 32, tries++) {
        FREED(rl_exploration) exploration;
        struct rl_error error = {0};
        status = rl_explore(&options, &exploration, &error);
        assert_true(status == RL_OK || (status == RL_TOO_LARGE && error.text[0]));
    }
    assert_true(tries > 20);
}

TEST(what_cannot_be_explored_is_refused)
{
    const struct rl_explore_options wrong[] = {
        options_for("fences", 5, 4, "nowhere"),
        options_for("fences", RL_VERIFY_AGENTS + 1, 4, "clean"),
        options_for("fj06", 3, 5, "leaderless"), /* a delay of 5 */
    };
    for (size_t i = 0; i < 3; i++) {
        FREED(rl_exploration) exploration;
        assert_int_equal(rl_explore(&wrong[i], &exploration, NULL), RL_BAD_PARAMETER);
    }
}

static bool never_go_on(void *user, const struct rl_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    return false;
}

TEST(an_exploration_stops_when_it_is_told_to)
{
    int calls = 0;
    struct rl_explore_options options = options_for("fences", 7, 4, "clean");
    const struct rl_watch watch = {&calls, never_go_on};
    options.watch = &watch;
    FREED(rl_exploration) exploration;
    assert_int_equal(rl_explore(&options, &exploration, NULL), RL_STOPPED);
    assert_int_equal(calls, 1);
}

TEST(keys_are_numbered_in_their_order_and_within_the_allowance)
{
    struct rl_effort effort = {.memory = 100000};
    FREED(rl_interned) keys = {.effort = &effort};
    uint64_t i = 0;
    while (rl_interned_add(&keys, i * i) == i && !effort.status)
        i++;
    /* 4096 keys take 32 KB and their table 32 KB; the next table does not fit beside them. */
    assert_int_equal(i, 4096);
    assert_int_equal(keys.count, 4096);
    assert_int_equal(effort.status, RL_TOO_LARGE);
    for (uint64_t k = 0; k < i; k++) {
        assert_int_equal(keys.keys[k], k * k);
        assert_int_equal(rl_interned_add(&keys, k * k), k);
    }
}
