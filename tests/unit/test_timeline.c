/* SPDX-License-Identifier: MIT
 *
 * Timelines: which steps are sampled, and that a sample shows the configuration of that step.
 */
#include "test.h"

enum { MOST = 500 };

struct samples {
    struct rl_sample at[MOST];
    size_t count;
};

static void keep(void *user, const struct rl_run *run, const struct rl_sample *sample)
{
    (void)run;
    struct samples *samples = user;
    assert_true(samples->count < MOST);
    samples->at[samples->count++] = *sample;
}

static struct rl_experiment options_for(uint32_t n, const char *start)
{
    struct rl_experiment options = test_options("prl", n, n, start);
    options.seed = 3;
    return options;
}

/* Watches a run to its end, which the caller frees. */
static void watch(struct rl_run *run, const struct rl_experiment *options, struct samples *samples)
{
    struct rl_timeline timeline;
    assert_int_equal(rl_run_init(run, options, NULL), RL_OK);
    rl_timeline_watch(&timeline, run, samples, keep);
    test_finish(run);
}

static bool has(const struct samples *samples, uint64_t step)
{
    for (size_t i = 0; i < samples->count; i++)
        if (samples->at[i].step == step)
            return true;
    return false;
}

TEST(samples_are_taken_four_to_the_octave_and_at_the_end)
{
    static const uint64_t expected[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  10,
                                        12, 14, 16, 20, 24, 28, 32, 40, 48, 50};
    for (int engine = 0; engine <= 1; engine++) {
        struct rl_experiment options = options_for(100, "leaderless");
        options.engine = (enum rl_engine_kind)engine;
        options.end.max_steps = 50;
        struct samples samples = {.count = 0};
        FREED(rl_run) run;
        watch(&run, &options, &samples);
        assert_int_equal(samples.count, sizeof expected / sizeof expected[0]);
        for (size_t i = 0; i < samples.count; i++)
            assert_int_equal(samples.at[i].step, expected[i]);
    }
}

TEST(samples_are_taken_at_every_hit)
{
    struct rl_experiment options = options_for(30, "leaderless");
    struct samples samples = {.count = 0};
    FREED(rl_run) run;
    watch(&run, &options, &samples);
    for (int i = 0; i < 3; i++)
        assert_true(has(&samples, run.hits[i]));
    assert_int_equal(samples.at[samples.count - 1].step, run.step);
    assert_int_equal(samples.at[samples.count - 1].leaders, 1);
    for (size_t i = 1; i < samples.count; i++)
        assert_true(samples.at[i - 1].step < samples.at[i].step);
}

TEST(samples_are_taken_after_every_fault)
{
    const struct rl_fault faults[] = {{.step = 1000, .agents = 30}, {.step = 1100, .agents = 30}};
    struct rl_experiment options = options_for(30, "safe");
    options.faults = faults;
    options.fault_count = 2;
    struct samples samples = {.count = 0};
    FREED(rl_run) run;
    watch(&run, &options, &samples);
    assert_true(has(&samples, 1000) && has(&samples, 1100));
    assert_true(has(&samples, run.hits[0]) && has(&samples, run.hits[2]));
    assert_int_equal(samples.at[samples.count - 1].step, run.step);
}

TEST(a_schedule_that_ends_is_sampled_at_its_end)
{
    FREED(rl_schedule) schedule = test_schedule(20, "seqR 0 10");
    struct rl_experiment options = options_for(20, "leaderless");
    options.engine = RL_ENGINE_STEP;
    options.schedule = &schedule;
    struct samples samples = {.count = 0};
    FREED(rl_run) run;
    watch(&run, &options, &samples);
    assert_int_equal(run.state, RL_EXHAUSTED);
    assert_int_equal(run.step, 11);
    assert_int_equal(samples.at[samples.count - 1].step, 11);
}

/* The gauges of a sample are those of a run that is stopped at that step. */
TEST(a_sample_shows_the_configuration_of_its_step)
{
    for (int engine = 0; engine <= 1; engine++) {
        struct rl_experiment options = options_for(40, "random");
        options.engine = (enum rl_engine_kind)engine;
        struct samples samples = {.count = 0};
        struct rl_run run;
        watch(&run, &options, &samples);
        assert_true(samples.count > 20);
        rl_run_free(&run);
        for (size_t i = 0; i < samples.count; i++) {
            options.end.kind = RL_UNTIL_STEPS;
            options.end.steps = samples.at[i].step;
            FREED(rl_run) stopped;
            test_run(&stopped, &options);
            uint64_t gauges[RL_MAX_GAUGES] = {0};
            stopped.ring.protocol->measure(&stopped.ring, gauges);
            assert_int_equal(samples.at[i].leaders, rl_ring_leaders(&stopped.ring));
            assert_memory_equal(samples.at[i].gauges, gauges, 5 * sizeof gauges[0]);
        }
    }
}
