/* SPDX-License-Identifier: MIT
 *
 * The store: a study in a SQLite file. The schema is in docs/formats.md.
 *
 * One process writes at a time; any number may read meanwhile. What rl_store_write has answered
 * RL_OK to survives kill -9 and loss of power. Nothing outside the store knows SQLite.
 *
 * RL_BAD_STUDY: the file is not ours, of a newer schema or of another stream version. RL_IO:
 * it is damaged, write-protected, on a full disk, or another process is writing to it.
 */
#ifndef RINGLEADER_STORE_H
#define RINGLEADER_STORE_H

#include "ringleader/trial.h"

RL_BEGIN

enum rl_store_mode { RL_STORE_READ, RL_STORE_WRITE };

/* Raised when the tables change. */
#define RL_STORE_SCHEMA 1

struct rl_store;

/* Opens a study; with RL_STORE_WRITE creates it if it is not there, becomes its only writer and
 * checks the file through. */
RL_MUST_CHECK enum rl_status rl_store_open(struct rl_store **store_out, const char *path,
                                           enum rl_store_mode mode, struct rl_error *error);
void rl_store_close(struct rl_store *store);

/* Adds a plan, given as text and as points. Points that are there already keep their trials and
 * take the larger number of them. All or nothing. */
RL_MUST_CHECK enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                               const struct rl_plan *plan, struct rl_error *error);
/* Calls `visit` with the text of each plan in order of addition, until it says false. */
RL_MUST_CHECK enum rl_status rl_store_plans(struct rl_store *store,
                                            bool (*visit)(void *user, const char *text), void *user,
                                            struct rl_error *error);
/* All points, in order of addition. Free the plan also after a failure. */
RL_MUST_CHECK enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                                             struct rl_error *error);

/* Writes trials of the points of `plan`, which came from rl_store_points; all or none. A trial
 * that is there already stays as it is. */
RL_MUST_CHECK enum rl_status rl_store_write(struct rl_store *store, const struct rl_plan *plan,
                                            const struct rl_trial *trials, size_t count,
                                            struct rl_error *error);
/* Visits all trials in order of point and number. */
RL_MUST_CHECK enum rl_status rl_store_trials(struct rl_store *store, const struct rl_plan *plan,
                                             void (*visit)(void *user,
                                                           const struct rl_trial *trial),
                                             void *user, struct rl_error *error);

/* Copies the plans, the points and every trial that can still be read from a damaged study into
 * this one, which must be new. */
RL_MUST_CHECK enum rl_status rl_store_salvage(struct rl_store *store, const char *damaged,
                                              struct rl_error *error);

/* A session: one process at work on the file. rl_store_write keeps it up to date. */
struct rl_store_session {
    uint64_t workers;
    double age;       /* seconds since it began */
    double idle;      /* seconds since it last wrote */
    uint64_t written; /* trials */
    bool alive;       /* it still is the writer */
};
RL_MUST_CHECK enum rl_status rl_store_begin_session(struct rl_store *store, uint64_t workers,
                                                    struct rl_error *error);
/* The latest one; all zero if there was none. */
RL_MUST_CHECK enum rl_status rl_store_last_session(struct rl_store *store,
                                                   struct rl_store_session *session_out,
                                                   struct rl_error *error);

RL_END

#endif
