/* SPDX-License-Identifier: MIT
 *
 * The hunt: looks for configurations from which the target takes long, by measurement. What the
 * verifier finds on rings of a few agents, it looks for on any; it proves nothing.
 *
 * A population of configurations, from the named starts on, is changed and judged by racing: few
 * trials for many, more for the best, fresh ones for the last. The result is a function of the
 * options, whatever the number of threads.
 */
#ifndef RINGLEADER_HUNT_H
#define RINGLEADER_HUNT_H

#include "ringleader/run.h"
#include "ringleader/stats.h"

RL_BEGIN

/* How far it has come. */
struct rl_hunt_progress {
    unsigned generation;
    double done;       /* the share of the work, 0 to 1 */
    double best;       /* the largest mean so far, of trials that chose it: too large */
    double best_named; /* the same of a named start */
};

/* Zero is the natural thing everywhere but in the first two. */
struct rl_hunt_options {
    const struct rl_protocol *protocol;
    struct rl_params params; /* complete */
    uint64_t seed;
    size_t jobs;        /* threads; 0: 1 */
    double work;        /* events to spend; 0: a minute or two of one processor */
    uint64_t max_steps; /* 0: none */
    /* Asked between spells of work whether to stop; may be NULL. */
    bool (*stop)(void *user, const struct rl_hunt_progress *progress);
    void *user;
};

struct rl_hunt {
    const char *named;           /* the worst named start, ... */
    struct rl_stats named_stats; /* ... from fresh trials */
    void *words;                 /* the find: n packed words, ... */
    struct rl_stats stats;       /* ... from fresh trials */
    const char *origin;          /* the start that it is, unchanged; NULL: none */
    unsigned generations;
    uint64_t configurations, trials; /* how many were tried */
    bool stopped;
};

/* RL_BAD_PARAMETER if the protocol does not allow the parameters. Free also after a failure. */
RL_MUST_CHECK enum rl_status
rl_hunt_run(struct rl_hunt *hunt, const struct rl_hunt_options *options, struct rl_error *error);
void rl_hunt_free(struct rl_hunt *hunt);

RL_END

#endif
