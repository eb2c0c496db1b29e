/* SPDX-License-Identifier: MIT
 *
 * What the store's files have of store_lock.c and store_json.c.
 */
#ifndef RINGLEADER_STUDY_STORE_PARTS_H
#define RINGLEADER_STUDY_STORE_PARTS_H

#include "ringleader/store.h"

/* Becomes the writer of a file, which is created if need be. The lock must be given back after the
 * database is closed: closing a descriptor drops the locks that SQLite holds on the file. */
RL_MUST_CHECK enum rl_status store_lock(const char *path, int *lock_out, struct rl_error *error);
void store_unlock(int lock); /* -1: nothing */
/* Whether there is a writer. Not while SQLite holds a lock in this process, for the same reason. */
bool store_is_locked(const char *path);

/* What the columns with names of the protocol hold. Reading trusts the text: it is our own. */
enum { STORE_JSON = 1024 };
void store_print_parameters(const struct rl_point *point, struct rl_text *text);
void store_print_hits(const struct rl_protocol *protocol, const struct rl_trial *trial,
                      struct rl_text *text);
void store_print_trial_faults(const struct rl_trial *trial, struct rl_text *text);
void store_read_hits(const struct rl_protocol *protocol, const char *json, struct rl_trial *trial);
void store_read_trial_faults(const char *json, struct rl_trial *trial);

#endif
