/* SPDX-License-Identifier: MIT
 *
 * Ten thousand elections from every start on random rings: after the hit of S_RL, 20 n N further
 * steps never change an output.
 */
#include "test.h"

static const char *const STARTS[] = {"random",  "leaderless", "leaders", "shielded",
                                     "bullets", "opposite",   "paper",   "safe"};
enum { STARTS_COUNT = 8, ELECTIONS = 10000 };

/* Drives the engine of a run that is over on for `steps`, and looks at every event. */
static void outputs_stay(struct rl_run *run, uint64_t steps, uint64_t seed)
{
    struct rl_ring *ring = &run->ring;
    const uint32_t leader = rl_ring_first_leader(ring);
    struct rl_random random;
    struct rl_engine engine;
    rl_random_init(&random, seed, 1, RL_PURPOSE_SCHEDULE);
    assert_int_equal(rl_engine_init(&engine, run->engine.kind, ring, &random, NULL), RL_OK);
    run->batch.wanted = run->batch.room;
    while (engine.step < steps) {
        rl_engine_advance(&engine, steps, &run->batch);
        const size_t count = run->batch.count;
        rl_batch_seek(&run->batch, ring, 0);
        for (size_t i = 0; i < count; i++) {
            rl_batch_seek(&run->batch, ring, i + 1);
            const uint32_t arc = run->batch.events[i].arc;
            const uint32_t l = rl_ring_initiator(ring, arc), r = rl_ring_responder(ring, arc);
            assert_int_equal(ring->protocol->leads(rl_ring_get(ring, l)), l == leader);
            assert_int_equal(ring->protocol->leads(rl_ring_get(ring, r)), r == leader);
        }
    }
    assert_int_equal(rl_ring_leaders(ring), 1);
    rl_engine_free(&engine);
}

static void hold(const char *start, uint64_t trial, struct rl_random *random)
{
    const bool paper = strcmp(start, "paper") == 0; /* wants an even n = N >= 4 */
    const uint32_t n =
        paper ? 4 + 2 * rl_random_below(random, 19) : 2 + rl_random_below(random, 39);
    const uint32_t N = paper ? n : n + rl_random_below(random, 2 * n + 1);
    const struct rl_protocol *prl = rl_protocol_named("prl");
    const struct rl_run_options options = {.protocol = prl,
                                           .params = {.n = n, .value = {N}},
                                           .seed = 51,
                                           .trial = trial,
                                           .start = start,
                                           .engine = trial / STARTS_COUNT % 2 ? RL_ENGINE_STEP
                                                                              : RL_ENGINE_EVENT,
                                           .until = prl->target,
                                           .max_steps = RL_NEVER};
    struct rl_run run;
    assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
    while (rl_run_advance(&run) == RL_RUNNING)
        continue;
    assert_int_equal(run.state, RL_REACHED);
    assert_int_equal(rl_ring_leaders(&run.ring), 1);
    outputs_stay(&run, 20 * (uint64_t)n * N, trial);
    rl_run_free(&run);
}

TEST(an_elected_leader_stays_the_only_one)
{
    struct rl_random random;
    rl_random_init(&random, 51, 0, RL_PURPOSE_FAULT);
    for (uint64_t trial = 0; trial < ELECTIONS; trial++)
        hold(STARTS[trial % STARTS_COUNT], trial, &random);
}
