/* SPDX-License-Identifier: MIT
 *
 * The store: a study in a SQLite file. Its schema, and opening it.
 *
 * Facts that shaped it (docs/decisions/040-store.md, 097-write-ahead.md, 098-salvage.md):
 * - A write-ahead log, so that a reader who stays does not keep the writer waiting. A log needs
 *   shared memory, which the network file systems of clusters do not give: there it is a rollback
 *   journal. When nobody has it open it is one plain file.
 * - Full synchronisation: a commit that returned is on the disk. With ten commits a second the cost
 *   does not show.
 * - SQLite's locks protect a transaction. That there is one writer for the whole of a study is
 *   said by a lock of our own (store_lock.c).
 * - Hits, faults and parameters have names that depend on the protocol, so they are JSON in one
 *   column each, which SQLite reads: SELECT hits->>'C_PB' FROM trials.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/store_sqlite.h"

enum { APPLICATION_ID = 0x524c5354 /* "RLST" */ };

static const double PATIENCE_SECONDS = 20, NAP_SECONDS = 0.1;

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
    "  FROM trial JOIN point ON point.id = trial.point;"
    "CREATE TABLE share (share INTEGER NOT NULL, shares INTEGER NOT NULL);";

/* ---- waiting ----------------------------------------------------------------------------------
 */

/* SQLite's busy handler: `count` is how often it was called for the same lock. */
static int wait_for_others(void *user, int count)
{
    const struct rl_store *store = user;
    const double seconds = NAP_SECONDS * count;
    const bool wait = store->patience.wait ? store->patience.wait(store->patience.user, seconds)
                                           : seconds < PATIENCE_SECONDS;
    if (wait)
        sqlite3_sleep((int)(1000 * NAP_SECONDS));
    return wait;
}

void rl_store_be_patient(struct rl_store *store, struct rl_store_patience patience)
{
    store->patience = patience;
}

/* What may be left undone if somebody else is writing. */
static void execute_unless_busy(struct rl_store *store, const char *sql)
{
    sqlite3_busy_handler(store->database, NULL, NULL);
    sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    sqlite3_busy_handler(store->database, wait_for_others, store);
}

/* ---- what is in the file -----------------------------------------------------------------------
 */

static enum rl_status read_integer(struct rl_store *store, const char *sql, sqlite3_int64 *out,
                                   struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = store_prepare(store, sql, &statement, error);
    if (store_next(store, statement, &status, error))
        *out = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

static enum rl_status create_tables(struct rl_store *store, struct rl_error *error)
{
    enum rl_status status = store_execute(store, error, "BEGIN IMMEDIATE");
    if (status)
        return status;
    status = store_execute(store, error, "%s PRAGMA application_id=%d; PRAGMA user_version=%d;",
                           SCHEMA, APPLICATION_ID, RL_STORE_SCHEMA);
    return store_finish(store, status, error);
}

/* Trials of another stream version cannot go on. One row of another version among ours is damage,
 * for rl_store_trials to drop. */
static enum rl_status check_stream(struct rl_store *store, struct rl_error *error)
{
    sqlite3_int64 stream = 0;
    char sql[200];
    snprintf(sql, sizeof sql,
             "SELECT CASE WHEN EXISTS (SELECT 1 FROM trial WHERE stream_version = %d) THEN %d"
             " ELSE ifnull((SELECT stream_version FROM trial LIMIT 1), %d) END",
             RL_STREAM_VERSION, RL_STREAM_VERSION, RL_STREAM_VERSION);
    const enum rl_status status = read_integer(store, sql, &stream, error);
    if (status || stream == RL_STREAM_VERSION)
        return status;
    return rl_error_set(error, RL_BAD_STUDY,
                        "%s was made with random streams of version %llu and this program has "
                        "version %u; its trials cannot be mixed: begin a new file",
                        store->path, (unsigned long long)stream, RL_STREAM_VERSION);
}

/* Ours, and readable by this program? */
static enum rl_status check_identity(struct rl_store *store, struct rl_error *error)
{
    sqlite3_int64 application = 0, schema = 0;
    enum rl_status status = read_integer(store, "PRAGMA application_id", &application, error);
    if (!status && application != APPLICATION_ID)
        return rl_error_set(error, RL_BAD_STUDY, "%s is a database of another program",
                            store->path);
    if (!status)
        status = read_integer(store, "PRAGMA user_version", &schema, error);
    if (!status && schema != RL_STORE_SCHEMA)
        return rl_error_set(error, RL_BAD_STUDY,
                            "%s has schema version %llu and this program knows %u: it was made by "
                            "another ringleader",
                            store->path, (unsigned long long)schema, RL_STORE_SCHEMA);
    return status;
}

/* integrity_check looks at every page and at the order of rows; a study of a million trials takes
 * about a second. While there is a view, SQLite 3.40's does not tell of pages that nothing leads
 * to, which is what a lost branch of the trials looks like: so the view is dropped, in a
 * transaction that is not committed. Where that cannot be at once, it is done without: somebody who
 * writes now has checked the file. */
static enum rl_status check_pages(struct rl_store *store, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (store->mode == RL_STORE_WRITE || !store_is_locked(store->lock))
        execute_unless_busy(store, "BEGIN IMMEDIATE; DROP VIEW trials");
    enum rl_status status = store_prepare(store, "PRAGMA integrity_check(1)", &statement, error);
    if (store_next(store, statement, &status, error) &&
        strcmp((const char *)sqlite3_column_text(statement, 0), "ok") != 0)
        status = store_say_damaged(store, error);
    sqlite3_finalize(statement);
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- opening and closing ----------------------------------------------------------------------
 */

/* A name that does not begin with / or . could be one of SQLite's own, like :memory:. */
static void name_of(const struct rl_store *store, char name[STORE_NAME])
{
    snprintf(name, STORE_NAME, "%s%s", store->path[0] == '/' ? "" : "./", store->path);
}

/* The log, where it is possible; if a reader who does not know of it is in the way, without. */
static void begin_log(struct rl_store *store)
{
    if (!store_is_local(store->lock))
        return;
    execute_unless_busy(store, "PRAGMA journal_mode=WAL");
}

/* In a directory that cannot be written to there is no place for the log's shared memory. Without
 * a log it is not needed, if one says that nobody is going to write. */
static void reopen_unchangeable(struct rl_store *store)
{
    char name[STORE_NAME], log[STORE_NAME + 4], address[3 * STORE_NAME + 32] = "file:";
    name_of(store, name);
    snprintf(log, sizeof log, "%s-wal", name);
    if (access(log, F_OK) == 0)
        return;
    char *at = address + strlen(address);
    for (const char *c = name; *c; c++)
        at += sprintf(at, "%%%02X", (unsigned char)*c);
    strcpy(at, "?immutable=1");
    sqlite3_close(store->database);
    sqlite3_open_v2(address, &store->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
}

static enum rl_status open_database(struct rl_store *store, struct rl_error *error)
{
    /* Reading opens for writing too, where allowed: what kill -9 left must be undone or done. */
    const bool writes = store->mode == RL_STORE_WRITE;
    const int flags = SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
    char name[STORE_NAME];
    name_of(store, name);
    if (sqlite3_open_v2(name, &store->database, flags, NULL))
        return store_explain(store, error);
    sqlite3_busy_handler(store->database, wait_for_others, store);
    const int code = sqlite3_exec(store->database, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL);
    if (!writes && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY))
        reopen_unchangeable(store);
    return store_execute(store, error, "PRAGMA synchronous=FULL");
}

static enum rl_status open_tables(struct rl_store *store, struct rl_error *error)
{
    sqlite3_int64 tables = 0;
    const bool writes = store->mode == RL_STORE_WRITE;
    enum rl_status status =
        read_integer(store, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (!status && tables == 0 && writes) {
        begin_log(store); /* from birth: nobody can be in the way */
        status = create_tables(store, error);
    }
    if (!status)
        status = check_identity(store, error);
    if (!status)
        status = check_pages(store, error);
    if (!status)
        status = check_stream(store, error);
    if (!status && writes)
        begin_log(store);
    return status;
}

enum rl_status rl_store_open(struct rl_store **store_out, const char *path, enum rl_store_mode mode,
                             struct rl_error *error)
{
    assert(path && "a study has a path");
    struct rl_store *store = *store_out = calloc(1, sizeof *store);
    if (!store)
        return RL_NO_MEMORY;
    store->mode = mode;
    store->lock = -1;
    if (strlen(path) >= sizeof store->path)
        return rl_error_set(error, RL_BAD_STUDY, "the path of the database is too long");
    strcpy(store->path, path);
    enum rl_status status = store_lock(store->path, mode, &store->lock, error);
    if (!status)
        status = open_database(store, error);
    return status ? status : open_tables(store, error);
}

void rl_store_close(struct rl_store *store)
{
    if (!store)
        return;
    sqlite3_finalize(store->insert);
    sqlite3_finalize(store->numbers);
    sqlite3_close(store->database);
    store_unlock(store->lock);
    free(store);
}
