/* SPDX-License-Identifier: MIT
 *
 * An execution on record: the request, the start and the schedule, as text (docs/formats.md).
 *
 *     ringleader execution 1
 *     protocol prl
 *     n 4
 *     N 4
 *     start                 a configuration follows; or a name, such as `start random`
 *     0 1 2 3
 *     steps 6
 *     hit S_RL 4            optional, as `events` is: a replay sees whether it is so
 *     schedule              arcs follow (schedule.h); or `schedule random`: the seed makes them
 *     3 (seqR 0 3)^2
 *     end
 *
 * Whoever has the request, the start and the schedule has the execution, so a record of a million
 * agents is a few lines if the seed makes both. A replay is a run (run.h) that goes on for so many
 * steps, watched by somebody who computes every event again.
 */
#ifndef RINGLEADER_EXECUTION_H
#define RINGLEADER_EXECUTION_H

#include "ringleader/oracle.h"
#include "ringleader/run.h"

RL_BEGIN

/* Stays where it is: its options point to its arcs. */
struct rl_execution {
    struct rl_run_options options; /* of a run that goes on for exactly max_steps steps */
    const char *schedule;          /* its text; NULL: the seed makes it */
    uint64_t events;               /* that changed a state; RL_NEVER: not said */
    uint64_t hits[RL_MAX_SETS];    /* since the last fault; RL_NEVER: none */

    /* Of one that was read, and rl_execution_free frees: */
    uint32_t hit_lines[RL_MAX_SETS]; /* where a hit is said; 0: it is not */
    uint32_t events_line, steps_line;
    char *text;
    void *configuration;
    struct rl_schedule arcs;
    struct rl_fault *faults;
};

/* What `run`, which was made of `options`, has been so far. `schedule` is the text of that of the
 * options, if they have one. Points to all of them. */
struct rl_execution rl_execution_of(const struct rl_run *run, const struct rl_run_options *options,
                                    const char *schedule);

/* Writes it through `put(user, bytes, size)`, which says whether it could; RL_IO if not. */
RL_MUST_CHECK enum rl_status rl_execution_write(const struct rl_execution *execution, void *user,
                                                bool (*put)(void *user, const void *bytes,
                                                            size_t size));

/* Reads it. RL_BAD_TRACE, with the line and the reason. `forced` lets parameters pass that the
 * protocol promises nothing for, as `verify --force` does. Free also after a failure. */
RL_MUST_CHECK enum rl_status rl_execution_read(struct rl_execution *execution, const char *text,
                                               size_t size, bool forced, struct rl_error *error);
void rl_execution_free(struct rl_execution *execution);

/* Somebody who watches the run of an execution that was read, and computes every event again. Stays
 * where it is, for the run points to it. */
struct rl_replay {
    const struct rl_execution *execution;
    struct rl_ring ring;
    struct rl_oracle oracle;
    uint64_t step; /* of the last event, fault or start */
    enum rl_status status;
    struct rl_error error;
};

/* Watches `run`, before it begins. Free with rl_replay_free, also after a failure. */
RL_MUST_CHECK enum rl_status
rl_replay_watch(struct rl_replay *replay, const struct rl_execution *execution, struct rl_run *run);
void rl_replay_free(struct rl_replay *replay);
/* When the run is over: RL_BAD_TRACE if an event changed nothing or something else than the run
 * says, or if steps, events or a hit are not as the execution has them. */
RL_MUST_CHECK enum rl_status rl_replay_end(struct rl_replay *replay, const struct rl_run *run,
                                           struct rl_error *error);

RL_END

#endif
