/* SPDX-License-Identifier: MIT
 *
 * Saving what can be read of a damaged study.
 */
#include <stdio.h>
#include <string.h>

#include "study/store_sqlite.h"

/* Copies the rows of a table, in the given order, as far as it can be read; says whether that was
 * to its end. */
static enum rl_status copy_rows(struct rl_store *store, sqlite3 *damaged, const char *table,
                                const char *order, bool *whole_out, struct rl_error *error)
{
    char sql[160];
    sqlite3_stmt *from = NULL, *to = NULL;
    int step = SQLITE_ERROR;
    snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY %s", table, order);
    *whole_out = false;
    if (sqlite3_prepare_v2(damaged, sql, -1, &from, NULL))
        return RL_OK;
    const int columns = sqlite3_column_count(from);
    int length = snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO %s VALUES (?", table);
    for (int i = 1; i < columns; i++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, ",?");
    strcat(sql, ")");
    enum rl_status status = store_prepare(store, sql, &to, error);
    while (!status && (step = sqlite3_step(from)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++)
            sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
        status = store_run_once(store, to, error);
    }
    *whole_out = step == SQLITE_DONE;
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    return status;
}

/* Trials are copied from both ends, so that one bad page costs only its own. A lost trial is done
 * again by the study; a lost plan is not, so that is an error. The damaged file has a connection
 * of its own: when reading it fails, writing must not. */
enum rl_status rl_store_salvage(struct rl_store *store, const char *damaged, struct rl_error *error)
{
    sqlite3 *from = NULL;
    bool plans = false, points = false, trials = false;
    enum rl_status status = store_execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    sqlite3_open_v2(damaged, &from, SQLITE_OPEN_READONLY, NULL);
    status = copy_rows(store, from, "plan", "id", &plans, error);
    if (!status)
        status = copy_rows(store, from, "point", "id", &points, error);
    if (!status && !(plans && points))
        status = rl_error_set(
            error, RL_IO, "the plan in %s cannot be read any more: begin the study anew", damaged);
    if (!status)
        status = copy_rows(store, from, "trial", "point, trial", &trials, error);
    if (!status && !trials)
        status = copy_rows(store, from, "trial", "point DESC, trial DESC", &trials, error);
    sqlite3_close(from);
    return store_finish(store, status, error);
}
