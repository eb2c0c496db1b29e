/* SPDX-License-Identifier: MIT
 *
 * Saving what can be read of a damaged study.
 *
 * First every row that stands on some page goes as it is into a temporary table (store_pages.c).
 * Then the points are put together: a point's own row says what it is, and so do the plans, since
 * points are numbered in the order in which plans asked for them. A lost plan can be told from its
 * points, and a lost point from its plan. Last, trials that are possible at their point are kept;
 * the study does the others again, since they are a function of their seed.
 *
 * The damaged file is never opened with SQLite, and not written to.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/store_pages.h"
#include "study/store_sqlite.h"

/* Each has the columns of its table, without what SQLite would refuse. */
static const char FOUND_TABLES[] =
    "CREATE TEMP TABLE found_plan (id, text, added, program_version);"
    "CREATE TEMP TABLE found_point (id, spec, protocol, n, parameters, start, engine, seed, fault,"
    "  max_steps, target, trials, until_error REAL, claim);"
    "CREATE TEMP TABLE found_share (share, shares);"
    "CREATE TEMP TABLE found_own (protocol, hash, text, sheet);"
    "CREATE TEMP TABLE found_trial (point, trial, reached, steps, hits, events, leaders, leader,"
    "  faults, stream_version, program_version, wall_seconds REAL, page);";

/* The point of an old number; no protocol: not known. */
struct known {
    struct rl_point point;
    bool has_row;   /* else only a plan tells */
    uint32_t place; /* among the points of the new file */
};

struct salvage {
    struct rl_store *store;
    const char *damaged;
    sqlite3_stmt *insert[STORE_COLUMNS + 1]; /* by number of columns */
    sqlite3_stmt *insert_own;                /* which has as many as a plan, and no number first */
    struct known *known;                     /* by number, from 1 */
    size_t known_count;
    struct rl_plan plan; /* of the new file */
    struct rl_store_salvaged *salvaged;
    enum rl_status status;
    struct rl_error *error;
};

/* ---- rows -------------------------------------------------------------------------------------
 */

static void bind_value(sqlite3_stmt *statement, int place, const struct store_value *value)
{
    switch (value->kind) {
    case STORE_NULL:
    case STORE_BLOB: /* there are none in a study */
        sqlite3_bind_null(statement, place);
        break;
    case STORE_INTEGER:
        sqlite3_bind_int64(statement, place, value->integer);
        break;
    case STORE_REAL:
        sqlite3_bind_double(statement, place, value->real);
        break;
    case STORE_TEXT:
        sqlite3_bind_text(statement, place, value->text, (int)value->length, SQLITE_TRANSIENT);
        break;
    }
}

/* Tables are told apart by their numbers of columns; trials have no number of their own. */
static void keep_row(void *user, const struct store_row *row)
{
    struct salvage *salvage = user;
    sqlite3_stmt *insert = row->count == 4 && row->values[0].kind == STORE_TEXT
                               ? salvage->insert_own
                               : salvage->insert[row->count];
    if (salvage->status || !insert || row->has_id != (row->count != 12))
        return;
    for (size_t i = 0; i < row->count; i++)
        bind_value(insert, (int)i + 1, &row->values[i]);
    if (row->has_id && row->values[0].kind == STORE_NULL)
        sqlite3_bind_int64(insert, 1, row->id);
    if (!row->has_id)
        sqlite3_bind_int64(insert, 13, (sqlite3_int64)row->page);
    salvage->status = store_run_once(salvage->store, insert, salvage->error);
}

static enum rl_status find_rows(struct salvage *salvage)
{
    static const struct {
        const char *sql;
        size_t columns;
    } INSERTS[] = {
        {"INSERT INTO found_share VALUES (?,?)", 2},
        {"INSERT INTO found_plan VALUES (?,?,?,?)", 4},
        {"INSERT INTO found_trial VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", 12},
        {"INSERT INTO found_point VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", 14},
    };
    enum rl_status status = store_execute(salvage->store, salvage->error, FOUND_TABLES);
    for (size_t i = 0; i < sizeof INSERTS / sizeof INSERTS[0] && !status; i++)
        status = store_prepare(salvage->store, INSERTS[i].sql, &salvage->insert[INSERTS[i].columns],
                               salvage->error);
    if (!status)
        status = store_prepare(salvage->store, "INSERT INTO found_own VALUES (?,?,?,?)",
                               &salvage->insert_own, salvage->error);
    if (!status)
        status = store_read_pages(salvage->damaged, keep_row, salvage, salvage->error);
    for (size_t i = 0; i <= STORE_COLUMNS; i++)
        sqlite3_finalize(salvage->insert[i]);
    sqlite3_finalize(salvage->insert_own);
    return status ? status : salvage->status;
}

/* ---- points -----------------------------------------------------------------------------------
 */

/* Makes room for numbers up to `id`; false without memory. */
static bool know_up_to(struct salvage *salvage, size_t id)
{
    if (id <= salvage->known_count)
        return true;
    struct known *larger = realloc(salvage->known, id * sizeof *larger);
    if (!larger)
        return false;
    memset(larger + salvage->known_count, 0, (id - salvage->known_count) * sizeof *larger);
    salvage->known = larger;
    salvage->known_count = id;
    return true;
}

static enum rl_status know(struct salvage *salvage, size_t id, const struct rl_point *point,
                           bool has_row)
{
    if (id < 1 || id > RL_PLAN_POINTS)
        return RL_OK;
    if (!know_up_to(salvage, id))
        return RL_NO_MEMORY;
    struct rl_point *held = &salvage->known[id - 1].point;
    salvage->known[id - 1].has_row |= has_row;
    if (!held->protocol)
        *held = *point;
    else if (rl_plan_same_point(held, point) && held->trials < point->trials)
        held->trials = point->trials;
    return RL_OK;
}

/* From the rows of points, those that agree with themselves. */
static enum rl_status know_from_rows(struct salvage *salvage)
{
    sqlite3_stmt *rows = NULL;
    enum rl_status status =
        store_prepare(salvage->store, "SELECT * FROM found_point", &rows, salvage->error);
    while (store_next(salvage->store, rows, &status, salvage->error)) {
        struct rl_point point;
        const enum rl_status read = store_read_point(rows, &point, NULL);
        if (read == RL_NO_MEMORY)
            status = read;
        else if (!read)
            status = know(salvage, (size_t)sqlite3_column_int64(rows, 0), &point, true);
    }
    sqlite3_finalize(rows);
    return status;
}

/* Whether points from number `first` on are other ones than the rows say. */
static bool contradicts(const struct salvage *salvage, const struct rl_plan *all, size_t first)
{
    for (size_t i = first; i < all->count && i < salvage->known_count; i++) {
        const struct rl_point *held = &salvage->known[i].point;
        if (held->protocol && !rl_plan_same_point(held, &all->points[i]))
            return true;
    }
    return false;
}

/* Adds the points of the next plan; false if it is lost or damaged, and so says nothing about the
 * numbers of points. A damaged one is forgotten. */
static bool follow_plan(struct salvage *salvage, sqlite3_stmt *rows, sqlite3_int64 id,
                        struct rl_plan *all)
{
    const size_t before = all->count;
    if (sqlite3_column_int64(rows, 0) != id)
        return false;
    const enum rl_status read = store_replay(all, (const char *)sqlite3_column_text(rows, 1));
    if (read == RL_NO_MEMORY)
        salvage->status = read;
    if (read)
        return false;
    if (!contradicts(salvage, all, before))
        return true;
    salvage->status = store_execute(salvage->store, salvage->error,
                                    "DELETE FROM found_plan WHERE id = %lld", (long long)id);
    return false;
}

/* From the plans, in their order, up to the first one that is lost. */
static enum rl_status know_from_plans(struct salvage *salvage)
{
    sqlite3_stmt *rows = NULL;
    struct rl_plan all = {0};
    size_t sure = 0;
    enum rl_status status =
        store_prepare(salvage->store,
                      "SELECT id, text FROM found_plan WHERE typeof(text) = 'text' GROUP BY id"
                      " ORDER BY id",
                      &rows, salvage->error);
    for (sqlite3_int64 id = 1; store_next(salvage->store, rows, &status, salvage->error); id++) {
        if (!follow_plan(salvage, rows, id, &all))
            break;
        sure = all.count;
    }
    sqlite3_finalize(rows);
    for (size_t i = 0; i < sure && !status; i++)
        status = know(salvage, i + 1, &all.points[i], false);
    rl_plan_free(&all);
    return status ? status : salvage->status;
}

/* A point without its row may have more trials than the plans that are left ask for. Those found
 * say so, unless they are far from the others: SLACK is more than a lost page leaves out. */
static enum rl_status know_from_trials(struct salvage *salvage)
{
    enum { SLACK = 64 };
    sqlite3_stmt *rows = NULL;
    enum rl_status status = store_prepare(
        salvage->store, "SELECT * FROM found_trial ORDER BY point, trial", &rows, salvage->error);
    while (store_next(salvage->store, rows, &status, salvage->error)) {
        const sqlite3_int64 id = sqlite3_column_int64(rows, 0);
        if (id < 1 || (uint64_t)id > salvage->known_count || salvage->known[id - 1].has_row)
            continue;
        struct rl_point *point = &salvage->known[id - 1].point, roomy = *point;
        struct rl_trial trial;
        roomy.trials += SLACK;
        if (!point->protocol)
            continue;
        status = store_read_trial(salvage->store, rows, &roomy, &trial, salvage->error);
        if (!status && trial.trial >= point->trials)
            point->trials = trial.trial + 1;
        status = status == RL_BAD_STUDY ? RL_OK : status;
    }
    sqlite3_finalize(rows);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

/* The known points, in the order of their old numbers, which the new ones follow. */
static enum rl_status write_points(struct salvage *salvage)
{
    enum rl_status status = RL_OK;
    struct rl_plan points = {0};
    for (size_t i = 0; i < salvage->known_count && !status; i++) {
        size_t place = 0;
        if (salvage->known[i].point.protocol)
            status = rl_plan_add(&points, &salvage->known[i].point, &place);
        else
            salvage->salvaged->points_lost++;
        salvage->known[i].place = (uint32_t)place;
    }
    if (!status && points.count == 0)
        status = rl_error_set(salvage->error, RL_IO,
                              "neither plan nor points of %s can be read any more: begin the study "
                              "anew",
                              salvage->damaged);
    if (!status)
        status = store_add_points(salvage->store, &points, salvage->error);
    rl_plan_free(&points);
    return status;
}

/* What stands for a protocol whose file is not there has no defaults: what a plan left to them is
 * known from the points' own rows only. */
static enum rl_status add_asked(struct salvage *salvage, const struct rl_plan *asked)
{
    struct rl_plan points = {0};
    enum rl_status status = RL_OK;
    size_t place;
    for (size_t i = 0; i < asked->count && !status; i++)
        if (asked->points[i].protocol->interact)
            status = rl_plan_add(&points, &asked->points[i], &place);
    if (!status)
        status = store_add_points(salvage->store, &points, salvage->error);
    rl_plan_free(&points);
    return status;
}

/* Plans that can be read, and their points (those of a plan after a lost one are not known). */
static enum rl_status write_plans(struct salvage *salvage, struct rl_plan *asked_out)
{
    sqlite3_stmt *rows = NULL;
    enum rl_status status = store_prepare(
        salvage->store,
        "SELECT text FROM found_plan WHERE typeof(text) = 'text' GROUP BY id, text ORDER BY id",
        &rows, salvage->error);
    while (store_next(salvage->store, rows, &status, salvage->error)) {
        const char *text = (const char *)sqlite3_column_text(rows, 0);
        const enum rl_status read = store_replay(asked_out, text);
        if (read == RL_NO_MEMORY)
            status = read;
        else if (!read)
            status = store_add_plan_text(salvage->store, text, salvage->error);
    }
    sqlite3_finalize(rows);
    return status ? status : add_asked(salvage, asked_out);
}

/* A plan for the points that no plan asks for any more, or for fewer trials. */
static enum rl_status write_lost_plan(struct salvage *salvage, const struct rl_plan *asked)
{
    const size_t room = salvage->plan.count * STORE_PLAN_LINE + 1;
    char *memory = malloc(room);
    if (!memory)
        return RL_NO_MEMORY;
    struct rl_text text = rl_text_into(memory, room);
    for (size_t i = 0; i < salvage->plan.count; i++) {
        const struct rl_point *point = &salvage->plan.points[i];
        const struct rl_point *found = rl_plan_find(asked, point);
        if (!found || found->trials < point->trials)
            store_print_grid(point, &text);
    }
    const enum rl_status status =
        text.length > 0 ? store_add_plan_text(salvage->store, memory, salvage->error) : RL_OK;
    free(memory);
    return status;
}

static enum rl_status write_share(struct salvage *salvage)
{
    return store_execute(salvage->store, salvage->error,
                         "INSERT INTO share SELECT share, shares FROM found_share"
                         " WHERE typeof(share) = 'integer' AND typeof(shares) = 'integer'"
                         "   AND share BETWEEN 1 AND shares LIMIT 1");
}

/* Where the trial of a found row is in the new file; RL_BAD_STUDY if it cannot be one. */
static enum rl_status find_place(const struct salvage *salvage, sqlite3_stmt *rows,
                                 uint32_t *place_out)
{
    const sqlite3_int64 id = sqlite3_column_int64(rows, 0);
    struct rl_trial trial;
    if (id < 1 || (uint64_t)id > salvage->known_count || !salvage->known[id - 1].point.protocol)
        return RL_BAD_STUDY;
    *place_out = salvage->known[id - 1].place;
    return store_read_trial(salvage->store, rows, &salvage->plan.points[*place_out], &trial,
                            salvage->error);
}

/* A damaged number may be the number of another trial. Rows of a page stand in order, so among
 * several with one number those come first that do not break the order, then those that stand near
 * their neighbours. */
static const char TRIALS_TO_WRITE[] =
    "WITH keyed AS (SELECT *, rowid AS number, point * 4294967296.0 + trial AS key FROM "
    "found_trial),"
    "  placed AS (SELECT *, key - lag(key) OVER page AS after_last,"
    "    lead(key) OVER page - key AS before_next"
    "    FROM keyed WINDOW page AS (PARTITION BY page ORDER BY number))"
    " SELECT * FROM placed ORDER BY point, trial,"
    "  ifnull(after_last <= 0, 0) + ifnull(before_next <= 0, 0),"
    "  min(abs(ifnull(after_last, 1e18)), abs(ifnull(before_next, 1e18)))";
enum { COLUMN_NUMBER = 13 };

static enum rl_status write_trials(struct salvage *salvage)
{
    sqlite3_stmt *rows = NULL, *copy = NULL;
    struct rl_store *store = salvage->store;
    enum rl_status status = store_prepare(store, TRIALS_TO_WRITE, &rows, salvage->error);
    if (!status)
        status = store_prepare(
            store,
            "INSERT OR IGNORE INTO trial SELECT ?, trial, reached, steps, hits, events, leaders,"
            "  leader, faults, stream_version, program_version, wall_seconds"
            " FROM found_trial WHERE rowid = ?",
            &copy, salvage->error);
    while (store_next(store, rows, &status, salvage->error)) {
        uint32_t place;
        status = find_place(salvage, rows, &place);
        if (status) {
            salvage->salvaged->dropped++;
            status = status == RL_BAD_STUDY ? RL_OK : status;
            continue;
        }
        sqlite3_bind_int64(copy, 1, (sqlite3_int64)place + 1);
        sqlite3_bind_int64(copy, 2, sqlite3_column_int64(rows, COLUMN_NUMBER));
        status = store_run_once(store, copy, salvage->error);
        salvage->salvaged->trials += (uint64_t)sqlite3_changes(store->database);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(copy);
    return status;
}

static enum rl_status write_all(struct salvage *salvage)
{
    struct rl_plan asked = {0};
    enum rl_status status = write_points(salvage);
    if (!status)
        status = write_plans(salvage, &asked);
    if (!status)
        status = store_points(salvage->store, &salvage->plan, salvage->error);
    if (!status)
        status = write_lost_plan(salvage, &asked);
    if (!status)
        status = write_share(salvage);
    if (!status)
        status = write_trials(salvage);
    rl_plan_free(&asked);
    return status;
}

enum rl_status rl_store_salvage(struct rl_store *store, const char *damaged,
                                struct rl_store_salvaged *salvaged_out, struct rl_error *error)
{
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
    struct salvage salvage = {
        .store = store, .damaged = damaged, .salvaged = salvaged_out, .error = error};
    *salvaged_out = (struct rl_store_salvaged){0};
    enum rl_status status = store_execute(store, error, "BEGIN IMMEDIATE");
    if (status)
        return status;
    status = find_rows(&salvage);
    if (!status)
        status = store_keep_found_own(store, error);
    if (!status)
        status = know_from_rows(&salvage);
    if (!status)
        status = know_from_plans(&salvage);
    if (!status)
        status = know_from_trials(&salvage);
    if (!status)
        status = write_all(&salvage);
    salvaged_out->points = salvage.plan.count;
    free(salvage.known);
    rl_plan_free(&salvage.plan);
    return store_finish(store, status, error);
}
