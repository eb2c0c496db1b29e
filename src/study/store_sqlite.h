/* SPDX-License-Identifier: MIT
 *
 * SQLite as the store uses it: only the store's own files, hunt.c and study.c include this, and
 * only this includes sqlite3.h.
 *
 * Failures stick. Who calls the store from outside begins with store_enter; after the first failure
 * nothing more is asked of SQLite, statements are NULL (which SQLite lets pass) and have no rows,
 * and `status` is looked at once, at the end.
 */
#ifndef RINGLEADER_STUDY_STORE_SQLITE_H
#define RINGLEADER_STUDY_STORE_SQLITE_H

#include <sqlite3.h>
#include <stdio.h>

#include "ringleader/study.h"

enum { STORE_PATH = 512 }; /* paths are shorter */

struct rl_store {
    sqlite3 *database;    /* NULL: there is no file yet, or an empty one */
    sqlite3_stmt *insert; /* of a trial; NULL until the first is written */
    sqlite3_stmt *same;   /* a point as it would be written; NULL until the first is read */
    enum rl_store_mode mode;
    bool absent;            /* there was no file */
    bool born;              /* it has its tables */
    bool in_transaction;    /* what is written is committed by store_commit */
    bool interrupted;       /* the last who wrote did not end it, and left no log */
    int lock;               /* the file once more, for the writer's lock; or -1 */
    uint64_t share, shares; /* part `share` (from 0) of `shares`; 0 while nobody has said */
    bool session;           /* a session of ours has begun */
    uint64_t dropped;       /* impossible trials that were met */
    struct rl_plan plan;    /* all points: the first has the id 1 */
    enum rl_status status;  /* the first failure of the present call, ... */
    struct rl_error *error; /* ... and where it is told, or NULL */
    char path[STORE_PATH];
};

/* ---- the file ---- */

/* Opens the file beside SQLite, to become its writer (who creates it if need be) or to ask whether
 * there is one. It must be closed after the database: closing any descriptor of a file drops the
 * locks that SQLite holds on it. */
void store_lock(struct rl_store *store);
/* Whether somebody else is the writer. */
bool store_is_locked(const struct rl_store *store);
/* Says so if the path does not lead to the file any more: with a log SQLite would go on writing to
 * one that nobody can find. */
void store_check_place(struct rl_store *store);
/* Whether processes that open the file share memory: that is so on a disk of this machine, and not
 * over a network. A file system that we do not know counts as not. */
bool store_is_local(const struct rl_store *store);
/* Opens the database of a path, whatever it looks like; `more` is "" or what else SQLite is to know
 * of it. */
int store_connect(const char *path, int flags, const char *more, sqlite3 **database_out);

/* ---- SQLite ---- */

void store_enter(struct rl_store *store, struct rl_error *error);
/* A failure with our words, unless there was one before. */
#define store_fail(store, code, ...)                                                               \
    ((store)->status ? (store)->status                                                             \
                     : ((store)->status = rl_error_set((store)->error, code, __VA_ARGS__)))
/* `why` may be "". */
void store_say_damaged(struct rl_store *store, const char *why);
/* The last failure of SQLite. */
void store_explain(struct rl_store *store);

/* The format is SQLite's: %Q writes a text with quotes, %lld a number. */
void store_execute(struct rl_store *store, const char *format, ...);
/* A statement to be finalized; `text`, unless it is NULL, is its first parameter. */
sqlite3_stmt *store_ask(struct rl_store *store, const char *sql, const char *text);
/* Goes to the next row; false at the end and after a failure. */
bool store_next(struct rl_store *store, sqlite3_stmt *rows);
/* The number that a question is answered with; 0: with none. */
sqlite3_int64 store_number(struct rl_store *store, const char *sql);
/* Runs a statement that returns nothing and makes it ready for the next time. */
void store_run_once(struct rl_store *store, sqlite3_stmt *statement);
/* A column as text, "" if it is NULL; a text that must be the same. */
const char *store_text(sqlite3_stmt *row, int column);
bool store_is_text(sqlite3_stmt *row, int column, const char *text);
void store_bind_text(sqlite3_stmt *statement, int place, const char *text);
/* A count, or NULL for RL_NEVER. */
void store_bind_count(sqlite3_stmt *statement, int place, uint64_t count);

/* What follows is one change, up to store_commit, which takes it back after a failure. A new file
 * comes into being with it. After store_commit it survives kill -9 and power loss. */
void store_begin(struct rl_store *store);
enum rl_status store_commit(struct rl_store *store);

/* ---- what is in the file ---- */

/* Which part of the trials the file is for; that nobody has said is damage. */
void store_read_share(struct rl_store *store);
/* Makes the view for all points of the file. */
void store_make_view(struct rl_store *store);
/* Adds a plan, given as text and as points, with the texts of its protocols and starts that came
 * from files. Points that are there already keep their trials; rl_plan_add says what they take
 * over. */
void store_add_plan(struct rl_store *store, const char *text, const struct rl_plan *plan);
/* Adds it to a file that has none, or that may be extended; refuses another one than the file has,
 * which is neither of the same text nor has the same points. */
void store_settle_plan(struct rl_store *store, const char *text, const struct rl_plan *plan,
                       bool extend);

/* Reads all points of the file; one that we would not have written is damage. */
void store_read_points(struct rl_store *store);
/* A point's row as a line of a plan, but for the error that ends it. */
#define STORE_WORDS                                                                                \
    "spelling || '; trials=' || trials || '; easy=' || easy ||"                                    \
    " ifnull('; claim=' || nullif(claim, ''), '') || ifnull('; curve=' || nullif(curve, ''), '')"
/* The points as rows; and one of them as a plan of one point, which is to be freed. False, and
 * `why_out` says why: its columns do not agree. */
#define STORE_POINTS "SELECT id, " STORE_WORDS ", until_error FROM point ORDER BY id"
bool store_read_point(struct rl_store *store, sqlite3_stmt *row, struct rl_plan *one_out,
                      struct rl_error *why_out);

/* Adds a trial to what is committed next; one that is there already stays as it is. */
void store_insert_trial(struct rl_store *store, const struct rl_point *point,
                        const struct rl_trial *trial);
/* False: no run at this point ends so. */
bool store_read_trial(sqlite3_stmt *row, const struct rl_point *point, struct rl_trial *trial_out);

/* Puts the points of a damaged study, and what SQLite can read of their trials, into this one,
 * which must be new; store_commit makes it last. The damaged file is only read. RL_IO: no plan and
 * no point can be read any more. */
void store_salvage(struct rl_store *store, const char *damaged,
                   struct rl_store_salvaged *salvaged_out);

/* Protocols from files (store_own.c): puts what stands for those of the study whose files were not
 * given into the list. A row that we would not have written is damage; of a damaged study, `from`,
 * it is left out. */
void store_recall_own(struct rl_store *store, struct rl_store *from);
/* Keeps those of a plan. */
void store_keep_own(struct rl_store *store, const struct rl_plan *plan);

#endif
