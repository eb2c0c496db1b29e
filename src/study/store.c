/* SPDX-License-Identifier: MIT
 *
 * The store: a study in a SQLite file. The only file that includes sqlite3.h.
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
#include "ringleader/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "study/store_parts.h"

enum { APPLICATION_ID = 0x524c5354 /* "RLST" */, PATIENCE_MS = 20000 };

struct rl_store {
    sqlite3 *database;
    sqlite3_stmt *insert;
    int lock; /* file that carries the writer's lock, or -1 */
    sqlite3_int64 session;
    char path[512];
};

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

/* ---- failures ---------------------------------------------------------------------------------
 */

static enum rl_status say_damaged(const struct rl_store *store, struct rl_error *error)
{
    return rl_error_set(error, RL_IO,
                        "%s is damaged; save what can be read and do the rest again by: "
                        "ringleader study --salvage %s --db NEW.db",
                        store->path, store->path);
}

static enum rl_status explain(struct rl_store *store, struct rl_error *error)
{
    const int code = sqlite3_errcode(store->database) & 0xff;
    const char *path = store->path;
    if (error)
        error->line = error->column = 0;
    switch (code) {
    case SQLITE_CORRUPT:
        return say_damaged(store, error);
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

static enum rl_status execute(struct rl_store *store, const char *sql, struct rl_error *error)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) ? explain(store, error) : RL_OK;
}

static enum rl_status prepare(struct rl_store *store, const char *sql, sqlite3_stmt **out,
                              struct rl_error *error)
{
    return sqlite3_prepare_v2(store->database, sql, -1, out, NULL) ? explain(store, error) : RL_OK;
}

/* Runs a statement that returns nothing and makes it ready for the next time. */
static enum rl_status run_once(struct rl_store *store, sqlite3_stmt *statement,
                               struct rl_error *error)
{
    const enum rl_status status =
        sqlite3_step(statement) == SQLITE_DONE ? RL_OK : explain(store, error);
    sqlite3_reset(statement);
    return status;
}

/* Ends a transaction well or badly. */
static enum rl_status finish(struct rl_store *store, enum rl_status status, struct rl_error *error)
{
    if (!status)
        status = execute(store, "COMMIT", error);
    if (status)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static enum rl_status read_integer(struct rl_store *store, const char *sql, sqlite3_int64 *out,
                                   struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = prepare(store, sql, &statement, error);
    if (!status && sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else if (!status)
        status = explain(store, error);
    sqlite3_finalize(statement);
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static enum rl_status create_tables(struct rl_store *store, struct rl_error *error)
{
    char ids[128];
    snprintf(ids, sizeof ids, "PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION_ID,
             RL_STORE_SCHEMA);
    enum rl_status status = execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    status = execute(store, SCHEMA, error);
    if (!status)
        status = execute(store, ids, error);
    return finish(store, status, error);
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
                            "%s has schema version %u and this program knows up to %u: it was "
                            "made by a newer ringleader",
                            store->path, (uint64_t)schema, (uint64_t)RL_STORE_SCHEMA);
    if (!status)
        status =
            read_integer(store, "SELECT ifnull(max(stream_version), 0) FROM trial", &stream, error);
    if (!status && stream != 0 && stream != RL_STREAM_VERSION)
        return rl_error_set(error, RL_BAD_STUDY,
                            "%s was made with random streams of version %u and this program has "
                            "version %u; its trials cannot be mixed: begin a new file",
                            store->path, (uint64_t)stream, (uint64_t)RL_STREAM_VERSION);
    return status;
}

/* quick_check looks at every page; a study of a million trials takes about a second. */
static enum rl_status check_pages(struct rl_store *store, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = prepare(store, "PRAGMA quick_check(1)", &statement, error);
    if (!status && sqlite3_step(statement) == SQLITE_ROW) {
        if (strcmp((const char *)sqlite3_column_text(statement, 0), "ok") != 0)
            status = say_damaged(store, error);
    } else if (!status) {
        status = explain(store, error);
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
        return explain(store, error);
    sqlite3_busy_timeout(store->database, PATIENCE_MS);
    return execute(store, "PRAGMA synchronous=FULL; PRAGMA journal_mode=DELETE;", error);
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

/* ---- plans and points -------------------------------------------------------------------------
 */

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

/* A count, or NULL for RL_NEVER. */
static void bind_count(sqlite3_stmt *statement, int place, uint64_t count)
{
    if (count == RL_NEVER)
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_int64(statement, place, (sqlite3_int64)count);
}

static void bind_parameters(sqlite3_stmt *statement, int place, const struct rl_point *point)
{
    char json[STORE_JSON];
    struct rl_text text = rl_text_into(json, sizeof json);
    store_print_parameters(point, &text);
    bind_text(statement, place, json);
}

static void bind_point(sqlite3_stmt *statement, const struct rl_point *point)
{
    char line[RL_PLAN_LINE];
    struct rl_text text = rl_text_into(line, sizeof line);
    rl_plan_print_point(point, &text);
    bind_text(statement, 1, line);
    bind_text(statement, 2, point->protocol->name);
    sqlite3_bind_int64(statement, 3, point->params.n);
    bind_parameters(statement, 4, point);
    bind_text(statement, 5, point->start);
    bind_text(statement, 6, rl_engine_name(point->engine));
    bind_count(statement, 7, point->seed);
    text = rl_text_into(line, sizeof line);
    rl_plan_print_faults(point, &text);
    bind_text(statement, 8, line);
    bind_count(statement, 9, point->max_steps);
    bind_text(statement, 10, point->protocol->sets[point->protocol->target].name);
    bind_count(statement, 11, point->trials);
    sqlite3_bind_double(statement, 12, point->until_error);
    bind_text(statement, 13, point->claim);
}

static enum rl_status add_points(struct rl_store *store, const struct rl_plan *plan,
                                 struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        prepare(store,
                "INSERT INTO point (spec, protocol, n, parameters, start, engine, seed, fault,"
                "  max_steps, target, trials, until_error, claim)"
                " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (spec) DO UPDATE SET"
                "  trials = max(trials, excluded.trials),"
                "  until_error = min(until_error, excluded.until_error)",
                &statement, error);
    for (size_t i = 0; i < plan->count && !status; i++) {
        bind_point(statement, &plan->points[i]);
        status = run_once(store, statement, error);
    }
    sqlite3_finalize(statement);
    return status;
}

enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                 const struct rl_plan *plan, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    status =
        prepare(store, "INSERT INTO plan (text, added, program_version) VALUES (?, datetime(), ?)",
                &statement, error);
    if (!status) {
        bind_text(statement, 1, text);
        bind_text(statement, 2, RL_VERSION);
        status = run_once(store, statement, error);
    }
    sqlite3_finalize(statement);
    if (!status)
        status = add_points(store, plan, error);
    return finish(store, status, error);
}

enum rl_status rl_store_plans(struct rl_store *store, bool (*visit)(void *user, const char *text),
                              void *user, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = prepare(store, "SELECT text FROM plan ORDER BY id", &statement, error);
    int step = SQLITE_DONE;
    while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW)
        if (!visit(user, (const char *)sqlite3_column_text(statement, 0)))
            break;
    if (!status && step != SQLITE_ROW && step != SQLITE_DONE)
        status = explain(store, error);
    sqlite3_finalize(statement);
    return status;
}

/* The point of a row: its spec is a plan of one point. */
static enum rl_status read_point(sqlite3_stmt *statement, struct rl_plan *plan,
                                 struct rl_error *error)
{
    const char *spec = (const char *)sqlite3_column_text(statement, 0);
    struct rl_plan one;
    size_t index;
    if ((size_t)sqlite3_column_int64(statement, 4) != plan->count + 1)
        return rl_error_set(error, RL_IO, "the list of points is damaged: one is missing");
    enum rl_status status = rl_plan_parse(&one, spec, strlen(spec), RL_PLAN_STRICT, error);
    if (!status) {
        struct rl_point *point = &one.points[0];
        point->trials = (uint64_t)sqlite3_column_int64(statement, 1);
        point->until_error = sqlite3_column_double(statement, 2);
        snprintf(point->claim, sizeof point->claim, "%s",
                 (const char *)sqlite3_column_text(statement, 3));
        status = rl_plan_add(plan, point, &index);
    }
    rl_plan_free(&one);
    return status;
}

enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                               struct rl_error *error)
{
    *plan_out = (struct rl_plan){0};
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        prepare(store, "SELECT spec, trials, until_error, claim, id FROM point ORDER BY id",
                &statement, error);
    int step = SQLITE_DONE;
    while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW)
        status = read_point(statement, plan_out, error);
    if (!status && step != SQLITE_DONE)
        status = explain(store, error);
    sqlite3_finalize(statement);
    return status;
}

/* ---- trials -----------------------------------------------------------------------------------
 */

static void bind_hits(sqlite3_stmt *statement, int place, const struct rl_protocol *protocol,
                      const struct rl_trial *trial)
{
    char json[STORE_JSON];
    struct rl_text text = rl_text_into(json, sizeof json);
    store_print_hits(protocol, trial, &text);
    bind_text(statement, place, json);
}

static void bind_faults(sqlite3_stmt *statement, int place, const struct rl_trial *trial)
{
    char json[STORE_JSON];
    struct rl_text text = rl_text_into(json, sizeof json);
    store_print_trial_faults(trial, &text);
    bind_text(statement, place, json);
}

static void bind_trial(sqlite3_stmt *statement, const struct rl_point *point,
                       const struct rl_trial *trial)
{
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)trial->point + 1);
    bind_count(statement, 2, trial->trial);
    sqlite3_bind_int(statement, 3, rl_trial_reached(point, trial));
    bind_count(statement, 4, trial->steps);
    bind_hits(statement, 5, point->protocol, trial);
    bind_count(statement, 6, trial->events);
    sqlite3_bind_int64(statement, 7, trial->leaders);
    bind_count(statement, 8, trial->leaders == 1 ? trial->leader : RL_NEVER);
    bind_faults(statement, 9, trial);
    sqlite3_bind_int(statement, 10, RL_STREAM_VERSION);
    bind_text(statement, 11, RL_VERSION);
    sqlite3_bind_double(statement, 12, trial->wall_seconds);
}

static enum rl_status update_session(struct rl_store *store, size_t count, struct rl_error *error)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "UPDATE session SET wrote = strftime('%%Y-%%m-%%d %%H:%%M:%%f'), trials = trials + %zu"
             " WHERE id = %lld",
             count, (long long)store->session);
    return execute(store, sql, error);
}

enum rl_status rl_store_write(struct rl_store *store, const struct rl_plan *plan,
                              const struct rl_trial *trials, size_t count, struct rl_error *error)
{
    enum rl_status status = RL_OK;
    if (!store->insert)
        status = prepare(store, "INSERT OR IGNORE INTO trial VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                         &store->insert, error);
    if (!status)
        status = execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    for (size_t i = 0; i < count && !status; i++) {
        bind_trial(store->insert, &plan->points[trials[i].point], &trials[i]);
        status = run_once(store, store->insert, error);
    }
    if (!status && store->session)
        status = update_session(store, count, error);
    return finish(store, status, error);
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
    enum rl_status status =
        prepare(store,
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
        status = explain(store, error);
    sqlite3_finalize(statement);
    return status;
}

/* ---- salvage ----------------------------------------------------------------------------------
 */

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
    enum rl_status status = prepare(store, sql, &to, error);
    while (!status && (step = sqlite3_step(from)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++)
            sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
        status = run_once(store, to, error);
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
    enum rl_status status = execute(store, "BEGIN IMMEDIATE", error);
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
    return finish(store, status, error);
}

/* ---- sessions ---------------------------------------------------------------------------------
 */

enum rl_status rl_store_begin_session(struct rl_store *store, uint64_t workers,
                                      struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        prepare(store,
                "INSERT INTO session (program_version, workers, began, wrote, trials) VALUES (?, ?,"
                " strftime('%Y-%m-%d %H:%M:%f'), strftime('%Y-%m-%d %H:%M:%f'), 0)",
                &statement, error);
    if (!status) {
        bind_text(statement, 1, RL_VERSION);
        bind_count(statement, 2, workers);
        status = run_once(store, statement, error);
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
    enum rl_status status = prepare(store,
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
