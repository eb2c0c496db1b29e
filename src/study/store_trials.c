/* SPDX-License-Identifier: MIT
 *
 * The trials of a study, and the sessions in which they were done.
 */
#include <stdio.h>

#include "study/store_parts.h"
#include "study/store_sqlite.h"

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
    if (!store->insert)
        status =
            store_prepare(store, "INSERT OR IGNORE INTO trial VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                          &store->insert, error);
    if (!status)
        status = store_execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    for (size_t i = 0; i < count && !status; i++) {
        bind_trial(store->insert, &plan->points[trials[i].point], &trials[i]);
        status = store_run_once(store, store->insert, error);
    }
    if (!status && store->session)
        status = update_session(store, count, error);
    return store_finish(store, status, error);
}

static void read_trial(sqlite3_stmt *statement, const struct rl_plan *plan, struct rl_trial *out)
{
    *out = (struct rl_trial){.point = (uint32_t)(sqlite3_column_int64(statement, 0) - 1)};
    const struct rl_point *point = &plan->points[out->point];
    out->trial = (uint64_t)sqlite3_column_int64(statement, 1);
    out->steps = (uint64_t)sqlite3_column_int64(statement, 2);
    store_read_hits(point->protocol, (const char *)sqlite3_column_text(statement, 3), out);
    out->events = (uint64_t)sqlite3_column_int64(statement, 4);
    out->leaders = (uint32_t)sqlite3_column_int64(statement, 5);
    const bool alone = sqlite3_column_type(statement, 6) != SQLITE_NULL;
    out->leader = alone ? (uint32_t)sqlite3_column_int64(statement, 6) : point->params.n;
    store_read_trial_faults((const char *)sqlite3_column_text(statement, 7), out);
    out->wall_seconds = sqlite3_column_double(statement, 8);
    out->end = rl_trial_reached(point, out) ? RL_REACHED : RL_LIMIT;
}

enum rl_status rl_store_trials(struct rl_store *store, const struct rl_plan *plan,
                               void (*visit)(void *user, const struct rl_trial *trial), void *user,
                               struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = store_prepare(
        store,
        "SELECT point, trial, steps, hits, events, leaders, leader, faults, wall_seconds"
        " FROM trial WHERE point BETWEEN 1 AND ? ORDER BY point, trial",
        &statement, error);
    int step = SQLITE_DONE;
    if (!status)
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)plan->count);
    while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        struct rl_trial trial;
        read_trial(statement, plan, &trial);
        visit(user, &trial);
    }
    if (!status && step != SQLITE_DONE)
        status = store_explain(store, error);
    sqlite3_finalize(statement);
    return status;
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
    *session_out = (struct rl_store_session){.alive = store_is_locked(store->path)};
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
