/* SPDX-License-Identifier: MIT
 *
 * Both engines against the exact distribution of the hit, for random tables of rules (tables.h) on
 * rings of 2 to 4 agents: leaders that die into silence until the oracle speaks, limits that bite,
 * sets that are hit at step 0. The verifier shares no loop with the engines. Half of the event
 * engines are made to keep their list from the first step on, so that the short runs have it too.
 *   agree_test_exact [TABLES]     default 60
 *
 * A table fails with probability 10^-6 on the day the seed is chosen, and all tables together,
 * whose chi-squares are added up, with 10^-6 more.
 */
#include "tables.h"

enum { LONGEST = 4096, TRIALS = 2000 };

/* P(T <= t) as the verifier tells it; what it does not tell any more is not hit. */
struct law {
    double by[LONGEST + 1];
    uint64_t known; /* t below this */
};

static void note_row(void *user, uint64_t step, double probability)
{
    struct law *law = user;
    if (step <= LONGEST) {
        law->by[step] = probability;
        law->known = step + 1;
    }
}

struct sum {
    double chi_square, degrees;
    uint64_t tested, at_once, limited, sparse;
};

/* One run; the hit, or RL_NEVER if the limit came first. */
static uint64_t elect(const struct rl_experiment *options, bool listed, struct sum *sum)
{
    FREED(rl_run) run;
    assert_int_equal(rl_run_init(&run, options, NULL), RL_OK);
    if (listed)
        list_at_once(&run.engine);
    test_finish(&run);
    sum->sparse += run.engine.sparse;
    const uint64_t hit = run.hits[options->end.set];
    assert_true(hit == RL_NEVER || run.state == RL_REACHED);
    assert_true(run.state != RL_LIMIT || run.step == options->end.max_steps);
    return hit;
}

/* Pearson's chi-square of the hits, pooled until each class expects 20, into the sum. */
static void compare(const char *engine, uint64_t table, const struct law *law, uint64_t limit,
                    const uint64_t *seen, struct sum *sum)
{
    double value = 0, expected = 0, found = 0, before = 0;
    uint64_t classes = 0;
    for (uint64_t t = 0; t <= limit + 1; t++) {
        const double by = t > limit ? 1 : law->by[t < law->known ? t : law->known - 1];
        expected += (by - before) * (double)TRIALS;
        found += (double)seen[t];
        before = by;
        const double left = (1 - by) * (double)TRIALS;
        if (t <= limit && (expected < 20 || left < 20))
            continue;
        if (expected < 1e-6) {
            if (found > 0)
                fail_msg("table %llu, %s: a hit that cannot be", (unsigned long long)table, engine);
            continue;
        }
        value += (found - expected) * (found - expected) / expected;
        classes++;
        expected = found = 0;
    }
    if (classes < 2)
        return;
    sum->chi_square += value;
    sum->degrees += (double)classes - 1;
    sum->tested++;
    const double deviation = chi_square_deviation(value, (double)classes - 1);
    if (deviation > ONE_SIDED)
        fail_msg(
            "table %llu, %s: chi-square %g in %llu classes, %.1f standard deviations too large",
            (unsigned long long)table, engine, value, (unsigned long long)classes, deviation);
}

static void try_table(uint64_t k, struct sum *sum)
{
    static struct table table;
    static struct law law;
    static uint64_t seen[LONGEST + 2];
    struct rl_random random = test_random(26, k, RL_PURPOSE_START);
    do
        table_make(&table, &random);
    while (table.protocol.sets != table.sets);
    struct rl_experiment options;
    rl_experiment_init(&options, &table.protocol, 2 + rl_random_below(&random, 3));
    FREED(rl_ring) start = {&table.protocol, options.params, calloc(4, 4)};
    for (uint32_t i = 0; i < options.params.n; i++)
        rl_ring_set(&start, i,
                    rl_rulebook_word(&table.book, rl_random_below(&random, table.states)));
    const struct rl_verify_options verify = {.protocol = &table.protocol,
                                             .params = options.params,
                                             .memory = UINT64_C(1) << 30,
                                             .precision = 1e-9,
                                             .jobs = 1};
    law.known = 0;
    assert_ok(rl_distribution(&verify, &start, options.end.set, &law, note_row, &error));
    options.configuration = start.agents;
    options.end.max_steps = 1 + rl_random_below(&random, is_one_in(&random, 2) ? 40 : LONGEST);
    options.seed = k;
    const bool listed = is_one_in(&random, 2);
    sum->at_once += law.by[0] == 1;
    sum->limited +=
        law.by[options.end.max_steps < law.known ? options.end.max_steps : law.known - 1] < 0.99;
    for (int engine = RL_ENGINE_EVENT; engine <= RL_ENGINE_STEP; engine++) {
        memset(seen, 0, sizeof seen);
        options.engine = (enum rl_engine_kind)engine;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            options.trial = trial;
            const uint64_t hit = elect(&options, listed && engine == RL_ENGINE_EVENT, sum);
            assert_true(hit == RL_NEVER || hit <= options.end.max_steps);
            seen[hit == RL_NEVER ? options.end.max_steps + 1 : hit]++;
        }
        if (law.by[0] == 1)
            assert_int_equal(seen[0], TRIALS);
        compare(rl_engine_name(options.engine), k, &law, options.end.max_steps, seen, sum);
    }
}

TEST(both_engines_have_the_exact_distribution_for_random_tables)
{
    struct sum sum = {0};
    const uint64_t tables = test_amount(0, 60);
    for (uint64_t k = 0; k < tables; k++)
        try_table(k, &sum);
    const double deviation = (sum.chi_square - sum.degrees) / sqrt(2 * sum.degrees);
    print_message(
        "%llu tables, %llu comparisons with %.0f degrees of freedom: %.2f standard "
        "deviations; %llu began in the set, %llu limits bit, %llu runs ended on the list\n",
        (unsigned long long)tables, (unsigned long long)sum.tested, sum.degrees, deviation,
        (unsigned long long)sum.at_once, (unsigned long long)sum.limited,
        (unsigned long long)sum.sparse);
    assert_true(deviation < ONE_SIDED);
    assert_true(sum.tested >= tables / 4 && sum.at_once > 0 && sum.limited > 0 && sum.sparse > 0);
}
