/* SPDX-License-Identifier: MIT
 *
 * The plans of a study and their points. A point's row has its spec, a plan of one point, from
 * which it is read again; the other columns are there for people who ask SQLite.
 */
#include <stdio.h>
#include <string.h>

#include "study/store_parts.h"
#include "study/store_sqlite.h"

static void bind_parameters(sqlite3_stmt *statement, int place, const struct rl_point *point)
{
    char json[STORE_JSON];
    struct rl_text text = rl_text_into(json, sizeof json);
    store_print_parameters(point, &text);
    store_bind_text(statement, place, json);
}

static void bind_spec(sqlite3_stmt *statement, int place, const struct rl_point *point)
{
    char line[RL_PLAN_LINE];
    struct rl_text text = rl_text_into(line, sizeof line);
    rl_plan_print_point(point, &text);
    store_bind_text(statement, place, line);
}

static void bind_point(sqlite3_stmt *statement, const struct rl_point *point)
{
    char line[RL_PLAN_LINE];
    struct rl_text text = rl_text_into(line, sizeof line);
    bind_spec(statement, 1, point);
    store_bind_text(statement, 2, point->protocol->name);
    sqlite3_bind_int64(statement, 3, point->params.n);
    bind_parameters(statement, 4, point);
    store_bind_text(statement, 5, point->start);
    store_bind_text(statement, 6, rl_engine_name(point->engine));
    store_bind_count(statement, 7, point->seed);
    rl_plan_print_faults(point, &text);
    store_bind_text(statement, 8, line);
    store_bind_count(statement, 9, point->max_steps);
    store_bind_text(statement, 10, point->protocol->sets[point->protocol->target].name);
    store_bind_count(statement, 11, point->trials);
    sqlite3_bind_double(statement, 12, point->until_error);
    store_bind_text(statement, 13, point->claim);
}

static enum rl_status add_points(struct rl_store *store, const struct rl_plan *plan,
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

enum rl_status rl_store_plans(struct rl_store *store, bool (*visit)(void *user, const char *text),
                              void *user, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT text FROM plan ORDER BY id", &statement, error);
    int step = SQLITE_DONE;
    while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW)
        if (!visit(user, (const char *)sqlite3_column_text(statement, 0)))
            break;
    if (!status && step != SQLITE_ROW && step != SQLITE_DONE)
        status = store_explain(store, error);
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
    enum rl_status status = rl_plan_parse(&one, spec, strlen(spec), RL_PLAN_STORED, error);
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

/* Version 0.1.0 wrote choices as numbers; a file that is written to gets their names. */
static enum rl_status rename_choices(struct rl_store *store, const struct rl_plan *plan,
                                     struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status = store_execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    status = store_prepare(
        store, "UPDATE point SET spec = ?1, parameters = ?2 WHERE id = ?3 AND spec <> ?1",
        &statement, error);
    for (size_t i = 0; i < plan->count && !status; i++) {
        bind_spec(statement, 1, &plan->points[i]);
        bind_parameters(statement, 2, &plan->points[i]);
        store_bind_count(statement, 3, i + 1);
        status = store_run_once(store, statement, error);
    }
    sqlite3_finalize(statement);
    return store_finish(store, status, error);
}

enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                               struct rl_error *error)
{
    *plan_out = (struct rl_plan){0};
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT spec, trials, until_error, claim, id FROM point ORDER BY id",
                      &statement, error);
    int step = SQLITE_DONE;
    while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW)
        status = read_point(statement, plan_out, error);
    if (!status && step != SQLITE_DONE)
        status = store_explain(store, error);
    sqlite3_finalize(statement);
    return status || store->lock < 0 ? status : rename_choices(store, plan_out, error);
}

enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                 const struct rl_plan *plan, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    struct rl_plan held;
    enum rl_status status = rl_store_points(store, &held, error); /* their specs are current now */
    rl_plan_free(&held);
    if (!status)
        status = store_execute(store, "BEGIN IMMEDIATE", error);
    if (status)
        return status;
    status = store_prepare(
        store, "INSERT INTO plan (text, added, program_version) VALUES (?, datetime(), ?)",
        &statement, error);
    if (!status) {
        store_bind_text(statement, 1, text);
        store_bind_text(statement, 2, rl_version());
        status = store_run_once(store, statement, error);
    }
    sqlite3_finalize(statement);
    if (!status)
        status = add_points(store, plan, error);
    return store_finish(store, status, error);
}
