/* SPDX-License-Identifier: MIT
 *
 * The points of a study. A point's row has its spec, a plan of one point, from which it is read
 * again; the other columns are there for people who ask SQLite, and to tell a damaged spec.
 */
#include <stdio.h>
#include <string.h>

#include "study/json.h"
#include "study/store_sqlite.h"

/* ---- writing ----------------------------------------------------------------------------------
 */

static struct store_json parameters_of(const struct rl_point *point)
{
    struct store_json out = {.text = ""};
    struct rl_text text = rl_text_into(out.text, sizeof out.text);
    struct rl_json json = {.text = &text};
    rl_json_open(&json, NULL, '{');
    rl_json_parameters(&json, point->protocol, &point->params);
    rl_json_close(&json, '}');
    return out;
}

static void bind_point(sqlite3_stmt *statement, const struct rl_point *point)
{
    store_bind_text(statement, 1, rl_plan_line(point).text);
    store_bind_text(statement, 2, point->protocol->name);
    sqlite3_bind_int64(statement, 3, point->params.n);
    store_bind_text(statement, 4, parameters_of(point).text);
    store_bind_text(statement, 5, point->start);
    store_bind_text(statement, 6, rl_engine_name(point->engine));
    store_bind_count(statement, 7, point->seed);
    store_bind_text(statement, 8, rl_plan_faults(point).text);
    store_bind_count(statement, 9, point->max_steps);
    store_bind_text(statement, 10, point->protocol->sets[point->protocol->target].name);
    store_bind_count(statement, 11, point->trials);
    sqlite3_bind_double(statement, 12, point->until_error);
    store_bind_text(statement, 13, point->claim);
}

enum rl_status store_add_points(struct rl_store *store, const struct rl_plan *plan,
                                struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = store_prepare(
        store,
        "INSERT INTO point (spec, protocol, n, parameters, start, engine, seed, fault,"
        "  max_steps, target, trials, until_error, claim)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (spec) DO UPDATE SET"
        "  trials = max(trials, excluded.trials),"
        "  until_error = min(until_error, excluded.until_error)",
        &statement, error);
    for (size_t i = 0; i < plan->count && !status; i++) {
        bind_point(statement, &plan->points[i]);
        status = store_run_once(store, statement, error);
    }
    sqlite3_finalize(statement);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static bool is_text(sqlite3_stmt *row, int column, const char *text)
{
    return sqlite3_column_type(row, column) == SQLITE_TEXT &&
           strcmp((const char *)sqlite3_column_text(row, column), text) == 0;
}

static bool is_count(sqlite3_stmt *row, int column, uint64_t count)
{
    if (count == RL_NEVER)
        return sqlite3_column_type(row, column) == SQLITE_NULL;
    return sqlite3_column_type(row, column) == SQLITE_INTEGER &&
           sqlite3_column_int64(row, column) == (sqlite3_int64)count;
}

/* Whether the columns that are there for people say what the spec says. */
static bool agrees(sqlite3_stmt *row, const struct rl_point *point)
{
    return is_text(row, 2, point->protocol->name) && is_count(row, 3, point->params.n) &&
           is_text(row, 4, parameters_of(point).text) && is_text(row, 5, point->start) &&
           is_text(row, 6, rl_engine_name(point->engine)) && is_count(row, 7, point->seed) &&
           is_text(row, 8, rl_plan_faults(point).text) && is_count(row, 9, point->max_steps) &&
           is_text(row, 10, point->protocol->sets[point->protocol->target].name);
}

/* What a point has besides its identity. */
static bool read_rest(sqlite3_stmt *row, struct rl_point *point)
{
    const sqlite3_int64 trials = sqlite3_column_int64(row, 11);
    point->trials = (uint64_t)trials;
    point->until_error = sqlite3_column_double(row, 12);
    if (sqlite3_column_type(row, 13) != SQLITE_TEXT)
        return false;
    snprintf(point->claim, sizeof point->claim, "%s", (const char *)sqlite3_column_text(row, 13));
    return trials >= 1 && trials <= UINT32_MAX && point->until_error >= 0 && point->until_error < 1;
}

enum rl_status store_read_point(sqlite3_stmt *row, struct rl_point *point_out,
                                struct rl_error *error)
{
    struct rl_plan one = {0};
    const char *spec = (const char *)sqlite3_column_text(row, 1);
    enum rl_status status = spec ? RL_OK : RL_BAD_STUDY;
    if (!status)
        status = rl_plan_parse(&one, spec, strlen(spec), RL_PLAN_STRICT, error);
    if (!status &&
        (one.count != 1 || !agrees(row, &one.points[0]) || !read_rest(row, &one.points[0])))
        status = rl_error_set(error, RL_BAD_STUDY, "its columns say other things than its spec");
    if (!status)
        *point_out = one.points[0];
    rl_plan_free(&one);
    return status;
}

static enum rl_status say_point_is_damaged(const struct rl_store *store, uint64_t id,
                                           enum rl_status status, struct rl_error *error)
{
    char why[sizeof error->text];
    if (!error || status == RL_NO_MEMORY)
        return status;
    snprintf(why, sizeof why, "%s", error->text);
    error->line = error->column = 0;
    return rl_error_set(error, RL_IO,
                        "%s is damaged (point %llu: %s); save the rest by: ringleader study "
                        "--salvage %s --db NEW.db",
                        store->path, (unsigned long long)id, why, store->path);
}

static enum rl_status store_points(struct rl_store *store, struct rl_plan *plan_out,
                                   struct rl_error *error)
{
    *plan_out = (struct rl_plan){0};
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT * FROM point ORDER BY id", &statement, error);
    while (store_next(store, statement, &status, error)) {
        struct rl_point point;
        size_t index = 0;
        status = store_read_point(statement, &point, error);
        if (!status)
            status = rl_plan_add(plan_out, &point, &index);
        const sqlite3_int64 id = sqlite3_column_int64(statement, 0);
        if (!status && (id != (sqlite3_int64)plan_out->count || index + 1 != plan_out->count))
            status = rl_error_set(error, RL_BAD_STUDY, "its number is wrong");
        if (status)
            status = say_point_is_damaged(store, (uint64_t)id, status, error);
    }
    sqlite3_finalize(statement);
    return status;
}

/* ---- points and plans -------------------------------------------------------------------------
 */

/* The points of all plans in the file, up to the first that could not be read. */
struct replayed {
    struct rl_plan plan;
    enum rl_status status;
};

static bool replay_next(void *user, const char *text)
{
    struct replayed *replayed = user;
    return !(replayed->status = store_replay(&replayed->plan, text));
}

/* A point has as many trials as the plans ask for. (Plans that this program cannot read, being
 * older or newer, ask for nothing here.) */
static enum rl_status check_points(struct rl_store *store, const struct rl_plan *plan,
                                   struct rl_error *error)
{
    struct replayed all = {.status = RL_OK};
    enum rl_status status = rl_store_plans(store, replay_next, &all, error);
    if (!status && all.status == RL_NO_MEMORY)
        status = RL_NO_MEMORY;
    for (size_t i = 0; i < plan->count && !status && !all.status; i++) {
        const struct rl_point *asked = rl_plan_find(&all.plan, &plan->points[i]);
        if (asked && asked->trials != plan->points[i].trials) {
            rl_error_set(error, RL_BAD_STUDY, "its plan asks for another number of trials");
            status = say_point_is_damaged(store, i + 1, RL_BAD_STUDY, error);
        }
    }
    rl_plan_free(&all.plan);
    return status;
}

enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                               struct rl_error *error)
{
    enum rl_status status = store_points(store, plan_out, error);
    if (!status)
        status = check_points(store, plan_out, error);
    return status;
}
