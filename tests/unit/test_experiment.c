/* SPDX-License-Identifier: MIT
 *
 * Experiments: read from items and from one text, with one spelling for everything.
 */
#include "ringleader/experiment.h"

#include "ringleader/status.h"
#include "test.h"

static struct rl_experiment experiment;
static struct rl_error error;

static enum rl_status parse(const char *text)
{
    static char memory[RL_PLAN_LINE];
    snprintf(memory, sizeof memory, "%s", text);
    error = (struct rl_error){0};
    experiment = (struct rl_experiment){0};
    return rl_experiment_parse(&experiment, memory, &error);
}

TEST(an_experiment_is_read_from_one_text)
{
    assert_int_equal(parse("protocol=prl; n=50; N=60; start=safe; seed=7; trial=3"), RL_OK);
    assert_string_equal(experiment.protocol->name, "prl");
    assert_int_equal(experiment.params.n, 50);
    assert_int_equal(experiment.params.value[0], 60);
    assert_string_equal(experiment.start, "safe");
    assert_int_equal(experiment.seed, 7);
    assert_int_equal(experiment.trial, 3);
}

TEST(what_is_not_said_is_the_default)
{
    assert_int_equal(parse("n=50"), RL_OK);
    assert_ptr_equal(experiment.protocol, rl_protocol_at(0));
    assert_int_equal(experiment.params.value[0], 50);
    assert_string_equal(experiment.start, "random");
    assert_int_equal(experiment.seed, 1);
    assert_int_equal(experiment.trial, 0);
}

TEST(items_may_stand_in_any_order)
{
    assert_int_equal(parse("kmax=2n&psi=3&n=9&p=ppl"), RL_OK);
    assert_string_equal(experiment.protocol->name, "ppl");
    assert_int_equal(experiment.params.value[0], 3);
    assert_int_equal(experiment.params.value[1], 18);
}

TEST(a_choice_is_read_by_its_name_only)
{
    assert_int_equal(parse("p=fj06; undirected=; orientation=aaf; n=5"), RL_OK);
    const int place = rl_protocol_parameter(experiment.protocol, "orientation");
    assert_string_equal(experiment.protocol->name, "fj06-undirected");
    assert_int_equal(experiment.params.value[place], 0);
    assert_int_equal(parse("p=fj06-undirected; orientation=0; n=5"), RL_BAD_TEXT);
    assert_string_equal(error.text, "orientation: '0' is not one of aaf, por");
}

TEST(the_delay_of_an_oracle_may_be_said_of_the_oracle)
{
    assert_int_equal(parse("p=fj06; n=5; oracle=delay=2n"), RL_OK);
    assert_int_equal(experiment.params.value[experiment.protocol->delay], 10);
    assert_int_equal(parse("p=fj06; n=5; oracle=delay=1; delay=2"), RL_BAD_TEXT);
    assert_int_equal(parse("p=fj06; n=5; oracle=delay=1e18"), RL_BAD_TEXT);
    assert_int_equal(parse("p=prl; n=5; oracle=delay=1"), RL_BAD_PARAMETER);
}

TEST(a_mistake_is_named)
{
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"n=5.5", "n: '5.5' is not a count: write 1000, 1e6, 10k (below 2^63)"},
        {"n=1", "a ring has 2 to 134217727 agents (2^27 - 1), not 1"},
        {"", "'' is not a key, = and a value"},
        {"n=5; seed=x", "seed: 'x' is not a count: write 1000, 1e6, 10k, 2n or n^1.5 (below 2^63)"},
        {"n=5; n=6", "n is given twice"},
        {"n=5; colour=red", "a request has no 'colour'"},
        {"n=5; k=2", "protocol prl has no parameter k"},
        {"n=5; p=pr1",
         "there is no protocol 'pr1'; did you mean 'prl'? (see ringleader protocols)"},
        {"seed=5", "how many agents? give -n COUNT, 2 or more"},
        {"n=5; until=S_LR", "protocol prl has no set 'S_LR' (see ringleader protocols prl)"},
        {"n=5; until=settled=0", "until: settled=0: give some steps"},
        {"n=5; max-steps=0", "max-steps is at least 1"},
        {"n=5; engine=steam", "engine: there is no engine 'steam'; there are event and step"},
        {"n=5; N=1e12", "N: 1e12 is too large: it must be below 2^32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_not_equal(parse(cases[i].text), RL_OK);
        assert_string_equal(error.text, cases[i].told);
    }
}

TEST(what_is_not_promised_can_be_told_from_what_cannot_be)
{
    assert_int_equal(parse("n=5; N=4"), RL_UNPROMISED);
    assert_int_equal(experiment.params.value[0], 4);
    assert_int_equal(parse("n=5; N=0"), RL_BAD_PARAMETER);
    assert_int_equal(parse("p=aaf08; n=6; k=3"), RL_UNPROMISED);
    assert_int_equal(parse("p=aaf08; n=6; k=0"), RL_BAD_PARAMETER);
    assert_int_equal(parse("p=ppl; n=6; psi=0"), RL_BAD_PARAMETER);
    assert_int_equal(parse("p=fences; n=6; patience=4294967295"), RL_BAD_PARAMETER);
}

TEST(what_ends_a_run_is_read_too)
{
    assert_int_equal(parse("n=5; until=C_PB; max-steps=n^2; after=3; engine=step"), RL_OK);
    assert_int_equal(experiment.end.kind, RL_UNTIL_SET);
    assert_int_equal(experiment.end.set, 0);
    assert_int_equal(experiment.end.max_steps, 25);
    assert_int_equal(experiment.end.after, 3);
    assert_int_equal(experiment.engine, RL_ENGINE_STEP);
    assert_int_equal(parse("n=5; until=steps=2n"), RL_OK);
    assert_int_equal(experiment.end.kind, RL_UNTIL_STEPS);
    assert_int_equal(experiment.end.steps, 10);
    assert_int_equal(experiment.end.set, experiment.protocol->target);
    assert_true(experiment.end.max_steps == RL_NEVER);
    assert_int_equal(parse("n=5; until=settled=7; max-steps=none"), RL_OK);
    assert_int_equal(experiment.end.kind, RL_UNTIL_SETTLED);
    assert_int_equal(experiment.end.steps, 7);
}

/* Every protocol, with every choice it has. */
TEST(what_is_printed_of_a_point_is_read_back)
{
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (uint32_t choice = 0; choice < 2; choice++) {
            struct rl_params params = {.n = 7};
            bool given[RL_MAX_PARAMETERS] = {false};
            for (size_t i = 0; i < protocol->parameter_count; i++) {
                given[i] = protocol->parameters[i].choices;
                params.value[i] = choice;
            }
            assert_int_equal(rl_protocol_complete(protocol, &params, given, NULL), RL_OK);
            struct rl_point point = {.trials = 1};
            rl_experiment_init(&point.run, protocol, params.n);
            point.run.params = params;
            assert_int_equal(parse(rl_plan_line(&point).text), RL_OK);
            assert_ptr_equal(experiment.protocol, protocol);
            assert_memory_equal(experiment.params.value, params.value, sizeof params.value);
        }
}
