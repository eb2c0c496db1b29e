/* SPDX-License-Identifier: MIT
 *
 * The store: a study in a SQLite file. Its schema, and opening it.
 *
 * Facts that shaped it (docs/decisions/040-store.md):
 * - A rollback journal and full synchronisation, not a write-ahead log: a study is one plain file,
 *   works on the network file systems of clusters, and a commit that returned is on the disk. With
 *   ten commits a second the cost of synchronising does not show.
 * - SQLite's locks protect a transaction. That there is one writer for the whole of a study is
 *   said by a lock of our own (store_lock.c).
 * - Hits, faults and parameters have names that depend on the protocol, so they are JSON in one
 *   column each, which SQLite reads: SELECT hits->>'C_PB' FROM trials.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/store_parts.h"
#include "study/store_sqlite.h"

enum { APPLICATION_ID = 0x524c5354 /* "RLST" */, PATIENCE_MS = 20000 };

static const char SCHEMA[] =
    "CREATE TABLE plan (id INTEGER PRIMARY KEY, text TEXT NOT NULL, added TEXT NOT NULL,"
    "  program_version TEXT NOT NULL);"
    "CREATE TABLE point (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE,"
    "  protocol TEXT NOT NULL, n INTEGER NOT NULL, parameters TEXT NOT NULL, start TEXT NOT NULL,"
    "  engine TEXT NOT NULL, seed INTEGER NOT NULL, fault TEXT NOT NULL, max_steps INTEGER,"
    "  target TEXT NOT NULL, trials INTEGER NOT NULL, until_error REAL NOT NULL,"
    "  claim TEXT NOT NULL);"
    "CREATE TABLE trial (point INTEGER NOT NULL REFERENCES point, trial INTEGER NOT NULL,"
    "  reached INTEGER NOT NULL, steps INTEGER NOT NULL, hits TEXT NOT NULL,"
    "  events INTEGER NOT NULL, leaders INTEGER NOT NULL, leader INTEGER, faults TEXT NOT NULL,"
    "  stream_version INTEGER NOT NULL, program_version TEXT NOT NULL,"
    "  wall_seconds REAL NOT NULL, PRIMARY KEY (point, trial)) WITHOUT ROWID;"
    "CREATE TABLE session (id INTEGER PRIMARY KEY, program_version TEXT NOT NULL,"
    "  workers INTEGER NOT NULL, began TEXT NOT NULL, wrote TEXT NOT NULL,"
    "  trials INTEGER NOT NULL);"
    "CREATE VIEW trials AS SELECT protocol, n, parameters, start,"
    "  seed, trial, engine, fault, target, reached, steps, steps * 1.0 / n AS parallel_time, hits,"
    "  events, leaders, leader, faults, stream_version, program_version, wall_seconds, point"
    "  FROM trial JOIN point ON point.id = trial.point;";

static enum rl_status read_integer(struct rl_store *store, const char *sql, sqlite3_int64 *out,
                                   struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = store_prepare(store, sql, &statement, error);
    if (!status && sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else if (!status)
        status = store_explain(store, error);
    sqlite3_finalize(statement);
    return status;
}

static enum rl_status create_tables(struct rl_store *store, struct rl_error *error)
{
    char ids[128];
    snprintf(ids, sizeof ids, "PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION_ID,
             RL_STORE_SCHEMA);
    enum rl_status status = store_execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    status = store_execute(store, SCHEMA, error);
    if (!status)
        status = store_execute(store, ids, error);
    return store_finish(store, status, error);
}

/* Ours, and readable by this program? */
static enum rl_status check_identity(struct rl_store *store, struct rl_error *error)
{
    sqlite3_int64 application = 0, schema = 0, stream = RL_STREAM_VERSION;
    enum rl_status status = read_integer(store, "PRAGMA application_id", &application, error);
    if (!status && application != APPLICATION_ID)
        return rl_error_set(error, RL_BAD_STUDY, "%s is a database of another program",
                            store->path);
    if (!status)
        status = read_integer(store, "PRAGMA user_version", &schema, error);
    if (!status && schema > RL_STORE_SCHEMA)
        return rl_error_set(error, RL_BAD_STUDY,
                            "%s has schema version %llu and this program knows up to %u: it was "
                            "made by a newer ringleader",
                            store->path, (unsigned long long)schema, RL_STORE_SCHEMA);
    if (!status)
        status =
            read_integer(store, "SELECT ifnull(max(stream_version), 0) FROM trial", &stream, error);
    if (!status && stream != 0 && stream != RL_STREAM_VERSION)
        return rl_error_set(error, RL_BAD_STUDY,
                            "%s was made with random streams of version %llu and this program has "
                            "version %u; its trials cannot be mixed: begin a new file",
                            store->path, (unsigned long long)stream, RL_STREAM_VERSION);
    return status;
}

/* quick_check looks at every page; a study of a million trials takes about a second. */
static enum rl_status check_pages(struct rl_store *store, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = store_prepare(store, "PRAGMA quick_check(1)", &statement, error);
    if (!status && sqlite3_step(statement) == SQLITE_ROW) {
        if (strcmp((const char *)sqlite3_column_text(statement, 0), "ok") != 0)
            status = store_say_damaged(store, error);
    } else if (!status) {
        status = store_explain(store, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static enum rl_status open_database(struct rl_store *store, enum rl_store_mode mode,
                                    struct rl_error *error)
{
    /* Reading opens for writing too, where allowed: a journal left by kill -9 must be undone. */
    const int flags = SQLITE_OPEN_READWRITE | (mode == RL_STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(store->path, &store->database, flags, NULL))
        return store_explain(store, error);
    sqlite3_busy_timeout(store->database, PATIENCE_MS);
    return store_execute(store, "PRAGMA synchronous=FULL; PRAGMA journal_mode=DELETE;", error);
}

enum rl_status rl_store_open(struct rl_store **store_out, const char *path, enum rl_store_mode mode,
                             struct rl_error *error)
{
    struct rl_store *store = *store_out = calloc(1, sizeof *store);
    if (!store)
        return RL_NO_MEMORY;
    store->lock = -1;
    if (strlen(path) >= sizeof store->path)
        return rl_error_set(error, RL_BAD_STUDY, "the path of the database is too long");
    strcpy(store->path, path);
    if (mode == RL_STORE_READ && access(path, F_OK) != 0)
        return rl_error_set(error, RL_BAD_STUDY, "there is no file %s", path);
    enum rl_status status =
        mode == RL_STORE_WRITE ? store_lock(store->path, &store->lock, error) : RL_OK;
    if (!status)
        status = open_database(store, mode, error);
    sqlite3_int64 tables = 0;
    if (!status)
        status = read_integer(store, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (!status && tables == 0 && mode == RL_STORE_WRITE)
        status = create_tables(store, error);
    if (!status)
        status = check_identity(store, error);
    if (!status && mode == RL_STORE_WRITE)
        status = check_pages(store, error);
    return status;
}

void rl_store_close(struct rl_store *store)
{
    if (!store)
        return;
    sqlite3_finalize(store->insert);
    sqlite3_close(store->database);
    store_unlock(store->lock);
    free(store);
}
