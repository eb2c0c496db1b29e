/* SPDX-License-Identifier: MIT
 *
 * Saving what can be read of a damaged study.
 *
 * SQLite reads it, from a private image, so that the damaged file is not written to. Rows are taken
 * forward until the first that cannot be read, trials a point at a time, so that a broken page
 * costs the trials of some points. What is lost is computed again: a trial is a function of its
 * seed.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/plan_parts.h"
#include "study/store_sqlite.h"
#include "study/inside.h"

struct salvage {
    struct rl_store *store;
    struct rl_store from; /* the copy; its failures only end what is being read */
    struct rl_plan plan;  /* the points of the new file ... */
    uint32_t *places;     /* ... by their old numbers: a place from 1, or 0 */
    size_t with_rows;     /* how many are known from rows; the others from plans */
    size_t place;         /* of the point whose trials are read */
    uint64_t trials;
    unsigned char *image; /* of the damaged file */
    size_t size;
};

/* Opens a private image of the file: what is written to it stays in memory. Its log, if it has one,
 * is not looked at: what stands there is computed again. */
static void open_image(struct salvage *salvage, const char *path)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19, HEADER = 100, NO_LOG = 1 };
    struct stat about = {0};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const char *why = NULL;
    if (file < 0 || fstat(file, &about) != 0)
        why = strerror(errno);
    else if (!S_ISREG(about.st_mode) || about.st_size < HEADER)
        why = S_ISREG(about.st_mode) ? "it is too short" : "not a file";
    salvage->size = (size_t)about.st_size;
    if (!why && (salvage->image = mmap(NULL, salvage->size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
                                       file, 0)) == MAP_FAILED)
        why = strerror(errno);
    if (file >= 0)
        close(file);
    if (why) {
        store_fail(salvage->store, RL_IO, "%s cannot be copied: %s", path, why);
        return;
    }
    salvage->image[WRITE_VERSION] = salvage->image[READ_VERSION] = NO_LOG;
    if (sqlite3_open_v2(":memory:", &salvage->from.database, SQLITE_OPEN_READWRITE, NULL) ||
        sqlite3_deserialize(salvage->from.database, "main", salvage->image,
                            (sqlite3_int64)salvage->size, (sqlite3_int64)salvage->size,
                            SQLITE_DESERIALIZE_READONLY))
        salvage->store->status = RL_NO_MEMORY;
    else
        store_execute(&salvage->from, "PRAGMA trusted_schema=OFF; PRAGMA writable_schema=ON");
}

/* Asks the copy, and has each row taken, up to the first that cannot be read. */
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

static void take_own(struct salvage *salvage, sqlite3_stmt *row)
{
    store_keep_own_row(salvage->store, row);
}

static void take_start(struct salvage *salvage, sqlite3_stmt *row)
{
    store_execute(salvage->store, "INSERT OR IGNORE INTO start VALUES (%Q, %Q)", store_text(row, 0),
                  store_text(row, 1));
}

static size_t add_point(struct salvage *salvage, const struct rl_point *point)
{
    size_t place = 0;
    if (rl_plan_add(&salvage->plan, point, &place))
        salvage->store->status = RL_NO_MEMORY;
    return place;
}

static void take_point(struct salvage *salvage, sqlite3_stmt *row)
{
    const sqlite3_int64 id = sqlite3_column_int64(row, 0);
    struct rl_point point;
    struct rl_plan starts = {0};
    if (store_read_point(salvage->store, row, &point, &starts, NULL) && id >= 1 &&
        id <= RL_PLAN_POINTS) {
        salvage->places[id] = (uint32_t)add_point(salvage, &point) + 1;
        salvage->with_rows = salvage->plan.count;
    }
    rl_plan_free(&starts);
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
        const struct rl_point *point = &asked.points[i],
                              *found = rl_plan_find(&salvage->plan, point);
        const bool has_row = found && (size_t)(found - salvage->plan.points) < salvage->with_rows;
        if (point->protocol->interact && !has_row)
            add_point(salvage, point);
    }
    rl_plan_free(&asked);
}

static void take_share(struct salvage *salvage, sqlite3_stmt *row)
{
    salvage->store->share = (uint64_t)sqlite3_column_int64(row, 0) - 1;
    salvage->store->shares = (uint64_t)sqlite3_column_int64(row, 1);
}

static void take_trial(struct salvage *salvage, sqlite3_stmt *row)
{
    struct rl_trial trial;
    if (!store_read_trial(salvage->store, row, &salvage->plan.points[salvage->place], &trial))
        return;
    trial.point = (uint32_t)salvage->place;
    store_insert_trial(salvage->store, &salvage->plan, &trial);
    salvage->trials++;
}

/* One plan for all points: a grid each. */
static void write_plan(struct salvage *salvage)
{
    const size_t size = salvage->plan.count * (RL_PLAN_LINE + RL_PLAN_CLAIM + 64) + 1;
    char *memory = malloc(size);
    struct rl_text text = rl_text_into(memory, memory ? size : 0);
    if (salvage->plan.count == 0)
        store_fail(salvage->store, RL_IO,
                   "neither plan nor points can be read any more: start the study again");
    for (size_t i = 0; memory && i < salvage->plan.count; i++) {
        rl_text_string(&text, "grid; ");
        plan_print_point(&salvage->plan.points[i], true, true, &text);
        rl_text_char(&text, '\n');
    }
    if (memory)
        store_add_plan(salvage->store, memory, &salvage->plan);
    else
        salvage->store->status = RL_NO_MEMORY;
    free(memory);
}

static void save_all(struct salvage *salvage)
{
    each_row(salvage, STORE_OWN_ROWS, NULL, take_own);
    each_row(salvage,
             "SELECT name, text FROM start WHERE typeof(name) = 'text' AND typeof(text) = 'text'",
             NULL, take_start);
    each_row(salvage, "SELECT * FROM point", NULL, take_point);
    each_row(salvage, "SELECT text FROM plan WHERE typeof(text) = 'text'", NULL, take_plan);
    write_plan(salvage);
    each_row(salvage,
             "SELECT share, shares FROM share WHERE typeof(share) = 'integer' AND"
             " typeof(shares) = 'integer' AND share BETWEEN 1 AND shares LIMIT 1",
             NULL, take_share);
    for (size_t id = 1; id <= RL_PLAN_POINTS; id++) {
        char number[32];
        snprintf(number, sizeof number, "%zu", id);
        salvage->place = salvage->places[id] - 1;
        if (salvage->places[id])
            each_row(salvage, "SELECT * FROM trial WHERE point = CAST(? AS INTEGER) ORDER BY trial",
                     number, take_trial);
    }
}

void store_salvage(struct rl_store *store, const char *damaged,
                   struct rl_store_salvaged *salvaged_out)
{
    assert(!store->born && "what is saved goes into a new study");
    struct salvage salvage = {.store = store, .from = {.lock = -1}, .image = MAP_FAILED};
    *salvaged_out = (struct rl_store_salvaged){0};
    salvage.places = calloc(RL_PLAN_POINTS + 1, sizeof *salvage.places);
    if (salvage.places)
        open_image(&salvage, damaged);
    else
        store->status = RL_NO_MEMORY;
    if (!store->status) {
        store_begin(store);
        save_all(&salvage);
    }
    sqlite3_close(salvage.from.database);
    if (salvage.image != MAP_FAILED)
        munmap(salvage.image, salvage.size);
    salvaged_out->points = salvage.plan.count;
    salvaged_out->trials = salvage.trials;
    for (size_t i = 0; i < salvage.plan.count; i++)
        salvaged_out->again += salvage.plan.points[i].trials;
    salvaged_out->again -= salvage.trials;
    free(salvage.places);
    rl_plan_free(&salvage.plan);
}
