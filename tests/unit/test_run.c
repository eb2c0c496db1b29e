/* SPDX-License-Identifier: MIT
 *
 * Runs: hits, limits, faults and observers.
 */
#include "test.h"

/* Repeats a run step by step with every set tested at every step, by its definition. */
struct slow_walk {
    struct rl_ring ring;
    uint64_t hits[RL_MAX_SETS];
    uint64_t events;
};

static void look(struct slow_walk *walk, uint64_t step)
{
    for (size_t i = 0; i < walk->ring.protocol->set_count; i++)
        if (walk->hits[i] == RL_NEVER &&
            test_by_definition(&walk->ring.protocol->sets[i], &walk->ring))
            walk->hits[i] = step;
}

static void walk_began(void *user, struct rl_run *run)
{
    struct slow_walk *walk = user;
    memcpy(walk->ring.agents, run->ring.agents,
           rl_ring_bytes(run->ring.protocol, run->ring.params.n));
    look(walk, 0);
}

static void walk_batch(void *user, struct rl_run *run)
{
    struct slow_walk *walk = user;
    for (size_t i = 0; i < run->batch.count; i++) {
        assert_true(rl_ring_interact(&walk->ring, run->batch.events[i].arc));
        look(walk, run->batch.events[i].step);
        walk->events++;
    }
}

TEST(hits_are_exact_to_the_step)
{
    static const char *const starts[] = {"random",   "leaderless", "leaders", "shielded", "bullets",
                                         "opposite", "paper",      "safe",    "glued"};
    for (size_t s = 0; s < 9; s++)
        for (int engine = 0; engine <= 1; engine++)
            for (uint32_t n = 4; n <= 24; n += 10) {
                struct rl_experiment options = test_options("prl", n, n, starts[s]);
                options.engine = (enum rl_engine_kind)engine;
                options.seed = n;
                struct slow_walk walk = {.ring = test_ring("prl", n, n)};
                memset(walk.hits, 0xff, sizeof walk.hits);
                FREED(rl_run) run;
                assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
                rl_run_observe(&run, (struct rl_observer){
                                         .user = &walk, .began = walk_began, .batch = walk_batch});
                test_finish(&run);
                assert_int_equal(run.state, RL_REACHED);
                assert_int_equal(run.step, run.hits[2]);
                assert_int_equal(run.events, walk.events);
                for (int i = 0; i < 3; i++)
                    assert_int_equal(run.hits[i], walk.hits[i]);
                assert_memory_equal(run.ring.agents, walk.ring.agents,
                                    rl_ring_bytes(run.ring.protocol, n));
                rl_ring_free(&walk.ring);
            }
}

/* On small rings all hits may fall into one batch; nothing beyond the end may be told. */
TEST(a_run_stops_at_the_set_it_was_asked_for)
{
    size_t later = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct rl_experiment options = test_options("prl", 5, 5, "leaderless");
        options.seed = seed;
        FREED(rl_run) whole, part;
        test_run(&whole, &options);
        options.end.set = 0;
        test_run(&part, &options);
        assert_int_equal(part.state, RL_REACHED);
        assert_int_equal(part.step, whole.hits[0]);
        for (int i = 0; i < 3; i++) {
            const bool beyond = whole.hits[i] > part.step;
            later += beyond;
            assert_true(part.hits[i] == (beyond ? RL_NEVER : whole.hits[i]));
        }
    }
    assert_true(later > 100);
}

TEST(a_step_limit_stops_a_run_exactly_there)
{
    for (int engine = 0; engine <= 1; engine++) {
        struct rl_experiment options = test_options("prl", 200, 200, "leaderless");
        options.engine = (enum rl_engine_kind)engine;
        options.end.max_steps = 12345;
        FREED(rl_run) run;
        test_run(&run, &options);
        assert_int_equal(run.state, RL_LIMIT);
        assert_int_equal(run.step, 12345);
        assert_true(run.hits[2] == RL_NEVER);
        assert_int_equal(rl_run_advance(&run), RL_LIMIT); /* and stays stopped */
        assert_int_equal(run.step, 12345);
    }
}

/* The last change of an output, found by walking, is the step since which the run has settled. */
TEST(a_run_that_settles_tells_since_when)
{
    for (int k = 0; k < 2; k++) {
        struct rl_experiment options = test_options("prl", 30, 30, "random");
        struct rl_run run, whole;
        options.engine = k ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
        options.end.kind = RL_UNTIL_SETTLED;
        options.end.steps = 5000;
        test_run(&run, &options);
        assert_int_equal(run.state, RL_REACHED);
        assert_int_equal(run.step, run.settled.since + 5000);
        options.end.kind = RL_UNTIL_STEPS;
        options.end.steps = run.settled.since - 1; /* one leader only since then, or another one */
        test_run(&whole, &options);
        const uint32_t before = rl_ring_first_leader(&whole.ring);
        const uint32_t count = rl_ring_leaders(&whole.ring);
        assert_true(count != 1 || before != rl_ring_first_leader(&run.ring));
        rl_run_free(&whole);
        options.end.steps = run.step;
        test_run(&whole, &options);
        assert_memory_equal(whole.ring.agents, run.ring.agents, 30 * sizeof(uint32_t));
        rl_run_free(&whole);
        rl_run_free(&run);
    }
}

TEST(a_run_of_so_many_steps_may_settle_on_the_way)
{
    static const struct rl_set settled[] = {RL_SETTLED};
    struct rl_protocol bare = *rl_protocol_named("prl");
    struct rl_experiment options;
    struct rl_run run, longer;
    bare.sets = settled;
    bare.set_count = 1;
    bare.target = 0;
    rl_experiment_init(&options, &bare, 8);
    assert_int_equal(options.end.kind, RL_UNTIL_SETTLED);
    test_run(&run, &options);
    options.end.kind = RL_UNTIL_STEPS;
    options.end.steps = run.step + 20000;
    test_run(&longer, &options);
    assert_int_equal(longer.state, RL_LIMIT);
    assert_int_equal(longer.step, run.step + 20000);
    assert_int_equal(longer.settled.since, run.settled.since);
    rl_run_free(&run);
    rl_run_free(&longer);
}

TEST(a_run_begins_from_a_given_configuration)
{
    FREED(rl_ring) ring = test_ring("prl", 4, 4);
    test_fill(&ring, "0Ls 1B 2! 3");
    struct rl_experiment options = test_options("prl", 4, 4, NULL);
    options.configuration = ring.agents;
    options.end.kind = RL_UNTIL_STEPS;
    options.end.steps = 0;
    FREED(rl_run) run;
    test_run(&run, &options);
    assert_string_equal(test_text(&run.ring), "0Ls 1B 2! 3");
}

TEST(a_schedule_that_ends_before_the_hit_exhausts_the_run)
{
    FREED(rl_schedule) schedule = test_schedule(10, "seqR 0 8");
    struct rl_experiment options = test_options("prl", 10, 10, "leaderless");
    options.engine = RL_ENGINE_STEP;
    options.schedule = &schedule;
    FREED(rl_run) run;
    test_run(&run, &options);
    assert_int_equal(run.state, RL_EXHAUSTED);
    assert_int_equal(run.step, 9);
    assert_string_equal(test_text(&run.ring), "0 1 2 3 4 5 6 7 8 9");
}

TEST(a_start_that_is_not_allowed_is_refused_and_freeing_is_legal)
{
    struct rl_run run;
    struct rl_error error = {0};
    const struct rl_experiment options = test_options("prl", 5, 5, "paper");
    assert_int_equal(rl_run_init(&run, &options, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text, "start 'paper' is for an even n >= 4 with N = n");
    rl_run_free(&run);
    rl_run_free(&run);
}

/* ---- faults ---- */

struct fault_watch {
    uint64_t steps[8];
    uint32_t struck[8];
    size_t count;
};

static void watch_fault(void *user, struct rl_run *run, size_t index, const uint32_t *agents)
{
    struct fault_watch *watch = user;
    assert_int_equal(index, watch->count);
    watch->steps[index] = run->step;
    watch->struck[index] = run->faults[index].agents;
    watch->count++;
    for (uint32_t i = 1; i < run->faults[index].agents; i++)
        assert_true(agents[i - 1] < agents[i] && agents[i] < run->ring.params.n);
}

TEST(faults_given_in_any_order_strike_at_their_steps_and_recoveries_are_told)
{
    for (int engine = 0; engine <= 1; engine++) {
        const struct rl_fault faults[] = {{.step = 0, .agents = 3},
                                          {.step = 100000, .agents = 40},
                                          {.step = 100001, .agents = 1},
                                          {.step = 100001, .agents = 1},
                                          {.step = 200000, .agents = 20}};
        const struct rl_fault given[] = {faults[4], faults[1], faults[0], faults[2], faults[3]};
        struct rl_experiment options = test_options("prl", 40, 40, "safe");
        options.engine = (enum rl_engine_kind)engine;
        options.faults = given;
        options.fault_count = 5;
        struct fault_watch watch = {.count = 0};
        FREED(rl_run) run;
        assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
        rl_run_observe(&run, (struct rl_observer){.user = &watch, .fault = watch_fault});
        test_finish(&run);
        assert_int_equal(run.state, RL_REACHED);
        assert_int_equal(watch.count, 5);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(watch.steps[i], faults[i].step);
            assert_int_equal(watch.struck[i], faults[i].agents);
        }
        assert_true(run.faults[0].recovered_after < 100000);
        assert_true(run.faults[1].recovered_after == RL_NEVER); /* the next came too soon */
        assert_true(run.faults[3].recovered_after < 99999);
        assert_int_equal(run.step, 200000 + run.faults[4].recovered_after);
        assert_int_equal(run.step, run.hits[2]);
    }
}

TEST(the_agents_of_a_fault_take_at_most_31_characters)
{
    struct rl_fault fault;
    assert_ok(rl_run_parse_fault("0000000000000000000000000000005@9", 10, &fault, &error));
    assert_int_equal(fault.agents, 5);
    assert_int_equal(rl_run_parse_fault("00000000000000000000000000000005@9", 10, &fault, NULL),
                     RL_BAD_TEXT);
}

TEST(a_fault_beyond_the_step_limit_is_refused)
{
    const struct rl_fault fault = {.step = 5001, .agents = 5};
    struct rl_experiment options = test_options("prl", 10, 10, "safe");
    options.faults = &fault;
    options.fault_count = 1;
    options.end.max_steps = 5000;
    FREED(rl_run) run;
    struct rl_error error;
    assert_int_equal(rl_run_init(&run, &options, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text,
                        "a fault at step 5001 comes after the end of the run, step 5000");
}

/* What comes after the hit is what a run without an end would do. */
TEST(a_run_goes_on_for_so_long_after_the_hit)
{
    static const char *const starts[] = {"random", "safe"};
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < 2; s++)
            for (uint64_t after = 0; after < 5000; after = 3 * after + 1) {
                struct rl_experiment options;
                FREED(rl_run) run, uncut;
                rl_experiment_init(&options, rl_protocol_named("prl"), 30);
                options.engine = k ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
                options.start = starts[s];
                options.end.after = after;
                test_run(&run, &options);
                assert_int_equal(run.state, RL_REACHED);
                assert_int_equal(run.step, run.hits[run.end.set] + after);
                options.end.kind = RL_UNTIL_STEPS;
                options.end.steps = run.step;
                test_run(&uncut, &options);
                assert_int_equal(uncut.events, run.events);
                assert_memory_equal(uncut.hits, run.hits, sizeof run.hits);
                assert_memory_equal(uncut.ring.agents, run.ring.agents,
                                    rl_ring_bytes(run.ring.protocol, 30));
            }
}

/* The hit counts; what is left of the time after it is cut. */
TEST(a_limit_after_the_hit_does_not_undo_it)
{
    struct rl_experiment options;
    FREED(rl_run) run;
    rl_experiment_init(&options, rl_protocol_named("prl"), 20);
    options.start = "safe";
    options.end.after = 1000;
    options.end.max_steps = 10;
    test_run(&run, &options);
    assert_int_equal(run.state, RL_REACHED);
    assert_int_equal(run.step, 10);
}

TEST(options_begin_with_what_is_natural)
{
    struct rl_experiment options;
    FREED(rl_run) run;
    rl_experiment_init(&options, rl_protocol_named("prl"), 20);
    assert_int_equal(options.params.value[0], 20); /* N = n */
    options.seed = options.end.set = options.end.max_steps = 0;
    options.start = NULL;
    test_run(&run, &options);
    assert_int_equal(run.state, RL_REACHED); /* no limit on steps, a random start */
}
