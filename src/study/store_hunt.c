/* SPDX-License-Identifier: MIT
 *
 * The hunts of a study.
 *
 * A hunt is a function of its request, so what its trials took is all that must be kept of it: who
 * asks for the same again goes the same way, and runs only what is not there yet.
 */
#include <string.h>

#include "study/inside.h"
#include "study/store_sqlite.h"

enum rl_status rl_store_hunt_find(struct rl_store *store, const char *request, uint64_t batch,
                                  double *steps, size_t count, bool *found_out,
                                  struct rl_error *error)
{
    const size_t bytes = count * sizeof *steps;
    *found_out = false;
    if (!store->database)
        return RL_OK;
    store_enter(store, error);
    sqlite3_stmt *row =
        store_ask(store, "SELECT steps FROM hunt WHERE request = ? AND batch = ?", request);
    store_bind_count(row, 2, batch);
    if (store_next(store, row) && (size_t)sqlite3_column_bytes(row, 0) == bytes && bytes > 0) {
        memcpy(steps, sqlite3_column_blob(row, 0), bytes);
        *found_out = true;
    }
    sqlite3_finalize(row);
    return store->status;
}

enum rl_status rl_store_hunt_keep(struct rl_store *store, const char *request, uint64_t batch,
                                  const double *steps, size_t count, bool commit,
                                  struct rl_error *error)
{
    store_enter(store, error);
    if (store->lock >= 0 && !store_is_in_place(store->lock, store->path))
        store_say_gone(store);
    store_begin(store);
    if (!store->born)
        store_make_view(store);
    if (count > 0) {
        sqlite3_stmt *row =
            store_ask(store, "INSERT OR REPLACE INTO hunt VALUES (?, ?, ?)", request);
        store_bind_count(row, 2, batch);
        sqlite3_bind_blob(row, 3, steps, (int)(count * sizeof *steps), SQLITE_TRANSIENT);
        store_run_once(store, row);
        sqlite3_finalize(row);
    }
    if (commit)
        store_commit(store);
    return store->status;
}
