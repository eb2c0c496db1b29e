/* SPDX-License-Identifier: MIT
 *
 * Runs: schedules, engines, elections, timelines, executions.
 */
#ifndef RINGLEADER_RUN_H
#define RINGLEADER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringleader/experiment.h"
#include "ringleader/protocol.h"
#include "ringleader/ring.h"
#include "ringleader/status.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * Deterministic schedules: sequences of arcs in the paper's notation.
 *
 *     7               the arc e_7 = (u_7, u_8)
 *     seqR 0 99       e_0, e_1, ..., e_99   (around the ring if the second is smaller)
 *     seqL 50 3       e_50, e_49, ..., e_3
 *     ( ... )^12      the sequence in the brackets, twelve times
 *
 * Items are separated by white space; # starts a comment. A parsed schedule is a short list of
 * items. Arcs are produced one at a time, so repetitions cost no memory.
 */

enum { RL_SCHEDULE_DEPTH = 16 };

/* An item: `times` arcs from, from +- 1, ...; or the end of a bracket that began at item `from`, is
 * inside `depth` others and is repeated `times` times. */
struct rl_schedule_item {
    enum { RL_ARCS_RIGHT, RL_ARCS_LEFT, RL_REPEAT } kind;
    uint32_t from;
    uint32_t depth;
    uint64_t times;
};

struct rl_schedule {
    uint32_t n;
    uint64_t length; /* how many arcs it has, RL_NEVER if more */
    struct rl_schedule_item *items;
    size_t count;
    size_t room;
};

/* Parses `length` bytes of text for a ring of n agents. On failure `error` has line and column.
 * Call rl_schedule_free even then. */
RL_MUST_CHECK enum rl_status rl_schedule_parse(struct rl_schedule *schedule, uint32_t n,
                                               const char *text, size_t length,
                                               struct rl_error *error);
void rl_schedule_free(struct rl_schedule *schedule);

/* A position in a schedule. Begins as {.schedule = ...}. */
struct rl_cursor {
    const struct rl_schedule *schedule;
    size_t item;
    uint32_t gone;                    /* arcs of the item that are done */
    uint64_t done[RL_SCHEDULE_DEPTH]; /* rounds done of each open bracket, the outermost first */
};

/* -------------------------------------------------------------------------------------------------
 *
 * A batch: the events of one stretch of an execution, which can be walked in both directions.
 *
 * Engines append events; the ring is then in the state after the last of them. `rl_batch_seek`
 * undoes or redoes events one by one, so an observer can look at any configuration of the stretch
 * and put the ring back. Because the named sets are closed, bisection inside a batch finds the
 * exact step of a hit, and nothing has to be tested while the engine runs.
 */

/* An interaction that changed a state. `l` and `r` hold the words that are not in the ring: the
 * states before the event if the ring is past it, and those after it otherwise. */
struct rl_event {
    uint64_t step; /* the number of this interaction, counted from 1 */
    rl_state l;
    rl_state r;
    uint32_t arc;
};

struct rl_batch {
    struct rl_event *events;
    size_t room;   /* length of `events` */
    size_t wanted; /* engines stop when count reaches this; 1 .. room */
    size_t count;
    size_t cursor; /* the ring is in the state after this many events */
};

/* Makes room for `room` events. Call rl_batch_free even after a failure. */
RL_MUST_CHECK enum rl_status rl_batch_init(struct rl_batch *batch, size_t room);
void rl_batch_free(struct rl_batch *batch);

/* Moves the ring to the configuration after the first `position` events. Time: O(distance). */
void rl_batch_seek(struct rl_batch *batch, struct rl_ring *ring, size_t position);

/* -------------------------------------------------------------------------------------------------
 *
 * Engines: what turns a ring and a schedule into a stream of events.
 *
 * There are two. `step` is the plain one, which the other is tested against: it draws an arc for
 * every step. `event` simulates only the interactions that change a state, and draws how many null
 * ones lie between them. Its executions have exactly the same distribution and take a fraction of
 * the work.
 *
 * An execution depends only on the ring and the random stream, not on how it is cut into batches,
 * where it is observed, or how often rl_engine_advance is called. Both engines are compiled once
 * for each protocol, with its `interact` inlined, and once for protocols that have no such loops
 * (src/simulate/specialise.c). Any step can be reached again from an earlier snapshot.
 */

/* A draw from the event engine's list, whatever the list holds by then. */
struct rl_draw {
    uint64_t choice; /* random bits: which place */
    double wait;     /* exponential with mean 1: how long until the next draw */
};

/* Draws are made so far ahead, so that the memory they need is loaded in time. */
enum { RL_DRAWS_AHEAD = 16 };

struct rl_engine {
    enum rl_engine_kind kind;
    struct rl_ring *ring;
    uint64_t step; /* interactions so far */
    bool over;     /* no event can follow: the schedule ended, or no arc is active */

    /* Private to the engines. */
    const struct rl_loops *loops;
    struct rl_random random;
    struct rl_cursor *schedule; /* arcs from a file instead of random ones; NULL: random */
    struct rl_oracle oracle;    /* if the protocol has one */
    uint64_t delay;             /* its delay, in steps */

    /* Private to the event engine. While many arcs are active, it runs like the plain engine, and
     * counts. When few are, it keeps them in a list. */
    bool sparse;
    bool told;                          /* what the oracle reports while the list is valid */
    uint32_t block_steps, block_events; /* as the plain engine, since it last chose how to run */
    uint32_t *listed; /* every active arc and some others, in no particular order */
    uint32_t listed_count;
    uint32_t listed_places; /* that a choice may fall on: the list and a few empty ones behind it */
    uint32_t listed_room;
    uint8_t *is_listed; /* one bit per arc: is it on the list? */
    uint64_t next_step; /* of the next draw from the list, unless it is empty */
    struct rl_draw draws[2 * RL_DRAWS_AHEAD]; /* those ahead begin at `next_draw` */
    uint32_t next_draw;                       /* at most RL_DRAWS_AHEAD */
    struct rl_wait *wait;
};

/* An engine on `ring`, which must outlive it. `schedule` (may be NULL) needs RL_ENGINE_STEP. */
RL_MUST_CHECK enum rl_status rl_engine_init(struct rl_engine *engine, enum rl_engine_kind kind,
                                            struct rl_ring *ring, const struct rl_random *random,
                                            struct rl_cursor *schedule);
void rl_engine_free(struct rl_engine *engine);

/* Runs until `batch` has `wanted` events, step `until` is reached, or a limited amount of work is
 * done (so that the caller stays responsive). The batch is emptied first. */
void rl_engine_advance(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);

/* Call this after you changed the ring from outside (a fault, an edit). */
void rl_engine_disturbed(struct rl_engine *engine);

/* An interaction that the caller chooses; it counts as one step like any other. Returns whether it
 * is an event; the batch then holds it. Time: O(1), or O(n) with an oracle. */
bool rl_engine_interact(struct rl_engine *engine, uint32_t arc, struct rl_batch *batch);

/* -------------------------------------------------------------------------------------------------
 *
 * Snapshots: everything that the rest of an execution depends on. An engine that is set back to a
 * snapshot continues exactly as it did before, so any step can be reached from an earlier snapshot.
 */

/* The state of one engine at one moment: the ring, the random stream, the oracle, the step and the
 * list of arcs. */
struct rl_snapshot {
    struct rl_engine engine;
    struct rl_cursor cursor;
    void *agents;
    uint32_t *listed;
};

/* Makes room for snapshots of `engine`: at most n words and n/3 arcs of 4 bytes (twice as many arcs
 * on an undirected ring). Call rl_snapshot_free even after a failure. */
RL_MUST_CHECK enum rl_status rl_snapshot_init(struct rl_snapshot *snapshot,
                                              const struct rl_engine *engine);
void rl_snapshot_free(struct rl_snapshot *snapshot);

/* -------------------------------------------------------------------------------------------------
 *
 * Hits: for each set of the protocol, the first step at which the ring was in it.
 *
 * They are an array of RL_MAX_SETS steps, in the order of the sets, with RL_NEVER where there is no
 * hit yet. The sets are closed. So if a set contains the ring at the end of a batch but not at its
 * beginning, it was entered inside the batch, and bisection finds the step. Hits are exact to the
 * step and cost one test per set and batch.
 */

/* Forgets all hits: for the start, and after a disturbance. */
void rl_hits_forget(uint64_t *hits);

/* Notes the sets that contain the ring now, after `step` interactions, unless they were hit before.
 * If called at every step, it is right for any sets, closed or not. Time: O(n). */
void rl_hits_note(uint64_t *hits, const struct rl_ring *ring, uint64_t step);

/* Finds the sets that were entered in the batch; the ring is at its end. Time: O(n), or O(count + n
 * log count) if there is a hit. */
void rl_hits_find(uint64_t *hits, struct rl_ring *ring, struct rl_batch *batch);

/* Like rl_engine_advance, but finds hits and stops exactly at the hit of `set`; the engine can
 * continue from there. Returns whether the ring is in the set. `snapshot` is room for a snapshot of
 * the engine. */
bool rl_hits_advance_to(uint64_t *hits, size_t set, struct rl_engine *engine, uint64_t until,
                        struct rl_snapshot *snapshot, struct rl_batch *batch);

/* -------------------------------------------------------------------------------------------------
 *
 * Settled outputs: one agent leads, and no output has changed for a long time. This takes the place
 * of a closed set if none is known (RL_SETTLED). It is observed, not proved.
 */

struct rl_settled {
    uint64_t wanted;  /* steps without a change of output; 0: nothing is watched */
    uint64_t since;   /* the step of the last change of an output ... */
    uint32_t leaders; /* ... and how many agents have led since then */
};

/* -------------------------------------------------------------------------------------------------
 *
 * A run: one election, from a start to the hit of a set, with faults and observers.
 *
 *     struct rl_experiment experiment;
 *     struct rl_run run;
 *     rl_experiment_init(&experiment, rl_protocol_named("prl"), 100);
 *     if (rl_run_init(&run, &experiment, &error)) ...
 *     while (rl_run_advance(&run) == RL_RUNNING)
 *         ...show progress...
 *     ...run.hits, run.step, run.ring...
 *     rl_run_free(&run);
 *
 * A run is a function of its experiment. Observing it does not change it. Hits are exact to the
 * step.
 */

/* Reads "K@STEP", for example 10@1e6 or 50%@20n^2: K agents, or K % of them (rounded up), 1 to n.
 */
RL_MUST_CHECK enum rl_status rl_run_parse_fault(const char *text, uint32_t n,
                                                struct rl_fault *fault_out, struct rl_error *error);

enum rl_run_state {
    RL_RUNNING,
    RL_REACHED,   /* the set was hit, or outputs settled, after all faults */
    RL_LIMIT,     /* the limit came first, or the number of steps was the goal */
    RL_EXHAUSTED, /* the schedule ended, or no interaction can change a state anymore */
};

struct rl_run;

/* An observer of a run. Each function may be NULL. `began`: the run is at its start. `batch`:
 * run->batch holds the next stretch of events; the observer may seek in it, but must put the ring
 * back to its end. `fault`: fault `index` has just struck these agents, listed in order. */
struct rl_observer {
    void *user;
    void (*began)(void *user, struct rl_run *run);
    void (*batch)(void *user, struct rl_run *run);
    void (*fault)(void *user, struct rl_run *run, size_t index, const uint32_t *agents);
};

enum { RL_MAX_OBSERVERS = 4 };

/* Must not be moved: its engine points to its ring. */
struct rl_run {
    struct rl_ring ring;
    struct rl_engine engine;
    struct rl_batch batch;
    struct rl_cursor cursor;
    struct rl_random fault_random;

    struct rl_fault *faults;
    size_t fault_count;
    size_t faults_done;

    struct rl_end end;
    uint64_t last_step; /* the run goes no further */

    enum rl_run_state state;
    bool began;
    uint64_t step;              /* interactions so far */
    uint64_t events;            /* how many of them changed a state */
    uint64_t hits[RL_MAX_SETS]; /* since the last fault; RL_NEVER: not hit */

    struct rl_settled settled; /* `wanted` is as in the options */

    struct rl_observer observers[RL_MAX_OBSERVERS];
    size_t observer_count;
    uint32_t *struck; /* room for the agents of the largest fault */
    size_t struck_count;
};

/* Prepares the start. RL_BAD_PARAMETER if the protocol does not allow the parameters. Call
 * rl_run_free even after a failure. */
RL_MUST_CHECK enum rl_status rl_run_init(struct rl_run *run, const struct rl_experiment *experiment,
                                         struct rl_error *error);
void rl_run_free(struct rl_run *run);

/* Adds an observer, before the first rl_run_advance. */
void rl_run_observe(struct rl_run *run, struct rl_observer observer);

/* Works for a few milliseconds and returns the state of the run. It cannot run out of memory:
 * rl_run_init has allocated it all. */
enum rl_run_state rl_run_advance(struct rl_run *run);

/* -------------------------------------------------------------------------------------------------
 *
 * A timeline: what the protocol's gauges show at chosen steps of a run.
 *
 * Samples are taken at step 0, at four steps per octave (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, ...), at
 * every hit, just after every fault, and at the end. They count steps, not events, and show the
 * configuration at exactly that step, with either engine.
 */

struct rl_sample {
    uint64_t step;
    uint64_t leaders;
    uint64_t gauges[RL_MAX_GAUGES]; /* in the protocol's order */
};

/* Must not be moved: the run points to it. */
struct rl_timeline {
    void *user;
    void (*sample)(void *user, const struct rl_run *run, const struct rl_sample *sample);
    uint64_t next;  /* the next regular sample */
    uint64_t taken; /* the last step sampled; RL_NEVER: none */
};

/* Makes `timeline` watch `run`, before it begins. The timeline must outlive the run. */
void rl_timeline_watch(struct rl_timeline *timeline, struct rl_run *run, void *user,
                       void (*sample)(void *user, const struct rl_run *run,
                                      const struct rl_sample *sample));

/* -------------------------------------------------------------------------------------------------
 *
 * A recorded execution: the request, the start and the schedule, as text (docs/formats.md).
 *
 *     ringleader execution 1
 *     protocol prl
 *     n 4
 *     N 4
 *     start                 a configuration follows; or a name, such as `start random`
 *     0 1 2 3
 *     steps 6
 *     hit S_RL 4            optional, like `events`: a replay checks it
 *     schedule              arcs follow, as above; or `schedule random`: the seed makes them
 *     3 (seqR 0 3)^2
 *     end
 *
 * The request, the start and the schedule determine the execution. If the seed makes the last two,
 * a record of a million agents takes a few lines. A replay is a run of the recorded number of
 * steps, watched by an observer that computes every event again.
 */

/* Must not be moved: its experiment points to its arcs. */
struct rl_execution {
    struct rl_experiment experiment; /* which ends after exactly so many steps */
    const char *schedule;            /* its text; NULL: the seed makes it */
    uint64_t events;                 /* that changed a state; RL_NEVER: not given */
    uint64_t hits[RL_MAX_SETS];      /* since the last fault; RL_NEVER: none */

    /* Only if it was read from text; rl_execution_free frees them: */
    uint32_t hit_lines[RL_MAX_SETS]; /* the line that gives the hit; 0: none does */
    uint32_t events_line;
    char *text;
    void *configuration;
    struct rl_schedule arcs;
    struct rl_fault *faults;
};

/* The execution of `run` so far. `run` was made from `experiment`; `schedule` is the text of its
 * schedule, if it has one. The result points to all three. */
struct rl_execution rl_execution_of(const struct rl_run *run,
                                    const struct rl_experiment *experiment, const char *schedule);

/* Writes it through `put(user, bytes, size)`; RL_IO if `put` returns false. */
RL_MUST_CHECK enum rl_status rl_execution_write(const struct rl_execution *execution, void *user,
                                                rl_put put);

/* Reads it. RL_BAD_TRACE, with the line and the reason, if the text is wrong. `forced` allows
 * parameters for which the protocol promises nothing, like `verify --force`. Call rl_execution_free
 * even after a failure. */
RL_MUST_CHECK enum rl_status rl_execution_read(struct rl_execution *execution, const char *text,
                                               size_t size, bool forced, struct rl_error *error);
void rl_execution_free(struct rl_execution *execution);

/* An observer that watches the run of a recorded execution and computes every event again. Must not
 * be moved: the run points to it. */
struct rl_replay {
    const struct rl_execution *execution;
    struct rl_ring ring;
    struct rl_oracle oracle;
    bool seen[RL_MAX_SETS]; /* the hit is where the record has it */
    enum rl_status status;
    struct rl_error error;
};

/* Makes `replay` watch `run`, before it begins. Call rl_replay_free even after a failure. */
RL_MUST_CHECK enum rl_status
rl_replay_watch(struct rl_replay *replay, const struct rl_execution *execution, struct rl_run *run);
void rl_replay_free(struct rl_replay *replay);
/* Call this when the run is over. RL_BAD_TRACE if an event changed nothing, or not what the run
 * says, or if the steps, the events or a hit differ from the record. */
RL_MUST_CHECK enum rl_status rl_replay_end(struct rl_replay *replay, const struct rl_run *run,
                                           struct rl_error *error);

RL_END

#endif
