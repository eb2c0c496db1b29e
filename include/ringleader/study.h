/* SPDX-License-Identifier: MIT
 *
 * A study at work: queue, workers and store brought together.
 *
 * The caller's thread is the one writer. Trials are committed ten times a second.
 */
#ifndef RINGLEADER_STUDY_H
#define RINGLEADER_STUDY_H

#include "ringleader/store.h"
#include "ringleader/crew.h"

RL_BEGIN

struct rl_study {
    struct rl_store *store;
    const struct rl_plan *plan; /* from rl_store_points */
    struct rl_queue *queue;     /* told of what is in the store, and begun */
    struct rl_crew *workers;

    /* Called some twenty times a second, for progress; says whether to go on. */
    void *user;
    bool (*go_on)(void *user);
};

/* Tells the queue what the store holds, and begins it. */
RL_MUST_CHECK enum rl_status rl_study_resume(struct rl_store *store, struct rl_queue *queue,
                                             struct rl_error *error);

/* Works until the queue is empty (`finished_out` is set), `go_on` says no, or something fails. In
 * every case all finished trials are written, unless writing is what failed. Does not stop the
 * workers. */
RL_MUST_CHECK enum rl_status rl_study_work(struct rl_study *study, bool *finished_out,
                                           struct rl_error *error);

/* All of it at once: the study in the file `path`, which is made if it is not there, with the
 * points of a plan (NULL: those in the file), on `jobs` threads of this process. `go_on` (may be
 * NULL) is asked some twenty times a second, with how it stands. What is done is kept: the same
 * call goes on where this one stopped. */
struct rl_study_options {
    const char *path;
    const char *plan; /* as text (plan.h) */
    size_t jobs;
    void *user;
    bool (*go_on)(void *user, const struct rl_queue_outlook *outlook);
};
RL_MUST_CHECK enum rl_status rl_study_run(const struct rl_study_options *options,
                                          bool *finished_out, struct rl_error *error);

RL_END

#endif
