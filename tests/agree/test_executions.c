/* SPDX-License-Identifier: MIT
 *
 * Executions of every protocol, by a loop over the registry: both engines have the same
 * distribution. (That an execution does not depend on how it is cut is in test_cut.c.)
 *   agree_test_executions [SCALE]     so many times 50 trials at n = 1000
 *
 * Seeds are fixed; statistics.h says how likely a right program was to fail when they were chosen.
 */
#include "registry.h"
#include "statistics.h"

static void init(struct rl_run *run, const struct rl_protocol *protocol, uint32_t n, uint32_t delay,
                 const char *start, enum rl_engine_kind engine, uint64_t trial, uint64_t steps)
{
    struct rl_experiment options = {.protocol = protocol,
                                    .seed = 5 + (uint64_t)engine,
                                    .trial = trial,
                                    .start = start,
                                    .engine = engine,
                                    .end.set = protocol->target,
                                    .end.kind = RL_UNTIL_STEPS,
                                    .end.steps = steps};
    assert_true(registry_params(protocol, n, delay, &options.params));
    assert_int_equal(rl_run_init(run, &options, NULL), RL_OK);
}

static bool allows(const struct rl_protocol *protocol, uint32_t n, const char *start)
{
    FREED(rl_ring) ring = {0};
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    return registry_ring(protocol, n, &ring) && rl_ring_start(&ring, start, &random, NULL) == RL_OK;
}

/* Values of one run: the hits of all sets (cut at the end), leaders, and gauges at the end. */
enum { VALUES = RL_MAX_SETS + 1 + RL_MAX_GAUGES };

static void values_of(const struct rl_run *run, uint64_t *values_out)
{
    memset(values_out, 0, VALUES * sizeof *values_out);
    for (size_t i = 0; i < run->ring.protocol->set_count; i++)
        values_out[i] = run->hits[i];
    values_out[RL_MAX_SETS] = rl_ring_leaders(&run->ring);
    run->ring.protocol->measure(&run->ring, values_out + RL_MAX_SETS + 1);
}

static void compare_engines(const struct rl_protocol *protocol, uint32_t n, uint32_t delay,
                            const char *start, uint64_t steps, size_t trials)
{
    uint64_t *samples = malloc(2 * VALUES * trials * sizeof *samples);
    assert_non_null(samples);
    for (int engine = 0; engine < 2; engine++)
        for (size_t t = 0; t < trials; t++) {
            struct rl_run run;
            uint64_t values[VALUES];
            init(&run, protocol, n, delay, start, engine ? RL_ENGINE_STEP : RL_ENGINE_EVENT, t,
                 steps);
            test_finish(&run);
            values_of(&run, values);
            rl_run_free(&run);
            for (size_t v = 0; v < VALUES; v++)
                samples[((size_t)engine * VALUES + v) * trials + t] = values[v];
        }
    for (size_t v = 0; v < VALUES; v++) {
        char what[200];
        snprintf(what, sizeof what, "%s, n = %u, delay %u, start %s: value %zu", protocol->name, n,
                 delay, start, v);
        assert_same_distribution(what, samples + v * trials, samples + (VALUES + v) * trials,
                                 trials);
    }
    free(samples);
}

TEST(both_engines_have_the_same_distribution)
{
    const struct rl_protocol *protocol;
    const char *start;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t s = 0; (start = registry_start(protocol, s)); s++) {
            if (allows(protocol, 10, start))
                compare_engines(protocol, 10, 0, start, 1500, 500);
            if (allows(protocol, 100, start))
                compare_engines(protocol, 100, 0, start, 6000, 200);
            if (allows(protocol, 1000, start))
                compare_engines(protocol, 1000, 0, start, 40000, 50 * test_amount(0, 1));
            /* The oracle speaks in the middle of silence, and before the end. */
            if (protocol->oracle && allows(protocol, 40, start))
                compare_engines(protocol, 40, 500, start, 3000, 500);
        }
}
