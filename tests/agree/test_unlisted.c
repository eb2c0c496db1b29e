/* SPDX-License-Identifier: MIT
 *
 * A protocol that is in no list, written by hand as a struct with only what is needed: it works in
 * the engines, the verifier, a study and the pictures.
 */
#include "test.h"

/* Leaders that meet merge; nobody becomes one. With no more than what struct rl_protocol wants. */
static void merge(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    (void)params, (void)no_leader;
    if (*l == 1) {
        *l = 0;
        *r = 1;
    }
}

static bool is_leader(rl_state state)
{
    return state == 1;
}

static bool has_one(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 1;
}

static enum rl_status fill(struct rl_ring *ring, struct rl_random *random, struct rl_error *error)
{
    (void)random, (void)error;
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, 1);
    return RL_OK;
}

static const char *const TEXTS[] = {"", "L"};
static const struct rl_variable VARIABLE = {
    .name = "leader", .width = 1, .size = 2, .symbols = TEXTS};
static const struct rl_set SET = {"one", "one leader", has_one, has_one};
static const struct rl_start START = {.name = "leaders", .meaning = "all lead", .fill = fill};

static const struct rl_protocol MERGING = {.name = "merging",
                                           .interact = merge,
                                           .leads = is_leader,
                                           .width = 4,
                                           .variables = &VARIABLE,
                                           .variable_count = 1,
                                           .starts = &START,
                                           .start_count = 1,
                                           .sets = &SET,
                                           .set_count = 1};

TEST(it_elects_with_both_engines)
{
    struct rl_run_options options;
    struct rl_run run;
    rl_run_options_init(&options, &MERGING, 100);
    options.start = "leaders";
    for (int k = 0; k < 2; k++) {
        options.engine = k ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
        assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
        while (rl_run_advance(&run) == RL_RUNNING)
            continue;
        assert_int_equal(run.state, RL_REACHED);
        assert_int_equal(rl_ring_leaders(&run.ring), 1);
        rl_run_free(&run);
    }
}

/* It is not self-stabilizing: a ring without leaders stays so. */
TEST(it_is_verified)
{
    struct rl_verify_options options;
    struct rl_verification answer;
    rl_verify_options_init(&options, &MERGING, 4);
    assert_int_equal(rl_verify(&answer, &options, NULL), RL_OK);
    assert_false(answer.self_stabilizing);
    assert_true(answer.sets[0].closed);
    rl_verify_free(&answer);
}

TEST(its_trials_are_those_of_a_run)
{
    const struct rl_point point = {.protocol = &MERGING,
                                   .params = rl_protocol_usual(&MERGING, 50),
                                   .start = "leaders",
                                   .seed = 1,
                                   .max_steps = RL_NEVER,
                                   .trials = 1};
    struct rl_trial trial;
    assert_true(rl_trial_run(&point, 0, 0, (struct rl_trial_stop){0}, &trial));
    assert_int_equal(trial.status, RL_OK);
    assert_true(rl_trial_reached(&point, &trial));
    assert_int_equal(trial.leaders, 1);
}

static bool count_bytes(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

TEST(it_is_drawn)
{
    uint32_t agents[8] = {0, 1, 0, 0, 1};
    const struct rl_ring ring = {&MERGING, {.n = 8}, agents, false};
    size_t size = 0;
    assert_int_equal(rl_ringpicture_draw(&ring, "merging", RL_PEN_SVG, count_bytes, &size), RL_OK);
    assert_true(size > 1000);
}

/* ---- options ----------------------------------------------------------------------------------
 */

TEST(options_begin_with_what_is_natural)
{
    struct rl_run_options options;
    struct rl_run run;
    rl_run_options_init(&options, rl_protocol_named("prl"), 20);
    assert_int_equal(options.params.value[0], 20); /* N = n */
    options.seed = options.until = options.max_steps = 0;
    options.start = NULL;
    assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
    while (rl_run_advance(&run) == RL_RUNNING)
        continue;
    assert_int_equal(run.state, RL_REACHED); /* no limit on steps, a random start */
    rl_run_free(&run);
}

TEST(parameters_that_are_not_allowed_are_refused)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    struct rl_run_options options = {.protocol = prl, .params = {.n = 20}};
    struct rl_error error = {0};
    struct rl_run run;
    assert_int_equal(rl_run_init(&run, &options, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text, "N = 0 is below n = 20; the protocol needs 2 <= n <= N");
    rl_run_free(&run);
    options.params.n = 1;
    assert_int_equal(rl_run_init(&run, &options, &error), RL_BAD_PARAMETER);
    rl_run_free(&run);
}
