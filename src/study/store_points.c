/* SPDX-License-Identifier: MIT
 *
 * The plans and points of a study, and the share of them that its file is for.
 *
 * A point's row has its identity (spec), the words of its plan (spelling), from which it is read
 * again, and a column for each field, for people who ask SQLite. All three must agree.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "study/plan_parts.h"
#include "study/store_sqlite.h"
#include "study/inside.h"

enum { COLUMN_ID, COLUMN_SPEC, COLUMN_SPELLING, COLUMN_FIELDS };

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

/* What the column of a field has, if that is a text. */
static struct store_json text_of(const struct rl_field *field, const struct rl_point *point)
{
    struct store_json out = {.text = ""};
    struct rl_text text = rl_text_into(out.text, sizeof out.text);
    if (field->kind == RL_FIELD_PARAMETERS)
        return parameters_of(point);
    rl_field_print(field, point, &text);
    return out;
}

static const char *target_of(const struct rl_point *point)
{
    return point->protocol->sets[point->protocol->target].name;
}

static void bind_field(sqlite3_stmt *statement, int place, const struct rl_field *field,
                       const struct rl_point *point)
{
    if (field->kind == RL_FIELD_N)
        sqlite3_bind_int64(statement, place, point->params.n);
    else if (field->kind == RL_FIELD_COUNT)
        store_bind_count(statement, place, rl_field_count(field, point));
    else if (field->kind == RL_FIELD_UNTIL_ERROR)
        sqlite3_bind_double(statement, place, point->until_error);
    else
        store_bind_text(statement, place, text_of(field, point).text);
}

/* "INSERT INTO point (spec, ...) VALUES (?, ...)", to be freed. */
static char *insert_sql(void)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, "INSERT INTO point VALUES (NULL, ?, ?");
    for (size_t i = 0; rl_field_at(i); i++)
        sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendall(sql, ", ?) ON CONFLICT (spec) DO UPDATE SET"
                               " trials = max(trials, excluded.trials),"
                               " until_error = excluded.until_error,"
                               " claim = CASE excluded.claim WHEN '' THEN claim"
                               " ELSE excluded.claim END");
    return sqlite3_str_finish(sql);
}

static enum rl_status add_points(struct rl_store *store, const struct rl_plan *plan,
                                 struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    char *sql = insert_sql();
    enum rl_status status = sql ? store_prepare(store, sql, &statement, error) : RL_NO_MEMORY;
    sqlite3_free(sql);
    for (size_t i = 0; i < plan->count && !status; i++) {
        const struct rl_point *point = &plan->points[i];
        const struct rl_field *field;
        int place = 0;
        store_bind_text(statement, ++place, rl_plan_line(point).text);
        store_bind_text(statement, ++place, rl_plan_spelled(point).text);
        for (size_t k = 0; (field = rl_field_at(k)); k++)
            bind_field(statement, ++place, field, point);
        store_bind_text(statement, ++place, target_of(point));
        status = store_run_once(store, statement, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static enum rl_status add_starts(struct rl_store *store, const struct rl_plan *plan,
                                 struct rl_error *error)
{
    enum rl_status status = RL_OK;
    for (const struct rl_plan_start *start = plan->starts; start && !status; start = start->next) {
        sqlite3_stmt *held = NULL;
        status = store_prepare(store, "SELECT text FROM start WHERE name = ?", &held, error);
        if (!status)
            store_bind_text(held, 1, start->name);
        const bool there = store_next(store, held, &status, error);
        if (there && strcmp((const char *)sqlite3_column_text(held, 0), start->text) != 0)
            status =
                rl_error_set(error, RL_BAD_PARAMETER,
                             "the study has another start called %s: rename the file", start->name);
        sqlite3_finalize(held);
        if (!status && !there)
            status = store_execute(store, error, "INSERT INTO start VALUES (%Q, %Q)", start->name,
                                   start->text);
    }
    return status;
}

/* A number for what a plan asks for, in whatever order: two plans with the same one ask for the
 * same points. */
static void hash_plan(const struct rl_plan *plan, char digits_out[HASH_DIGITS])
{
    static const char HEX[] = "0123456789abcdef";
    unsigned char sum[HASH_DIGITS] = {0};
    for (size_t i = 0; i < plan->count; i++) {
        char line[RL_PLAN_LINE + RL_PLAN_CLAIM + 64] = "", digits[HASH_DIGITS];
        struct rl_text text = rl_text_into(line, sizeof line);
        struct hash hash = hash_begin();
        plan_print_point(&plan->points[i], false, true, &text);
        hash_add(&hash, line, text.length);
        if (plan->points[i].start_text)
            hash_add(&hash, plan->points[i].start_text, strlen(plan->points[i].start_text));
        hash_end(&hash, digits);
        for (size_t k = 0; k + 1 < HASH_DIGITS; k++)
            sum[k] ^= (unsigned char)(strchr(HEX, digits[k]) - HEX);
    }
    for (size_t k = 0; k + 1 < HASH_DIGITS; k++)
        digits_out[k] = HEX[sum[k]];
    digits_out[HASH_DIGITS - 1] = '\0';
}

enum rl_status rl_store_has_plan(struct rl_store *store, const struct rl_plan *plan,
                                 size_t *plans_out, bool *has_out, struct rl_error *error)
{
    char asks[HASH_DIGITS];
    sqlite3_stmt *row = NULL;
    *plans_out = *has_out = 0;
    if (!store->database)
        return RL_OK;
    hash_plan(plan, asks);
    enum rl_status status =
        store_prepare(store, "SELECT count(*), ifnull(max(asks = ?), 0) FROM plan", &row, error);
    if (!status)
        store_bind_text(row, 1, asks);
    if (store_next(store, row, &status, error)) {
        *plans_out = (size_t)sqlite3_column_int64(row, 0);
        *has_out = sqlite3_column_int(row, 1);
    }
    sqlite3_finalize(row);
    return status;
}

/* The view has columns for the parameters of all points. */
static enum rl_status make_view(struct rl_store *store, struct rl_error *error)
{
    struct rl_plan all;
    enum rl_status status = rl_store_points(store, &all, error);
    char *sql = status ? NULL : store_view(&all);
    if (!status)
        status =
            sql ? store_execute(store, error, "DROP VIEW IF EXISTS trials; %s", sql) : RL_NO_MEMORY;
    sqlite3_free(sql);
    rl_plan_free(&all);
    return status;
}

enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                 const struct rl_plan *plan, struct rl_error *error)
{
    char asks[HASH_DIGITS];
    const bool outer = store->in_transaction;
    enum rl_status status = rl_store_begin(store, error);
    hash_plan(plan, asks);
    if (!status)
        status = store_keep_own(store, plan, error);
    if (!status)
        status = add_starts(store, plan, error);
    if (!status)
        status =
            store_execute(store, error, "INSERT INTO plan VALUES (NULL, %Q, %Q, datetime(), %Q)",
                          text, asks, rl_version());
    if (!status)
        status = add_points(store, plan, error);
    if (!status)
        status = make_view(store, error);
    return outer ? status : store_finish(store, status, error);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static bool is_text(sqlite3_stmt *row, int column, const char *text)
{
    assert(text && "what is compared is there");
    return sqlite3_column_type(row, column) == SQLITE_TEXT &&
           strcmp((const char *)sqlite3_column_text(row, column), text) == 0;
}

/* Takes what is no part of the identity, and holds the rest against what is there for people. */
static bool read_field(sqlite3_stmt *row, int column, const struct rl_field *field,
                       struct rl_point *point)
{
    const sqlite3_int64 value = sqlite3_column_int64(row, column);
    const bool missing = sqlite3_column_type(row, column) == SQLITE_NULL;
    if (field->kind == RL_FIELD_N)
        return value == point->params.n;
    if (field->kind == RL_FIELD_COUNT) {
        const uint64_t count = missing ? RL_NEVER : (uint64_t)value;
        if (field->identity)
            return count == rl_field_count(field, point);
        memcpy((char *)point + field->member, &count, sizeof count);
        return count >= field->least && count <= field->most;
    }
    if (field->kind == RL_FIELD_UNTIL_ERROR) {
        point->until_error = sqlite3_column_double(row, column);
        return point->until_error >= 0 && point->until_error < 1;
    }
    if (field->kind != RL_FIELD_CLAIM)
        return is_text(row, column, text_of(field, point).text);
    if (missing || sqlite3_column_bytes(row, column) >= RL_PLAN_CLAIM)
        return false;
    strncpy(point->claim, (const char *)sqlite3_column_text(row, column), RL_PLAN_CLAIM - 1);
    return !point->claim[strcspn(point->claim, "#;\n")];
}

/* A configuration that the study keeps. */
static enum rl_status find_start(void *user, const char *word, char **text_out,
                                 struct rl_error *error)
{
    struct rl_store *store = user;
    sqlite3_stmt *row = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT text FROM start WHERE name = ?", &row, error);
    if (!status)
        store_bind_text(row, 1, word);
    if (store_next(store, row, &status, error)) {
        *text_out = strdup((const char *)sqlite3_column_text(row, 0));
        status = *text_out ? RL_OK : RL_NO_MEMORY;
    }
    sqlite3_finalize(row);
    return status;
}

enum rl_status store_read_point(struct rl_store *store, sqlite3_stmt *row,
                                struct rl_point *point_out, struct rl_plan *starts_out,
                                struct rl_error *error)
{
    const struct rl_plan_resolver resolver = {.user = store, .start = find_start};
    struct rl_plan one = {0};
    const struct rl_field *field;
    const char *spelling = (const char *)sqlite3_column_text(row, COLUMN_SPELLING);
    enum rl_status status = spelling ? RL_OK : RL_BAD_STUDY;
    if (!status)
        status = rl_plan_parse(&one, spelling, strlen(spelling), RL_PLAN_STRICT, &resolver, error);
    bool agrees =
        !status && one.count == 1 && is_text(row, COLUMN_SPEC, rl_plan_line(&one.points[0]).text);
    int column = COLUMN_FIELDS;
    for (size_t i = 0; agrees && (field = rl_field_at(i)); i++)
        agrees = read_field(row, column++, field, &one.points[0]);
    if (agrees)
        agrees = is_text(row, column, target_of(&one.points[0]));
    if (!status && !agrees)
        status = rl_error_set(error, RL_BAD_STUDY, "its columns say other things than its spec");
    if (!status)
        *point_out = one.points[0];
    *starts_out = one; /* what the point's configuration belongs to */
    return status;
}

static enum rl_status say_point_is_damaged(const struct rl_store *store, uint64_t id,
                                           enum rl_status status, struct rl_error *error)
{
    char why[64 + sizeof error->text];
    struct rl_text text = rl_text_into(why, sizeof why);
    if (status == RL_NO_MEMORY)
        return status;
    rl_text_format(&text, "point %llu: %s", (unsigned long long)id, error ? error->text : "");
    return store_say_damaged(store, why, error);
}

/* The view must be the one that we make for these points. */
static enum rl_status check_view(struct rl_store *store, const struct rl_plan *plan,
                                 struct rl_error *error)
{
    sqlite3_stmt *row = NULL;
    char *sql = store_view(plan);
    enum rl_status status =
        sql ? store_prepare(store, "SELECT sql FROM sqlite_master WHERE name = 'trials'", &row,
                            error)
            : RL_NO_MEMORY;
    const bool there = store_next(store, row, &status, error);
    if (!status && (!there || !is_text(row, 0, sql)))
        status = rl_error_set(error, RL_BAD_STUDY,
                              "%s: its view 'trials' is not as studies have it", store->path);
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return status;
}

enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                               struct rl_error *error)
{
    *plan_out = (struct rl_plan){0};
    sqlite3_stmt *statement = NULL;
    if (!store->database)
        return RL_OK;
    enum rl_status status =
        store_prepare(store, "SELECT * FROM point ORDER BY id", &statement, error);
    while (store_next(store, statement, &status, error)) {
        struct rl_point point;
        struct rl_plan starts = {0};
        size_t index = 0;
        const sqlite3_int64 id = sqlite3_column_int64(statement, COLUMN_ID);
        if (plan_out->count == RL_PLAN_POINTS)
            status = rl_error_set(error, RL_BAD_STUDY, "there are too many");
        if (!status)
            status = store_read_point(store, statement, &point, &starts, error);
        if (!status)
            status = rl_plan_add(plan_out, &point, &index);
        rl_plan_free(&starts);
        if (!status && (id != (sqlite3_int64)plan_out->count || index + 1 != plan_out->count))
            status = rl_error_set(error, RL_BAD_STUDY, "its number is wrong");
        if (status)
            status = say_point_is_damaged(store, (uint64_t)id, status, error);
    }
    sqlite3_finalize(statement);
    if (!status && !store->in_transaction)
        status = check_view(store, plan_out, error);
    return status;
}

enum rl_status rl_store_plans(struct rl_store *store, bool (*visit)(void *user, const char *text),
                              void *user, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT text FROM plan ORDER BY id", &statement, error);
    while (store_next(store, statement, &status, error))
        if (!visit(user, (const char *)sqlite3_column_text(statement, 0)))
            break;
    sqlite3_finalize(statement);
    return status;
}

/* ---- the share --------------------------------------------------------------------------------
 */

void rl_store_share(const struct rl_store *store, uint64_t *share_out, uint64_t *shares_out)
{
    *share_out = store->share;
    *shares_out = store->shares;
}

void rl_store_set_share(struct rl_store *store, uint64_t share, uint64_t shares)
{
    assert(!store->born && share < shares && "the file has its share, or there is no such");
    store->share = share;
    store->shares = shares;
}
