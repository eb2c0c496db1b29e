/* SPDX-License-Identifier: MIT
 *
 * The event engine against the plain engine, as samples of one distribution: steps to every hit and
 * numbers of events, over starts, ring sizes and bounds.
 *
 * Error probability 10^-6 a comparison (statistics.h), some 200 comparisons.
 */
#include "statistics.h"

enum { TRIALS = 1500, MEASURES = 4 };

/* The three hits and the events of one run; a hit that is not reached counts as 0. */
static void measure_run(const struct rl_run_options *options, uint64_t *values_out)
{
    struct rl_run run;
    assert_int_equal(rl_run_init(&run, options, NULL), RL_OK);
    while (rl_run_advance(&run) == RL_RUNNING)
        continue;
    assert_int_equal(run.state, RL_REACHED);
    for (size_t i = 0; i < 3; i++)
        values_out[i] = run.hits[i] == RL_NEVER ? 0 : run.hits[i];
    values_out[3] = run.events;
    rl_run_free(&run);
}

static void engines_agree(const char *protocol, const char *set, uint32_t n, uint32_t N,
                          const char *start)
{
    static uint64_t samples[2][MEASURES][TRIALS];
    static const char *const names[MEASURES] = {"C_PB", "C_NI", "S_RL", "events"};
    const struct rl_protocol *named = rl_protocol_named(protocol);
    struct rl_run_options options = {.protocol = named,
                                     .params = {.n = n, .value = {N}},
                                     .start = start,
                                     .until = (size_t)rl_protocol_set(named, set),
                                     .max_steps = RL_NEVER};
    for (int engine = 0; engine <= 1; engine++) {
        options.engine = (enum rl_engine_kind)engine;
        options.seed = 1000 + (uint64_t)engine;
        for (options.trial = 0; options.trial < TRIALS; options.trial++) {
            uint64_t values[MEASURES];
            measure_run(&options, values);
            for (size_t m = 0; m < MEASURES; m++)
                samples[engine][m][options.trial] = values[m];
        }
    }
    for (size_t m = 0; m < MEASURES; m++) {
        char what[120];
        snprintf(what, sizeof what, "%s, n = %u, N = %u, start %s: %s", protocol, n, N, start,
                 names[m]);
        assert_same_distribution(what, samples[0][m], samples[1][m], TRIALS);
    }
}

TEST(both_engines_elect_in_the_same_distribution_of_steps)
{
    static const char *const starts[] = {"random",   "leaderless", "leaders",
                                         "shielded", "bullets",    "opposite"};
    static const uint32_t sizes[][2] = {{5, 5}, {8, 11}, {16, 16}, {23, 40}, {40, 40}, {64, 64}};
    for (size_t s = 0; s < 6; s++)
        for (size_t k = s % 2; k < 6;
             k += 2) /* half of the pairs; each start sees small and large */
            engines_agree("prl", "S_RL", sizes[k][0], sizes[k][1], starts[s]);
    engines_agree("prl", "S_RL", 20, 20, "paper");
}

/* Leaders never die under prl-dummy, so S_RL may be out of reach; C_NI is not. */
TEST(both_engines_reach_C_NI_in_the_same_distribution_under_prl_dummy)
{
    engines_agree("prl-dummy", "C_NI", 6, 6, "random");
    engines_agree("prl-dummy", "C_NI", 17, 20, "bullets");
    engines_agree("prl-dummy", "C_NI", 32, 32, "random");
    engines_agree("prl-dummy", "C_NI", 50, 50, "leaderless");
}
