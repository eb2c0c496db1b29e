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

#include "base/json.h"
#include "study/plan_parts.h"
#include "study/store_sqlite.h"
#include "study/inside.h"

enum { COLUMN_ID, COLUMN_SPEC, COLUMN_SPELLING, COLUMN_FIELDS };

static const char START_NAMED[] = "SELECT text FROM start WHERE name = ?";

/* ---- writing ---- */

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
                               " ELSE excluded.claim END,"
                               " curve = CASE excluded.curve WHEN '' THEN curve"
                               " ELSE excluded.curve END");
    return sqlite3_str_finish(sql);
}

static void add_points(struct rl_store *store, const struct rl_plan *plan)
{
    char *sql = insert_sql();
    sqlite3_stmt *statement = sql ? store_ask(store, sql, NULL) : NULL;
    if (!sql)
        store->status = RL_NO_MEMORY;
    sqlite3_free(sql);
    for (size_t i = 0; i < plan->count && !store->status; i++) {
        const struct rl_point *point = &plan->points[i];
        const struct rl_field *field;
        int place = 0;
        store_bind_text(statement, ++place, rl_plan_line(point).text);
        store_bind_text(statement, ++place, rl_plan_spelled(point).text);
        for (size_t k = 0; (field = rl_field_at(k)); k++)
            bind_field(statement, ++place, field, point);
        store_bind_text(statement, ++place, target_of(point));
        store_run_once(store, statement);
    }
    sqlite3_finalize(statement);
}

static void add_starts(struct rl_store *store, const struct rl_plan *plan)
{
    for (const struct rl_plan_start *start = plan->starts; start; start = start->next) {
        sqlite3_stmt *held = store_ask(store, START_NAMED, start->name);
        const bool there = store_next(store, held);
        if (there && !store_is_text(held, 0, start->text))
            store_fail(store, RL_BAD_PARAMETER,
                       "the study has another start called %s: rename the file", start->name);
        sqlite3_finalize(held);
        if (!there)
            store_execute(store, "INSERT INTO start VALUES (%Q, %Q)", start->name, start->text);
    }
}

void store_hash_plan(const struct rl_plan *plan, char digits_out[HASH_DIGITS])
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

/* ---- reading ---- */

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
    const bool claim = field->kind == RL_FIELD_CLAIM;
    if (!claim && field->kind != RL_FIELD_CURVE)
        return store_is_text(row, column, text_of(field, point).text);
    char *const text = claim ? point->claim : point->curve;
    const int room = claim ? RL_PLAN_CLAIM : RL_PLAN_NAME;
    if (missing || sqlite3_column_bytes(row, column) >= room)
        return false;
    strncpy(text, store_text(row, column), (size_t)room - 1);
    return claim ? !text[strcspn(text, "#;\n")]
                 : !text[0] || strcmp(text, "leaders") == 0 || !point->protocol->interact ||
                       rl_protocol_gauge(point->protocol, text) >= 0;
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

bool store_read_point(struct rl_store *store, sqlite3_stmt *row, struct rl_point *point_out,
                      struct rl_plan *starts_out, struct rl_error *why_out)
{
    const struct rl_plan_resolver resolver = {.user = store, .start = find_start};
    const struct rl_field *field;
    const char *spelling = store_text(row, COLUMN_SPELLING);
    const enum rl_status status =
        rl_plan_parse(starts_out, spelling, strlen(spelling), RL_PLAN_STRICT, &resolver, why_out);
    if (status == RL_NO_MEMORY)
        store->status = status;
    if (status)
        return false;
    struct rl_point *point = &starts_out->points[0];
    bool agrees =
        starts_out->count == 1 && store_is_text(row, COLUMN_SPEC, rl_plan_line(point).text);
    int column = COLUMN_FIELDS;
    for (size_t i = 0; agrees && (field = rl_field_at(i)); i++)
        agrees = read_field(row, column++, field, point);
    *point_out = *point;
    agrees = agrees && store_is_text(row, column, target_of(point));
    if (!agrees)
        rl_error_set(why_out, RL_BAD_STUDY, "its columns say other things than its spec");
    return agrees;
}

static void read_points(struct rl_store *store, struct rl_plan *plan_out)
{
    sqlite3_stmt *row = store_ask(store, "SELECT * FROM point ORDER BY id", NULL);
    while (store_next(store, row)) {
        struct rl_point point;
        struct rl_plan starts = {0};
        struct rl_error why = {0};
        char words[64 + sizeof why.text];
        struct rl_text text = rl_text_into(words, sizeof words);
        size_t index = 0;
        const sqlite3_int64 id = sqlite3_column_int64(row, COLUMN_ID);
        bool fine = plan_out->count < RL_PLAN_POINTS;
        if (!fine)
            rl_error_set(&why, RL_BAD_STUDY, "there are too many");
        fine = fine && store_read_point(store, row, &point, &starts, &why);
        if (fine && rl_plan_add(plan_out, &point, &index))
            store->status = RL_NO_MEMORY;
        rl_plan_free(&starts);
        if (fine && (id != (sqlite3_int64)plan_out->count || index + 1 != plan_out->count)) {
            rl_error_set(&why, RL_BAD_STUDY, "its number is wrong");
            fine = false;
        }
        rl_text_format(&text, "point %llu: %s", (unsigned long long)id, why.text);
        if (!fine)
            store_say_damaged(store, words);
    }
    sqlite3_finalize(row);
}

/* ---- plans ---- */

size_t store_count_plans(struct rl_store *store, const struct rl_plan *plan, bool *has_out)
{
    char asks[HASH_DIGITS];
    store_hash_plan(plan, asks);
    sqlite3_stmt *row =
        store_ask(store, "SELECT count(*), ifnull(max(asks = ?), 0) FROM plan", asks);
    const bool there = store_next(store, row);
    const size_t count = there ? (size_t)sqlite3_column_int64(row, 0) : 0;
    *has_out = there && sqlite3_column_int(row, 1);
    sqlite3_finalize(row);
    return count;
}

/* The view has columns for the parameters of all points. */
void store_make_view(struct rl_store *store)
{
    struct rl_plan all = {0};
    read_points(store, &all);
    char *sql = store_view(&all);
    if (sql)
        store_execute(store, "DROP VIEW IF EXISTS trials; %s", sql);
    else
        store->status = RL_NO_MEMORY;
    sqlite3_free(sql);
    rl_plan_free(&all);
}

void store_add_plan(struct rl_store *store, const char *text, const struct rl_plan *plan)
{
    char asks[HASH_DIGITS];
    store_hash_plan(plan, asks);
    store_keep_own(store, plan);
    add_starts(store, plan);
    store_execute(store, "INSERT INTO plan VALUES (NULL, %Q, %Q, datetime(), %Q)", text, asks,
                  rl_version());
    add_points(store, plan);
    store_make_view(store);
}

enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                 const struct rl_plan *plan, struct rl_error *error)
{
    const bool outer = store->in_transaction;
    store_enter(store, error);
    store_begin(store);
    store_add_plan(store, text, plan);
    return outer ? store->status : store_end(store);
}

/* The view must be the one that we make for these points. */
static void check_view(struct rl_store *store, const struct rl_plan *plan)
{
    char *sql = store_view(plan);
    sqlite3_stmt *row =
        store_ask(store, "SELECT sql FROM sqlite_master WHERE name = 'trials'", NULL);
    if (!sql)
        store->status = RL_NO_MEMORY;
    else if (!store_next(store, row) || !store_is_text(row, 0, sql))
        store_fail(store, RL_BAD_STUDY, "%s: its view 'trials' is not as studies have it",
                   store->path);
    sqlite3_finalize(row);
    sqlite3_free(sql);
}

void store_points(struct rl_store *store, struct rl_plan *plan_out)
{
    *plan_out = (struct rl_plan){0};
    if (!store->database)
        return;
    read_points(store, plan_out);
    if (!store->status && !store->in_transaction)
        check_view(store, plan_out);
}

enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                               struct rl_error *error)
{
    store_enter(store, error);
    store_points(store, plan_out);
    return store->status;
}

enum rl_status rl_store_plans(struct rl_store *store, bool (*visit)(void *user, const char *text),
                              void *user, struct rl_error *error)
{
    store_enter(store, error);
    sqlite3_stmt *row = store_ask(store, "SELECT text FROM plan ORDER BY id", NULL);
    while (store_next(store, row) && visit(user, store_text(row, 0)))
        ;
    sqlite3_finalize(row);
    return store->status;
}
