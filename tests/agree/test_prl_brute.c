/* SPDX-License-Identifier: MIT
 *
 * P_RL against brute force: every transition, every set, and the distribution of steps and
 * recoveries, on tiny rings.
 *
 * Statistical tests: seeds fixed, error probability 10^-6 each (statistics.h).
 */
#include "agree/translate.h"
#include "statistics.h"

TEST(every_transition_is_that_of_the_paper)
{
    for (int N = 2; N <= 7; N++)
        for (int kill = 0; kill <= 1; kill++) {
            FREED(rl_ring) ring = test_ring(kill ? "prl" : "prl-dummy", 2, (uint32_t)N);
            const uint64_t pairs = brute_configurations(2, N);
            for (uint64_t code = 0; code < pairs; code++) {
                struct brute_agent agents[2];
                ring_from_code(&ring, code);
                rl_ring_interact(&ring, 0);
                brute_decode(2, N, code, agents);
                brute_interact(N, kill, &agents[0], &agents[1]);
                assert_true(code_of_ring(&ring) == brute_encode(2, N, agents));
            }
        }
}

/* Both forms of the library against brute force's, on every configuration. */
TEST(every_set_contains_what_its_definition_says_on_tiny_rings)
{
    static const int sizes[][2] = {{2, 2}, {2, 3}, {2, 5}, {3, 3}, {3, 4}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int n = sizes[s][0], N = sizes[s][1];
        FREED(rl_ring) ring = test_ring("prl", (uint32_t)n, (uint32_t)N);
        const struct rl_set *sets = ring.protocol->sets;
        const uint64_t configurations = brute_configurations(n, N);
        uint64_t members[3] = {0};
        for (uint64_t code = 0; code < configurations; code++) {
            struct brute_agent agents[BRUTE_MOST_AGENTS];
            brute_decode(n, N, code, agents);
            ring_from_code(&ring, code);
            const bool in[3] = {brute_in_c_pb(n, N, agents), brute_in_c_ni(n, N, agents),
                                brute_in_s_rl(n, N, agents)};
            for (int i = 0; i < 3; i++) {
                members[i] += in[i];
                if (sets[i].contains(&ring) != in[i] || sets[i].by_definition(&ring) != in[i])
                    fail_msg("%s and '%s', N = %d", sets[i].name, test_text(&ring), N);
            }
        }
        for (int i = 0; i < 3; i++)
            assert_true(members[i] > 0 && members[i] < configurations);
    }
}

static struct rl_experiment options_for(const struct rl_ring *ring, enum rl_engine_kind engine)
{
    return (struct rl_experiment){.protocol = ring->protocol,
                                  .params = ring->params,
                                  .start = "random",
                                  .engine = engine,
                                  .end.set = ring->protocol->target,
                                  .end.max_steps = RL_NEVER};
}

/* Steps to the end of a run; for a run with faults, from the last fault. */
static uint64_t steps_of(const struct rl_experiment *options)
{
    FREED(rl_run) run;
    test_run(&run, options);
    assert_int_equal(run.state, RL_REACHED);
    assert_true(run.ring.protocol->sets[run.end.set].by_definition(&run.ring));
    assert_true(run.step == run.hits[run.end.set]);
    uint64_t steps = run.step;
    if (run.fault_count > 0) {
        steps = run.faults[run.fault_count - 1].recovered_after;
        assert_true(run.step == run.faults[run.fault_count - 1].step + steps);
    }
    return steps;
}

/* ---- distributions ---- */

enum { MOST_STEPS = 600 };

/* Trials of `options` against the probabilities, with both engines. */
static void runs_are_distributed(const char *what, struct rl_experiment *options,
                                 const double *probability, uint64_t trials)
{
    for (int engine = 0; engine <= 1; engine++) {
        uint64_t observed[MOST_STEPS + 1] = {0};
        options->engine = (enum rl_engine_kind)engine;
        for (options->trial = 0; options->trial < trials; options->trial++) {
            const uint64_t steps = steps_of(options);
            observed[steps < MOST_STEPS ? steps : MOST_STEPS]++;
        }
        char name[160];
        snprintf(name, sizeof name, "%s, engine %s", what,
                 rl_engine_name((enum rl_engine_kind)engine));
        assert_distributed(name, observed, probability, MOST_STEPS, trials);
    }
}

TEST(the_steps_from_fixed_configurations_have_the_exact_distribution)
{
    static const struct {
        uint32_t n, N;
        const char *configuration;
    } cases[] = {
        {2, 2, "0Ls 0Ls"},         {2, 3, "0 0"},
        {3, 3, "0Ls 0Ls 0Ls"},     {3, 4, "0b 0b 0b"},
        {4, 4, "0Ls 0Ls 0Ls 0Ls"}, {4, 5, "2B! 5s 0L! 3b"},
        {4, 4, "0 0 0 0"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        FREED(rl_ring) ring = test_ring("prl", cases[c].n, cases[c].N);
        test_fill(&ring, cases[c].configuration);
        const uint64_t code = code_of_ring(&ring);
        struct brute_chain chain = brute_chain_from((int)cases[c].n, (int)cases[c].N, &code, 1);
        double *weight = calloc(chain.nodes.count, sizeof *weight);
        double probability[MOST_STEPS];
        weight[0] = 1;
        brute_hits(&chain, weight, MOST_STEPS, probability);
        struct rl_experiment options = options_for(&ring, RL_ENGINE_STEP);
        options.seed = 100 + c;
        options.configuration = ring.agents;
        runs_are_distributed(cases[c].configuration, &options, probability, 20000);
        free(weight);
        brute_chain_free(&chain);
    }
}

/* The distribution after `count` random agents of the configuration `code` got random states: its
 * weight is shared out among all of them. */
static void strike(const struct brute_chain *chain, uint64_t code, int count, double weight,
                   double *weight_out)
{
    const int n = chain->n, N = chain->N, states = brute_states(N);
    int subsets = 0;
    for (int subset = 0; subset < 1 << n; subset++)
        subsets += __builtin_popcount((unsigned)subset) == count;
    double share = weight / subsets;
    for (int i = 0; i < count; i++)
        share /= states;
    for (int subset = 0; subset < 1 << n; subset++) {
        if (__builtin_popcount((unsigned)subset) != count)
            continue;
        uint64_t choices = 1;
        for (int i = 0; i < count; i++)
            choices *= (uint64_t)states;
        for (uint64_t choice = 0; choice < choices; choice++) {
            struct brute_agent agents[BRUTE_MOST_AGENTS];
            uint64_t rest = choice;
            brute_decode(n, N, code, agents);
            for (int i = 0; i < n; i++)
                if (subset >> i & 1) {
                    agents[i] = brute_agent_of(N, (int)(rest % (uint64_t)states));
                    rest /= (uint64_t)states;
                }
            weight_out[brute_encode(n, N, agents)] += share;
        }
    }
}

TEST(recoveries_from_faults_have_the_exact_distribution)
{
    static const struct {
        uint32_t n, N;
        const char *configuration; /* in S_RL */
        uint64_t step;
        uint32_t agents;
    } cases[] = {
        {2, 2, "0L 0", 0, 1},     {2, 2, "0Ls 1B", 7, 1}, {2, 3, "0L! 2", 5, 2},
        {3, 3, "0Ls 1B 0", 0, 1}, {3, 3, "0L 1 2", 4, 2}, {3, 3, "1! 0L! 1", 3, 3},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        FREED(rl_ring) ring = test_ring("prl", cases[c].n, cases[c].N);
        test_fill(&ring, cases[c].configuration);
        assert_true(test_set(&ring, "S_RL")->by_definition(&ring));
        struct brute_chain chain = brute_chain_from((int)cases[c].n, (int)cases[c].N, NULL, 0);
        double *weight = calloc(chain.nodes.count, sizeof *weight);
        double *other = calloc(chain.nodes.count, sizeof *other);
        weight[code_of_ring(&ring)] = 1;
        for (uint64_t t = 0; t < cases[c].step; t++) {
            brute_step(&chain, false, weight, other);
            memcpy(weight, other, chain.nodes.count * sizeof *weight);
        }
        memset(other, 0, chain.nodes.count * sizeof *other);
        for (size_t i = 0; i < chain.nodes.count; i++)
            if (weight[i] > 0)
                strike(&chain, i, (int)cases[c].agents, weight[i], other);
        double probability[MOST_STEPS];
        brute_hits(&chain, other, 150, probability);
        memset(probability + 150, 0, sizeof probability - 150 * sizeof probability[0]);
        const struct rl_fault fault = {.step = cases[c].step, .agents = cases[c].agents};
        struct rl_experiment options = options_for(&ring, RL_ENGINE_STEP);
        options.seed = 200 + c;
        options.configuration = ring.agents;
        options.faults = &fault;
        options.fault_count = 1;
        runs_are_distributed(cases[c].configuration, &options, probability, 20000);
        free(weight);
        free(other);
        brute_chain_free(&chain);
    }
}
