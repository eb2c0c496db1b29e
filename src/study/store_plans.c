/* SPDX-License-Identifier: MIT
 *
 * The plans of a study, as text, and the share of them that its file is for.
 */
#include <assert.h>
#include <string.h>

#include "study/store_sqlite.h"

enum rl_status store_add_plan_text(struct rl_store *store, const char *text, struct rl_error *error)
{
    return store_execute(
        store, error, "INSERT INTO plan (text, added, program_version) VALUES (%Q, datetime(), %Q)",
        text, rl_version());
}

enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                 const struct rl_plan *plan, struct rl_error *error)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    enum rl_status status = store_execute(store, error, "BEGIN IMMEDIATE");
    if (!status)
        status = store_add_plan_text(store, text, error);
    if (!status)
        status = store_add_points(store, plan, error);
    return store_finish(store, status, error);
}

enum rl_status rl_store_plans(struct rl_store *store, bool (*visit)(void *user, const char *text),
                              void *user, struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum rl_status status =
        store_prepare(store, "SELECT text FROM plan ORDER BY id", &statement, error);
    while (store_next(store, statement, &status, error))
        if (sqlite3_column_type(statement, 0) == SQLITE_TEXT &&
            !visit(user, (const char *)sqlite3_column_text(statement, 0)))
            break;
    sqlite3_finalize(statement);
    return status;
}

enum rl_status store_replay(struct rl_plan *plan, const char *text)
{
    struct rl_plan one;
    size_t index;
    enum rl_status status = rl_plan_parse(&one, text, strlen(text), RL_PLAN_SKIP_UNKNOWN, NULL);
    for (size_t i = 0; i < one.count && !status; i++)
        status = rl_plan_add(plan, &one.points[i], &index);
    rl_plan_free(&one);
    return status;
}

void store_print_grid(const struct rl_point *point, FILE *stream)
{
    char error[32];
    fprintf(stream, "grid; %s; trials=%llu", rl_plan_line(point).text,
            (unsigned long long)point->trials);
    /* SQLite's, which writes a point in every locale. */
    sqlite3_snprintf(sizeof error, error, "%!.17g", point->until_error);
    if (point->until_error > 0)
        fprintf(stream, "; until-error=%s", error);
    if (point->claim[0])
        fprintf(stream, "; claim=%s", point->claim);
    fputc('\n', stream);
}

/* ---- the share --------------------------------------------------------------------------------
 */

enum rl_status rl_store_share(struct rl_store *store, uint64_t *share_out, uint64_t *shares_out,
                              struct rl_error *error)
{
    sqlite3_stmt *statement = NULL;
    *share_out = *shares_out = 0;
    enum rl_status status =
        store_prepare(store, "SELECT share, shares FROM share", &statement, error);
    if (store_next(store, statement, &status, error)) {
        const sqlite3_int64 share = sqlite3_column_int64(statement, 0);
        const sqlite3_int64 shares = sqlite3_column_int64(statement, 1);
        *share_out = (uint64_t)share - 1;
        *shares_out = (uint64_t)shares;
        if (share < 1 || share > shares)
            status = store_say_damaged(store, error);
    }
    sqlite3_finalize(statement);
    return status;
}

enum rl_status rl_store_set_share(struct rl_store *store, uint64_t share, uint64_t shares,
                                  struct rl_error *error)
{
    assert(store->mode == RL_STORE_WRITE && share < shares &&
           "opened for reading, or no such share");
    return store_execute(store, error, "INSERT INTO share VALUES (%lld, %lld)",
                         (long long)share + 1, (long long)shares);
}
