/* SPDX-License-Identifier: MIT
 *
 * The store: what is written is read back; one writer; all or nothing.
 */
#include "study_file.h"

#include <sqlite3.h>

#include "ringleader/study.h"

static void add(struct rl_store *store, const char *text)
{
    FREED(rl_plan) plan = test_plan(text);
    store_enter(store, NULL);
    store_begin(store);
    store_add_plan(store, text, &plan);
    assert_int_equal(store_commit(store), RL_OK);
}

struct seen {
    size_t count;
    struct rl_trial trials[64];
};

static void keep(void *user, const struct rl_trial *trial)
{
    struct seen *seen = user;
    seen->trials[seen->count++] = *trial;
}

TEST(trials_are_read_back_as_they_were_written)
{
    FREED(rl_store) *store = opened(RL_STORE_WRITE);
    add(store, "n = 8, 12; start = random, safe; fault = none, 2@100+3@900; trials = 4");
    const struct rl_plan plan = *rl_store_points(store);
    assert_int_equal(plan.count, 8);
    struct rl_trial written[32];
    /* Backwards: reading sorts. */
    for (uint32_t i = 0; i < 32; i++)
        assert_true(rl_trial_run(&plan.points[(31 - i) / 4], (31 - i) / 4, (31 - i) % 4,
                                 (struct rl_trial_stop){0}, &written[i]));
    assert_int_equal(write_trials(store, written, 32, NULL), RL_OK);
    rl_store_close(store);

    store = opened(RL_STORE_READ);
    struct seen seen = {0};
    assert_int_equal(rl_store_trials(store, keep, &seen, NULL), RL_OK);
    assert_int_equal(seen.count, 32);
    for (size_t i = 0; i < 32; i++) {
        const struct rl_trial *a = &written[31 - i], *b = &seen.trials[i];
        assert_int_equal(a->point, b->point);
        assert_int_equal(a->trial, b->trial);
        assert_int_equal(a->steps, b->steps);
        assert_memory_equal(a->hits, b->hits, sizeof a->hits);
        assert_int_equal(a->events, b->events);
        assert_int_equal(a->leaders, b->leaders);
        assert_int_equal(a->leader, b->leader);
        assert_int_equal(a->fault_count, b->fault_count);
        for (size_t k = 0; k < a->fault_count; k++) {
            assert_int_equal(a->faults[k].step, b->faults[k].step);
            assert_int_equal(a->faults[k].agents, b->faults[k].agents);
            assert_int_equal(a->faults[k].recovered_after, b->faults[k].recovered_after);
        }
        assert_near(a->wall_seconds, b->wall_seconds, 0);
    }
}

TEST(a_trial_written_twice_is_there_once_and_stays_as_it_was)
{
    FREED(rl_store) *store = opened(RL_STORE_WRITE);
    add(store, "n = 8; trials = 2");
    const struct rl_plan plan = *rl_store_points(store);
    struct rl_trial trial;
    struct seen seen = {0};
    rl_trial_run(&plan.points[0], 0, 1, (struct rl_trial_stop){0}, &trial);
    trial.wall_seconds = 1;
    assert_int_equal(write_trials(store, &trial, 1, NULL), RL_OK);
    trial.wall_seconds = 2;
    assert_int_equal(write_trials(store, &trial, 1, NULL), RL_OK);
    assert_int_equal(rl_store_trials(store, keep, &seen, NULL), RL_OK);
    assert_int_equal(seen.count, 1);
    assert_near(seen.trials[0].wall_seconds, 1, 0);
}

/* What people have: SQLite. */
static void execute(const char *sql)
{
    sqlite3 *database = NULL;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

/* A study of 40 trials at two points. */
static void write_study(void)
{
    FREED(rl_store) *store = opened(RL_STORE_WRITE);
    add(store, "n = 8, 12; trials = 20");
    const struct rl_plan plan = *rl_store_points(store);
    for (uint32_t i = 0; i < 40; i++) {
        struct rl_trial trial;
        rl_trial_run(&plan.points[i / 20], i / 20, i % 20, (struct rl_trial_stop){0}, &trial);
        assert_true(rl_trial_possible(&plan.points[i / 20], &trial));
        assert_int_equal(write_trials(store, &trial, 1, NULL), RL_OK);
    }
}

TEST(a_second_writer_is_refused_and_a_reader_is_not)
{
    write_study();
    struct rl_store *first = opened(RL_STORE_WRITE), *second;
    struct rl_error error = {0};
    assert_int_equal(rl_store_open(&second, path, RL_STORE_WRITE, &error), RL_IO);
    assert_non_null(strstr(error.text, "another study"));
    rl_store_close(second);
    second = opened(RL_STORE_READ);
    assert_true(store_is_locked(second));
    rl_store_close(second);
    rl_store_close(first);
    second = opened(RL_STORE_WRITE);
    rl_store_close(second);
    second = opened(RL_STORE_READ);
    assert_false(store_is_locked(second));
    rl_store_close(second);
}

TEST(a_second_plan_adds_points_and_raises_trials)
{
    FREED(rl_store) *store = opened(RL_STORE_WRITE);
    add(store, "n = 8, 9; trials = 5; claim = O(nN)");
    add(store, "n = 9, 10; trials = 7");
    const struct rl_plan plan = *rl_store_points(store);
    assert_int_equal(plan.count, 3);
    assert_int_equal(plan.points[0].trials, 5);
    assert_int_equal(plan.points[1].trials, 7);
    assert_string_equal(plan.points[1].claim, "O(nN)");
    assert_int_equal(plan.points[2].run.params.n, 10);
}

TEST(a_file_that_is_no_database_is_refused)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 2000; i++)
        fputs("not a database\n", file);
    fclose(file);
    FREED(rl_store) * store;
    struct rl_error error = {0};
    assert_int_equal(rl_store_open(&store, path, RL_STORE_WRITE, &error), RL_BAD_STUDY);
    rl_store_close(store);
    unlink(path);
    assert_int_equal(rl_store_open(&store, path, RL_STORE_READ, &error), RL_BAD_STUDY);
    rl_store_close(store);
    fclose(fopen(path, "w"));
    assert_int_equal(rl_store_open(&store, path, RL_STORE_READ, &error), RL_BAD_STUDY);
}

TEST(impossible_rows_are_left_out_and_a_writer_removes_them)
{
    static const char *const values[] = {
        "leader = 4294967173",
        "stream_version = 99",
        "steps = steps + 1",
        "events = -1",
        "trial = 20",
        "wall_seconds = -1.0",
        "hits = '{}'",
        "reached = 0",
        "point = 3",
        "hits = '{\"C_PB\":9,\"C_NI\":8,\"S_RL\":' || steps || '}'",
        "hits = '[0,1,2,3,4,5,6,7,8]'",
    };
    enum { COUNT = sizeof values / sizeof values[0] };
    write_study();
    for (size_t i = 0; i < COUNT; i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "UPDATE trial SET %s WHERE point = 2 AND trial = %zu", values[i],
                 i);
        execute(sql);
    }
    for (int round = 0; round < 3; round++) {
        FREED(rl_store) *store = opened(round == 0 ? RL_STORE_READ : RL_STORE_WRITE);
        struct seen seen = {0};
        assert_int_equal(rl_store_trials(store, keep, &seen, NULL), RL_OK);
        assert_int_equal(seen.count, 40 - COUNT);
        assert_int_equal(rl_store_dropped(store), round < 2 ? COUNT : 0);
    }
}

TEST(trials_of_every_protocol_are_possible)
{
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        char text[160];
        snprintf(text, sizeof text,
                 "protocol = %s; n = 5; fault = none, 2@50+1@400; max-steps = 5000; trials = 10",
                 protocol->name);
        FREED(rl_plan) plan = test_plan(text);
        for (uint32_t i = 0; i < 20; i++) {
            struct rl_trial trial;
            rl_trial_run(&plan.points[i / 10], i / 10, i % 10, (struct rl_trial_stop){0}, &trial);
            if (!rl_trial_possible(&plan.points[i / 10], &trial))
                fail_msg("trial %u of %s", i, protocol->name);
        }
    }
}

TEST(points_that_are_not_what_was_planned_are_refused)
{
    static const char *const values[] = {
        "spec = 'garbage'",         "n = 9",          "claim = 'a;b'", "seed = 2", "id = 5",
        "parameters = '{\"N\":9}'", "start = 'safe'", "trials = 0"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char sql[120];
        write_study();
        snprintf(sql, sizeof sql, "UPDATE point SET %s WHERE id = 1", values[i]);
        execute(sql);
        struct rl_store *store;
        struct rl_error error = {0};
        assert_int_equal(rl_store_open(&store, path, RL_STORE_READ, &error), RL_IO);
        assert_non_null(strstr(error.text, "is damaged (point "));
        assert_int_equal(error.line, 0);
        rl_store_close(store);
        unlink(path);
    }
    write_study();
}

TEST(a_database_is_a_file_whatever_its_name)
{
    static const char *const names[] = {":memory:", "file:uri.db?mode=memory", "-x", " "};
    char directory[] = "/tmp/ringleader-names-XXXXXX", back[512];
    assert_non_null(getcwd(back, sizeof back));
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        strcpy(path, names[i]);
        write_study();
        struct rl_store *store = opened(RL_STORE_READ);
        struct seen seen = {0};
        assert_int_equal(rl_store_trials(store, keep, &seen, NULL), RL_OK);
        assert_int_equal(seen.count, 40);
        rl_store_close(store);
        assert_int_equal(unlink(names[i]), 0);
    }
    assert_int_equal(chdir(back), 0);
    assert_int_equal(rmdir(directory), 0);
    fresh_file(NULL);
    write_study();
}

TEST(a_share_said_once_stays_with_the_file)
{
    fresh_file(NULL);
    FREED(rl_store) *store = opened(RL_STORE_WRITE);
    assert_int_equal(store->shares, 0);
    store->share = 2;
    store->shares = 5;
    store_begin(store);
    assert_int_equal(store_commit(store), RL_OK);
    rl_store_close(store);
    store = opened(RL_STORE_READ);
    assert_int_equal(store->share, 2);
    assert_int_equal(store->shares, 5);
}

/* Reads a row and stays, as a pager in a pipe does. */
static sqlite3_stmt *standing_reader(sqlite3 **database_out)
{
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(path, database_out), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(*database_out, "SELECT * FROM trial", -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    return statement;
}

TEST(a_reader_who_stays_does_not_keep_a_writer_waiting)
{
    sqlite3 *database;
    struct rl_trial trial;
    write_study();
    struct rl_store *store = opened(RL_STORE_WRITE);
    sqlite3_stmt *reader = standing_reader(&database);
    const struct rl_plan plan = *rl_store_points(store);
    rl_trial_run(&plan.points[0], 0, 7, (struct rl_trial_stop){0}, &trial);
    sqlite3_busy_timeout(store->database, 0);
    assert_int_equal(write_trials(store, &trial, 1, NULL), RL_OK);
    rl_store_close(store);
    sqlite3_finalize(reader);
    sqlite3_close(database);
    /* The last to leave has tidied up. */
    char log[80];
    snprintf(log, sizeof log, "%s-wal", path);
    assert_int_not_equal(access(log, F_OK), 0);
}

TEST(without_a_log_a_writer_waits_and_gives_up)
{
    sqlite3 *database;
    struct rl_trial trial;
    struct rl_error error = {0};
    write_study();
    execute("PRAGMA journal_mode=DELETE");
    sqlite3_stmt *reader = standing_reader(&database); /* before the log: there will be none */
    FREED(rl_store) *store = opened(RL_STORE_WRITE);
    const struct rl_plan plan = *rl_store_points(store);
    rl_trial_run(&plan.points[0], 0, 7, (struct rl_trial_stop){0}, &trial);
    sqlite3_busy_timeout(store->database, 100);
    assert_int_equal(write_trials(store, &trial, 1, &error), RL_IO);
    assert_non_null(strstr(error.text, "another program"));
    sqlite3_finalize(reader);
    sqlite3_close(database);
    assert_int_equal(write_trials(store, &trial, 1, &error), RL_OK);
}
