/* SPDX-License-Identifier: MIT
 *
 * Simulation against the verifier's exact means. Seeds are fixed; with other seeds, a mean of
 * TRIALS trials would be further off than five of its standard deviations with probability 6e-7.
 */
#include <math.h>

#include "test.h"

enum { TRIALS = 40000 };

static void check_mean(uint32_t n, uint32_t N, const char *start, enum rl_engine_kind engine,
                       double exact)
{
    const struct rl_protocol *protocol = rl_protocol_named("prl");
    double sum = 0, squares = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        const struct rl_run_options options = {.protocol = protocol,
                                               .params = {.n = n, .value = {N}},
                                               .seed = 4,
                                               .trial = trial,
                                               .start = start,
                                               .engine = engine,
                                               .until = protocol->target,
                                               .max_steps = RL_NEVER};
        struct rl_run run;
        assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
        while (rl_run_advance(&run) == RL_RUNNING)
            continue;
        const double steps = (double)run.hits[protocol->target];
        sum += steps;
        squares += steps * steps;
        rl_run_free(&run);
    }
    const double mean = sum / TRIALS;
    assert_near(mean, exact, 5 * sqrt((squares / TRIALS - mean * mean) / TRIALS));
}

static void compare(uint32_t n, uint32_t N, enum rl_engine_kind engine)
{
    const struct rl_verify_options options = {.protocol = rl_protocol_named("prl"),
                                              .params = {.n = n, .value = {N}},
                                              .questions = RL_ASK_EXPECTED,
                                              .precision = 1e-9,
                                              .memory = UINT64_C(1) << 32,
                                              .jobs = 1};
    struct rl_verification answer;
    assert_int_equal(rl_verify(&answer, &options, NULL), RL_OK);
    const struct rl_expectation *expected = &answer.sets[options.protocol->target].expected;
    check_mean(n, N, "random", engine, expected->mean);
    if (n == N && n == 3)
        check_mean(n, N, "shielded", engine, expected->worst);
    rl_verify_free(&answer);
}

TEST(the_event_engine_agrees_with_the_exact_means)
{
    compare(2, 2, RL_ENGINE_EVENT);
    compare(3, 3, RL_ENGINE_EVENT);
    compare(3, 5, RL_ENGINE_EVENT);
}

TEST(the_step_engine_agrees_with_the_exact_means)
{
    compare(3, 3, RL_ENGINE_STEP);
}
