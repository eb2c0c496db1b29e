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

/* The statement that we would make a thing of that name with; NULL: we make none. */
static char *expected_sql(const char *type, const char *name, bool *known_out)
{
    char *sql;
    const char *table;
    *known_out = true;
    for (size_t i = 0; strcmp(type, "table") == 0 && (sql = store_table(i, &table)); i++) {
        if (strcmp(table, name) == 0)
            return sql;
        sqlite3_free(sql);
    }
    /* The view is held against the points, when they are known. */
    *known_out = strcmp(type, "view") == 0 && strcmp(name, "trials") == 0;
    return NULL;
}

static enum rl_status say_foreign(const struct rl_store *store, const char *type, const char *name,
                                  const char *what, struct rl_error *error)
{
    return rl_error_set(error, RL_BAD_STUDY, "%s: its %s '%s' %s", store->path, type, name, what);
}

/* What SQLite says the file has is what we would make: nothing more, nothing less, nothing else. */
static enum rl_status check_schema(struct rl_store *store, struct rl_error *error)
{
    sqlite3_stmt *rows = NULL;
    size_t count = 0, wanted = 0;
    const char *table;
    for (char *sql; (sql = store_table(wanted, &table)); wanted++)
        sqlite3_free(sql);
    enum rl_status status = store_prepare(
        store, "SELECT type, name, ifnull(sql, '') FROM sqlite_master WHERE sql IS NOT NULL", &rows,
        error);
    while (store_next(store, rows, &status, error)) {
        const char *type = (const char *)sqlite3_column_text(rows, 0);
        const char *name = (const char *)sqlite3_column_text(rows, 1);
        const char *sql = (const char *)sqlite3_column_text(rows, 2);
        bool known = false;
        char *expected = type && name ? expected_sql(type, name, &known) : NULL;
        if (!known)
            status = say_foreign(store, type ? type : "thing", name ? name : "",
                                 "belongs to no study", error);
        else if (expected && (!sql || strcmp(sql, expected) != 0))
            status = say_foreign(store, type, name, "is not as studies have it", error);
        count += expected != NULL;
        sqlite3_free(expected);
    }
    sqlite3_finalize(rows);
    if (!status && count < wanted)
        status = store_say_damaged(store, "a table is missing", error);
    return status;
}

/* integrity_check looks at every page, at the order of rows, and at types; a study of a million
 * trials takes about a second. While there is a view, SQLite 3.40's does not tell of pages that
 * nothing leads to, which is what a lost branch of the trials looks like: so the view is dropped,
 * in a transaction that is not committed. Where that cannot be at once, it is done without:
 * somebody who writes now has checked the file. */
static enum rl_status check_pages(struct rl_store *store, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (store->mode == RL_STORE_WRITE || !store_is_locked(store->lock))
        execute_unless_busy(store, "BEGIN IMMEDIATE; DROP VIEW trials");
    enum rl_status status = store_prepare(store, "PRAGMA integrity_check(1)", &statement, error);
    if (store_next(store, statement, &status, error)) {
        const char *told = (const char *)sqlite3_column_text(statement, 0);
        if (!told || strcmp(told, "ok") != 0)
            status = store_say_damaged(store, NULL, error);
    }
    sqlite3_finalize(statement);
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static enum rl_status read_share(struct rl_store *store, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT share, shares FROM share", &statement, error);
    if (store_next(store, statement, &status, error)) {
        store->share = (uint64_t)sqlite3_column_int64(statement, 0) - 1;
        store->shares = (uint64_t)sqlite3_column_int64(statement, 1);
    }
    sqlite3_finalize(statement);
    if (!status && store->shares == 0)
        status = store_say_damaged(store, "its share is missing", error);
    return status;
}

/* ---- opening and closing ----------------------------------------------------------------------
 */

/* A name that does not begin with / or . could be one of SQLite's own, like :memory:. */
static void name_of(const struct rl_store *store, char name[STORE_NAME])
{
    snprintf(name, STORE_NAME, "%s%s", store->path[0] == '/' ? "" : "./", store->path);
}

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
static void reopen_unchangeable(struct rl_store *store)
{
    char name[STORE_NAME], address[3 * STORE_NAME + 32] = "file:";
    name_of(store, name);
    if (has_log(store))
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
    enum rl_status status = store_lock(store->path, store->mode, &store->lock, error);
    if (status)
        return status;
    if (sqlite3_open_v2(name, &store->database, flags, NULL))
        return store_explain(store, error);
    sqlite3_busy_handler(store->database, wait_for_others, store);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    const int code = sqlite3_exec(store->database, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL);
    if (!writes && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY))
        reopen_unchangeable(store);
    return store_execute(store, error, "PRAGMA trusted_schema=OFF; PRAGMA synchronous=FULL");
}

/* A study that was being written when it was copied, or whose program was killed, and the log of
 * which is not here. */
static enum rl_status look_for_log(struct rl_store *store, bool logged, struct rl_error *error)
{
    sqlite3_int64 ended = 1;
    const enum rl_status status =
        read_integer(store, "SELECT ended FROM session ORDER BY id DESC LIMIT 1", &ended, error);
    const bool alive = store->mode == RL_STORE_READ && store_is_locked(store->lock);
    store->interrupted = !ended && !logged && !alive;
    /* With its log it is whole; that is told apart from a copy without one from now on. */
    if (!status && !ended && logged && !alive)
        execute_unless_busy(store, "UPDATE session SET ended = 1 WHERE ended = 0");
    return status;
}

static enum rl_status open_file(struct rl_store *store, struct rl_error *error)
{
    sqlite3_int64 tables = 0;
    const bool logged = has_log(store);
    enum rl_status status = open_database(store, error);
    if (!status)
        status = read_integer(store, "SELECT count(*) FROM sqlite_master", &tables, error);
    /* What was killed before its first commit has been rolled back to nothing. */
    if (!status && tables == 0 && store->mode == RL_STORE_WRITE)
        return RL_OK;
    store->born = true;
    if (!status)
        status = check_identity(store, error);
    if (!status)
        status = check_schema(store, error);
    if (!status)
        status = check_pages(store, error);
    if (!status)
        status = check_stream(store, error);
    if (!status)
        status = read_share(store, error);
    if (!status)
        status = look_for_log(store, logged, error);
    if (!status)
        status = store_recall_own(store, error);
    if (!status && store->mode == RL_STORE_WRITE)
        begin_log(store);
    return status;
}

enum rl_status rl_store_open(struct rl_store **store_out, const char *path, enum rl_store_mode mode,
                             struct rl_error *error)
{
    assert(path && "a study has a path");
    struct stat about;
    struct rl_store *store = *store_out = calloc(1, sizeof *store);
    if (!store)
        return RL_NO_MEMORY;
    store->mode = mode;
    store->lock = -1;
    if (strlen(path) >= sizeof store->path)
        return rl_error_set(error, RL_BAD_STUDY, "the path of the database is too long");
    strcpy(store->path, path);
    store->absent = stat(path, &about) != 0;
    const bool nothing = store->absent || (S_ISREG(about.st_mode) && about.st_size == 0);
    return nothing && mode == RL_STORE_WRITE ? RL_OK : open_file(store, error);
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
    store_unlock(store->lock);
    free(store);
}

bool rl_store_is_new(const struct rl_store *store)
{
    return !store->born;
}

bool rl_store_was_interrupted(const struct rl_store *store)
{
    return store->interrupted;
}

/* ---- transactions -----------------------------------------------------------------------------
 */

static enum rl_status create_tables(struct rl_store *store, struct rl_error *error)
{
    enum rl_status status =
        store_execute(store, error, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                      APPLICATION_ID, RL_STORE_SCHEMA);
    const char *name;
    char *sql;
    for (size_t i = 0; !status && (sql = store_table(i, &name)); i++) {
        status = store_execute(store, error, "%s", sql);
        sqlite3_free(sql);
    }
    return status;
}

enum rl_status rl_store_begin(struct rl_store *store, struct rl_error *error)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    if (store->in_transaction)
        return RL_OK;
    enum rl_status status = store->database ? RL_OK : open_database(store, error);
    if (!status)
        status = store_execute(store, error, "BEGIN IMMEDIATE");
    store->in_transaction = !status;
    if (status || store->born)
        return status;
    sqlite3_int64 tables = 0;
    status = read_integer(store, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (!status && tables > 0)
        return rl_error_set(error, RL_IO, "%s was made by another study meanwhile: try again",
                            store->path);
    return status ? status : create_tables(store, error);
}

enum rl_status rl_store_commit(struct rl_store *store, struct rl_error *error)
{
    assert(store->in_transaction && "there is nothing to be committed");
    enum rl_status status = RL_OK;
    if (!store->born) {
        store->shares = store->shares ? store->shares : 1;
        status = store_execute(store, error, "INSERT INTO share VALUES (%lld, %lld)",
                               (long long)store->share + 1, (long long)store->shares);
    }
    if (!status)
        status = store_execute(store, error, "COMMIT");
    if (status)
        return status;
    store->in_transaction = false;
    if (!store->born)
        begin_log(store);
    store->born = true;
    return RL_OK;
}

void store_give_up(struct rl_store *store)
{
    if (store->in_transaction)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    store->in_transaction = false;
}

enum rl_status store_finish(struct rl_store *store, enum rl_status status, struct rl_error *error)
{
    if (!status)
        status = rl_store_commit(store, error);
    if (status)
        store_give_up(store);
    return status;
}
