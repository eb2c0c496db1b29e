/* SPDX-License-Identifier: MIT
 *
 * SQLite as the store uses it: only the store's own files include this, and only this includes
 * sqlite3.h.
 */
#ifndef RINGLEADER_STUDY_STORE_SQLITE_H
#define RINGLEADER_STUDY_STORE_SQLITE_H

#include <sqlite3.h>
#include <stdio.h>

#include "ringleader/study.h"

/* Paths are shorter, also with ./ before them. */
enum { STORE_PATH = 512, STORE_NAME = STORE_PATH + 2 };

struct rl_store {
    sqlite3 *database;     /* NULL: there is no file yet, or an empty one */
    sqlite3_stmt *insert;  /* of a trial; NULL until the first is written */
    sqlite3_stmt *numbers; /* in JSON; NULL until the first is read */
    enum rl_store_mode mode;
    bool absent;         /* there was no file */
    bool born;           /* it has its tables */
    bool in_transaction; /* what is written is committed by rl_store_commit */
    bool interrupted;    /* the last who wrote did not end it, and left no log */
    int lock;            /* the file once more, for the writer's lock; or -1 */
    uint64_t share, shares;
    sqlite3_int64 session;
    uint64_t dropped; /* impossible trials that were met */
    struct rl_store_patience patience;
    char path[STORE_PATH];
};

/* Opens the file beside SQLite, to become its writer (who creates it if need be) or to ask whether
 * there is one. It must be closed after the database: closing any descriptor of a file drops the
 * locks that SQLite holds on it. */
RL_MUST_CHECK enum rl_status store_lock(const char *path, enum rl_store_mode mode, int *lock_out,
                                        struct rl_error *error);
void store_unlock(int lock); /* -1: nothing */
/* Whether somebody else is the writer. */
bool store_is_locked(int lock);
/* Whether the path still leads to the file that was opened. */
bool store_is_in_place(int lock, const char *path);
/* Whether processes that open the file share memory: that is so on a disk of this machine, and not
 * over a network. A file system that we do not know counts as not. */
bool store_is_local(int lock);

/* The last failure of SQLite, as a status and in words. */
enum rl_status store_explain(struct rl_store *store, struct rl_error *error);
/* `why` may be NULL. */
enum rl_status store_say_damaged(const struct rl_store *store, const char *why,
                                 struct rl_error *error);
enum rl_status store_say_gone(const struct rl_store *store, struct rl_error *error);

/* The format is SQLite's: %Q writes a text with quotes, %lld a number. */
RL_MUST_CHECK enum rl_status store_execute(struct rl_store *store, struct rl_error *error,
                                           const char *format, ...);
/* Finalize the statement also after a failure. */
RL_MUST_CHECK enum rl_status store_prepare(struct rl_store *store, const char *sql,
                                           sqlite3_stmt **out, struct rl_error *error);
/* Goes to the next row; false at the end and after a failure, which *status then is. */
bool store_next(struct rl_store *store, sqlite3_stmt *rows, enum rl_status *status,
                struct rl_error *error);
/* Runs a statement that returns nothing and makes it ready for the next time. */
RL_MUST_CHECK enum rl_status store_run_once(struct rl_store *store, sqlite3_stmt *statement,
                                            struct rl_error *error);
/* Ends what rl_store_begin began, well or badly. */
void store_give_up(struct rl_store *store);
RL_MUST_CHECK enum rl_status store_finish(struct rl_store *store, enum rl_status status,
                                          struct rl_error *error);

/* The statement that makes table `index` of a study (NULL: there is none), and its name. To be
 * freed with sqlite3_free. */
char *store_table(size_t index, const char **name_out);
/* That makes the view, for the parameters of the protocols of a plan. */
char *store_view(const struct rl_plan *plan);

/* The rows of a plan, of points and of a trial, each in the order of the table's columns. */
RL_MUST_CHECK enum rl_status store_add_plan(struct rl_store *store, const char *text,
                                            const struct rl_plan *plan, struct rl_error *error);
RL_MUST_CHECK enum rl_status store_read_point(struct rl_store *store, sqlite3_stmt *row,
                                              struct rl_point *point_out,
                                              struct rl_plan *starts_out, struct rl_error *error);
RL_MUST_CHECK enum rl_status store_insert_trial(struct rl_store *store, const struct rl_plan *plan,
                                                const struct rl_trial *trial,
                                                struct rl_error *error);
/* RL_BAD_STUDY if no run at this point ends so. */
RL_MUST_CHECK enum rl_status store_read_trial(struct rl_store *store, sqlite3_stmt *row,
                                              const struct rl_point *point,
                                              struct rl_trial *trial_out, struct rl_error *error);

/* Protocols from files (store_own.c): puts what stands for those of the study whose files were not
 * given into the list. */
RL_MUST_CHECK enum rl_status store_recall_own(struct rl_store *store, struct rl_error *error);
/* Keeps those of a plan. */
RL_MUST_CHECK enum rl_status store_keep_own(struct rl_store *store, const struct rl_plan *plan,
                                            struct rl_error *error);
/* A row of another study's is kept here, and something stands for the protocol. RL_BAD_STUDY: it
 * did not come through whole. */
#define STORE_OWN_ROWS "SELECT protocol, hash, text, sheet FROM own"
RL_MUST_CHECK enum rl_status store_keep_own_row(struct rl_store *store, sqlite3_stmt *row,
                                                struct rl_error *error);

/* What the columns with names of the protocol hold. */
struct store_json {
    char text[1024];
};

void store_bind_text(sqlite3_stmt *statement, int place, const char *text);
/* A count, or NULL for RL_NEVER. */
void store_bind_count(sqlite3_stmt *statement, int place, uint64_t count);

#endif
