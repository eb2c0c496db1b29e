/* SPDX-License-Identifier: MIT
 *
 * The trials of a study, and the sessions in which they were done.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ringleader/run.h"
#include "base/json.h"
#include "study/store_sqlite.h"
#include "study/inside.h"

/* ---- writing ---- */

static struct store_json hits_of(const struct rl_protocol *protocol, const struct rl_trial *trial)
{
    struct store_json out = {.text = ""};
    struct rl_text text = rl_text_into(out.text, sizeof out.text);
    rl_json_hits(&(struct rl_json){.text = &text}, NULL, protocol, trial->hits);
    return out;
}

static struct store_json faults_of(const struct rl_trial *trial)
{
    struct store_json out = {.text = ""};
    struct rl_text text = rl_text_into(out.text, sizeof out.text);
    struct rl_json json = {.text = &text};
    rl_json_open(&json, NULL, '[');
    for (size_t i = 0; i < trial->fault_count; i++)
        rl_json_fault(&json, trial->faults[i].step, trial->faults[i].agents,
                      trial->faults[i].recovered_after);
    rl_json_close(&json, ']');
    return out;
}

/* {"leaders":[9,7,...]}: what the gauge showed at each step of a curve; empty: there is none. */
static void print_curve(const struct rl_point *point, const struct rl_trial *trial,
                        struct rl_text *text)
{
    struct rl_json json = {.text = text};
    if (!point->curve[0] || !trial->curve_count)
        return;
    rl_json_open(&json, NULL, '{');
    rl_json_open(&json, point->curve, '[');
    for (size_t i = 0; i < trial->curve_count; i++)
        rl_json_count(&json, NULL, trial->curve[i]);
    rl_json_close(&json, ']');
    rl_json_close(&json, '}');
}

/* Every number has up to ten digits and a comma. */
enum { CURVE_TEXT = 11 * RL_CURVE_STEPS + RL_PLAN_NAME + 16 };

static void bind_trial(sqlite3_stmt *statement, const struct rl_point *point,
                       const struct rl_trial *trial)
{
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)trial->point + 1);
    store_bind_count(statement, 2, trial->trial);
    sqlite3_bind_int(statement, 3, rl_trial_reached(point, trial));
    store_bind_count(statement, 4, trial->steps);
    store_bind_text(statement, 5, hits_of(point->protocol, trial).text);
    store_bind_count(statement, 6, trial->events);
    sqlite3_bind_int64(statement, 7, trial->leaders);
    store_bind_count(statement, 8, trial->leaders == 1 ? trial->leader : RL_NEVER);
    store_bind_text(statement, 9, faults_of(trial).text);
    sqlite3_bind_int(statement, 10, RL_STREAM_VERSION);
    store_bind_text(statement, 11, rl_version());
    sqlite3_bind_double(statement, 12, trial->wall_seconds);
    char curve[CURVE_TEXT] = "";
    struct rl_text text = rl_text_into(curve, sizeof curve);
    print_curve(point, trial, &text);
    sqlite3_bind_null(statement, 13);
    if (curve[0])
        store_bind_text(statement, 13, curve);
}

void store_insert_trial(struct rl_store *store, const struct rl_plan *plan,
                        const struct rl_trial *trial)
{
    if (!store->insert)
        store->insert =
            store_ask(store,
                      "INSERT INTO trial VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO"
                      " UPDATE SET curve = excluded.curve WHERE steps = excluded.steps",
                      NULL);
    if (store->status)
        return;
    bind_trial(store->insert, &plan->points[trial->point], trial);
    store_run_once(store, store->insert);
}

enum rl_status rl_store_write(struct rl_store *store, const struct rl_plan *plan,
                              const struct rl_trial *trials, size_t count, struct rl_error *error)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    store_enter(store, error);
    /* With a log SQLite would go on writing to a file that nobody can find any more. */
    if (!store_is_in_place(store->lock, store->path))
        store_say_gone(store);
    store_begin(store);
    for (size_t i = 0; i < count; i++)
        store_insert_trial(store, plan, &trials[i]);
    if (store->session)
        store_execute(store,
                      "UPDATE session SET wrote = strftime('%%Y-%%m-%%d %%H:%%M:%%f'),"
                      "  trials = trials + %lld WHERE id = %lld",
                      (long long)count, (long long)store->session);
    return store_end(store);
}

/* ---- reading ---- */

/* A column that is a count of at most `most`. */
static bool read_count(sqlite3_stmt *row, int column, uint64_t most, uint64_t *out)
{
    const sqlite3_int64 value = sqlite3_column_int64(row, column);
    *out = (uint64_t)value;
    return sqlite3_column_type(row, column) == SQLITE_INTEGER && value >= 0 && *out <= most;
}

/* The numbers in a JSON text, in their order, RL_NEVER for null, and how many; more than `most` if
 * there are. SQLite reads it; what is no JSON has none. */
static size_t read_numbers(struct rl_store *store, const char *json, size_t most,
                           uint64_t *numbers_out)
{
    size_t count = 0;
    if (!store->numbers)
        store->numbers = store_ask(store,
                                   "SELECT atom FROM json_tree(CASE WHEN json_valid(?1) THEN ?1"
                                   " END) WHERE type NOT IN ('object', 'array')",
                                   NULL);
    store_bind_text(store->numbers, 1, json);
    for (; count <= most && store_next(store, store->numbers); count++)
        if (count < most)
            numbers_out[count] = sqlite3_column_type(store->numbers, 0) == SQLITE_NULL
                                     ? RL_NEVER
                                     : (uint64_t)sqlite3_column_int64(store->numbers, 0);
    sqlite3_reset(store->numbers);
    return count;
}

/* Hits and faults; false unless they are written as we write them. */
static bool read_texts(struct rl_store *store, sqlite3_stmt *row,
                       const struct rl_protocol *protocol, struct rl_trial *out)
{
    enum { OF_A_FAULT = 3, MOST = OF_A_FAULT * RL_PLAN_FAULTS };
    const char *hits = store_text(row, 4), *faults = store_text(row, 8);
    uint64_t numbers[MOST];
    rl_hits_forget(out->hits);
    if (read_numbers(store, hits, RL_MAX_SETS, out->hits) > RL_MAX_SETS)
        return false;
    const size_t count = read_numbers(store, faults, MOST, numbers);
    if (count > MOST || store->status)
        return false;
    out->fault_count = (uint32_t)(count / OF_A_FAULT);
    for (size_t i = 0; i < out->fault_count; i++)
        out->faults[i] = (struct rl_fault){.step = numbers[OF_A_FAULT * i],
                                           .agents = (uint32_t)numbers[OF_A_FAULT * i + 1],
                                           .recovered_after = numbers[OF_A_FAULT * i + 2]};
    return store_is_text(row, 4, hits_of(protocol, out).text) &&
           store_is_text(row, 8, faults_of(out).text);
}

/* That of another gauge than the point has by now is as good as none. */
static bool read_curve(struct rl_store *store, sqlite3_stmt *row, const struct rl_point *point,
                       struct rl_trial *out)
{
    const char *given = (const char *)sqlite3_column_text(row, 12);
    char curve[CURVE_TEXT] = "";
    struct rl_text text = rl_text_into(curve, sizeof curve);
    uint64_t values[RL_CURVE_STEPS];
    rl_text_format(&text, "{\"%s\":[", point->curve);
    if (!given || strncmp(given, curve, text.length) != 0)
        return true;
    const size_t count = read_numbers(store, given, RL_CURVE_STEPS, values);
    if (count > RL_CURVE_STEPS)
        return false;
    for (size_t i = 0; i < count; i++)
        out->curve[i] = (uint32_t)values[i];
    out->curve_count = (uint32_t)count;
    text = rl_text_into(curve, sizeof curve);
    print_curve(point, out, &text);
    return store_is_text(row, 12, curve);
}

bool store_read_trial(struct rl_store *store, sqlite3_stmt *row, const struct rl_point *point,
                      struct rl_trial *trial_out)
{
    uint64_t reached, leaders, leader = point->params.n, stream;
    *trial_out = (struct rl_trial){.wall_seconds = sqlite3_column_double(row, 11)};
    if (!read_count(row, 1, UINT32_MAX, &trial_out->trial) || !read_count(row, 2, 1, &reached) ||
        !read_count(row, 3, INT64_MAX, &trial_out->steps) ||
        !read_count(row, 5, INT64_MAX, &trial_out->events) ||
        !read_count(row, 6, UINT32_MAX, &leaders) ||
        !read_count(row, 9, RL_STREAM_VERSION, &stream) || stream != RL_STREAM_VERSION)
        return false;
    const bool alone = sqlite3_column_type(row, 7) != SQLITE_NULL;
    if (alone != (leaders == 1) || (alone && !read_count(row, 7, UINT32_MAX, &leader)))
        return false;
    trial_out->leaders = (uint32_t)leaders;
    trial_out->leader = (uint32_t)leader;
    trial_out->end = reached ? RL_REACHED : RL_LIMIT;
    return read_texts(store, row, point->protocol, trial_out) &&
           read_curve(store, row, point, trial_out) &&
           reached == rl_trial_reached(point, trial_out) &&
           sqlite3_column_type(row, 10) == SQLITE_TEXT &&
           sqlite3_column_type(row, 11) == SQLITE_FLOAT && rl_trial_possible(point, trial_out);
}

void store_trials(struct rl_store *store, const struct rl_plan *plan,
                  void (*visit)(void *user, const struct rl_trial *trial), void *user)
{
    store->dropped = 0;
    store_execute(store, "CREATE TEMP TABLE IF NOT EXISTS impossible (point, trial);"
                         "DELETE FROM impossible");
    sqlite3_stmt *row = store_ask(store, "SELECT * FROM trial ORDER BY point, trial", NULL);
    sqlite3_stmt *drop = store_ask(store, "INSERT INTO impossible VALUES (?, ?)", NULL);
    while (store_next(store, row)) {
        struct rl_trial trial;
        uint64_t id;
        if (read_count(row, 0, plan->count, &id) && id > 0 &&
            store_read_trial(store, row, &plan->points[id - 1], &trial)) {
            trial.point = (uint32_t)id - 1;
            visit(user, &trial);
            continue;
        }
        store->dropped++;
        sqlite3_bind_value(drop, 1, sqlite3_column_value(row, 0));
        sqlite3_bind_value(drop, 2, sqlite3_column_value(row, 1));
        store_run_once(store, drop);
    }
    sqlite3_finalize(row);
    sqlite3_finalize(drop);
    if (store->dropped > 0 && store->mode == RL_STORE_WRITE)
        store_execute(
            store,
            "DELETE FROM trial WHERE (point, trial) IN (SELECT point, trial FROM impossible)");
}

enum rl_status rl_store_trials(struct rl_store *store, const struct rl_plan *plan,
                               void (*visit)(void *user, const struct rl_trial *trial), void *user,
                               struct rl_error *error)
{
    store_enter(store, error);
    store_trials(store, plan, visit, user);
    return store->status;
}

uint64_t rl_store_dropped(const struct rl_store *store)
{
    return store->dropped;
}

/* ---- sessions ---- */

enum rl_status rl_store_begin_session(struct rl_store *store, uint64_t workers,
                                      struct rl_error *error)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    store_enter(store, error);
    store_execute(store,
                  "INSERT INTO session VALUES (NULL, %Q, %lld, strftime('%%Y-%%m-%%d %%H:%%M:%%f'),"
                  " strftime('%%Y-%%m-%%d %%H:%%M:%%f'), 0, 0)",
                  rl_version(), (long long)workers);
    store->session = sqlite3_last_insert_rowid(store->database);
    /* That somebody is at work stands in the file itself, for who copies it without its log. */
    sqlite3_exec(store->database, "PRAGMA wal_checkpoint(PASSIVE)", NULL, NULL, NULL);
    return store->status;
}

enum rl_status rl_store_last_session(struct rl_store *store, struct rl_store_session *session_out,
                                     struct rl_error *error)
{
    store_enter(store, error);
    *session_out = (struct rl_store_session){.alive = store_is_locked(store->lock)};
    sqlite3_stmt *row = store_ask(store,
                                  "SELECT workers, 86400 * (julianday() - julianday(began)),"
                                  "  86400 * (julianday() - julianday(wrote)), trials"
                                  " FROM session ORDER BY id DESC LIMIT 1",
                                  NULL);
    if (store_next(store, row)) {
        session_out->workers = (uint64_t)sqlite3_column_int64(row, 0);
        session_out->age = sqlite3_column_double(row, 1);
        session_out->idle = sqlite3_column_double(row, 2);
        session_out->written = (uint64_t)sqlite3_column_int64(row, 3);
    }
    sqlite3_finalize(row);
    return store->status;
}
