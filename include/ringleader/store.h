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
#define RL_STORE_SCHEMA 2

struct rl_store;

/* Opens a study and checks the file through; with RL_STORE_WRITE creates it if it is not there and
 * becomes its only writer. */
RL_MUST_CHECK enum rl_status rl_store_open(struct rl_store **store_out, const char *path,
                                           enum rl_store_mode mode, struct rl_error *error);
void rl_store_close(struct rl_store *store);

/* Who is asked, some ten times a second, while another program keeps us from writing: `seconds` is
 * how long already; false gives up with RL_IO. Without one, a store gives up after 20 seconds. On
 * file systems with a write-ahead log nobody keeps a writer waiting. */
struct rl_store_patience {
    void *user;
    bool (*wait)(void *user, double seconds);
};
void rl_store_be_patient(struct rl_store *store, struct rl_store_patience patience);

/* The share of the trials that the file is for: part `share` (from 0) of `shares`; `shares` is 0
 * while nobody has said. Said once, it stays. */
RL_MUST_CHECK enum rl_status rl_store_share(struct rl_store *store, uint64_t *share_out,
                                            uint64_t *shares_out, struct rl_error *error);
RL_MUST_CHECK enum rl_status rl_store_set_share(struct rl_store *store, uint64_t share,
                                                uint64_t shares, struct rl_error *error);

/* Keeps the text and the hash of every protocol of the plan that came from a file. RL_BAD_PARAMETER
 * if the study has one of that name with another text. */
RL_MUST_CHECK enum rl_status
rl_store_keep_protocols(struct rl_store *store, const struct rl_plan *plan, struct rl_error *error);
/* Adds to the list of protocols what stands for those of the study at `path` that came from files
 * and are not in the list: names, parameters, starts and sets, enough for a report; `interact` is
 * NULL. */
RL_MUST_CHECK enum rl_status rl_store_recall_protocols(const char *path, struct rl_error *error);
/* RL_BAD_PARAMETER if the study has a protocol from a file that goes by the name of a listed one
 * with another text: their trials must not be mixed. */
RL_MUST_CHECK enum rl_status rl_store_check_protocols(struct rl_store *store, const char *path,
                                                      struct rl_error *error);

/* The name that a protocol from a file has in the study at `path`: that of the same text there;
 * with `extend`, one of its own (its name with a part of its hash) if another text has its name;
 * else its name. */
enum { RL_STORE_NAME = 48 };
RL_MUST_CHECK enum rl_status rl_store_name_protocol(const char *path,
                                                    const struct rl_protocol *protocol, bool extend,
                                                    char name_out[RL_STORE_NAME],
                                                    struct rl_error *error);

/* Adds a plan, given as text and as points. Points that are there already keep their trials and
 * take the larger number of them. All or nothing. */
RL_MUST_CHECK enum rl_status rl_store_add_plan(struct rl_store *store, const char *text,
                                               const struct rl_plan *plan, struct rl_error *error);
/* Calls `visit` with the text of each plan in order of addition, until it says false. */
RL_MUST_CHECK enum rl_status rl_store_plans(struct rl_store *store,
                                            bool (*visit)(void *user, const char *text), void *user,
                                            struct rl_error *error);
/* All points, in order of addition; RL_IO if one is not what its plan asked for. Free the plan also
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
 * which must be new. The damaged file is only read; a copy is made beside the new one, and removed.
 * RL_IO: no plan and no point can be read any more. */
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
