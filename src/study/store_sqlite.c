/* SPDX-License-Identifier: MIT
 *
 * What the parts of the store ask of SQLite, and its failures in our words.
 */
#include <stdarg.h>
#include <string.h>

#include "study/store_sqlite.h"

void store_name(const char *path, char name_out[STORE_NAME])
{
    snprintf(name_out, STORE_NAME, "%s%s", path[0] == '/' ? "" : "./", path);
}

void store_enter(struct rl_store *store, struct rl_error *error)
{
    store->status = RL_OK;
    store->error = error;
    if (error)
        error->line = error->column = 0;
}

void store_say_damaged(struct rl_store *store, const char *why)
{
    store_fail(store, RL_IO,
               "%s is damaged%s%s%s; save what can be read and do the rest again by: "
               "ringleader study --salvage %s --db NEW.db",
               store->path, why ? " (" : "", why ? why : "", why ? ")" : "", store->path);
}

void store_say_gone(struct rl_store *store)
{
    store_fail(store, RL_IO, "%s was removed or moved while it was in use", store->path);
}

void store_explain(struct rl_store *store)
{
    const int code = sqlite3_errcode(store->database) & 0xff;
    const char *path = store->path;
    if (code == SQLITE_NOMEM)
        store->status = store->status ? store->status : RL_NO_MEMORY;
    else if (sqlite3_extended_errcode(store->database) == SQLITE_READONLY_DBMOVED ||
             (code == SQLITE_IOERR && !store_is_in_place(store->lock, path)))
        store_say_gone(store);
    else if (code == SQLITE_CORRUPT)
        store_say_damaged(store, NULL);
    else if (code == SQLITE_NOTADB)
        store_fail(store, RL_BAD_STUDY, "%s is not a study database", path);
    else if (code == SQLITE_FULL)
        store_fail(store, RL_IO,
                   "%s: the disk is full; what was written is safe, make room and run "
                   "the same command again",
                   path);
    else if (code == SQLITE_READONLY)
        store_fail(store, RL_IO, "%s is write-protected", path);
    else if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        store_fail(store, RL_IO, "%s is locked by another program", path);
    else
        store_fail(store, RL_IO, "%s: %s", path, sqlite3_errmsg(store->database));
}

void store_execute(struct rl_store *store, const char *format, ...)
{
    va_list arguments;
    if (store->status)
        return;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (!sql)
        store->status = RL_NO_MEMORY;
    else if (sqlite3_exec(store->database, sql, NULL, NULL, NULL))
        store_explain(store);
    sqlite3_free(sql);
}

sqlite3_stmt *store_ask(struct rl_store *store, const char *sql, const char *text)
{
    sqlite3_stmt *statement = NULL;
    if (!store->status && sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL))
        store_explain(store);
    if (text)
        store_bind_text(statement, 1, text);
    return statement;
}

bool store_next(struct rl_store *store, sqlite3_stmt *rows)
{
    const int step = store->status ? SQLITE_DONE : sqlite3_step(rows);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        store_explain(store);
    return step == SQLITE_ROW;
}

void store_run_once(struct rl_store *store, sqlite3_stmt *statement)
{
    store_next(store, statement);
    sqlite3_reset(statement);
}

const char *store_text(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

bool store_is_text(sqlite3_stmt *row, int column, const char *text)
{
    return sqlite3_column_type(row, column) == SQLITE_TEXT &&
           strcmp(store_text(row, column), text) == 0;
}

void store_bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    if (statement)
        sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

void store_bind_count(sqlite3_stmt *statement, int place, uint64_t count)
{
    if (count == RL_NEVER)
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_int64(statement, place, (sqlite3_int64)count);
}
