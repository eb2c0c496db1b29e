/* SPDX-License-Identifier: MIT
 *
 * The library out of memory: an allocation fails if and only if RL_NO_MEMORY is returned.
 */
#include "memory/failing.h"

static const struct rl_fault FAULT = {.step = 10, .agents = 5};

static int hold_an_election(void)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    const struct rl_experiment options = {.protocol = prl,
                                          .params = {.n = 20, .value = {20}},
                                          .start = "random",
                                          .engine = RL_ENGINE_EVENT,
                                          .end.set = prl->target,
                                          .end.max_steps = RL_NEVER,
                                          .faults = &FAULT,
                                          .fault_count = 1};
    struct rl_run run;
    const enum rl_status status = rl_run_init(&run, &options, NULL);
    while (!status && rl_run_advance(&run) == RL_RUNNING)
        continue;
    rl_run_free(&run);
    return (int)status;
}

TEST(a_run_takes_its_memory_at_the_beginning_or_says_that_there_is_none)
{
    assert_int_equal(fail_each_allocation(hold_an_election, RL_NO_MEMORY), 7);
}

static int parse_a_schedule(void)
{
    char text[512];
    struct rl_text out = rl_text_into(text, sizeof text);
    for (int i = 0; i < 50; i++)
        rl_text_string(&out, "(1 2)^3 ");
    struct rl_schedule schedule;
    const enum rl_status status = rl_schedule_parse(&schedule, 5, text, out.length, NULL);
    rl_schedule_free(&schedule);
    return (int)status;
}

TEST(a_schedule_grows_or_says_that_there_is_no_memory)
{
    assert_int_equal(fail_each_allocation(parse_a_schedule, RL_NO_MEMORY), 5); /* 16 .. 256 items */
}

static int read_an_execution(void)
{
    static const char text[] = "ringleader execution 1\nprotocol prl\nn 4\nstart\n0 1 2 3\n"
                               "fault 1@2\nschedule\n0 1 2 3\nend\n";
    struct rl_execution execution;
    struct rl_run run = {0};
    struct rl_replay replay = {0};
    enum rl_status status = rl_execution_read(&execution, text, sizeof text - 1, false, NULL);
    if (!status)
        status = rl_run_init(&run, &execution.experiment, NULL);
    if (!status)
        status = rl_replay_watch(&replay, &execution, &run);
    rl_replay_free(&replay);
    rl_run_free(&run);
    rl_execution_free(&execution);
    return (int)status;
}

TEST(an_execution_is_read_or_there_is_no_memory)
{
    assert_true(fail_each_allocation(read_an_execution, RL_NO_MEMORY) > 6);
}

/* P'_RL on two agents: all questions, a trap and its execution, fractions, and no declared sight.
 */
/* What does not fit is not known, which is no failure; here it counts as one. */
static int prove_for_every_n(void)
{
    const struct rl_every_n_options options = {.protocol = rl_protocol_named("fj06"),
                                               .from_n = 6,
                                               .sweeps = 2,
                                               .words = 100,
                                               .memory = UINT64_C(1) << 30,
                                               .jobs = 1};
    struct rl_every_n answer;
    enum rl_status status = rl_every_n(&answer, &options, NULL);
    bool complete = !status && answer.small_count == 1;
    for (int i = 0; i < RL_EVERY_N_STAGES && complete; i++)
        complete = !answer.stages[i].out_of_memory &&
                   (answer.stages[i].proved || answer.stages[i].explored);
    for (size_t i = 0; i < answer.small_count; i++)
        complete &= answer.small[i]->decided;
    rl_every_n_free(&answer);
    return !status && complete ? RL_OK : RL_NO_MEMORY;
}

static int verify_a_ring(void)
{
    struct rl_protocol protocol = *rl_protocol_named("prl-dummy");
    protocol.set_sees = NULL;
    const struct rl_verify_options options = {.protocol = &protocol,
                                              .params = {.n = 2, .value = {2}},
                                              .questions = RL_ASK_EVERYTHING,
                                              .exact = true,
                                              .precision = 1e-9,
                                              .memory = UINT64_C(1) << 30,
                                              .jobs = 1};
    struct rl_verification answer;
    const enum rl_status status = rl_verify(&answer, &options, NULL);
    rl_verify_free(&answer);
    return (int)status;
}

TEST(a_proof_for_every_n_tells_every_failed_allocation)
{
    assert_true(fail_each_allocation(prove_for_every_n, RL_NO_MEMORY) > 1000);
}

TEST(a_verification_has_its_memory_or_says_that_there_is_none)
{
    assert_true(fail_each_allocation(verify_a_ring, RL_NO_MEMORY) > 100);
}

static bool swallow(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static int write_a_model(void)
{
    const struct rl_params params = {.n = 2, .value = {2}};
    return (int)rl_prism_write(rl_protocol_named("prl"), &params, NULL, swallow, NULL);
}

static int write_an_execution(void)
{
    uint32_t arcs[] = {0, 1};
    const struct rl_params params = {.n = 2, .value = {2}};
    const struct rl_counterexample example = {.exists = true, .arcs = arcs, .length = 2};
    return (int)rl_counterexample_write(&example, rl_protocol_named("prl"), &params, NULL, swallow);
}

static void ignore(void *user, uint64_t step, double probability)
{
    (void)user, (void)step, (void)probability;
}

static int follow_a_distribution(void)
{
    const struct rl_verify_options options = {.protocol = rl_protocol_named("prl"),
                                              .params = {.n = 2, .value = {2}},
                                              .precision = 1e-3,
                                              .memory = UINT64_C(1) << 30,
                                              .jobs = 1};
    uint64_t agents[2] = {0};
    const struct rl_ring ring = {options.protocol, options.params, agents};
    return (int)rl_distribution(&options, &ring, 2, NULL, ignore, NULL);
}

TEST(what_is_written_is_complete_or_there_is_no_memory)
{
    assert_true(fail_each_allocation(write_an_execution, RL_NO_MEMORY) > 0);
    assert_true(fail_each_allocation(write_a_model, RL_NO_MEMORY) > 10);
    assert_true(fail_each_allocation(follow_a_distribution, RL_NO_MEMORY) > 10);
}

/* Memory that the machine does not have is told as memory that is not allowed: either ends an
 * exploration, with what was found so far. */
static int explore_in_parts(void)
{
    const struct rl_explore_options options = {.experiment.protocol = rl_protocol_named("fences"),
                                               .experiment.params = {.n = 4, .value = {4}},
                                               .experiment.start = "clean",
                                               .memory = UINT64_C(1) << 30};
    struct rl_exploration exploration;
    const enum rl_status status = rl_explore(&options, &exploration, NULL);
    rl_explore_free(&exploration);
    return status == RL_NO_MEMORY ? RL_TOO_LARGE : (int)status;
}

TEST(an_exploration_has_its_memory_or_says_that_there_is_none)
{
    assert_true(fail_each_allocation(explore_in_parts, RL_TOO_LARGE) > 20);
}
