/* SPDX-License-Identifier: MIT
 *
 * Saving what can be read of a damaged study.
 *
 * SQLite reads it as a file that nobody changes, so it is not written to, and a log or journal
 * beside it is not looked at. Rows are taken forward until the first that cannot be read, trials a
 * point at a time, so that a broken page costs the trials of some points. What is lost is computed
 * again: a trial is a function of its seed.
 */
#include <assert.h>
#include <sys/stat.h>

#include "study/store_sqlite.h"
#include "study/inside.h"

struct salvage {
    struct rl_store *store;
    struct rl_store from; /* the damaged one; its failures only end what is being read */
    struct rl_plan plan;  /* what there is, in the order of the new file */
    struct rl_store_salvaged *out;
};

/* Asks the damaged file, and has each row taken, up to the first that cannot be read. */
static void each_row(struct salvage *salvage, const char *sql, const char *text,
                     void (*take)(struct salvage *, sqlite3_stmt *))
{
    sqlite3_stmt *rows = store_ask(&salvage->from, sql, text);
    while (!salvage->store->status && store_next(&salvage->from, rows))
        take(salvage, rows);
    sqlite3_finalize(rows);
    if (salvage->from.status == RL_NO_MEMORY)
        salvage->store->status = RL_NO_MEMORY;
    salvage->from.status = RL_OK;
}

static void take_trial(struct salvage *salvage, sqlite3_stmt *row)
{
    const size_t place = salvage->plan.count - 1;
    struct rl_trial trial;
    if (!store_read_trial(row, &salvage->plan.points[place], &trial))
        return;
    trial.point = (uint32_t)place;
    store_insert_trial(salvage->store, &salvage->plan.points[place], &trial);
    salvage->out->trials++;
}

static void take_point(struct salvage *salvage, sqlite3_stmt *row)
{
    struct rl_plan one = {0};
    const size_t before = salvage->plan.count;
    size_t place;
    if (before < RL_PLAN_POINTS && store_read_point(&salvage->from, row, &one, NULL) &&
        rl_plan_add(&salvage->plan, &one.points[0], &place))
        salvage->store->status = RL_NO_MEMORY;
    rl_plan_free(&one);
    if (salvage->plan.count > before && !salvage->store->status)
        each_row(salvage, "SELECT * FROM trial WHERE point = CAST(? AS INTEGER) ORDER BY trial",
                 store_text(row, 0), take_trial);
}

/* One plan for all points: a grid each. */
static void write_plan(struct salvage *salvage)
{
    if (salvage->plan.count == 0)
        store_fail(salvage->store, RL_IO, "no point can be read: start the study again");
    for (size_t i = 0; i < salvage->plan.count; i++)
        salvage->out->again += salvage->plan.points[i].trials;
    if (!salvage->store->status)
        store_add_plan(salvage->store, "", &salvage->plan);
    store_execute(
        salvage->store,
        "UPDATE plan SET text = (SELECT group_concat('grid; ' || " STORE_WORDS
        " || iif(until_error, '; until-error=' || until_error, ''), char(10)) FROM point)");
}

void store_salvage(struct rl_store *store, const char *damaged,
                   struct rl_store_salvaged *salvaged_out)
{
    assert(!store->born && "what is saved goes into a new study");
    struct salvage salvage = {.store = store, .from = {.lock = -1}, .out = salvaged_out};
    struct stat about;
    *salvaged_out = (struct rl_store_salvaged){0};
    if (stat(damaged, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0)
        store_fail(store, RL_IO, "%s is not a file with anything in it", damaged);
    store_begin(store);
    if (store_connect(damaged, SQLITE_OPEN_READONLY, "?immutable=1", &salvage.from.database))
        store_fail(store, RL_IO, "%s cannot be opened", damaged);
    store_execute(&salvage.from, "PRAGMA trusted_schema=OFF; PRAGMA writable_schema=ON");
    store_recall_own(store, &salvage.from);
    salvage.from.status = RL_OK;
    each_row(&salvage, STORE_POINTS, NULL, take_point);
    store_read_share(&salvage.from);
    if (salvage.from.share < salvage.from.shares && salvage.from.shares <= INT64_MAX) {
        store->share = salvage.from.share;
        store->shares = salvage.from.shares;
    }
    write_plan(&salvage);
    salvaged_out->points = salvage.plan.count;
    salvaged_out->again -= salvaged_out->trials;
    sqlite3_finalize(salvage.from.same);
    sqlite3_close(salvage.from.database);
    rl_plan_free(&salvage.plan);
}
