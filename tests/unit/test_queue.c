/* SPDX-License-Identifier: MIT
 *
 * The queue: order, shares, resuming, and a stopping rule that does not depend on the order.
 */
#include "test.h"

#include "ringleader/study.h"

/* A trial as if it had been done: it took `seconds` and these steps. */
static struct rl_trial done(uint32_t point, uint64_t number, double seconds, uint64_t steps)
{
    struct rl_trial trial = {.point = point, .trial = number, .steps = steps};
    trial.wall_seconds = seconds;
    return trial;
}

TEST(every_point_is_probed_before_the_slowest_is_done)
{
    FREED(rl_plan) plan = test_plan("n = 10, 1000, 100; trials = 2");
    FREED(rl_queue) queue;
    struct rl_task task;
    assert_int_equal(rl_queue_init(&queue, &plan, 0, 1), RL_OK);
    rl_queue_begin(&queue);
    const uint32_t probes[] = {1, 2, 0}; /* the largest first */
    for (size_t i = 0; i < 3; i++) {
        assert_true(rl_queue_next(&queue, 8, &task));
        assert_int_equal(task.point, probes[i]);
        assert_int_equal(task.first, 0);
        assert_int_equal(task.count, 1);
    }
    /* It turns out that the smallest is the slowest. */
    const double seconds[] = {9, 0.001, 0.1};
    for (uint32_t i = 0; i < 3; i++) {
        struct rl_trial trial = done(i, 0, seconds[i], 5);
        rl_queue_done(&queue, &trial);
    }
    const uint32_t order[] = {0, 2, 1};
    for (size_t i = 0; i < 3; i++) {
        if (i == 0)
            assert_int_equal(rl_queue_look(&queue).slowest, 0);
        assert_true(rl_queue_next(&queue, 8, &task));
        assert_int_equal(task.point, order[i]);
        assert_int_equal(task.first, 1);
    }
    assert_false(rl_queue_next(&queue, 8, &task));
}

TEST(quick_trials_are_given_out_in_handfuls)
{
    FREED(rl_plan) plan = test_plan("n = 10; trials = 100");
    FREED(rl_queue) queue;
    struct rl_task task;
    assert_int_equal(rl_queue_init(&queue, &plan, 0, 1), RL_OK);
    struct rl_trial one = done(0, 0, 0.01, 5);
    rl_queue_done(&queue, &one);
    rl_queue_begin(&queue);
    assert_int_equal(rl_queue_look(&queue).total, 100);
    assert_true(rl_queue_next(&queue, 64, &task));
    assert_int_equal(task.first, 1);
    assert_int_equal(task.count, 5); /* 50 ms of work */
    assert_true(rl_queue_next(&queue, 3, &task));
    assert_int_equal(task.first, 6);
    assert_int_equal(task.count, 3);
}

TEST(shares_are_disjoint_and_together_everything)
{
    FREED(rl_plan) plan = test_plan("n = 10, 20, 30; trials = 17");
    int given[3][17] = {{0}};
    for (uint64_t share = 0; share < 4; share++) {
        FREED(rl_queue) queue;
        struct rl_task task;
        assert_int_equal(rl_queue_init(&queue, &plan, share, 4), RL_OK);
        rl_queue_begin(&queue);
        uint64_t total = rl_queue_look(&queue).total;
        for (; rl_queue_next(&queue, 8, &task); total -= task.count)
            for (uint32_t i = 0; i < task.count; i++)
                given[task.point][task.first + i]++;
        assert_int_equal(total, 0);
    }
    for (size_t i = 0; i < 3 * 17; i++)
        assert_int_equal(given[i / 17][i % 17], 1);
}

TEST(what_is_done_already_is_not_given_out_again)
{
    FREED(rl_plan) plan = test_plan("n = 10; trials = 6");
    FREED(rl_queue) queue;
    struct rl_task task;
    assert_int_equal(rl_queue_init(&queue, &plan, 0, 1), RL_OK);
    const uint64_t there[] = {0, 2, 3};
    for (size_t i = 0; i < 3; i++) {
        struct rl_trial trial = done(0, there[i], 1e-6, 5);
        rl_queue_done(&queue, &trial);
        rl_queue_done(&queue, &trial); /* telling it twice changes nothing */
    }
    rl_queue_begin(&queue);
    assert_int_equal(rl_queue_look(&queue).done, 3);
    assert_true(rl_queue_next(&queue, 64, &task));
    assert_int_equal(task.first, 1);
    assert_int_equal(task.count, 1);
    assert_true(rl_queue_next(&queue, 64, &task));
    assert_int_equal(task.first, 4);
    assert_int_equal(task.count, 2);
    assert_false(rl_queue_next(&queue, 64, &task));
}

/* All give up at the same limit, so their steps scatter little: that must not look precise. */
TEST(trials_that_give_up_never_stop_a_point)
{
    FREED(rl_plan) plan = test_plan("n = 10; trials = 100; until-error = 10%; max-steps = 3000");
    FREED(rl_queue) queue;
    struct rl_task task;
    uint64_t total = 0;
    assert_int_equal(rl_queue_init(&queue, &plan, 0, 1), RL_OK);
    rl_queue_begin(&queue);
    while (rl_queue_next(&queue, 1, &task)) {
        struct rl_trial trial = done(0, task.first, 1e-3, 3000);
        if (total++ == 5)
            trial.hits[plan.points[0].run.protocol->target] = RL_NEVER;
        rl_queue_done(&queue, &trial);
    }
    assert_int_equal(total, 100);
    assert_int_equal(rl_queue_look(&queue).gave_up, 1);
}

/* Trial k measures 1000 + a number in 0 .. 999. The trials given out are done in the order in which
 * they come or in reverse, `hold` at a time. */
static uint64_t trials_until_precise(size_t hold, bool reverse)
{
    FREED(rl_plan) plan = test_plan("n = 10; trials = 10000; until-error = 1%");
    FREED(rl_queue) queue;
    struct rl_task task;
    uint64_t held[64], total = 0;
    assert_int_equal(rl_queue_init(&queue, &plan, 0, 1), RL_OK);
    rl_queue_begin(&queue);
    for (;;) {
        size_t count = 0;
        while (count < hold && rl_queue_next(&queue, 1, &task))
            held[count++] = task.first;
        if (count == 0)
            break;
        total += count;
        for (size_t i = 0; i < count; i++) {
            const uint64_t k = held[reverse ? count - 1 - i : i];
            struct rl_trial trial = done(0, k, 1e-3, 1000 + k * 7919 % 1000);
            rl_queue_done(&queue, &trial);
        }
    }
    assert_int_equal(rl_queue_look(&queue).done, total);
    return total;
}

TEST(a_stopping_rule_stops_at_the_same_trial_in_any_order)
{
    const uint64_t alone = trials_until_precise(1, false);
    /* Relative deviation 0.19, so some 370 trials; the rounds are 32 * 1.5^k. */
    assert_int_equal(alone, 546);
    assert_int_equal(trials_until_precise(7, false), alone);
    assert_int_equal(trials_until_precise(64, true), alone);
}

/* A study goes on with more trials of a point than its first round has, and the point waited. */
TEST(a_point_that_waited_goes_on_with_its_rounds)
{
    FREED(rl_plan) plan = test_plan("n = 32, 16; trials = 100; until-error = 1%; easy = 50");
    FREED(rl_queue) queue;
    struct rl_task task;
    assert_int_equal(rl_queue_init(&queue, &plan, 0, 1), RL_OK);
    for (uint32_t i = 0; i < 64; i++) {
        const struct rl_trial trial = done(i / 32, i % 32, 1e-3, 1000 + (i < 32 ? 30 * i : 0));
        rl_queue_done(&queue, &trial);
    }
    rl_queue_begin(&queue);
    assert_true(rl_queue_next(&queue, 1, &task));
    assert_int_equal(task.point, 0);
    assert_int_equal(task.first, 32);
}

/* From `random` a trial takes n^2 steps, from `opposite` a little less than half, from `bullets`
 * just half; the trials given out are done `hold` at a time, the last first. Which points were
 * measured. */
static void measure_starts(size_t hold, const char *first, bool measured_out[12])
{
    char text[300];
    snprintf(text, sizeof text,
             "%s; grid; n = 16, 32; start = random, opposite, bullets; grid; n = 64, 128; "
             "start = random, opposite, bullets; easy = 50",
             first);
    FREED(rl_plan) plan = test_plan(text);
    FREED(rl_queue) queue;
    struct rl_task held[64];
    char words[200] = "";
    struct rl_text told = rl_text_into(words, sizeof words);
    assert_int_equal(rl_queue_init(&queue, &plan, 0, 1), RL_OK);
    rl_queue_begin(&queue);
    memset(measured_out, 0, 12 * sizeof *measured_out);
    for (size_t count = 1; count > 0;) {
        for (count = 0; count < hold && rl_queue_next(&queue, 1, &held[count]);)
            count++;
        for (size_t i = count; i-- > 0;) {
            const struct rl_point *point = &plan.points[held[i].point];
            const uint64_t square = (uint64_t)point->run.params.n * point->run.params.n;
            const uint64_t steps = strcmp(point->run.start, "random") == 0     ? square
                                   : strcmp(point->run.start, "opposite") == 0 ? square / 2 - 1
                                                                               : square / 2;
            struct rl_trial trial = done(held[i].point, held[i].first, 1e-3, steps);
            trial.hits[point->run.protocol->target] = steps;
            if (point->run.end.max_steps < steps)
                trial.hits[point->run.protocol->target] = RL_NEVER;
            rl_queue_done(&queue, &trial);
            measured_out[held[i].point] = true;
        }
    }
    rl_queue_tell_easy(&queue, "; ", &told);
    assert_string_equal(words, measured_out[7] ? ""
                                               : "prl from opposite for n >= 64, easy at n = 32: "
                                                 "511 of 1,024 mean steps");
    assert_int_equal(rl_queue_look(&queue).left_out, measured_out[7] ? 0 : 2);
    assert_int_equal(queue.done, queue.total);
}

TEST(an_easy_start_is_left_out_whatever_the_order)
{
    bool measured[12];
    const size_t holds[] = {1, 7, 64};
    for (size_t i = 0; i < 3; i++) {
        measure_starts(holds[i], "trials = 3", measured);
        for (size_t k = 0; k < 12; k++)
            assert_int_equal(measured[k], k != 7 && k != 10);
    }
    /* Nothing is left out where the worst start gave up: nobody knows how bad it is. */
    measure_starts(5, "trials = 3; max-steps = 600", measured);
    for (size_t k = 0; k < 12; k++)
        assert_true(measured[k]);
}
