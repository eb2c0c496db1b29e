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

#endif
