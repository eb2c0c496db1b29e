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

#include "study/store_sqlite.h"

enum { PART_NAME = STORE_NAME + 32 };

struct salvage {
    struct rl_store *store;
    sqlite3 *from;
    struct rl_plan plan; /* the points of the new file ... */
    uint32_t *places;    /* ... by their old numbers: a place from 1, or 0 */
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

static enum rl_status take_point(struct salvage *salvage, sqlite3_stmt *row)
{
    const sqlite3_int64 id = sqlite3_column_int64(row, 0);
    struct rl_point point;
    size_t place;
    enum rl_status status = store_read_point(row, &point, NULL);
    if (id < 1 || id > RL_PLAN_POINTS || status)
        return status == RL_NO_MEMORY ? status : RL_BAD_STUDY;
    status = rl_plan_add(&salvage->plan, &point, &place);
    if (!status)
        salvage->places[id] = (uint32_t)place + 1;
    return status;
}

/* Its points that have no row. (What stands for a protocol has no defaults: rows only.) */
static enum rl_status take_plan(struct salvage *salvage, sqlite3_stmt *row)
{
    struct rl_plan asked = {0};
    size_t place;
    enum rl_status status = store_replay(&asked, (const char *)sqlite3_column_text(row, 0));
    for (size_t i = 0; i < asked.count && !status; i++)
        if (asked.points[i].protocol->interact)
            status = rl_plan_add(&salvage->plan, &asked.points[i], &place);
    rl_plan_free(&asked);
    return status == RL_OK || status == RL_NO_MEMORY ? status : RL_BAD_STUDY;
}

static enum rl_status take_share(struct salvage *salvage, sqlite3_stmt *row)
{
    return rl_store_set_share(salvage->store, (uint64_t)sqlite3_column_int64(row, 0) - 1,
                              (uint64_t)sqlite3_column_int64(row, 1), salvage->error);
}

static enum rl_status take_trial(struct salvage *salvage, sqlite3_stmt *row)
{
    struct rl_trial trial;
    const uint32_t place = salvage->places[sqlite3_column_int64(row, 0)] - 1;
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
    char *text = NULL;
    size_t size;
    if (salvage->plan.count == 0)
        return rl_error_set(salvage->error, RL_IO,
                            "neither plan nor points can be read any more: begin the study anew");
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream && i < salvage->plan.count; i++)
        store_print_grid(&salvage->plan.points[i], stream);
    enum rl_status status = stream && fclose(stream) == 0 ? RL_OK : RL_NO_MEMORY;
    if (!status)
        status = store_add_plan_text(salvage->store, text, salvage->error);
    free(text);
    return status ? status : store_add_points(salvage->store, &salvage->plan, salvage->error);
}

static enum rl_status save_all(struct salvage *salvage)
{
    enum rl_status status = each_row(salvage, STORE_OWN_ROWS, 0, take_own);
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
    assert(store->mode == RL_STORE_WRITE && "the study was opened for reading");
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
        status = store_execute(store, error, "BEGIN IMMEDIATE");
    if (!status)
        status = store_finish(store, save_all(&salvage), error);
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
