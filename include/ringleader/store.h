/* SPDX-License-Identifier: MIT
 *
 * The store: a study in a SQLite file. The schema is in docs/formats.md.
 *
 * One process writes at a time; any number may read meanwhile, for as long as they like. What
 * rl_store_write has answered RL_OK to survives kill -9 and loss of power. Nothing outside the
 * store knows SQLite. A path is a file's name, whatever it looks like.
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
#define RL_STORE_SCHEMA 3

struct rl_store;

/* Opens a study and checks the file through; with RL_STORE_WRITE becomes its only writer. A file
 * that is not there, or empty, is then a new study: it comes into being with its first commit.
 * Protocols of the study that came from files and are not in the list of protocols get something
 * that stands for them there: names, parameters, starts and sets, enough for a report; `interact`
 * is NULL. */
RL_MUST_CHECK enum rl_status rl_store_open(struct rl_store **store_out, const char *path,
                                           enum rl_store_mode mode, struct rl_error *error);
/* What was not committed is as if it had never been. */
void rl_store_close(struct rl_store *store);

/* Whether there is no file yet. */
bool rl_store_is_new(const struct rl_store *store);
/* Whether whoever wrote last was killed, or was at work when this copy was made, and there is no
 * log (FILE-wal) beside it: trials may be missing, which can be done again. */
bool rl_store_was_interrupted(const struct rl_store *store);

/* Who is asked, some ten times a second, while another program keeps us from writing: `seconds` is
 * how long already; false gives up with RL_IO. Without one, a store gives up after 20 seconds. On
 * file systems with a write-ahead log nobody keeps a writer waiting. */
struct rl_store_patience {
    void *user;
    bool (*wait)(void *user, double seconds);
};
void rl_store_be_patient(struct rl_store *store, struct rl_store_patience patience);

/* What follows is one change, up to the commit; a new file comes into being with it. */
RL_MUST_CHECK enum rl_status rl_store_begin(struct rl_store *store, struct rl_error *error);
RL_MUST_CHECK enum rl_status rl_store_commit(struct rl_store *store, struct rl_error *error);

/* The share of the trials that the file is for: part `share` (from 0) of `shares`; `shares` is 0
 * while nobody has said. Said of a new study, it stays. */
void rl_store_share(const struct rl_store *store, uint64_t *share_out, uint64_t *shares_out);
void rl_store_set_share(struct rl_store *store, uint64_t share, uint64_t shares);

/* The name that a protocol from a file has in the study at `path`: that of the same text there;
 * with `extend`, one of its own (its name with a part of its hash) if another text has its name;
 * else its name. */
enum { RL_STORE_NAME = 48 };
void rl_store_name_protocol(const char *path, const struct rl_protocol *protocol, bool extend,
                            char name_out[RL_STORE_NAME]);

/* Adds a plan, given as text and as points, with the texts of its protocols and starts that came
 * from files. Points that are there already keep their trials; rl_plan_add says what they take
 * over. All or nothing. */
RL_MUST_CHECK enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                               const struct rl_plan *plan, struct rl_error *error);
/* How many plans there are, and whether one of them asks for the same as this one. */
RL_MUST_CHECK enum rl_status rl_store_has_plan(struct rl_store *store, const struct rl_plan *plan,
                                               size_t *plans_out, bool *has_out,
                                               struct rl_error *error);
/* Calls `visit` with the text of each plan in order of addition, until it says false. */
RL_MUST_CHECK enum rl_status rl_store_plans(struct rl_store *store,
                                            bool (*visit)(void *user, const char *text), void *user,
                                            struct rl_error *error);
/* All points, in order of addition; RL_IO if one does not agree with itself. Free the plan also
 * after a failure. */
RL_MUST_CHECK enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                                             struct rl_error *error);

/* Writes trials of the points of `plan`, which came from rl_store_points; all or none. A trial
 * that is there already stays as it is. */
RL_MUST_CHECK enum rl_status rl_store_write(struct rl_store *store, const struct rl_plan *plan,
                                            const struct rl_trial *trials, size_t count,
                                            struct rl_error *error);
/* Visits all trials in order of point and number. A row that no run could have given
 * (rl_trial_possible) is left out, and a writer removes it from the file, so that it is done again;
 * rl_store_dropped tells how many there were. */
RL_MUST_CHECK enum rl_status rl_store_trials(struct rl_store *store, const struct rl_plan *plan,
                                             void (*visit)(void *user,
                                                           const struct rl_trial *trial),
                                             void *user, struct rl_error *error);

uint64_t rl_store_dropped(const struct rl_store *store);

struct rl_store_salvaged {
    uint64_t points;
    uint64_t trials; /* saved */
    uint64_t again;  /* the others of these points: to be computed again from their seeds */
};
/* Puts the points of a damaged study, and what SQLite can read of their trials, into this one,
 * which must be new; rl_store_commit makes it last. The damaged file is only read; a copy is made
 * beside the new one, and removed. RL_IO: no plan and no point can be read any more. */
RL_MUST_CHECK enum rl_status rl_store_salvage(struct rl_store *store, const char *damaged,
                                              struct rl_store_salvaged *salvaged_out,
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
