/* SPDX-License-Identifier: MIT
 *
 * What the parts of the store ask of SQLite, and its failures in our words.
 */
#include <stdarg.h>

#include "study/store_sqlite.h"

enum rl_status store_say_damaged(const struct rl_store *store, const char *why,
                                 struct rl_error *error)
{
    if (error)
        error->line = error->column = 0;
    return rl_error_set(error, RL_IO,
                        "%s is damaged%s%s%s; save what can be read and do the rest again by: "
                        "ringleader study --salvage %s --db NEW.db",
                        store->path, why ? " (" : "", why ? why : "", why ? ")" : "", store->path);
}

enum rl_status store_say_gone(const struct rl_store *store, struct rl_error *error)
{
    return rl_error_set(error, RL_IO, "%s was removed or moved while it was in use", store->path);
}

enum rl_status store_explain(struct rl_store *store, struct rl_error *error)
{
    const int code = sqlite3_errcode(store->database) & 0xff;
    const char *path = store->path;
    if (error)
        error->line = error->column = 0;
    if (sqlite3_extended_errcode(store->database) == SQLITE_READONLY_DBMOVED ||
        (code == SQLITE_IOERR && !store_is_in_place(store->lock, path)))
        return store_say_gone(store, error);
    switch (code) {
    case SQLITE_CORRUPT:
        return store_say_damaged(store, NULL, error);
    case SQLITE_NOTADB:
        return rl_error_set(error, RL_BAD_STUDY, "%s is not a study database", path);
    case SQLITE_FULL:
        return rl_error_set(error, RL_IO,
                            "%s: the disk is full; what was written is safe, make room and run "
                            "the same command again",
                            path);
    case SQLITE_READONLY:
        return rl_error_set(error, RL_IO, "%s is write-protected", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return rl_error_set(error, RL_IO, "%s is locked by another program", path);
    case SQLITE_NOMEM:
        return RL_NO_MEMORY;
    default:
        return rl_error_set(error, RL_IO, "%s: %s", path, sqlite3_errmsg(store->database));
    }
}

enum rl_status store_execute(struct rl_store *store, struct rl_error *error, const char *format,
                             ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (!sql)
        return RL_NO_MEMORY;
    const int code = sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    return code ? store_explain(store, error) : RL_OK;
}

enum rl_status store_prepare(struct rl_store *store, const char *sql, sqlite3_stmt **out,
                             struct rl_error *error)
{
    return sqlite3_prepare_v2(store->database, sql, -1, out, NULL) ? store_explain(store, error)
                                                                   : RL_OK;
}

bool store_next(struct rl_store *store, sqlite3_stmt *rows, enum rl_status *status,
                struct rl_error *error)
{
    const int step = *status ? SQLITE_DONE : sqlite3_step(rows);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        *status = store_explain(store, error);
    return step == SQLITE_ROW;
}

enum rl_status store_run_once(struct rl_store *store, sqlite3_stmt *statement,
                              struct rl_error *error)
{
    const enum rl_status status =
        sqlite3_step(statement) == SQLITE_DONE ? RL_OK : store_explain(store, error);
    sqlite3_reset(statement);
    return status;
}

void store_bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

void store_bind_count(sqlite3_stmt *statement, int place, uint64_t count)
{
    if (count == RL_NEVER)
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_int64(statement, place, (sqlite3_int64)count);
}
