/* SPDX-License-Identifier: MIT
 *
 * SQLite as the store uses it: only the store's own files include this, and only this includes
 * sqlite3.h.
 */
#ifndef RINGLEADER_STUDY_STORE_SQLITE_H
#define RINGLEADER_STUDY_STORE_SQLITE_H

#include <sqlite3.h>

#include "ringleader/store.h"

struct rl_store {
    sqlite3 *database;
    sqlite3_stmt *insert; /* of a trial; NULL until the first is written */
    int lock;             /* file that carries the writer's lock, or -1 */
    sqlite3_int64 session;
    char path[512];
};

/* The last failure of SQLite, as a status and in words. */
enum rl_status store_explain(struct rl_store *store, struct rl_error *error);
enum rl_status store_say_damaged(const struct rl_store *store, struct rl_error *error);

RL_MUST_CHECK enum rl_status store_execute(struct rl_store *store, const char *sql,
                                           struct rl_error *error);
/* Finalize the statement also after a failure. */
RL_MUST_CHECK enum rl_status store_prepare(struct rl_store *store, const char *sql,
                                           sqlite3_stmt **out, struct rl_error *error);
/* Runs a statement that returns nothing and makes it ready for the next time. */
RL_MUST_CHECK enum rl_status store_run_once(struct rl_store *store, sqlite3_stmt *statement,
                                            struct rl_error *error);
/* Ends a transaction well or badly. */
RL_MUST_CHECK enum rl_status store_finish(struct rl_store *store, enum rl_status status,
                                          struct rl_error *error);

void store_bind_text(sqlite3_stmt *statement, int place, const char *text);
/* A count, or NULL for RL_NEVER. */
void store_bind_count(sqlite3_stmt *statement, int place, uint64_t count);

#endif
