/* SPDX-License-Identifier: MIT
 *
 * Saving what can be read of a damaged study.
 *
 * SQLite reads it, from a private copy, so that the damaged file is not written to. Rows are taken
 * forward until the first that cannot be read, trials a point at a time, so that a broken page
 * costs the trials of some points. What is lost is computed again: a trial is a function of its
 * seed.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/plan_parts.h"
#include "study/store_sqlite.h"
#include "study/inside.h"

enum { PART_NAME = STORE_NAME + 32 };

struct salvage {
    struct rl_store *store;
    sqlite3 *from;
    struct rl_plan plan; /* the points of the new file ... */
    uint32_t *places;    /* ... by their old numbers: a place from 1, or 0 */
    size_t with_rows;    /* how many are known from rows; the others from plans */
    size_t point;        /* whose trials are read */
    struct rl_store_salvaged *salvaged;
    struct rl_error *error;
};

static enum rl_status copy_file(const char *from, const char *to, struct rl_error *error)
{
    struct stat about = {0};
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t sent = in < 0 || out < 0 || fstat(in, &about) != 0 ? -1 : 0;
    if (sent == 0 && S_ISREG(about.st_mode))
        while ((sent = sendfile(out, in, NULL, 1 << 30)) > 0)
            ;
    const char *why = sent < 0 ? strerror(errno) : S_ISREG(about.st_mode) ? NULL : "not a file";
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return why ? rl_error_set(error, RL_IO, "%s cannot be copied: %s", from, why) : RL_OK;
}

/* Asks the copy, and has each row taken, up to the first that cannot be read. RL_BAD_STUDY: not
 * that one. */
static enum rl_status each_row(struct salvage *salvage, const char *sql, size_t point,
                               enum rl_status (*take)(struct salvage *, sqlite3_stmt *))
{
    sqlite3_stmt *rows = NULL;
    enum rl_status status = RL_OK;
    salvage->point = point;
    int step = sqlite3_prepare_v2(salvage->from, sql, -1, &rows, NULL);
    if (step == SQLITE_OK)
        sqlite3_bind_int64(rows, 1, (sqlite3_int64)point);
    while (!status && (step == SQLITE_OK || step == SQLITE_ROW))
        if ((step = sqlite3_step(rows)) == SQLITE_ROW) {
            status = take(salvage, rows);
            status = status == RL_BAD_STUDY ? RL_OK : status;
        }
    sqlite3_finalize(rows);
    return step == SQLITE_NOMEM ? RL_NO_MEMORY : status;
}

static enum rl_status take_own(struct salvage *salvage, sqlite3_stmt *row)
{
    return store_keep_own_row(salvage->store, row, salvage->error);
}

static enum rl_status take_start(struct salvage *salvage, sqlite3_stmt *row)
{
    return store_execute(salvage->store, salvage->error,
                         "INSERT OR IGNORE INTO start VALUES (%Q, %Q)", sqlite3_column_text(row, 0),
                         sqlite3_column_text(row, 1));
}

static enum rl_status take_point(struct salvage *salvage, sqlite3_stmt *row)
{
    const sqlite3_int64 id = sqlite3_column_int64(row, 0);
    struct rl_point point;
    struct rl_plan starts = {0};
    size_t place;
    enum rl_status status = store_read_point(salvage->store, row, &point, &starts, NULL);
    if (!status && id >= 1 && id <= RL_PLAN_POINTS) {
        status = rl_plan_add(&salvage->plan, &point, &place);
        if (!status)
            salvage->places[id] = (uint32_t)place + 1;
        salvage->with_rows = salvage->plan.count;
    }
    rl_plan_free(&starts);
    return status == RL_OK || status == RL_NO_MEMORY ? status : RL_BAD_STUDY;
}

/* Those with rows come first. */
static bool has_row(const struct salvage *salvage, const struct rl_point *point)
{
    const struct rl_point *found = rl_plan_find(&salvage->plan, point);
    return found && (size_t)(found - salvage->plan.points) < salvage->with_rows;
}

/* Its points that have no row. (What stands for a protocol has no defaults: rows only.) */
static enum rl_status take_plan(struct salvage *salvage, sqlite3_stmt *row)
{
    struct rl_plan asked;
    size_t place;
    const char *text = (const char *)sqlite3_column_text(row, 0);
    enum rl_status status =
        rl_plan_parse(&asked, text, strlen(text), RL_PLAN_SKIP_UNKNOWN, NULL, NULL);
    for (size_t i = 0; i < asked.count && !status; i++)
        if (asked.points[i].protocol->interact && !has_row(salvage, &asked.points[i]))
            status = rl_plan_add(&salvage->plan, &asked.points[i], &place);
    rl_plan_free(&asked);
    return status == RL_OK || status == RL_NO_MEMORY ? status : RL_BAD_STUDY;
}

static enum rl_status take_share(struct salvage *salvage, sqlite3_stmt *row)
{
    rl_store_set_share(salvage->store, (uint64_t)sqlite3_column_int64(row, 0) - 1,
                       (uint64_t)sqlite3_column_int64(row, 1));
    return RL_OK;
}

static enum rl_status take_trial(struct salvage *salvage, sqlite3_stmt *row)
{
    struct rl_trial trial;
    const uint32_t place = salvage->places[salvage->point] - 1;
    enum rl_status status =
        store_read_trial(salvage->store, row, &salvage->plan.points[place], &trial, salvage->error);
    trial.point = place;
    if (!status)
        status = store_insert_trial(salvage->store, &salvage->plan, &trial, salvage->error);
    salvage->salvaged->trials += !status;
    return status;
}

/* One plan for all points: a grid each. */
static enum rl_status write_plan(struct salvage *salvage)
{
    enum { LINE = RL_PLAN_LINE + RL_PLAN_CLAIM + 64 };
    if (salvage->plan.count == 0)
        return rl_error_set(salvage->error, RL_IO,
                            "neither plan nor points can be read any more: begin the study anew");
    char *memory = malloc(salvage->plan.count * LINE + 1);
    struct rl_text text = rl_text_into(memory, memory ? salvage->plan.count * LINE + 1 : 0);
    for (size_t i = 0; memory && i < salvage->plan.count; i++) {
        rl_text_string(&text, "grid; ");
        plan_print_point(&salvage->plan.points[i], true, true, &text);
        rl_text_char(&text, '\n');
    }
    const enum rl_status status =
        memory ? rl_store_add_plan(salvage->store, memory, &salvage->plan, salvage->error)
               : RL_NO_MEMORY;
    free(memory);
    return status;
}

static enum rl_status save_all(struct salvage *salvage)
{
    enum rl_status status = each_row(salvage, STORE_OWN_ROWS, 0, take_own);
    if (!status)
        status = each_row(salvage,
                          "SELECT name, text FROM start WHERE typeof(name) = 'text' AND"
                          " typeof(text) = 'text'",
                          0, take_start);
    if (!status)
        status = each_row(salvage, "SELECT * FROM point", 0, take_point);
    if (!status)
        status =
            each_row(salvage, "SELECT text FROM plan WHERE typeof(text) = 'text'", 0, take_plan);
    if (!status)
        status = write_plan(salvage);
    if (!status)
        status = each_row(salvage,
                          "SELECT share, shares FROM share WHERE typeof(share) = 'integer' AND"
                          " typeof(shares) = 'integer' AND share BETWEEN 1 AND shares LIMIT 1",
                          0, take_share);
    for (size_t id = 1; id <= RL_PLAN_POINTS && !status; id++)
        if (salvage->places[id])
            status = each_row(salvage, "SELECT * FROM trial WHERE point = ? ORDER BY trial", id,
                              take_trial);
    salvage->salvaged->points = salvage->plan.count;
    for (size_t i = 0; i < salvage->plan.count; i++)
        salvage->salvaged->again += salvage->plan.points[i].trials;
    salvage->salvaged->again -= salvage->salvaged->trials;
    return status;
}

enum rl_status rl_store_salvage(struct rl_store *store, const char *damaged,
                                struct rl_store_salvaged *salvaged_out, struct rl_error *error)
{
    assert(!store->born && "what is saved goes into a new study");
    /* What SQLite keeps in a file and beside it; the last is made anew. */
    static const char *const PARTS[] = {"", "-wal", "-journal", "-shm"};
    struct salvage salvage = {.store = store, .salvaged = salvaged_out, .error = error};
    char directory[STORE_NAME + 8], from[PART_NAME], copy[PART_NAME];
    *salvaged_out = (struct rl_store_salvaged){0};
    snprintf(directory, sizeof directory, "%s%s.XXXXXX", store->path[0] == '/' ? "" : "./",
             store->path);
    salvage.places = calloc(RL_PLAN_POINTS + 1, sizeof *salvage.places);
    enum rl_status status = salvage.places ? RL_OK : RL_NO_MEMORY;
    if (!status && !mkdtemp(directory))
        status = rl_error_set(error, RL_IO, "%s cannot be made: %s", directory, strerror(errno));
    for (int i = 2; i >= 0 && !status; i--) {
        snprintf(from, sizeof from, "%s%s", damaged, PARTS[i]);
        snprintf(copy, sizeof copy, "%s/copy%s", directory, PARTS[i]);
        if (i == 0 || access(from, F_OK) == 0)
            status = copy_file(from, copy, error);
    }
    if (!status && sqlite3_open_v2(copy, &salvage.from, SQLITE_OPEN_READWRITE, NULL))
        status = RL_NO_MEMORY;
    if (!status)
        sqlite3_exec(salvage.from, "PRAGMA trusted_schema=OFF; PRAGMA writable_schema=ON", NULL,
                     NULL, NULL);
    if (!status)
        status = rl_store_begin(store, error);
    if (!status)
        status = save_all(&salvage);
    sqlite3_close(salvage.from);
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        snprintf(copy, sizeof copy, "%s/copy%s", directory, PARTS[i]);
        unlink(copy);
    }
    rmdir(directory);
    free(salvage.places);
    rl_plan_free(&salvage.plan);
    return status;
}
