/* SPDX-License-Identifier: MIT
 *
 * The store: a study in a SQLite file. Opening it, checking it, and its transactions.
 *
 * Facts that shaped it (docs/decisions/040-store.md, 180-one-study.md):
 * - A write-ahead log, so that a reader who stays does not keep the writer waiting. A log needs
 *   shared memory, which the network file systems of clusters do not give: there it is a rollback
 *   journal. When nobody has it open it is one plain file.
 * - Full synchronisation: a commit that returned is on the disk. With ten commits a second the cost
 *   does not show.
 * - SQLite's locks protect a transaction. A lock of our own makes sure that a
 *   study has one writer (store_sqlite.c).
 * - A file comes into being with its first commit, which has tables, plan and points in it. Before
 *   that nothing is on the disk.
 * - A file may come from a stranger: its schema must be ours to the letter, and what SQLite's own
 *   check says of it must be "ok", before any row is read. SQLite keeps the very statements that
 *   made the tables; they are STRICT, so that its check finds values of other types and missing
 *   ones.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/store_sqlite.h"
#include "study/inside.h"

#define APPLICATION_ID "0x524c5354" /* "RLST" */
#define SCHEMA         "6"          /* raised when the tables change */

/* How long a program waits that somebody else keeps from writing. */
enum { PATIENCE_MILLISECONDS = 60000 };

/* What may be left undone if somebody else is writing. */
static void execute_unless_busy(struct rl_store *store, const char *sql)
{
    sqlite3_busy_timeout(store->database, 0);
    sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    sqlite3_busy_timeout(store->database, PATIENCE_MILLISECONDS);
}

/* ---- tables ---- */

static const char *const TABLES[] = {
    "plan (id INTEGER PRIMARY KEY, text TEXT NOT NULL, added TEXT NOT NULL,"
    " program_version TEXT NOT NULL) STRICT",
    "trial (point INTEGER NOT NULL REFERENCES point, trial INTEGER NOT NULL,"
    " reached INTEGER NOT NULL, steps INTEGER NOT NULL, hits TEXT NOT NULL, events INTEGER NOT "
    "NULL,"
    " leaders INTEGER NOT NULL, leader INTEGER, faults TEXT NOT NULL,"
    " stream_version INTEGER NOT NULL, program_version TEXT NOT NULL, wall_seconds REAL NOT NULL,"
    " curve TEXT, PRIMARY KEY (point, trial)) STRICT, WITHOUT ROWID",
    "own (protocol TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL, text TEXT NOT NULL,"
    " sheet TEXT NOT NULL) STRICT",
    "start (name TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL) STRICT",
    "share (share INTEGER NOT NULL, shares INTEGER NOT NULL, CHECK (share BETWEEN 1 AND shares))"
    " STRICT",
    "session (id INTEGER PRIMARY KEY, program_version TEXT NOT NULL, workers INTEGER NOT NULL,"
    " began TEXT NOT NULL, ended INTEGER NOT NULL) STRICT",
    "hunt (request TEXT NOT NULL, batch INTEGER NOT NULL, steps BLOB NOT NULL,"
    " PRIMARY KEY (request, batch)) STRICT, WITHOUT ROWID",
};

static const char *type_of(const struct rl_field *field)
{
    if (field->kind == RL_FIELD_N || field->kind == RL_FIELD_COUNT)
        return field->most == RL_NEVER ? "INTEGER" : "INTEGER NOT NULL";
    return field->kind == RL_FIELD_UNTIL_ERROR ? "REAL NOT NULL" : "TEXT NOT NULL";
}

/* In the database of this name; a point has a column for each field. */
static void make_tables(struct rl_store *store, const char *where)
{
    char columns[1024], *dash;
    struct rl_text text = rl_text_into(columns, sizeof columns);
    const struct rl_field *field;
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        rl_text_format(&text, ", %s %s", field->key, type_of(field));
    while ((dash = strchr(columns, '-')))
        *dash = '_';
    store_execute(store,
                  "CREATE TABLE %s.point (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE,"
                  " spelling TEXT NOT NULL%s, target TEXT NOT NULL) STRICT",
                  where, columns);
    for (size_t i = 0; i < sizeof TABLES / sizeof TABLES[0]; i++)
        store_execute(store, "CREATE TABLE %s.%s", where, TABLES[i]);
}

/* What makes the view: a column for each field of a point, then one for each parameter of the
 * protocols. One whose name is taken is parameter_NAME; SQL does not tell n from N. */
#define VIEW                                                                                       \
    "WITH field AS (SELECT name FROM pragma_table_info('point')"                                   \
    "  WHERE name NOT IN ('id', 'spec', 'spelling', 'target')),"                                   \
    " other (name) AS (SELECT name FROM pragma_table_info('trial') UNION"                          \
    "  VALUES ('target'), ('parallel_time'), ('curve_values')),"                                   \
    " parameter AS (SELECT key FROM (SELECT min(id) AS first, parameters FROM point"               \
    "   GROUP BY protocol), json_each(parameters) GROUP BY key ORDER BY min(first), "              \
    "min(json_each.id))"                                                                           \
    " SELECT 'CREATE VIEW trials AS SELECT ' ||"                                                   \
    "  (SELECT group_concat('point.' || name, ', ') FROM field) ||"                                \
    "  ifnull((SELECT group_concat(', parameters->>' || quote(key) || ' AS \"' || iif(EXISTS"      \
    "    (SELECT 1 FROM (SELECT name FROM field UNION SELECT name FROM other)"                     \
    "     WHERE name = key COLLATE NOCASE), 'parameter_', '') || key || '\"', '')"                 \
    "   FROM parameter), '') ||"                                                                   \
    "  ', target, trial.trial, reached, CASE WHEN reached THEN steps END AS steps,"                \
    " CASE WHEN reached THEN steps * 1.0 / n END AS parallel_time, hits, events, leaders,"         \
    " leader, faults, stream_version, program_version, wall_seconds, trial.point,"                 \
    " trial.curve AS curve_values"                                                                 \
    " FROM trial JOIN point ON point.id = trial.point'"

void store_make_view(struct rl_store *store)
{
    sqlite3_stmt *row = store_ask(store, VIEW, NULL);
    if (store_next(store, row))
        store_execute(store, "DROP VIEW IF EXISTS trials; %s", store_text(row, 0));
    sqlite3_finalize(row);
}

/* ---- what is in the file ---- */

/* Asks what is wrong with the file: a row is the answer, in words; with RL_IO it is damage. */
static void check(struct rl_store *store, enum rl_status code, const char *sql)
{
    sqlite3_stmt *row = store_ask(store, sql, NULL);
    const bool wrong = store_next(store, row);
    if (wrong && code == RL_IO)
        store_say_damaged(store, store_text(row, 0));
    else if (wrong)
        store_fail(store, code, "%s%s", store->path, store_text(row, 0));
    sqlite3_finalize(row);
}

/* Ours, and readable by this program? Then what SQLite says the file has is what we would make:
 * nothing more, nothing less, nothing else. The view is looked at when the points are known. */
static void check_schema(struct rl_store *store)
{
    check(store, RL_BAD_STUDY,
          "SELECT ' is a database of another program' FROM pragma_application_id"
          " WHERE application_id <> " APPLICATION_ID);
    check(store, RL_BAD_STUDY,
          "SELECT ' has schema version ' || user_version || ' and this program knows " SCHEMA
          ": it was made by another ringleader' FROM pragma_user_version"
          " WHERE user_version <> " SCHEMA);
    store_execute(store, "ATTACH ':memory:' AS ours");
    make_tables(store, "ours");
    check(
        store, RL_BAD_STUDY,
        "SELECT ': its ' || ifnull(type, 'thing') || ' ''' || ifnull(name, '') || ''' ' || iif(name"
        "  IN (SELECT name FROM ours.sqlite_master), 'is not that of a study',"
        "  'does not belong to a study') FROM (SELECT type, name, sql FROM main.sqlite_master"
        "  EXCEPT SELECT type, name, sql FROM ours.sqlite_master) WHERE (type, name) IS NOT"
        "  ('view', 'trials')");
    check(store, RL_IO,
          "SELECT 'a table is missing' FROM (SELECT name FROM ours.sqlite_master EXCEPT"
          " SELECT name FROM main.sqlite_master)");
    store_execute(store, "DETACH ours");
}

/* integrity_check looks at every page, at the order of rows, and at types; a study of a million
 * trials takes about a second. While there is a view, SQLite 3.40's does not tell of pages that
 * nothing leads to, which is what a lost branch of the trials looks like: so the view is dropped,
 * in a transaction that is not committed. Where that cannot be at once, it is done without:
 * somebody who writes now has checked the file. */
static void check_pages(struct rl_store *store)
{
    if (store->mode == RL_STORE_WRITE || !store_is_locked(store))
        execute_unless_busy(store, "BEGIN IMMEDIATE; DROP VIEW trials");
    check(store, RL_IO, "SELECT '' FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
}

/* Trials of another stream version cannot go on. One row of another version among ours is damage,
 * for rl_store_trials to drop. */
static void check_stream(struct rl_store *store)
{
    char sql[400];
    snprintf(sql, sizeof sql,
             "SELECT ' was made with random streams of version ' || stream_version || ' and this"
             " program has version %d; its trials cannot be mixed: begin a new file' FROM trial"
             " WHERE NOT EXISTS (SELECT 1 FROM trial WHERE stream_version = %d) LIMIT 1",
             RL_STREAM_VERSION, RL_STREAM_VERSION);
    check(store, RL_BAD_STUDY, sql);
}

void store_read_share(struct rl_store *store)
{
    store->share = (uint64_t)store_number(store, "SELECT share - 1 FROM share");
    store->shares = (uint64_t)store_number(store, "SELECT shares FROM share");
    if (store->shares == 0)
        store_say_damaged(store, "its share is missing");
}

/* ---- opening and closing ---- */

static bool has_log(const struct rl_store *store)
{
    char log[STORE_PATH + 4];
    snprintf(log, sizeof log, "%s-wal", store->path);
    return access(log, F_OK) == 0;
}

/* The log, where it is possible; if a reader who does not know of it is in the way, without. */
static void begin_log(struct rl_store *store)
{
    if (store_is_local(store))
        execute_unless_busy(store, "PRAGMA journal_mode=WAL");
}

static void open_database(struct rl_store *store)
{
    /* Reading opens for writing too, where allowed: what kill -9 left must be undone or done. */
    const bool writes = store->mode == RL_STORE_WRITE;
    const int flags = SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
    store_lock(store);
    if (store->status)
        return;
    if (store_connect(store->path, flags, "", &store->database)) {
        store_explain(store);
        return;
    }
    sqlite3_busy_timeout(store->database, PATIENCE_MILLISECONDS);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    const int code = sqlite3_exec(store->database, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL);
    /* In a directory that cannot be written to there is no place for the log's shared memory.
     * Without a log it is not needed, if one says that nobody is going to write. */
    if (!writes && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !has_log(store)) {
        sqlite3_close(store->database);
        store_connect(store->path, flags, "?immutable=1", &store->database);
    }
    store_execute(store, "PRAGMA trusted_schema=OFF; PRAGMA synchronous=FULL");
}

/* A study that was being written when it was copied, or whose program was killed, and the log of
 * which is not here. */
static void look_for_log(struct rl_store *store, bool logged)
{
    const bool ended = store_number(
        store, "SELECT ifnull((SELECT ended FROM session ORDER BY id DESC LIMIT 1), 1)");
    const bool alive = store->mode == RL_STORE_READ && store_is_locked(store);
    store->interrupted = !ended && !logged && !alive;
    /* With its log it is whole; that is told apart from a copy without one from now on. */
    if (!store->status && !ended && logged && !alive)
        execute_unless_busy(store, "UPDATE session SET ended = 1 WHERE ended = 0");
}

static void open_file(struct rl_store *store)
{
    const bool logged = has_log(store);
    open_database(store);
    const sqlite3_int64 tables = store_number(store, "SELECT count(*) FROM sqlite_master");
    /* What was killed before its first commit has been rolled back to nothing. */
    if (!store->status && tables == 0 && store->mode == RL_STORE_WRITE)
        return;
    store->born = true;
    check_schema(store);
    if (!store->status)
        check_pages(store);
    check_stream(store);
    store_read_share(store);
    if (!store->status)
        look_for_log(store, logged);
    store_recall_own(store, store);
    store_read_points(store);
    check(store, RL_BAD_STUDY,
          "SELECT ': its view ''trials'' is not that of a study' WHERE (" VIEW ") IS NOT"
          " (SELECT sql FROM sqlite_master WHERE (type, name) = ('view', 'trials'))");
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
    store_enter(store, NULL);
    if (store->in_transaction)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    if (store->session)
        store_check_place(store);
    if (store->session && !store->status)
        execute_unless_busy(store, "UPDATE session SET ended = 1 WHERE ended = 0");
    sqlite3_finalize(store->insert);
    sqlite3_finalize(store->same);
    sqlite3_close(store->database);
    /* A file that has not come into being is not left behind. */
    if (store->absent && !store->born && store->lock >= 0)
        unlink(store->path);
    if (store->lock >= 0)
        close(store->lock);
    rl_plan_free(&store->plan);
    free(store);
}

const struct rl_plan *rl_store_points(const struct rl_store *store)
{
    return &store->plan;
}

/* ---- transactions ---- */

void store_begin(struct rl_store *store)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    if (store->in_transaction || store->status)
        return;
    if (!store->database)
        open_database(store);
    store_check_place(store);
    store_execute(store, "BEGIN IMMEDIATE");
    store->in_transaction = !store->status;
    if (store->status || store->born)
        return;
    if (store_number(store, "SELECT count(*) FROM sqlite_master") > 0)
        store_fail(store, RL_IO, "another study has just created %s: try again", store->path);
    store_execute(store, "PRAGMA application_id=" APPLICATION_ID "; PRAGMA user_version=" SCHEMA);
    make_tables(store, "main");
    store_make_view(store);
}

enum rl_status store_commit(struct rl_store *store)
{
    assert((store->in_transaction || store->status) && "there is nothing to be committed");
    store->shares = store->shares ? store->shares : 1;
    if (!store->born)
        store_execute(store, "INSERT INTO share VALUES (%lld, %lld)", (long long)store->share + 1,
                      (long long)store->shares);
    store_execute(store, "COMMIT");
    if (store->status && store->in_transaction)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    store->in_transaction = false;
    if (!store->status && !store->born)
        begin_log(store);
    store->born = store->born || !store->status;
    return store->status;
}
