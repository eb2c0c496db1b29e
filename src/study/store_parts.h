/* SPDX-License-Identifier: MIT
 *
 * What the store's files have of store_lock.c.
 */
#ifndef RINGLEADER_STUDY_STORE_PARTS_H
#define RINGLEADER_STUDY_STORE_PARTS_H

#include "ringleader/store.h"

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

/* Of the rows in the temporary table found_own, those whose text came through whole are kept, and
 * something stands for their protocols (store_own.c). */
RL_MUST_CHECK enum rl_status store_keep_found_own(struct rl_store *store, struct rl_error *error);

#endif
