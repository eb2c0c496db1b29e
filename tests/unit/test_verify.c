/* SPDX-License-Identifier: MIT
 *
 * The verifier's answers: known values, counterexamples that replay, refusals and interruption.
 */
#include <math.h>

#include "test.h"

static struct rl_verify_options options_for(const char *protocol, uint32_t n, uint32_t N)
{
    return (struct rl_verify_options){.protocol = rl_protocol_named(protocol),
                                      .params = {.n = n, .value = {N}},
                                      .questions = RL_ASK_EVERYTHING,
                                      .precision = 1e-9,
                                      .memory = UINT64_C(1) << 32,
                                      .jobs = 1};
}

static struct rl_verification verified(const struct rl_verify_options *options)
{
    struct rl_verification answer;
    assert_ok(rl_verify(&answer, options, &error));
    return answer;
}

static const char *text_of(const struct rl_verify_options *options, const rl_state *states)
{
    static char text[256];
    struct rl_text into = rl_text_into(text, sizeof text);
    for (uint32_t i = 0; i < options->params.n; i++) {
        if (i > 0)
            rl_text_char(&into, ' ');
        rl_ring_print_state(options->protocol, states[i], &into);
    }
    return text;
}

TEST(the_worst_start_of_three_agents_is_all_leaders_shielded)
{
    const struct rl_verify_options options = options_for("prl", 3, 3);
    FREED(rl_verification) answer = verified(&options);
    assert_int_equal(answer.agent_states, 96);
    assert_int_equal(answer.configurations, 884736);
    assert_true(answer.self_stabilizing);
    assert_near(answer.sets[2].expected.worst, 119869.0 / 7420, 2e-8);
    assert_string_equal(text_of(&options, answer.sets[2].expected.worst_configuration),
                        "0Ls 0Ls 0Ls");
    /* Eight states a leader: any dist, with or without a dummy bullet. */
    assert_int_equal(answer.sets[2].expected.worst_count, 512);
}

TEST(fractions_are_exact)
{
    struct rl_verify_options options = options_for("prl", 2, 2);
    if (!rl_verify_has_exact())
        skip();
    options.exact = true;
    options.questions = RL_ASK_EXPECTED;
    FREED(rl_verification) two = verified(&options);
    assert_string_equal(two.sets[2].expected.exact_worst, "6");
    assert_string_equal(two.sets[2].expected.exact_mean, "461/192");
    assert_string_equal(two.safe_expected.exact_mean, "3409/1728");
    options.params = (struct rl_params){.n = 3, .value = {3}};
    FREED(rl_verification) answer = verified(&options);
    for (size_t i = 0; i < 3; i++) {
        const struct rl_expectation *expected = &answer.sets[i].expected;
        long long p, q = 1;
        assert_in_range(sscanf(expected->exact_mean, "%lld/%lld", &p, &q), 1, 2);
        assert_near((double)p / (double)q, expected->mean, 2e-9 * expected->mean);
        q = 1;
        assert_in_range(sscanf(expected->exact_worst, "%lld/%lld", &p, &q), 1, 2);
        assert_near((double)p / (double)q, expected->worst, 2e-9 * expected->worst);
    }
    assert_string_equal(answer.sets[2].expected.exact_worst, "119869/7420");
}

TEST(threads_do_not_change_a_single_bit)
{
    struct rl_verify_options options = options_for("prl", 3, 4);
    FREED(rl_verification) one = verified(&options);
    options.jobs = 3;
    FREED(rl_verification) three = verified(&options);
    for (size_t i = 0; i < 3; i++) {
        assert_memory_equal(&one.sets[i].expected.worst, &three.sets[i].expected.worst, 8);
        assert_memory_equal(&one.sets[i].expected.mean, &three.sets[i].expected.mean, 8);
        assert_int_equal(one.sets[i].size, three.sets[i].size);
    }
}

/* ---- counterexamples ---- */

/* What a replay leaves. */
struct replayed {
    struct rl_execution execution;
    struct rl_run run;
};

static void replay(const struct rl_verify_options *options, const struct rl_counterexample *example,
                   struct replayed *out)
{
    static struct bytes bytes; /* the execution keeps it */
    FREED(rl_replay) watching;
    assert_true(example->exists);
    bytes.size = 0;
    assert_int_equal(
        rl_counterexample_write(example, options->protocol, &options->params, &bytes, put_bytes),
        RL_OK);
    assert_ok(rl_execution_read(&out->execution, bytes.at, bytes.size, true, &error) ||
              rl_run_init(&out->run, &out->execution.experiment, &error));
    assert_int_equal(rl_replay_watch(&watching, &out->execution, &out->run), RL_OK);
    test_finish(&out->run);
    assert_ok(rl_replay_end(&watching, &out->run, &error));
    assert_int_equal(out->run.events, example->length);
}

static void replayed_free(struct replayed *replayed)
{
    rl_run_free(&replayed->run);
    rl_execution_free(&replayed->execution);
}

TEST(where_the_bound_is_too_small_nothing_is_safe)
{
    FREED(replayed) trapped, out, unsafe;
    const struct rl_verify_options options = options_for("prl", 3, 2);
    FREED(rl_verification) answer = verified(&options);
    assert_int_equal(answer.safe, 0);
    assert_int_equal(answer.stuck, answer.configurations);
    assert_false(answer.self_stabilizing);
    assert_false(answer.safe_expected.finite);
    assert_true(isinf(answer.safe_expected.worst) && isinf(answer.safe_expected.mean));
    assert_false(rl_verify_all_well(&answer, options.protocol));
    /* The trap's members are few enough to be believed, and one of its outputs changes at once. */
    assert_in_range(answer.trap, 1, answer.configurations - 1);
    assert_int_equal(answer.trapped.length, 1);
    uint64_t memory[8];
    struct rl_ring ring = {options.protocol, options.params, memory};
    for (uint32_t i = 0; i < 3; i++)
        rl_ring_set(&ring, i, answer.trapped.start[i]);
    const uint32_t before = rl_ring_leaders(&ring);
    replay(&options, &answer.trapped, &trapped);
    assert_int_not_equal(rl_ring_leaders(&trapped.run.ring), before);
    /* A way out of S_RL: in the set at step 0, not at step 1. */
    assert_false(answer.sets[2].closed);
    replay(&options, &answer.sets[2].way_out, &out);
    assert_int_equal(out.run.hits[2], 0);
    assert_false(options.protocol->sets[2].contains(&out.run.ring));
    /* From a member of S_RL to the first change of an output. */
    assert_false(answer.sets[2].inside_safe);
    replay(&options, &answer.sets[2].unsafe, &unsafe);
    assert_int_equal(unsafe.run.hits[2], 0);
}

/* On an undirected ring arcs n .. 2n-1 are the reversed ones. */
TEST(a_counterexample_may_go_both_ways_round)
{
    uint32_t arcs[] = {4, 1, 5, 0, 3};
    const size_t length = sizeof arcs / sizeof arcs[0];
    const struct rl_verify_options options = options_for("fj06-undirected", 3, 0);
    const struct rl_counterexample example = {.exists = true, .arcs = arcs, .length = length};
    FREED(rl_ring) ring = test_ring("fj06-undirected", 3, 0);
    for (size_t k = 0; k < length; k++)
        rl_ring_interact(&ring, arcs[k]);
    FREED(replayed) reader;
    replay(&options, &example, &reader);
    assert_string_equal(test_text(&reader.run.ring), test_text(&ring));
}

/* Without line 13 no leader dies: two of them are a trap of their own. */
TEST(without_line_13_two_leaders_stay_two)
{
    FREED(replayed) reader;
    const struct rl_verify_options options = options_for("prl-dummy", 2, 2);
    FREED(rl_verification) answer = verified(&options);
    assert_false(answer.self_stabilizing);
    assert_true(answer.safe > 0);
    assert_int_equal(answer.trap_leaders_least, 2);
    assert_int_equal(answer.trap_leaders_most, 2);
    assert_int_equal(answer.trapped.length, 0);
    replay(&options, &answer.trapped, &reader);
    assert_int_equal(rl_ring_leaders(&reader.run.ring), 2);
}

/* Rings that the protocols refuse: nothing changes any more but the bullets, for ever. */
TEST(a_trap_without_a_change_of_output_is_shown_by_a_configuration)
{
    static const struct {
        const char *protocol;
        uint32_t n, parameter, leaders;
    } traps[] = {{"fj06", 2, 0, 2}, {"aaf08", 4, 2, 0}};
    for (size_t k = 0; k < sizeof traps / sizeof traps[0]; k++) {
        const struct rl_verify_options options =
            options_for(traps[k].protocol, traps[k].n, traps[k].parameter);
        FREED(rl_verification) answer = verified(&options);
        FREED(replayed) reader;
        assert_int_equal(answer.trap_leaders_least, traps[k].leaders);
        assert_int_equal(answer.trap_leaders_most, traps[k].leaders);
        assert_int_equal(answer.trapped.length, 0);
        replay(&options, &answer.trapped, &reader);
        assert_int_equal(rl_ring_leaders(&reader.run.ring), traps[k].leaders);
    }
}

/* ---- limits ---- */

TEST(what_does_not_fit_is_refused_with_the_figure)
{
    struct rl_error error = {0};
    struct rl_verify_options options[] = {options_for("prl", 20, 20), options_for("prl", 7, 7),
                                          options_for("prl", 2, 1000), options_for("prl", 4, 4)};
    options[1].memory = UINT64_MAX;
    options[3].memory = 50 * 1000 * 1000;
    for (size_t i = 0; i < 4; i++) {
        FREED(rl_verification) answer;
        assert_int_equal(rl_verify(&answer, &options[i], &error), RL_TOO_LARGE);
    }
    assert_string_equal(error.text, "this takes 58 MB of memory, and 50 MB are allowed");
    /* Closure needs none of it. */
    options[3].questions = RL_ASK_CLOSURE;
    FREED(rl_verification) answer = verified(&options[3]);
    assert_int_equal(answer.sets[2].size, 527616);
}

/* Finding out what a set sees takes nothing of it. */
TEST(the_memory_that_is_planned_is_enough)
{
    struct rl_verify_options options = options_for("fj06", 3, 0);
    FREED(rl_verification) answer = verified(&options);
    options.memory = answer.memory;
    FREED(rl_verification) again = verified(&options);
    assert_int_equal(again.memory, answer.memory);
}

TEST(expected_steps_are_left_out_of_a_large_space_unless_asked_for)
{
    struct rl_verify_options options = options_for("prl", 2, 3);
    options.questions = 0;
    options.most_expected = 703; /* all there are up to symmetry */
    FREED(rl_verification) small = verified(&options);
    assert_int_equal(small.representatives, 703);
    assert_int_equal(small.questions, RL_ASK_EVERYTHING);
    assert_true(small.sets[2].expected.known);
    options.most_expected = 702;
    FREED(rl_verification) large = verified(&options);
    assert_int_equal(large.questions, RL_ASK_EVERYTHING & ~RL_ASK_EXPECTED);
    assert_true(large.self_stabilizing);
    assert_false(large.sets[2].expected.known);
    options.questions = RL_ASK_EXPECTED;
    FREED(rl_verification) asked = verified(&options);
    assert_true(asked.sets[2].expected.known);
}

TEST(an_oracle_with_a_delay_is_refused)
{
    struct rl_verify_options options = options_for("fj06", 3, 0);
    FREED(rl_verification) answer = verified(&options), refused;
    assert_true(rl_verify_all_well(&answer, options.protocol));
    options.params.value[options.protocol->delay] = 2;
    assert_int_equal(rl_verify(&refused, &options, NULL), RL_BAD_PARAMETER);
}

/* Says stop at the k-th call. */
static bool stop_at(void *user, const struct rl_progress *progress)
{
    int *left = user;
    assert_non_null(progress->phase);
    return --*left > 0;
}

TEST(a_verification_stops_when_it_is_told)
{
    const int calls[] = {1, 2, 3000, 6000, 9000, 12000, 15000};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        FREED(rl_verification) answer;
        struct rl_verify_options options = options_for("prl", 3, 3);
        int left = calls[i];
        const struct rl_watch watch = {&left, stop_at};
        options.watch = &watch;
        assert_int_equal(rl_verify(&answer, &options, NULL), RL_STOPPED);
        assert_int_equal(left, 0);
    }
}

static void add_tail(void *user, uint64_t step, double probability)
{
    (void)step;
    *(double *)user += 1 - probability;
}

/* The mean is the sum of P(T > t). */
TEST(a_distribution_has_the_expected_mean)
{
    struct rl_verify_options options = options_for("prl", 3, 3);
    uint64_t memory[8];
    struct rl_ring ring = {options.protocol, options.params, memory};
    test_fill(&ring, "0Ls 0Ls 0Ls");
    options.precision = 1e-12;
    double mean = 0;
    assert_int_equal(rl_distribution(&options, &ring, 2, &mean, add_tail, NULL), RL_OK);
    assert_near(mean, 119869.0 / 7420, 1e-9);
}
