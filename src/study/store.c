/* SPDX-License-Identifier: MIT
 *
 * The store: a study in a SQLite file. Opening it, checking it, and its transactions.
 *
 * Facts that shaped it (docs/decisions/040-store.md, 097-write-ahead.md, 180-schema-3.md):
 * - A write-ahead log, so that a reader who stays does not keep the writer waiting. A log needs
 *   shared memory, which the network file systems of clusters do not give: there it is a rollback
 *   journal. When nobody has it open it is one plain file.
 * - Full synchronisation: a commit that returned is on the disk. With ten commits a second the cost
 *   does not show.
 * - SQLite's locks protect a transaction. That there is one writer for the whole of a study is
 *   said by a lock of our own (store_lock.c).
 * - A file comes into being with its first commit, which has tables, plan and points in it. Before
 *   that nothing is on the disk.
 * - A file may come from a stranger: its schema must be ours to the letter, and what SQLite's own
 *   check says of it must be "ok", before any row is read.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/store_sqlite.h"
#include "study/inside.h"

enum { APPLICATION_ID = 0x524c5354 /* "RLST" */ };

static const double PATIENCE_SECONDS = 20, NAP_SECONDS = 0.1;

/* ---- waiting ---- */

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

/* What may be left undone if somebody else is writing. */
static void execute_unless_busy(struct rl_store *store, const char *sql)
{
    sqlite3_busy_handler(store->database, NULL, NULL);
    sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    sqlite3_busy_handler(store->database, wait_for_others, store);
}

/* ---- what is in the file ---- */

static sqlite3_int64 read_integer(struct rl_store *store, const char *sql)
{
    sqlite3_stmt *statement = store_ask(store, sql, NULL);
    const sqlite3_int64 value =
        store_next(store, statement) ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return value;
}

/* Trials of another stream version cannot go on. One row of another version among ours is damage,
 * for rl_store_trials to drop. */
static void check_stream(struct rl_store *store)
{
    char sql[200];
    snprintf(sql, sizeof sql,
             "SELECT CASE WHEN EXISTS (SELECT 1 FROM trial WHERE stream_version = %d) THEN %d"
             " ELSE ifnull((SELECT stream_version FROM trial LIMIT 1), %d) END",
             RL_STREAM_VERSION, RL_STREAM_VERSION, RL_STREAM_VERSION);
    const sqlite3_int64 stream = read_integer(store, sql);
    if (stream != RL_STREAM_VERSION)
        store_fail(store, RL_BAD_STUDY,
                   "%s was made with random streams of version %llu and this program has "
                   "version %u; its trials cannot be mixed: begin a new file",
                   store->path, (unsigned long long)stream, RL_STREAM_VERSION);
}

/* Ours, and readable by this program? */
static void check_identity(struct rl_store *store)
{
    if (read_integer(store, "PRAGMA application_id") != APPLICATION_ID)
        store_fail(store, RL_BAD_STUDY, "%s is a database of another program", store->path);
    const sqlite3_int64 schema = read_integer(store, "PRAGMA user_version");
    if (schema != RL_STORE_SCHEMA)
        store_fail(store, RL_BAD_STUDY,
                   "%s has schema version %llu and this program knows %u: it was made by "
                   "another ringleader",
                   store->path, (unsigned long long)schema, RL_STORE_SCHEMA);
}

/* What a table must be made with; NULL: we make none of that name. To be freed. */
static char *expected_table(const char *name)
{
    char *sql;
    const char *table;
    for (size_t i = 0; (sql = store_table(i, &table)) && strcmp(table, name) != 0; i++)
        sqlite3_free(sql);
    return sql;
}

/* What SQLite says the file has is what we would make: nothing more, nothing less, nothing else.
 * The view is held against the points, when they are known. */
static void check_schema(struct rl_store *store)
{
    sqlite3_stmt *rows =
        store_ask(store,
                  "SELECT ifnull(type, 'thing'), ifnull(name, ''), sql FROM sqlite_master"
                  " WHERE sql IS NOT NULL AND NOT (type = 'view' AND name = 'trials')",
                  NULL);
    size_t count = 0;
    const char *table;
    while (store_next(store, rows)) {
        const char *type = store_text(rows, 0), *name = store_text(rows, 1);
        char *expected = strcmp(type, "table") == 0 ? expected_table(name) : NULL;
        if (!expected || strcmp(store_text(rows, 2), expected) != 0)
            store_fail(store, RL_BAD_STUDY, "%s: its %s '%s' %s", store->path, type, name,
                       expected ? "is not as studies have it" : "belongs to no study");
        sqlite3_free(expected);
        count++;
    }
    sqlite3_finalize(rows);
    char *another = store_table(count, &table);
    if (another)
        store_say_damaged(store, "a table is missing");
    sqlite3_free(another);
}

/* integrity_check looks at every page, at the order of rows, and at types; a study of a million
 * trials takes about a second. While there is a view, SQLite 3.40's does not tell of pages that
 * nothing leads to, which is what a lost branch of the trials looks like: so the view is dropped,
 * in a transaction that is not committed. Where that cannot be at once, it is done without:
 * somebody who writes now has checked the file. */
static void check_pages(struct rl_store *store)
{
    if (store->mode == RL_STORE_WRITE || !store_is_locked(store->lock))
        execute_unless_busy(store, "BEGIN IMMEDIATE; DROP VIEW trials");
    sqlite3_stmt *statement = store_ask(store, "PRAGMA integrity_check(1)", NULL);
    if (store_next(store, statement) && !store_is_text(statement, 0, "ok"))
        store_say_damaged(store, NULL);
    sqlite3_finalize(statement);
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
}

static void read_share(struct rl_store *store)
{
    sqlite3_stmt *statement = store_ask(store, "SELECT share, shares FROM share", NULL);
    if (store_next(store, statement)) {
        store->share = (uint64_t)sqlite3_column_int64(statement, 0) - 1;
        store->shares = (uint64_t)sqlite3_column_int64(statement, 1);
    }
    sqlite3_finalize(statement);
    if (store->shares == 0)
        store_say_damaged(store, "its share is missing");
}

/* ---- opening and closing ---- */

static bool has_log(const struct rl_store *store)
{
    char log[STORE_NAME + 4];
    snprintf(log, sizeof log, "%s-wal", store->path);
    return access(log, F_OK) == 0;
}

/* The log, where it is possible; if a reader who does not know of it is in the way, without. */
static void begin_log(struct rl_store *store)
{
    if (store_is_local(store->lock))
        execute_unless_busy(store, "PRAGMA journal_mode=WAL");
}

/* In a directory that cannot be written to there is no place for the log's shared memory. Without
 * a log it is not needed, if one says that nobody is going to write. */
static void reopen_unchangeable(struct rl_store *store, const char *name)
{
    char address[3 * STORE_NAME + 32] = "file:";
    if (has_log(store))
        return;
    char *at = address + strlen(address);
    for (const char *c = name; *c; c++)
        at += sprintf(at, "%%%02X", (unsigned char)*c);
    strcpy(at, "?immutable=1");
    sqlite3_close(store->database);
    sqlite3_open_v2(address, &store->database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
}

static void open_database(struct rl_store *store)
{
    /* Reading opens for writing too, where allowed: what kill -9 left must be undone or done. */
    const bool writes = store->mode == RL_STORE_WRITE;
    const int flags = SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
    char name[STORE_NAME];
    store_name(store->path, name);
    store->status = store_lock(store->path, store->mode, &store->lock, store->error);
    if (store->status)
        return;
    if (sqlite3_open_v2(name, &store->database, flags, NULL)) {
        store_explain(store);
        return;
    }
    sqlite3_busy_handler(store->database, wait_for_others, store);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    const int code = sqlite3_exec(store->database, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL);
    if (!writes && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY))
        reopen_unchangeable(store, name);
    store_execute(store, "PRAGMA trusted_schema=OFF; PRAGMA synchronous=FULL");
}

/* A study that was being written when it was copied, or whose program was killed, and the log of
 * which is not here. */
static void look_for_log(struct rl_store *store, bool logged)
{
    const bool ended = read_integer(
        store, "SELECT ifnull((SELECT ended FROM session ORDER BY id DESC LIMIT 1), 1)");
    const bool alive = store->mode == RL_STORE_READ && store_is_locked(store->lock);
    store->interrupted = !ended && !logged && !alive;
    /* With its log it is whole; that is told apart from a copy without one from now on. */
    if (!store->status && !ended && logged && !alive)
        execute_unless_busy(store, "UPDATE session SET ended = 1 WHERE ended = 0");
}

static void open_file(struct rl_store *store)
{
    const bool logged = has_log(store);
    open_database(store);
    const sqlite3_int64 tables = read_integer(store, "SELECT count(*) FROM sqlite_master");
    /* What was killed before its first commit has been rolled back to nothing. */
    if (!store->status && tables == 0 && store->mode == RL_STORE_WRITE)
        return;
    store->born = true;
    check_identity(store);
    check_schema(store);
    if (!store->status)
        check_pages(store);
    check_stream(store);
    read_share(store);
    if (!store->status)
        look_for_log(store, logged);
    store_recall_own(store);
    if (!store->status && store->mode == RL_STORE_WRITE)
        begin_log(store);
}

enum rl_status rl_store_open(struct rl_store **store_out, const char *path, enum rl_store_mode mode,
                             struct rl_error *error)
{
    assert(path && "a study has a path");
    struct stat about;
    struct rl_store *store = *store_out = calloc(1, sizeof *store);
    if (!store)
        return RL_NO_MEMORY;
    store_enter(store, error);
    store->mode = mode;
    store->lock = -1;
    if (strlen(path) >= sizeof store->path)
        return rl_error_set(error, RL_BAD_STUDY, "the path of the database is too long");
    strcpy(store->path, path);
    store->absent = stat(path, &about) != 0;
    const bool nothing = store->absent || (S_ISREG(about.st_mode) && about.st_size == 0);
    if (!nothing || mode == RL_STORE_READ)
        open_file(store);
    return store->status;
}

void rl_store_close(struct rl_store *store)
{
    if (!store)
        return;
    store_give_up(store);
    if (store->session && store_is_in_place(store->lock, store->path))
        execute_unless_busy(store, "UPDATE session SET ended = 1 WHERE ended = 0");
    sqlite3_finalize(store->insert);
    sqlite3_finalize(store->numbers);
    sqlite3_close(store->database);
    /* A file that has not come into being is not left behind. */
    if (store->absent && !store->born && store->lock >= 0)
        unlink(store->path);
    if (store->lock >= 0)
        close(store->lock);
    free(store);
}

/* ---- transactions ---- */

void store_begin(struct rl_store *store)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    const char *name;
    char *sql;
    if (store->in_transaction || store->status)
        return;
    if (!store->database)
        open_database(store);
    store_execute(store, "BEGIN IMMEDIATE");
    store->in_transaction = !store->status;
    if (store->status || store->born)
        return;
    if (read_integer(store, "SELECT count(*) FROM sqlite_master") > 0)
        store_fail(store, RL_IO, "%s was made by another study meanwhile: try again", store->path);
    store_execute(store, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
                  RL_STORE_SCHEMA);
    for (size_t i = 0; (sql = store_table(i, &name)); i++) {
        store_execute(store, "%s", sql);
        sqlite3_free(sql);
    }
}

void store_commit(struct rl_store *store)
{
    assert((store->in_transaction || store->status) && "there is nothing to be committed");
    store->shares = store->shares ? store->shares : 1;
    if (!store->born)
        store_execute(store, "INSERT INTO share VALUES (%lld, %lld)", (long long)store->share + 1,
                      (long long)store->shares);
    store_execute(store, "COMMIT");
    if (store->status)
        return;
    store->in_transaction = false;
    if (!store->born)
        begin_log(store);
    store->born = true;
}

void store_give_up(struct rl_store *store)
{
    if (store->in_transaction)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    store->in_transaction = false;
}

enum rl_status store_end(struct rl_store *store)
{
    store_commit(store);
    if (store->status)
        store_give_up(store);
    return store->status;
}
