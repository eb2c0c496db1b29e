/* SPDX-License-Identifier: MIT
 *
 * The crew: threads that do tasks, and a whole study on them.
 */
#include "test.h"

#include <unistd.h>

/* Waits for `count` trials. */
static void take_all(struct rl_crew *crew, size_t count, uint64_t *steps_out)
{
    struct rl_trial trials[RL_TASK_MOST];
    for (size_t taken = 0; taken < count;) {
        const size_t some = crew->take(crew->self, 60, trials);
        for (size_t i = 0; i < some; i++) {
            assert_int_equal(trials[i].status, RL_OK);
            assert_int_equal(steps_out[trials[i].trial], 0);
            steps_out[trials[i].trial] = trials[i].steps;
        }
        taken += some;
    }
}

TEST(every_trial_comes_back_once_and_as_if_it_were_alone)
{
    FREED(rl_plan) plan = test_plan("protocol = prl; n = 20; trials = 24");
    struct rl_crew crew;
    struct rl_trial alone;
    uint64_t steps[24] = {0};
    assert_int_equal(rl_crew_threads(&crew, &plan, 3), RL_OK);
    assert_int_equal(crew.count, 3);
    for (uint32_t i = 0; i < 24; i += 2) /* RL_CREW_AHEAD * 3 of them */
        assert_int_equal(crew.give(crew.self, &(struct rl_task){0, 2, i}), RL_OK);
    take_all(&crew, 24, steps);
    crew.stop(crew.self);
    for (uint64_t i = 0; i < 24; i++) {
        assert_true(rl_trial_run(&plan.points[0], 0, i, (struct rl_trial_stop){0}, &alone));
        assert_int_equal(steps[i], alone.steps);
    }
}

TEST(a_crew_that_is_stopped_gives_up_what_is_under_way)
{
    FREED(rl_plan) plan = test_plan("protocol = fj06; n = 100000; start = opposite; trials = 8");
    struct rl_crew crew;
    assert_int_equal(rl_crew_threads(&crew, &plan, 2), RL_OK);
    for (uint32_t i = 0; i < 8; i++) /* each would take a day */
        assert_int_equal(crew.give(crew.self, &(struct rl_task){0, 1, i}), RL_OK);
    crew.stop(crew.self);
}

struct patience {
    uint64_t most;
    size_t asked;
};

static bool until_enough(void *user, const struct rl_queue_outlook *outlook)
{
    struct patience *patience = user;
    patience->asked++;
    return outlook->done < patience->most;
}

TEST(a_study_that_was_stopped_goes_on_where_it_stopped)
{
    char path[] = "/tmp/ringleader-crew-XXXXXX";
    close(mkstemp(path));
    unlink(path);
    bool finished;
    struct rl_error error = {0};
    struct patience patience = {.most = 1};
    struct rl_study_options options = {.path = path,
                                       .plan = "n = 8; engine = steam",
                                       .jobs = 1,
                                       .user = &patience,
                                       .go_on = until_enough};
    assert_int_equal(rl_study_run(&options, &finished, &error), RL_BAD_TEXT);
    assert_non_null(strstr(error.text, "there is no engine 'steam'"));
    assert_int_equal(access(path, F_OK), -1); /* a mistake leaves no file */
    options.plan = "protocol = prl; n = 400; start = leaderless; trials = 300";
    assert_int_equal(rl_study_run(&options, &finished, NULL), RL_OK);
    assert_false(finished);
    assert_true(patience.asked > 0);
    patience.most = UINT64_MAX;
    options.plan = NULL;
    options.jobs = 2;
    assert_int_equal(rl_study_run(&options, &finished, NULL), RL_OK);
    assert_true(finished);
    patience.asked = 0;
    assert_int_equal(rl_study_run(&options, &finished, NULL), RL_OK);
    assert_true(finished);
    assert_int_equal(patience.asked, 0); /* nothing was left to do */
    unlink(path);
}
