/* SPDX-License-Identifier: MIT
 *
 * Summaries and families: a study made by hand, whose growth is known.
 */
#include "study_file.h"

#include <math.h>

/* A study of `plan` in which trial k of a point takes steps(n, k) and hits everything there. */
static void write_study(const char *text, uint64_t (*steps)(uint32_t n, uint64_t trial))
{
    FREED(rl_plan) plan = test_plan(text);
    FREED(rl_store) *store = opened(RL_STORE_WRITE);
    store_begin(store);
    store_add_plan(store, text, &plan);
    assert_int_equal(store_commit(store), RL_OK);
    for (uint32_t p = 0; p < plan.count; p++)
        for (uint64_t k = 0; k < plan.points[p].trials; k++) {
            const uint64_t planned = steps(plan.points[p].run.params.n, k);
            const bool reached = planned <= plan.points[p].run.end.max_steps;
            const uint64_t hit = reached ? planned : RL_NEVER;
            struct rl_trial trial = {.point = p,
                                     .trial = k,
                                     .steps = reached ? planned : plan.points[p].run.end.max_steps,
                                     .events = 1,
                                     .leaders = 1,
                                     .wall_seconds = 0.5};
            for (size_t i = 0; i < RL_MAX_SETS; i++)
                trial.hits[i] = i < plan.points[p].run.protocol->set_count ? hit : RL_NEVER;
            assert_int_equal(write_trials(store, &trial, 1, NULL), RL_OK);
        }
}

static void load(struct rl_summary *summary, unsigned times)
{
    *summary = (struct rl_summary){0};
    while (times-- > 0) {
        FREED(rl_store) *store = opened(RL_STORE_READ);
        assert_int_equal(rl_summary_add(summary, store, NULL), RL_OK);
    }
    assert_int_equal(rl_summary_finish(summary, NULL), RL_OK);
}

/* n^2 with a scatter that leaves the mean where it is. */
static uint64_t square(uint32_t n, uint64_t trial)
{
    const uint64_t middle = (uint64_t)n * n;
    return middle + (trial % 3) * (middle / 8) - middle / 8;
}

TEST(a_study_along_n_is_one_family_and_grows_as_it_was_made)
{
    FREED(rl_summary) summary;
    write_study("protocol = prl; n = 64, 128, 256, 512; start = random; trials = 30", square);
    load(&summary, 1);
    assert_int_equal(summary.trial_count, 120);
    assert_int_equal(summary.family_count, 1);
    const struct rl_family *family = &summary.families[0];
    assert_int_equal(family->axis, RL_FAMILY_N);
    assert_string_equal(family->label, "prl, N=n, random");
    assert_int_equal(family->count, 4);
    assert_true(family->fitted);
    assert_near(family->growth.form[RL_GROWTH_POWER].exponent, 2, 1e-3);
    assert_int_equal(family->growth.best, RL_GROWTH_POWER);
    for (size_t i = 0; i < 4; i++) {
        const struct rl_summary_point *point = family->at[i].point;
        const double n = family->at[i].x;
        assert_near(point->measure.stats.mean, n * n, 1e-9);
        assert_near(point->measure.median, n * n, 1e-9);
        assert_int_equal(point->reached, 30);
    }
}

TEST(points_that_differ_in_more_than_one_thing_are_in_different_families)
{
    FREED(rl_summary) summary;
    write_study(
        "protocol = prl; n = 64, 128, 256; N = 1n, 2n; start = random, leaderless; trials = 3",
        square);
    load(&summary, 1);
    size_t along_n = 0;
    for (size_t i = 0; i < summary.family_count; i++)
        if (summary.families[i].axis == RL_FAMILY_N) {
            along_n++;
            assert_int_equal(summary.families[i].count, 3);
        }
    assert_int_equal(along_n, 4);
    const struct rl_family *along_N = &summary.families[4];
    assert_string_equal(along_N->label, "prl, n=64, random");
    assert_string_equal(along_N->axis_name, "N");
    assert_near(along_N->at[1].x, 128, 0);
}

/* A parameter is told as a multiple of n, as a power of it, or as the number it is; the points of a
 * family stand in the order of their sizes, however they were asked for. */
TEST(a_family_is_labelled_by_what_its_points_share)
{
    /* 8n is n^1.5 for one of these, n^1.5 is 8n and 16n for two. */
    static const struct {
        const char *N, *label;
    } cases[] = {{"8n", "prl, N=8n, random"}, {"n^1.5", "prl, N=n^1.5, random"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FREED(rl_summary) summary;
        char plan[100];
        snprintf(plan, sizeof plan, "n = 256, 64, 128; N = %s; trials = 3", cases[i].N);
        write_study(plan, square);
        load(&summary, 1);
        assert_int_equal(summary.family_count, 1);
        const struct rl_family *family = &summary.families[0];
        assert_string_equal(family->label, cases[i].label);
        for (size_t k = 0; k < 3; k++)
            assert_near(family->at[k].x, 64 << k, 0);
        unlink(path);
    }
    FREED(rl_summary) summary;
    write_study("protocol = ppl; n = 6; psi = 4; kmax = 20, 24, 28; trials = 3", square);
    load(&summary, 1);
    assert_string_equal(summary.families[0].label, "ppl, n=6, psi=4, random");
}

TEST(trials_that_are_in_two_files_count_once)
{
    FREED(rl_summary) summary;
    write_study("protocol = prl; n = 64, 128; trials = 5", square);
    load(&summary, 2);
    assert_int_equal(summary.trial_count, 10);
    assert_int_equal(summary.plan.count, 2);
}

/* The scatter of `square` is an eighth: at 128 a third of the trials exceed n^2, and give up. */
TEST(trials_that_gave_up_bound_the_mean_and_stay_out_of_fits)
{
    FREED(rl_summary) summary;
    write_study("protocol = prl; n = 16, 32, 64, 128; max-steps = 16384; trials = 30", square);
    load(&summary, 1);
    const struct rl_summary_point *last = &summary.points[3];
    assert_int_equal(last->count, 30);
    assert_int_equal(last->reached, 20);
    assert_int_equal(last->measure.stats.gave_up, 10);
    assert_near(last->measure.stats.mean, (10 * 14336 + 20 * 16384) / 30.0, 1e-6);
    assert_true(isnan(last->measure.stats.low) && isnan(last->measure.p75));
    assert_near(last->measure.median, 16384, 0);
    assert_int_equal(last->hits[0].stats.gave_up, 10);
    assert_int_equal(summary.families[0].left_out, 1);
    assert_true(summary.families[0].fitted);
    assert_int_equal(summary.families[0].growth.count, 3);
}
