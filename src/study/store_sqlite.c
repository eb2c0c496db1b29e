/* SPDX-License-Identifier: MIT
 *
 * What the parts of the store ask of SQLite and of the operating system, and failures in our words.
 *
 * The one writer of a study is a lock on a byte of its file that SQLite never touches. The kernel
 * drops it however the process ends. It is of the open-file-description kind: the usual one is
 * dropped when any descriptor of the file is closed, and SQLite opens and closes the file as it
 * pleases.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sys/vfs.h>

#include "study/store_sqlite.h"

/* ---- the file ---- */

/* A byte beyond every page SQLite can have. */
static struct flock writer_byte(void)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
}

void store_lock(struct rl_store *store)
{
    struct flock byte = writer_byte();
    const bool writes = store->mode == RL_STORE_WRITE;
    const char *path = store->path;
    store->lock = open(path, (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0666);
    if (store->lock < 0 && !writes && errno == ENOENT)
        store_fail(store, RL_BAD_STUDY, "there is no file %s", path);
    else if (store->lock < 0)
        store_fail(store, RL_IO, "%s cannot be %s: %s", path, writes ? "written" : "read",
                   strerror(errno));
    else if (writes && fcntl(store->lock, F_OFD_SETLK, &byte) != 0)
        store_fail(store, RL_IO,
                   "%s is being written by another study; wait for it (study --status %s)", path,
                   path);
}

bool store_is_locked(const struct rl_store *store)
{
    struct flock byte = writer_byte();
    return fcntl(store->lock, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

void store_check_place(struct rl_store *store)
{
    struct stat ours, there;
    if (fstat(store->lock, &ours) != 0 || stat(store->path, &there) != 0 ||
        ours.st_dev != there.st_dev || ours.st_ino != there.st_ino)
        store_fail(store, RL_IO, "%s was removed or moved while it was in use", store->path);
}

bool store_is_local(const struct rl_store *store)
{
    static const uint32_t LOCAL[] = {
        0xef53 /* ext2, ext3, ext4 */, 0x58465342 /* XFS */,      0x9123683e /* Btrfs */,
        0x01021994 /* tmpfs */,        0x794c7630 /* overlay */,  0x2fc12fc1 /* ZFS */,
        0xf2f52010 /* F2FS */,         0xca451a4e /* bcachefs */,
    };
    struct statfs system;
    if (fstatfs(store->lock, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof LOCAL / sizeof LOCAL[0]; i++)
        if ((uint32_t)system.f_type == LOCAL[i])
            return true;
    return false;
}

int store_connect(const char *path, int flags, const char *more, sqlite3 **database_out)
{
    char address[3 * STORE_PATH + 32], *at = address;
    if (strlen(path) >= STORE_PATH)
        return SQLITE_CANTOPEN;
    /* A name that does not begin with / or . could be one of its own, like :memory:. */
    at += sprintf(at, "file:%s", path[0] == '/' ? "" : "./");
    for (const char *c = path; *c; c++)
        at += sprintf(at, "%%%02X", (unsigned char)*c);
    strcpy(at, more);
    return sqlite3_open_v2(address, database_out, flags | SQLITE_OPEN_URI, NULL);
}

/* ---- SQLite ---- */

void store_enter(struct rl_store *store, struct rl_error *error)
{
    store->status = RL_OK;
    store->error = error;
    if (error)
        error->line = error->column = 0;
}

void store_say_damaged(struct rl_store *store, const char *why)
{
    store_fail(store, RL_IO,
               "%s is damaged%s%s%s; to save what can be read and run the rest again: ringleader "
               "study --salvage %s --db NEW.db",
               store->path, why[0] ? " (" : "", why, why[0] ? ")" : "", store->path);
}

void store_explain(struct rl_store *store)
{
    const int code = sqlite3_errcode(store->database) & 0xff;
    const char *path = store->path;
    if (code == SQLITE_NOMEM)
        store->status = store->status ? store->status : RL_NO_MEMORY;
    if (code == SQLITE_READONLY || code == SQLITE_IOERR)
        store_check_place(store);
    if (code == SQLITE_CORRUPT)
        store_say_damaged(store, "");
    else if (code == SQLITE_NOTADB)
        store_fail(store, RL_BAD_STUDY, "%s is not a study database", path);
    else if (code == SQLITE_FULL)
        store_fail(store, RL_IO,
                   "%s: the disk is full; what was written is safe: free some space and run the "
                   "same command again",
                   path);
    else if (code == SQLITE_READONLY)
        store_fail(store, RL_IO, "%s is write-protected", path);
    else if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        store_fail(store, RL_IO, "%s is locked by another program", path);
    else
        store_fail(store, RL_IO, "%s: %s", path, sqlite3_errmsg(store->database));
}

void store_execute(struct rl_store *store, const char *format, ...)
{
    va_list arguments;
    if (store->status)
        return;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (!sql)
        store->status = RL_NO_MEMORY;
    else if (sqlite3_exec(store->database, sql, NULL, NULL, NULL))
        store_explain(store);
    sqlite3_free(sql);
}

sqlite3_stmt *store_ask(struct rl_store *store, const char *sql, const char *text)
{
    sqlite3_stmt *statement = NULL;
    if (!store->status && sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL))
        store_explain(store);
    if (text)
        store_bind_text(statement, 1, text);
    return statement;
}

bool store_next(struct rl_store *store, sqlite3_stmt *rows)
{
    const int step = store->status ? SQLITE_DONE : sqlite3_step(rows);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        store_explain(store);
    return step == SQLITE_ROW;
}

sqlite3_int64 store_number(struct rl_store *store, const char *sql)
{
    sqlite3_stmt *row = store_ask(store, sql, NULL);
    const sqlite3_int64 number = store_next(store, row) ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    return number;
}

void store_run_once(struct rl_store *store, sqlite3_stmt *statement)
{
    store_next(store, statement);
    sqlite3_reset(statement);
}

const char *store_text(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

bool store_is_text(sqlite3_stmt *row, int column, const char *text)
{
    return sqlite3_column_type(row, column) == SQLITE_TEXT &&
           strcmp(store_text(row, column), text) == 0;
}

void store_bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    if (statement)
        sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

void store_bind_count(sqlite3_stmt *statement, int place, uint64_t count)
{
    if (count == RL_NEVER)
        sqlite3_bind_null(statement, place);
    else
        sqlite3_bind_int64(statement, place, (sqlite3_int64)count);
}
