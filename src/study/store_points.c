/* SPDX-License-Identifier: MIT
 *
 * The plans and points of a study.
 *
 * A point's row has its identity (spec), the words of its plan (spelling), from which it is read
 * again, and a column for each field, for people who ask SQLite. The whole row must be the one that
 * we would write for what was read.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "study/inside.h"
#include "study/store_sqlite.h"

static const char START_NAMED[] = "SELECT text FROM start WHERE name = ?";

/* ---- rows ---- */

/* The parameters as JSON, so that SQL can ask for one; else what a plan says. */
static void bind_text(sqlite3_stmt *statement, int place, const struct rl_field *field,
                      const struct rl_point *point)
{
    char words[1024];
    struct rl_text text = rl_text_into(words, sizeof words);
    struct rl_json json = {.text = &text};
    if (field->kind == RL_FIELD_PARAMETERS) {
        rl_json_open(&json, NULL, '{');
        rl_json_parameters(&json, point->run.protocol, &point->run.params);
        rl_json_close(&json, '}');
    } else {
        rl_field_print(field, point, &text);
    }
    store_bind_text(statement, place, words);
}

/* All columns of a row. */
static void bind_point(sqlite3_stmt *statement, size_t id, const struct rl_point *point)
{
    const struct rl_field *field;
    int place = 0;
    store_bind_count(statement, ++place, id);
    store_bind_text(statement, ++place, rl_plan_line(point).text);
    store_bind_text(statement, ++place, plan_line_of(point, true, false).text);
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        if (field->kind == RL_FIELD_N)
            store_bind_count(statement, ++place, point->run.params.n);
        else if (field->kind == RL_FIELD_COUNT)
            store_bind_count(statement, ++place, rl_field_count(field, point));
        else if (field->kind == RL_FIELD_UNTIL_ERROR)
            sqlite3_bind_double(statement, ++place, point->until_error);
        else
            bind_text(statement, ++place, field, point);
    store_bind_text(statement, ++place,
                    point->run.protocol->sets[point->run.protocol->target].name);
}

/* "INSERT INTO point VALUES (?, ...)", or another statement about all columns of a row. */
static sqlite3_stmt *ask_of_row(struct rl_store *store, const char *before, const char *after)
{
    char sql[1024];
    struct rl_text text = rl_text_into(sql, sizeof sql);
    rl_text_format(&text, "%s(?, ?, ?, ", before);
    for (size_t i = 0; rl_field_at(i); i++)
        rl_text_string(&text, "?, ");
    rl_text_format(&text, "?)%s", after);
    return store_ask(store, sql, NULL);
}

/* A configuration that the study keeps. */
static enum rl_status find_start(void *user, const char *word, char **text_out,
                                 struct rl_error *error)
{
    struct rl_store *store = user;
    (void)error;
    sqlite3_stmt *row = store_ask(store, START_NAMED, word);
    if (store_next(store, row) && !(*text_out = strdup(store_text(row, 0))))
        store->status = RL_NO_MEMORY;
    sqlite3_finalize(row);
    return store->status;
}

bool store_read_point(struct rl_store *store, sqlite3_stmt *row, struct rl_plan *one_out,
                      struct rl_error *why_out)
{
    const struct rl_plan_resolver resolver = {.user = store, .start = find_start};
    const char *words = store_text(row, 1);
    const enum rl_status status = rl_plan_parse(one_out, words, strlen(words), &resolver, why_out);
    if (status == RL_NO_MEMORY)
        store->status = status;
    if (status)
        return false;
    one_out->points[0].until_error = sqlite3_column_double(row, 2);
    if (!store->same)
        store->same = ask_of_row(store, "VALUES ", " INTERSECT SELECT * FROM point WHERE id = ?1");
    bind_point(store->same, (size_t)sqlite3_column_int64(row, 0), &one_out->points[0]);
    const bool agrees = one_out->count == 1 && store_next(store, store->same);
    sqlite3_reset(store->same);
    if (!agrees)
        rl_error_set(why_out, RL_BAD_STUDY, "its columns contradict its spec");
    return agrees;
}

/* Adds a point to those of the store; which one it is, from 1. */
static size_t take_point(struct rl_store *store, const struct rl_point *point)
{
    size_t index = 0;
    if (!store->status && rl_plan_add(&store->plan, point, &index))
        store->status = RL_NO_MEMORY;
    return index + 1;
}

void store_read_points(struct rl_store *store)
{
    sqlite3_stmt *row = store_ask(store, STORE_POINTS, NULL);
    for (size_t id = 1; store_next(store, row); id++) {
        struct rl_plan one = {0};
        struct rl_error why = {0};
        char words[64 + sizeof why.text];
        if (id > RL_PLAN_POINTS)
            rl_error_set(&why, RL_BAD_STUDY, "there are too many");
        else if (store_read_point(store, row, &one, &why) &&
                 ((size_t)sqlite3_column_int64(row, 0) != id ||
                  take_point(store, &one.points[0]) != id))
            rl_error_set(&why, RL_BAD_STUDY, "its number is wrong");
        snprintf(words, sizeof words, "point %zu: %s", id, why.text);
        if (why.text[0])
            store_say_damaged(store, words);
        rl_plan_free(&one);
    }
    sqlite3_finalize(row);
}

/* ---- plans ---- */

/* The first point of a plan that another asks for otherwise, or not at all, as a line; "": none. */
static struct rl_plan_line first_other(const struct rl_plan *plan, const struct rl_plan *other)
{
    struct rl_plan_line line = {.text = ""};
    for (size_t i = 0; i < plan->count && !line.text[0]; i++) {
        const struct rl_point *found = rl_plan_find(other, &plan->points[i]);
        line = plan_line_of(&plan->points[i], false, true);
        if (found && strcmp(line.text, plan_line_of(found, false, true).text) == 0)
            line.text[0] = '\0';
    }
    return line;
}

static void add_starts(struct rl_store *store, const struct rl_plan *plan)
{
    for (const struct rl_plan_start *start = plan->starts; start; start = start->next) {
        if (!start->text)
            continue;
        sqlite3_stmt *held = store_ask(store, START_NAMED, start->name);
        if (store_next(store, held) && !store_is_text(held, 0, start->text))
            store_fail(store, RL_BAD_PARAMETER,
                       "the study has another start called %s: rename the file", start->name);
        sqlite3_finalize(held);
        store_execute(store, "INSERT OR IGNORE INTO start VALUES (%Q, %Q)", start->name,
                      start->text);
    }
}

void store_add_plan(struct rl_store *store, const char *text, const struct rl_plan *plan)
{
    store_keep_own(store, plan);
    add_starts(store, plan);
    store_execute(store, "INSERT INTO plan VALUES (NULL, %Q, datetime(), %Q)", text, rl_version());
    sqlite3_stmt *insert = ask_of_row(store, "INSERT OR REPLACE INTO point VALUES ", "");
    for (size_t i = 0; i < plan->count && !store->status; i++) {
        const size_t id = take_point(store, &plan->points[i]);
        if (store->status)
            break;
        bind_point(insert, id, &store->plan.points[id - 1]);
        store_run_once(store, insert);
    }
    sqlite3_finalize(insert);
    store_make_view(store);
}

void store_settle_plan(struct rl_store *store, const char *text, const struct rl_plan *plan,
                       bool extend)
{
    store_begin(store);
    sqlite3_stmt *row = store_ask(store, "SELECT 1 FROM plan WHERE text = ?", text);
    bool has = store_next(store, row);
    sqlite3_finalize(row);
    for (size_t i = 0; i < plan->count; i++)
        has = has && rl_plan_find(&store->plan, &plan->points[i]);
    if (has || store->status)
        return;
    const struct rl_plan_line theirs = first_other(&store->plan, plan);
    const struct rl_plan_line ours = first_other(plan, &store->plan);
    if ((theirs.text[0] || ours.text[0]) && (extend || store->plan.count == 0))
        store_add_plan(store, text, plan);
    else if (theirs.text[0] || ours.text[0])
        store_fail(
            store, RL_BAD_PARAMETER,
            "%s has another plan (--extend adds yours): only the file has '%s', only yours '%s'",
            store->path, theirs.text, ours.text);
}

enum rl_status rl_store_plans(struct rl_store *store, FILE *stream, struct rl_error *error)
{
    store_enter(store, error);
    sqlite3_stmt *row = store_ask(store, "SELECT text FROM plan ORDER BY id", NULL);
    while (store_next(store, row))
        fprintf(stream, "%s\n", store_text(row, 0));
    sqlite3_finalize(row);
    return store->status;
}
