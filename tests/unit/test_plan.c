/* SPDX-License-Identifier: MIT
 *
 * Plans: what is read, what is refused and where.
 */
#include "test.h"

#include "ringleader/study.h"
#include "study/inside.h"

TEST(a_grid_is_the_product_of_its_values)
{
    FREED(rl_plan)
    plan = test_plan("n = 64..256x2, 100\nN = 1n, 2n # the bound\nstart = random, "
                     "leaderless\ntrials = 20\nseed = 7\n");
    assert_int_equal(plan.count, 4 * 2 * 2);
    const struct rl_point *last = &plan.points[plan.count - 1];
    assert_int_equal(last->run.params.n, 100);
    assert_int_equal(last->run.params.value[0], 200);
    assert_string_equal(last->run.start, "leaderless");
    assert_int_equal(last->trials, 20);
    assert_int_equal(last->run.seed, 7);
}

TEST(ranges_add_or_multiply)
{
    const struct {
        const char *text;
        size_t count;
        uint32_t last;
    } cases[] = {
        {"n=5", 1, 5},           {"n=3..6", 4, 6},          {"n=10..50+20", 3, 50},
        {"n=10..49+20", 2, 30},  {"n=64..4096x2", 7, 4096}, {"n=10..100x1.5", 6, 80},
        {"n=1k..4kx2", 3, 4000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FREED(rl_plan) plan = test_plan(cases[i].text);
        assert_int_equal(plan.count, cases[i].count);
        assert_int_equal(plan.points[plan.count - 1].run.params.n, cases[i].last);
    }
}

TEST(a_later_grid_begins_from_the_defaults)
{
    FREED(rl_plan)
    plan = test_plan("trials = 5\ngrid; n = 8; start = leaders\ngrid\nn = 9\n"
                     "trials = 6\n");
    assert_int_equal(plan.count, 2);
    assert_int_equal(plan.points[0].trials, 5);
    assert_string_equal(plan.points[0].run.start, "leaders");
    assert_int_equal(plan.points[1].trials, 6);
    assert_string_equal(plan.points[1].run.start, "random");
}

TEST(the_same_point_twice_is_one_point_with_the_larger_number_of_trials)
{
    struct rl_plan plan = test_plan("grid; n = 8, 9; trials = 5\ngrid; n = 9; N = 9; trials = 7");
    assert_int_equal(plan.count, 2);
    assert_int_equal(plan.points[0].trials, 5);
    assert_int_equal(plan.points[1].trials, 7);
    rl_plan_free(&plan);
    plan = test_plan("grid; n = 8; until-error = 5%\ngrid; n = 8; until-error = 1%");
    assert_int_equal(plan.count, 1);
    assert_near(plan.points[0].until_error, 0.01, 0);
    rl_plan_free(&plan);
}

TEST(a_parameter_that_a_protocol_lacks_is_ignored_for_it)
{
    FREED(rl_plan) plan = test_plan("protocol = prl, prl-dummy; n = 8; N = 8, 16");
    assert_int_equal(plan.count, 4);
}

TEST(faults_are_counts_or_percents_and_join_with_a_plus)
{
    FREED(rl_plan) plan = test_plan("n = 65; fault = none, 50%@20n^2, 1@0+2@10");
    assert_int_equal(plan.count, 3);
    assert_int_equal(plan.points[0].run.fault_count, 0);
    assert_int_equal(plan.points[1].run.faults[0].agents, 33);
    assert_int_equal(plan.points[1].run.faults[0].step, 20 * 65 * 65);
    assert_int_equal(plan.points[2].run.fault_count, 2);
    assert_int_equal(plan.points[2].run.faults[1].step, 10);
}

TEST(a_printed_point_is_a_plan_of_that_point)
{
    FREED(rl_plan)
    plan = test_plan("protocol = prl, prl-dummy; n = 10, 20; N = 1n, 2n; start = "
                     "random, safe; engine = event, step; fault = none, 1@0+3@500; "
                     "max-steps = 1e6; seed = 3");
    for (size_t i = 0; i < plan.count; i++) {
        FREED(rl_plan) one = test_plan(rl_plan_line(&plan.points[i]).text);
        assert_int_equal(one.count, 1);
        assert_true(rl_plan_same_point(&one.points[0], &plan.points[i]));
    }
}

TEST(a_hundred_thousand_points_of_one_size_are_told_apart)
{
    FREED(rl_plan)
    plan = test_plan("grid; n = 8; N = 8..100007; trials = 1\ngrid; n = 8; N = 9, 500; trials = 2");
    assert_int_equal(plan.count, 100000);
    assert_int_equal(plan.points[1].trials, 2);
    assert_ptr_equal(rl_plan_find(&plan, &plan.points[77777]), &plan.points[77777]);
    struct rl_point other = plan.points[5];
    other.run.seed = 2;
    assert_null(rl_plan_find(&plan, &other));
}

TEST(a_mistake_is_told_with_line_and_column)
{
    static const struct test_mistake cases[] = {
        {"n = 8\n\n  trails = 5\n", 3, 3, "no key 'trails'"},
        {"n = 8; n = 9", 1, 8, "twice"},
        {"n = 8, -9", 1, 8, "'-9'"},
        {"n = 8\ntrials = -5", 2, 10, "'-5'"},
        {"n = 8\ntrials = 0", 2, 10, "trials is at least 1"},
        {"n =", 1, 1, "no value"},
        {"n 8", 1, 1, "no key 'n 8'"},
        {"n = 8..4", 1, 5, "empty"},
        {"n = 8..64x1", 1, 5, "empty, or not written"},
        {"n = 1", 1, 5, "2 to"},
        {"n = 8\nN = 4", 1, 5, "below n"},
        {"n = 8\nprotocol = prl, nonesuch", 2, 17, "nonesuch"},
        {"n = 8\nstart = random, nowhere", 2, 17, "nowhere"},
        {"n = 8\nN = 2n\nstart = paper", 3, 9, ""},
        {"grid; n = 8; N = 8..60007\ngrid; n = 9; N = 9..60008", 2, 11, "more than 100000 points"},
        {"n = 8\nengine = steam", 2, 10, "steam"},
        {"n = 8\nfault = 9@0", 2, 9, "too many"},
        {"n = 8\nfault = 1@5+1@3", 2, 13, "order"},
        {"n = 8\nclaim = 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
         "0123456789 "
         "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
         "0123456789 0123456789 0123456789 0123456789",
         2, 9, "at most 199 characters"},
        {"n = 8\nuntil-error = 0", 2, 15, "relative error"},
        {"trials = 5\n", 2, 1, "how many agents"},
        {"", 1, 1, "how many agents"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FREED(rl_plan) plan;
        struct rl_error error = {0};
        const enum rl_status status =
            rl_plan_parse(&plan, cases[i].text, strlen(cases[i].text), NULL, &error);
        assert_mistake(&cases[i], status, &error);
    }
}

TEST(every_preset_is_a_plan)
{
    const char *name;
    for (size_t i = 0; (name = rl_plan_preset_name(i)); i++) {
        const char *text = rl_plan_preset(name);
        FREED(rl_plan) plan;
        assert_ok(rl_plan_parse(&plan, text, strlen(text), NULL, &error));
        assert_true(plan.count >= 8);
    }
}

/* The trials of a point of a plan from each of its starts; 0 if it is not there. */
static uint64_t trials_at(const struct rl_plan *plan, const char *protocol, uint32_t n)
{
    uint64_t trials = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->points[i].run.protocol->name, protocol) == 0 &&
            plan->points[i].run.params.n == n)
            trials = plan->points[i].trials;
    return trials;
}

TEST(table_1_has_every_protocol_at_every_size)
{
    static const char *const rows[] = {"prl", "prl-oracle", "ppl", "fj06", "aaf08"};
    FREED(rl_plan) plan = test_plan(rl_plan_preset("table1"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t n = 16; n <= 512; n *= 2)
            assert_true(trials_at(&plan, rows[i], n) >= 100);
    assert_true(trials_at(&plan, "prl", 4096) >= 100);
    for (uint32_t n = 2; n <= 8; n++)
        assert_true(trials_at(&plan, "fences", n) >= 100);
}

/* The worst start is the worst of all that have names, so that all are measured. */
TEST(table_1_has_every_named_start)
{
    FREED(rl_plan) plan = test_plan(rl_plan_preset("table1"));
    for (size_t i = 0; i < plan.count; i++) {
        const struct rl_protocol *protocol = plan.points[i].run.protocol;
        for (size_t k = 0; k < protocol->start_count; k++) {
            struct rl_point other = plan.points[i];
            other.run.start = protocol->starts[k].name;
            if (!rl_plan_find(&plan, &other))
                fail_msg("%s at n = %u lacks %s", protocol->name, other.run.params.n,
                         other.run.start);
        }
    }
}

TEST(the_name_of_a_start_has_at_most_47_letters)
{
    static char name[49], text[200];
    static struct rl_start start;
    static struct rl_protocol protocol; /* it stays in the list */
    protocol = *rl_protocol_named("fj06");
    start = protocol.starts[0];
    protocol.name = "verbose";
    start.name = memset(name, 'a', 48);
    protocol.starts = &start;
    protocol.start_count = 1;
    assert_true(rl_protocol_add(&protocol));
    snprintf(text, sizeof text, "protocol = verbose; n = 5; start = %s", name);
    const struct test_mistake mistake = {text, 1, 36, "a start has at most 47 letters"};
    struct rl_plan plan;
    struct rl_error error = {0};
    const enum rl_status status = rl_plan_parse(&plan, text, strlen(text), NULL, &error);
    assert_mistake(&mistake, status, &error);
    name[47] = text[strlen(text) - 1] = '\0';
    plan = test_plan(text);
    assert_string_equal(plan.points[0].run.start, name);
    rl_plan_free(&plan);
}
