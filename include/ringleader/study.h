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

struct rl_study_options {
    const char *path;
    const char *plan; /* as text (plan.h); NULL: what the file holds goes on */
    enum rl_plan_strictness strictness;
    const struct rl_plan_resolver *resolver; /* who knows the files that the plan names, or NULL */
    bool extend;                             /* the plan may be added to others */
    uint64_t share, shares; /* part `share` (from 0) of `shares`; 0: as the file says, else all */
    const char *salvage;    /* a damaged study to begin from, or NULL */
    bool look;              /* only look how it stands: nothing is written, and nothing can be */
    struct rl_store_patience patience;

    /* For rl_study_run: how many threads; and asked some twenty times a second, with how it stands,
     * whether to go on (may be NULL). */
    size_t jobs;
    void *user;
    bool (*go_on)(void *user, const struct rl_queue_outlook *outlook);
};

/* An open study: what it is to do, and what is done. */
struct rl_study {
    struct rl_store *store;
    struct rl_plan plan;   /* all points of the file */
    struct rl_queue queue; /* told of the trials that are there */
    struct rl_store_salvaged salvaged;
    size_t left_alone;     /* points of protocols from files that were not given, ... */
    const char *left_name; /* ... one of which is this */
    char skipped[160];     /* what the plan asked for and no point has; may be empty */
};

/* Opens the study in a file, brings plan, share and what is salvaged together with what the file
 * holds, and commits. Nothing is written unless all of it is right. Close also after a failure.
 * RL_BAD_PARAMETER: the plan is another one than the file's and `extend` is not set, or the share
 * is; or a protocol has changed. An error about the plan has a line; others have none. */
RL_MUST_CHECK enum rl_status rl_study_open(struct rl_study *study,
                                           const struct rl_study_options *options,
                                           struct rl_error *error);
void rl_study_close(struct rl_study *study);

/* Whether everything is done. */
bool rl_study_is_finished(const struct rl_study *study);

/* Has the workers do what is left, until it is done, `go_on` (asked some twenty times a second)
 * says no, or something fails. In every case all finished trials are written, unless writing is
 * what failed. Does not stop the workers. */
RL_MUST_CHECK enum rl_status rl_study_work(struct rl_study *study, struct rl_crew *workers,
                                           void *user, bool (*go_on)(void *user),
                                           struct rl_error *error);

/* All of it at once, on threads of this process. What is done is kept: the same call goes on where
 * this one stopped. */
RL_MUST_CHECK enum rl_status rl_study_run(const struct rl_study_options *options,
                                          bool *finished_out, struct rl_error *error);

RL_END

#endif
