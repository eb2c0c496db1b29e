/* SPDX-License-Identifier: MIT
 *
 * The trials of a study, and the sessions in which they were done.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/store_parts.h"
#include "study/store_sqlite.h"

/* ---- writing ----------------------------------------------------------------------------------
 */

static void bind_hits(sqlite3_stmt *statement, int place, const struct rl_protocol *protocol,
                      const struct rl_trial *trial)
{
    char json[STORE_JSON];
    struct rl_text text = rl_text_into(json, sizeof json);
    store_print_hits(protocol, trial, &text);
    store_bind_text(statement, place, json);
}

static void bind_faults(sqlite3_stmt *statement, int place, const struct rl_trial *trial)
{
    char json[STORE_JSON];
    struct rl_text text = rl_text_into(json, sizeof json);
    store_print_trial_faults(trial, &text);
    store_bind_text(statement, place, json);
}

static void bind_trial(sqlite3_stmt *statement, const struct rl_point *point,
                       const struct rl_trial *trial)
{
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)trial->point + 1);
    store_bind_count(statement, 2, trial->trial);
    sqlite3_bind_int(statement, 3, rl_trial_reached(point, trial));
    store_bind_count(statement, 4, trial->steps);
    bind_hits(statement, 5, point->protocol, trial);
    store_bind_count(statement, 6, trial->events);
    sqlite3_bind_int64(statement, 7, trial->leaders);
    store_bind_count(statement, 8, trial->leaders == 1 ? trial->leader : RL_NEVER);
    bind_faults(statement, 9, trial);
    sqlite3_bind_int(statement, 10, RL_STREAM_VERSION);
    store_bind_text(statement, 11, rl_version());
    sqlite3_bind_double(statement, 12, trial->wall_seconds);
}

/* What only trials of real processes have. */
static enum rl_status write_trip(struct rl_store *store, const struct rl_trial *trial,
                                 struct rl_error *error)
{
    sqlite3_stmt *insert = NULL;
    enum rl_status status = store_execute(
        store,
        "CREATE TABLE IF NOT EXISTS trip (point INTEGER NOT NULL, trial INTEGER NOT NULL,"
        "  rate_times_round_trip REAL NOT NULL, PRIMARY KEY (point, trial)) WITHOUT ROWID",
        error);
    if (!status)
        status =
            store_prepare(store, "INSERT OR IGNORE INTO trip VALUES (?, ?, ?)", &insert, error);
    if (!status) {
        sqlite3_bind_int64(insert, 1, (sqlite3_int64)trial->point + 1);
        store_bind_count(insert, 2, trial->trial);
        sqlite3_bind_double(insert, 3, trial->trip);
        status = store_run_once(store, insert, error);
    }
    sqlite3_finalize(insert);
    return status;
}

static enum rl_status update_session(struct rl_store *store, size_t count, struct rl_error *error)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "UPDATE session SET wrote = strftime('%%Y-%%m-%%d %%H:%%M:%%f'), trials = trials + %zu"
             " WHERE id = %lld",
             count, (long long)store->session);
    return store_execute(store, sql, error);
}

enum rl_status rl_store_write(struct rl_store *store, const struct rl_plan *plan,
                              const struct rl_trial *trials, size_t count, struct rl_error *error)
{
    enum rl_status status = RL_OK;
    /* With a log SQLite would go on writing to a file that nobody can find any more. */
    if (!store_is_in_place(store->lock, store->path))
        return store_say_gone(store, error);
    if (!store->insert)
        status =
            store_prepare(store, "INSERT OR IGNORE INTO trial VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                          &store->insert, error);
    if (!status)
        status = store_execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    for (size_t i = 0; i < count && !status; i++) {
        const struct rl_point *point = &plan->points[trials[i].point];
        bind_trial(store->insert, point, &trials[i]);
        status = store_run_once(store, store->insert, error);
        if (!status && point->engine == RL_ENGINE_PROCESSES)
            status = write_trip(store, &trials[i], error);
    }
    if (!status && store->session)
        status = update_session(store, count, error);
    return store_finish(store, status, error);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* A column that is a count of at most `most`. */
static bool read_count(sqlite3_stmt *row, int column, uint64_t most, uint64_t *out)
{
    const sqlite3_int64 value = sqlite3_column_int64(row, column);
    *out = (uint64_t)value;
    return sqlite3_column_type(row, column) == SQLITE_INTEGER && value >= 0 && *out <= most;
}

/* Hits and faults; false unless they are written as we write them. */
static bool read_texts(sqlite3_stmt *row, const struct rl_protocol *protocol, struct rl_trial *out)
{
    const char *hits = (const char *)sqlite3_column_text(row, 4);
    const char *faults = (const char *)sqlite3_column_text(row, 8);
    char again[STORE_JSON];
    if (!hits || !faults || sqlite3_column_type(row, 10) != SQLITE_TEXT)
        return false;
    struct rl_text text = rl_text_into(again, sizeof again);
    store_read_hits(protocol, hits, out);
    store_print_hits(protocol, out, &text);
    if (strcmp(again, hits) != 0)
        return false;
    text = rl_text_into(again, sizeof again);
    store_read_trial_faults(faults, out);
    store_print_trial_faults(out, &text);
    return strcmp(again, faults) == 0;
}

bool store_read_trial(sqlite3_stmt *row, const struct rl_point *point, struct rl_trial *trial_out)
{
    uint64_t reached, leaders, leader = point->params.n, stream;
    *trial_out = (struct rl_trial){.wall_seconds = sqlite3_column_double(row, 11)};
    if (!read_count(row, 1, UINT32_MAX, &trial_out->trial) || !read_count(row, 2, 1, &reached) ||
        !read_count(row, 3, INT64_MAX, &trial_out->steps) ||
        !read_count(row, 5, INT64_MAX, &trial_out->events) ||
        !read_count(row, 6, UINT32_MAX, &leaders) ||
        !read_count(row, 9, RL_STREAM_VERSION, &stream) || stream != RL_STREAM_VERSION)
        return false;
    const bool alone = sqlite3_column_type(row, 7) != SQLITE_NULL;
    if (alone != (leaders == 1) || (alone && !read_count(row, 7, UINT32_MAX, &leader)))
        return false;
    trial_out->leaders = (uint32_t)leaders;
    trial_out->leader = (uint32_t)leader;
    if (!read_texts(row, point->protocol, trial_out) ||
        reached != rl_trial_reached(point, trial_out))
        return false;
    trial_out->end = reached ? RL_REACHED : RL_LIMIT;
    return sqlite3_column_type(row, 11) == SQLITE_FLOAT && rl_trial_possible(point, trial_out);
}

/* After those of the table `trial`; it counts as 0 where it is not asked for. */
enum { TRIP_COLUMN = 12 };

/* Reads the trial of a row; if it is impossible, keeps its key in the table `impossible`. */
static enum rl_status sort_out(struct rl_store *store, const struct rl_plan *plan,
                               sqlite3_stmt *row, sqlite3_stmt *drop, struct rl_trial *out,
                               bool *possible_out, struct rl_error *error)
{
    uint64_t id;
    *possible_out = read_count(row, 0, plan->count, &id) && id > 0 &&
                    store_read_trial(row, &plan->points[id - 1], out);
    out->point = (uint32_t)id - 1;
    out->trip = sqlite3_column_double(row, TRIP_COLUMN);
    *possible_out &= out->trip >= 0 && out->trip < INFINITY;
    if (*possible_out)
        return RL_OK;
    store->dropped++;
    sqlite3_bind_value(drop, 1, sqlite3_column_value(row, 0));
    sqlite3_bind_value(drop, 2, sqlite3_column_value(row, 1));
    return store_run_once(store, drop, error);
}

/* The rows of trials; the round trip of real processes is one column more, where there is one. A
 * file from elsewhere may have trials and no trips. */
static enum rl_status select_trials(struct rl_store *store, sqlite3_stmt **row_out,
                                    struct rl_error *error)
{
    if (sqlite3_table_column_metadata(store->database, NULL, "trip", "rate_times_round_trip", NULL,
                                      NULL, NULL, NULL, NULL) == SQLITE_OK)
        return store_prepare(store,
                             "SELECT trial.*, rate_times_round_trip FROM trial"
                             " LEFT JOIN trip USING (point, trial) ORDER BY point, trial",
                             row_out, error);
    return store_prepare(store, "SELECT * FROM trial ORDER BY point, trial", row_out, error);
}

static enum rl_status visit_trials(struct rl_store *store, const struct rl_plan *plan,
                                   void (*visit)(void *user, const struct rl_trial *trial),
                                   void *user, struct rl_error *error)
{
    sqlite3_stmt *row = NULL, *drop = NULL;
    enum rl_status status = select_trials(store, &row, error);
    if (!status)
        status = store_prepare(store, "INSERT INTO impossible VALUES (?, ?)", &drop, error);
    int step = SQLITE_DONE;
    while (!status && (step = sqlite3_step(row)) == SQLITE_ROW) {
        struct rl_trial trial;
        bool possible;
        status = sort_out(store, plan, row, drop, &trial, &possible, error);
        if (!status && possible)
            visit(user, &trial);
    }
    if (!status && step != SQLITE_DONE)
        status = store_explain(store, error);
    sqlite3_finalize(row);
    sqlite3_finalize(drop);
    return status;
}

enum rl_status rl_store_trials(struct rl_store *store, const struct rl_plan *plan,
                               void (*visit)(void *user, const struct rl_trial *trial), void *user,
                               struct rl_error *error)
{
    store->dropped = 0;
    enum rl_status status =
        store_execute(store,
                      "CREATE TEMP TABLE IF NOT EXISTS impossible (point, trial);"
                      "DELETE FROM impossible",
                      error);
    if (!status)
        status = visit_trials(store, plan, visit, user, error);
    if (!status && store->dropped > 0 && store->mode == RL_STORE_WRITE)
        status = store_execute(
            store,
            "DELETE FROM trial WHERE (point, trial) IN (SELECT point, trial FROM impossible)",
            error);
    return status;
}

uint64_t rl_store_dropped(const struct rl_store *store)
{
    return store->dropped;
}

/* ---- sessions ---------------------------------------------------------------------------------
 */

enum rl_status rl_store_begin_session(struct rl_store *store, uint64_t workers,
                                      struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = store_prepare(
        store,
        "INSERT INTO session (program_version, workers, began, wrote, trials) VALUES (?, ?,"
        " strftime('%Y-%m-%d %H:%M:%f'), strftime('%Y-%m-%d %H:%M:%f'), 0)",
        &statement, error);
    if (!status) {
        store_bind_text(statement, 1, rl_version());
        store_bind_count(statement, 2, workers);
        status = store_run_once(store, statement, error);
    }
    sqlite3_finalize(statement);
    store->session = sqlite3_last_insert_rowid(store->database);
    return status;
}

enum rl_status rl_store_last_session(struct rl_store *store, struct rl_store_session *session_out,
                                     struct rl_error *error)
{
    *session_out = (struct rl_store_session){.alive = store_is_locked(store->lock)};
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store,
                      "SELECT workers, 86400 * (julianday() - julianday(began)),"
                      "  86400 * (julianday() - julianday(wrote)), trials"
                      " FROM session ORDER BY id DESC LIMIT 1",
                      &statement, error);
    if (!status && sqlite3_step(statement) == SQLITE_ROW) {
        session_out->workers = (uint64_t)sqlite3_column_int64(statement, 0);
        session_out->age = sqlite3_column_double(statement, 1);
        session_out->idle = sqlite3_column_double(statement, 2);
        session_out->written = (uint64_t)sqlite3_column_int64(statement, 3);
    }
    sqlite3_finalize(statement);
    return status;
}
