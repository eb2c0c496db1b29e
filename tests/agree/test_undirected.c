/* SPDX-License-Identifier: MIT
 *
 * Undirected rings: the engine's list of arcs in both directions, and that no layer of colouring,
 * orientation and directed protocol looks at the ones above it. What each layer does for itself is
 * in test_undirected_layers.c.
 */
#include <math.h>

#include "registry.h"
#include "core/inside.h"

/* ---- the list of arcs ---- */

extern const struct rl_protocol *const rl_protocol_walkers;

/* Steps until one walker is left of four on a ring of 60 agents. */
static double steps_to_one(enum rl_engine_kind kind, uint64_t trial)
{
    enum { N = 60 };
    uint32_t words[N] = {0};
    struct rl_ring ring = {.protocol = rl_protocol_walkers, .params = {.n = N}, .agents = words};
    for (uint32_t i = 0; i < N; i += N / 4)
        words[i] = 1;
    FREED(rl_engine) engine;
    FREED(rl_batch) batch;
    struct rl_random random = test_random(21 + (uint64_t)kind, trial, RL_PURPOSE_SCHEDULE);
    assert_int_equal(rl_engine_init(&engine, kind, &ring, &random, NULL), RL_OK);
    assert_int_equal(rl_batch_init(&batch, 1), RL_OK);
    while (rl_ring_leaders(&ring) > 1)
        rl_engine_advance(&engine, RL_NEVER, &batch);
    assert_true(kind == RL_ENGINE_STEP || engine.sparse);
    const double steps = (double)engine.step;
    return steps;
}

/* The means of 400 trials differ by less than 5 standard errors: by chance, less than once in 10^6.
 */
TEST(the_event_engine_lists_the_arcs_of_an_undirected_ring)
{
    enum { TRIALS = 400 };
    double mean[2], variance[2];
    for (int kind = 0; kind < 2; kind++) {
        double sum = 0, squares = 0;
        for (uint64_t t = 0; t < TRIALS; t++) {
            const double x = steps_to_one(kind ? RL_ENGINE_STEP : RL_ENGINE_EVENT, t);
            sum += x;
            squares += x * x;
        }
        mean[kind] = sum / TRIALS;
        variance[kind] = squares / TRIALS - mean[kind] * mean[kind];
    }
    assert_near(mean[0], mean[1], 5 * sqrt((variance[0] + variance[1]) / TRIALS));
}

/* ---- what the layers promise each other ---- */

static void set_variable(struct rl_ring *ring, uint32_t i, const char *name, uint32_t value)
{
    rl_ring_set(
        ring, i,
        rl_variable_set(registry_variable(ring->protocol, name), rl_ring_get(ring, i), value));
}

TEST(no_layer_looks_at_the_ones_above_it)
{
    static const char *const layers[] = {"colour", "marks", "coin", "ahead", "behind", "strong"};
    FREED(rl_ring) a, b;
    struct rl_random random = test_random(31, 0, RL_PURPOSE_START);
    assert_true(registry_ring(rl_protocol_named("prl-undirected"), 3, &a));
    assert_true(registry_ring(a.protocol, 3, &b));
    for (int t = 0; t < 50000; t++) {
        const size_t shared = t % 2 ? 3 : 6; /* colouring alone, or with orientation */
        a.params.value[1] = b.params.value[1] = t / 2 % 2;
        rl_ring_randomize(&a, &random);
        rl_ring_randomize(&b, &random);
        for (uint32_t i = 0; i < 3; i++)
            for (size_t v = 0; v < shared; v++)
                set_variable(
                    &b, i, layers[v],
                    rl_variable_get(registry_variable(a.protocol, layers[v]), rl_ring_get(&a, i)));
        const uint32_t arc = rl_random_below(&random, 6);
        rl_ring_interact(&a, arc);
        rl_ring_interact(&b, arc);
        for (uint32_t i = 0; i < 3; i++)
            for (size_t v = 0; v < shared; v++)
                assert_int_equal(
                    rl_variable_get(registry_variable(a.protocol, layers[v]), rl_ring_get(&a, i)),
                    rl_variable_get(registry_variable(b.protocol, layers[v]), rl_ring_get(&b, i)));
    }
}

TEST(a_thousand_agents_elect_a_leader_on_an_undirected_ring)
{
    FREED(rl_run) run;
    struct rl_experiment options = {.protocol = rl_protocol_named("prl-undirected"),
                                    .seed = 1,
                                    .start = "random",
                                    .end.set = 2,
                                    .end.max_steps = UINT64_C(100000000)};
    assert_true(registry_params(options.protocol, 1000, 0, &options.params));
    test_run(&run, &options);
    assert_int_equal(run.state, RL_REACHED);
    assert_int_equal(rl_ring_leaders(&run.ring), 1);
}
