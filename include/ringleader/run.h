/* SPDX-License-Identifier: MIT
 *
 * A run: one election, from a start to the hit of a set, with faults and observers.
 *
 *     struct rl_run_options options;
 *     struct rl_run run;
 *     rl_run_options_init(&options, rl_protocol_named("prl"), 100);
 *     if (rl_run_init(&run, &options, &error)) ...
 *     while (rl_run_advance(&run) == RL_RUNNING)
 *         ...show progress...
 *     ...run.hits, run.step, run.ring...
 *     rl_run_free(&run);
 *
 * A run is a function of (protocol, parameters, start, seed, trial, engine, faults). Observing it
 * does not change it. Hits are exact to the step.
 */
#ifndef RINGLEADER_RUN_H
#define RINGLEADER_RUN_H

#include "ringleader/engine.h"
#include "ringleader/settled.h"

RL_BEGIN

/* `agents` distinct random agents get random states after `step` interactions. */
struct rl_fault {
    uint64_t step;
    uint32_t agents;
    /* Filled in by the run: steps from the fault to the next hit of the target, RL_NEVER if the
     * next fault or the end of the run came first. */
    uint64_t recovered_after;
};

/* Reads "K@STEP", as in 10@1e6, 50%@20n^2: K agents or K % of them (rounded up), 1 to n. */
RL_MUST_CHECK enum rl_status rl_run_parse_fault(const char *text, uint32_t n,
                                                struct rl_fault *fault_out, struct rl_error *error);

/* A fault must not come after the last step of the run, if there is one: RL_BAD_PARAMETER. */
RL_MUST_CHECK enum rl_status rl_run_check_fault(const struct rl_fault *fault, uint64_t max_steps,
                                                struct rl_error *error);

/* The counts that an experiment is made of: one row a field, and all that there is to say about it.
 * Options of `elect` and `study`, keys of plans, the identity of a point, columns of a study's file
 * and of CSV, and the keys of JSON are made from these rows; CONTRIBUTING.md says how one is added.
 *
 * A row: the member, its key, least, most (RL_NEVER: or `none`, which is that), otherwise (what it
 * is if nobody says), whether it is part of the identity of a point, what the help calls its value,
 * its meaning. */
#define RL_EXPERIMENT_LIMITS(FIELD)                                                                \
    FIELD(max_steps, "max-steps", 1, RL_NEVER, RL_NEVER, true, "COUNT", "give up at this step")    \
    FIELD(after, "after", 0, INT64_MAX, 0, true, "COUNT",                                          \
          "go on for so many steps after the set is hit")
#define RL_EXPERIMENT_COUNTS(FIELD)                                                                \
    FIELD(seed, "seed", 0, INT64_MAX, 1, true, "COUNT", "chooses the random numbers (default 1)")  \
    RL_EXPERIMENT_LIMITS(FIELD)

#define RL_MEMBER(member, ...) uint64_t member;

/* Zero is the natural thing everywhere but in the first two. */
struct rl_run_options {
    const struct rl_protocol *protocol;
    struct rl_params params; /* complete (see rl_protocol_complete) */
    /* max_steps: RL_NEVER, or 0 without until_steps, is no limit. after: steps beyond the hit that
     * would end the run, where that is the hit of a set. */
    RL_EXPERIMENT_COUNTS(RL_MEMBER)
    uint64_t trial;
    const char *start;         /* a named start (NULL: random), or ... */
    const void *configuration; /* ... n packed words, if not NULL */
    enum rl_engine_kind engine;
    const struct rl_schedule *schedule; /* NULL: random arcs */
    size_t until;                       /* the set whose hit ends the run, or ... */
    bool until_steps;                   /* ... go on to exactly max_steps */
    uint64_t
        settled; /* ... until one agent leads and no output changed for so many steps; 0: not */
    const struct rl_fault *faults; /* in order of step */
    size_t fault_count;
    bool unpromised; /* go on where the protocol promises nothing, such as N < n */
};

enum rl_run_state {
    RL_RUNNING,
    RL_REACHED,   /* the set was hit, or outputs settled, and all faults were done */
    RL_LIMIT,     /* max_steps came first (or was asked for) */
    RL_EXHAUSTED, /* the schedule ended, or no interaction can change a state any more */
};

struct rl_run;

/* Somebody who watches. Each function may be NULL.
 * `began`: the run stands at its start. `batch`: run->batch holds the next stretch of events, up
 * to the end of the run at most; the observer may seek in it and must put the ring back to its
 * end. `fault`: fault `index` has just struck the agents whose list is given, in order. */
struct rl_observer {
    void *user;
    void (*began)(void *user, struct rl_run *run);
    void (*batch)(void *user, struct rl_run *run);
    void (*fault)(void *user, struct rl_run *run, size_t index, const uint32_t *agents);
};

enum { RL_MAX_OBSERVERS = 4 };

/* Stays where it is: its engine points to its ring. */
struct rl_run {
    struct rl_ring ring;
    struct rl_engine engine;
    struct rl_batch batch;
    struct rl_cursor cursor;
    struct rl_random fault_random;

    struct rl_fault *faults;
    size_t fault_count;
    size_t faults_done;

    size_t until;
    bool until_steps;
    uint64_t after;
    uint64_t max_steps;

    enum rl_run_state state;
    bool began;
    uint64_t step;              /* interactions so far */
    uint64_t events;            /* of which changed a state */
    uint64_t hits[RL_MAX_SETS]; /* since the last fault; RL_NEVER: not hit */

    struct rl_settled settled; /* what is wanted is as asked for */

    struct rl_observer observers[RL_MAX_OBSERVERS];
    size_t observer_count;
    uint32_t *struck; /* room for the agents of the largest fault */
    size_t struck_count;
};

/* A ring of n agents with the protocol's usual parameters, from a random start with seed 1 until
 * the target is hit. */
void rl_run_options_init(struct rl_run_options *options, const struct rl_protocol *protocol,
                         uint32_t n);

/* Sets one of RL_EXPERIMENT_COUNTS by its key; false: there is none. */
bool rl_run_options_set(struct rl_run_options *options, const char *key, uint64_t value);

/* Prepares the start. RL_BAD_PARAMETER if the protocol does not allow the parameters. Free with
 * rl_run_free, also after a failure. */
RL_MUST_CHECK enum rl_status rl_run_init(struct rl_run *run, const struct rl_run_options *options,
                                         struct rl_error *error);
void rl_run_free(struct rl_run *run);

/* Adds an observer, before the first rl_run_advance. */
void rl_run_observe(struct rl_run *run, struct rl_observer observer);

/* Does a spell of work (some milliseconds) and says how the run stands. RL_NO_MEMORY cannot
 * happen: all memory is taken by rl_run_init. */
enum rl_run_state rl_run_advance(struct rl_run *run);

RL_END

#endif
