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
#include <string.h>
#include <sys/stat.h>

#include "study/plan_parts.h"
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

static size_t add_point(struct salvage *salvage, const struct rl_point *point)
{
    size_t place = 0;
    if (rl_plan_add(&salvage->plan, point, &place))
        salvage->store->status = RL_NO_MEMORY;
    return place;
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
    if (before < RL_PLAN_POINTS && store_read_point(&salvage->from, row, &one, NULL))
        add_point(salvage, &one.points[0]);
    rl_plan_free(&one);
    if (salvage->plan.count > before && !salvage->store->status)
        each_row(salvage, "SELECT * FROM trial WHERE point = CAST(? AS INTEGER) ORDER BY trial",
                 store_text(row, 0), take_trial);
}

/* Those of its points that have no row; points with rows come first. (What stands for a protocol
 * has no defaults: rows only.) */
static void take_plan(struct salvage *salvage, sqlite3_stmt *row)
{
    struct rl_plan asked;
    const char *text = store_text(row, 0);
    if (rl_plan_parse(&asked, text, strlen(text), RL_PLAN_SKIP_UNKNOWN, NULL, NULL) == RL_NO_MEMORY)
        salvage->store->status = RL_NO_MEMORY;
    for (size_t i = 0; i < asked.count; i++) {
        const struct rl_point *found = rl_plan_find(&salvage->plan, &asked.points[i]);
        const bool has_row = found && found < salvage->plan.points + salvage->out->points;
        if (asked.points[i].protocol->interact && !has_row)
            add_point(salvage, &asked.points[i]);
    }
    rl_plan_free(&asked);
}

static void take_share(struct salvage *salvage, sqlite3_stmt *row)
{
    salvage->store->share = (uint64_t)sqlite3_column_int64(row, 0) - 1;
    salvage->store->shares = (uint64_t)sqlite3_column_int64(row, 1);
}

/* One plan for all points: a grid each. */
static void write_plan(struct salvage *salvage)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    if (salvage->plan.count == 0)
        store_fail(salvage->store, RL_IO,
                   "neither plan nor points can be read: start the study again");
    for (size_t i = 0; i < salvage->plan.count; i++) {
        char line[RL_PLAN_LINE + RL_PLAN_CLAIM + 64] = "";
        struct rl_text into = rl_text_into(line, sizeof line);
        plan_print_point(&salvage->plan.points[i], true, true, &into);
        sqlite3_str_appendf(text, "grid; %s\n", line);
        salvage->out->again += salvage->plan.points[i].trials;
    }
    char *words = sqlite3_str_finish(text);
    if (!words && !salvage->store->status)
        salvage->store->status = RL_NO_MEMORY;
    if (!salvage->store->status)
        store_add_plan(salvage->store, words, &salvage->plan);
    sqlite3_free(words);
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
    salvaged_out->points = salvage.plan.count;
    each_row(&salvage, "SELECT text FROM plan WHERE typeof(text) = 'text'", NULL, take_plan);
    each_row(&salvage,
             "SELECT share, shares FROM share WHERE typeof(share) = 'integer' AND"
             " typeof(shares) = 'integer' AND share BETWEEN 1 AND shares LIMIT 1",
             NULL, take_share);
    if (!store->status)
        write_plan(&salvage);
    salvaged_out->points = salvage.plan.count;
    salvaged_out->again -= salvaged_out->trials;
    sqlite3_finalize(salvage.from.same);
    sqlite3_close(salvage.from.database);
    rl_plan_free(&salvage.plan);
}
