/* SPDX-License-Identifier: MIT
 *
 * Studies: plans, trials, the file that stores them, statistics.
 */
#ifndef RINGLEADER_STUDY_H
#define RINGLEADER_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "ringleader/experiment.h"
#include "ringleader/protocol.h"
#include "ringleader/run.h"
#include "ringleader/status.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * Plans: what a study should do. A plan is made of grids of points, with a number of trials each.
 *
 *     # how does it grow?
 *     protocol = prl
 *     n = 64..4096x2
 *     N = 1n, 2n
 *     start = random, leaderless
 *     trials = 200
 *
 * docs/formats.md specifies the text. Command line options, presets, plan files and the points in a
 * database all use this one language, so there is one reader. A point written as a line is itself a
 * plan with one point.
 */

enum {
    RL_PLAN_FAULTS = 8,
    RL_PLAN_NAME = 48,
    RL_PLAN_POINTS = 100000,
    RL_PLAN_LINE = 900,
    RL_PLAN_CLAIM = 200,
    RL_PLAN_SPELLING = 64
};

/* ---- the fields of an experiment ----------------------------------------------------------------
 *
 * Everything about a field is in its row. Options of `study`, keys of plans, the identity of a
 * point, differences between plans, and the columns of a study's file and of CSV all come from
 * these rows. CONTRIBUTING.md says how to add one.
 */

/* The counts that only a study has; each is a member of struct rl_point. experiment.h says what a
 * row holds. */
#define RL_STUDY_COUNTS(FIELD)                                                                     \
    FIELD(trials, trials, "trials", 1, UINT32_MAX, 100, false, "COUNT", "how many (default 100)")  \
    FIELD(easy, easy, "easy", 0, 100, 0, false, "PERCENT",                                         \
          "leave out starts with fewer % of the worst one's steps")
#define RL_COUNT_FIELDS(FIELD) RL_EXPERIMENT_COUNTS(FIELD) RL_STUDY_COUNTS(FIELD)

enum rl_field_kind {
    RL_FIELD_PROTOCOL,
    RL_FIELD_N,
    RL_FIELD_PARAMETERS, /* of the protocol: each has its own key, together they are one field */
    RL_FIELD_START,
    RL_FIELD_ENGINE,
    RL_FIELD_FAULT,
    RL_FIELD_COUNT,
    RL_FIELD_UNTIL_ERROR,
    RL_FIELD_CLAIM,
    RL_FIELD_CURVE,
};

struct rl_field {
    const char *key;
    enum rl_field_kind kind;
    bool identity;                   /* points that differ in this field are different points */
    const char *usual;               /* what need not be said; NULL: nothing, or ... */
    uint64_t least, most, otherwise; /* ... of a count, `otherwise`, ... */
    size_t member;                   /* ... and where it is in struct rl_point */
};

/* A point: everything that a trial depends on except its number. Points that have the same identity
 * are the same point, even if other fields or spellings differ. */
struct rl_point {
    struct rl_experiment run; /* what each trial runs; what it points to belongs to the plan */
#define RL_MEMBER(member, ...) uint64_t member;
    RL_STUDY_COUNTS(RL_MEMBER)
#undef RL_MEMBER
    double until_error;        /* stop early at this relative standard error; 0: never */
    char claim[RL_PLAN_CLAIM]; /* the claimed growth, for the report; may be empty */
    char curve[RL_PLAN_NAME];  /* the gauge that trials record, or `leaders`; may be empty */

    /* As the plan spelled it, such as 2n; empty if it did not. */
    char spelled[RL_MAX_PARAMETERS][RL_PLAN_NAME];
    char spelled_faults[RL_PLAN_SPELLING];

    uint32_t hash, next; /* of its identity, and the point before it with such a hash, from 1 */
};

/* What points may differ in, if something grows along them: in n, in one parameter, or in the
 * number of agents that the last fault strikes. */
enum rl_family_axis { RL_FAMILY_N, RL_FAMILY_PARAMETER, RL_FAMILY_FAULT };

/* Room for the name of such a family of points: "prl, N=n, leaderless". */
enum { RL_FAMILY_LABEL = 640 };

/* The fields, in order; NULL after the last. */
const struct rl_field *rl_field_at(size_t index);
/* The value of the field at a point, as a plan spells it. */
void rl_field_print(const struct rl_field *field, const struct rl_point *point,
                    struct rl_text *text);
/* The same as a number, if the field is a count. */
uint64_t rl_field_count(const struct rl_field *field, const struct rl_point *point);

/* ---- plans ---- */

struct rl_plan {
    struct rl_point *points; /* no two the same */
    size_t count;
    size_t room;
    uint32_t *last; /* the last point with such a hash, from 1; 0: none */
    struct rl_plan_start {
        struct rl_plan_start *next;
        const char *text; /* a configuration; NULL: it is one of the protocol's */
        char name[];
    } * starts; /* from which points start */
};

/* Finds what a plan names by file. Both functions may be NULL: then only the protocols in the list
 * and their starts are known. */
struct rl_plan_resolver {
    void *user;
    /* Finds the protocol that the plan calls `word`; `protocol_out` is NULL if there is none. */
    enum rl_status (*protocol)(void *user, const char *word,
                               const struct rl_protocol **protocol_out, struct rl_error *error);
    /* Finds the text of a configuration, which the caller frees; `text_out` is NULL if there is
     * none. */
    enum rl_status (*start)(void *user, const char *word, char **text_out, struct rl_error *error);
};

/* Reads a plan. On failure `error` has line and column. A start or parameter that only some
 * protocols of a grid have is left out for the others. Call rl_plan_free even after a failure.
 * Time: O(points), and O(n) to try each start except `random`. */
RL_MUST_CHECK enum rl_status rl_plan_parse(struct rl_plan *plan, const char *text, size_t length,
                                           const struct rl_plan_resolver *resolver,
                                           struct rl_error *error);
void rl_plan_free(struct rl_plan *plan);

/* A point as text. Use `.text` within the same expression. */
struct rl_plan_line {
    char text[RL_PLAN_LINE];
};

/* The plans that come with the program: their names, with NULL after the last, and their texts. */
const char *rl_plan_preset_name(size_t index);
const char *rl_plan_preset(const char *name);

/* -------------------------------------------------------------------------------------------------
 *
 * A trial: one run at a point of a plan, and what is stored of it.
 *
 * The result is exactly what `ringleader elect --json` prints with the same options.
 */

/* The steps of a curve: 0, 1, 2, 3, 4, 6, 8, 12, 16, ..., two per octave. */
enum { RL_CURVE_STEPS = 126 };

/* Plain data: ranks send it to each other as bytes. */
struct rl_trial {
    uint32_t point; /* index in the plan */
    uint64_t trial;
    uint64_t steps;
    uint64_t hits[RL_MAX_SETS]; /* since the last fault; RL_NEVER: not hit */
    uint64_t events;
    uint32_t leaders;
    uint32_t leader; /* the first one; n if there is none */
    uint32_t fault_count;
    enum rl_status status; /* RL_OK, or why there is no result */
    struct rl_fault faults[RL_PLAN_FAULTS];
    double wall_seconds;
    uint32_t curve_count;           /* how many steps of its curve the run reached; 0: no curve */
    uint32_t curve[RL_CURVE_STEPS]; /* the value of the point's gauge at each */
};

/* -------------------------------------------------------------------------------------------------
 *
 * The queue of a study: which trials remain, which comes next, and how long they will take.
 *
 * Long trials come first, so that no single core works alone at the end. To find out which those
 * are, one trial of every point is handed out at the beginning, the largest rings first. (A small
 * ring may take longest, because some protocols are exponential.) Then the points are sorted. Times
 * affect the order of the work, never its results.
 *
 * A point with a stopping rule grows in rounds of 32, 48, 72, ... trials (half as many again each
 * time). The rule is applied only when a round is complete, to all its trials in order, and never
 * stops a point with trials that gave up. So the trials that a study holds in the end do not depend
 * on who ran them, or when. For the same reason a point that is left out if its start is easy waits
 * until the smaller rings that show it are complete.
 */

/* A piece of work: trials first .. first+count-1 of a point. */
struct rl_task {
    uint32_t point;
    uint32_t count;
    uint64_t first;
};

struct rl_queue_point {
    struct rl_queue_trial {
        uint64_t trial;
        double value; /* its result; NaN: it gave up */
    } * trials;       /* the finished ones, in order */
    size_t count, room;
    uint64_t wanted;  /* trials of the current round */
    uint64_t next;    /* the first trial not yet handed out */
    uint64_t ours;    /* trials of the round that are in our share, ... */
    uint64_t done;    /* ... and how many of those are done */
    uint64_t gave_up; /* finished trials that did not reach the target */
    double seconds;   /* that the finished ones took */
    size_t place;     /* in the order */
    bool waits;       /* for smaller rings, to see whether its start is easy */
    bool left_out;    /* it is */
    char *kin;        /* the same for points that differ in start and n only; NULL: nobody waits */
};

struct rl_queue {
    const struct rl_plan *plan;
    struct rl_queue_point *points;
    struct rl_queue_place {
        double seconds; /* that a trial was thought to take when this was sorted */
        size_t point;
    } * order;               /* all points, the slowest first */
    size_t waiting;          /* points that wait for smaller rings */
    size_t at;               /* those before this have no trial left, at present */
    bool probed;             /* a trial of every point was handed out */
    uint64_t share, shares;  /* this is part `share` (from 0) of `shares` */
    uint64_t done, total;    /* of all points */
    double seconds, guessed; /* for all timed trials: their time, and their estimated work */
    enum rl_status status;   /* RL_NO_MEMORY: a finished trial could not be kept */
};

/* The state of the work. `seconds_left` is for one worker; `slowest` is the point that is predicted
 * to have the longest trials. Time: O(points). */
struct rl_queue_outlook {
    uint64_t done, total;
    uint64_t gave_up; /* of those that are done, in all shares */
    size_t left_out;  /* points, because their starts are easy */
    double seconds_left;
    size_t slowest;
    double slowest_seconds;
};

/* -------------------------------------------------------------------------------------------------
 *
 * Workers run the trials. They are threads of this process, or other ranks under MPI.
 *
 * The caller keeps the plan, the queue and the store to itself. Workers get tasks and return
 * trials, in any order.
 */

struct rl_crew {
    void *self;
    size_t count; /* how many work at the same time */
    /* Hands out a task. At most RL_CREW_AHEAD * count are in progress at any time. */
    enum rl_status (*give)(void *self, const struct rl_task *task);
    /* Takes the trials of one finished task (at most RL_TASK_MOST); 0 if none finishes within
     * `seconds`. */
    size_t (*take)(void *self, double seconds, struct rl_trial *trials_out);
    /* Drops the tasks in progress, stops the workers and frees them. */
    void (*stop)(void *self);
};

/* -------------------------------------------------------------------------------------------------
 *
 * The store: a study in an SQLite file. docs/formats.md has the schema.
 *
 * One process writes at a time; any number may read meanwhile, for as long as they like. What was
 * committed survives kill -9 and power loss. Nothing outside the store uses SQLite. A path is
 * always a file name, even if it looks like a URI.
 *
 * RL_BAD_STUDY: the file is not a study, or has a newer schema or another stream version. RL_IO: it
 * is damaged, write-protected, on a full disk, or another process is writing to it.
 */

enum rl_store_mode { RL_STORE_READ, RL_STORE_WRITE };

struct rl_store;

/* Opens a study and checks the whole file: RL_IO if the stored data of a point contradict each
 * other. With RL_STORE_WRITE the caller becomes its only writer; a missing or empty file is then a
 * new study, and is created by the first commit. If a protocol of the study came from a file and is
 * not in the list of protocols, a placeholder is added there. It has names, parameters, starts and
 * sets, enough for a report; its `interact` is NULL. */
RL_MUST_CHECK enum rl_status rl_store_open(struct rl_store **store_out, const char *path,
                                           enum rl_store_mode mode, struct rl_error *error);
/* Discards anything that was not committed. */
void rl_store_close(struct rl_store *store);

/* All points, in the order in which they were added. They belong to the store. */
const struct rl_plan *rl_store_points(const struct rl_store *store);

/* Visits all trials, ordered by point and number. Rows that no run could have produced are skipped,
 * and a writer removes them from the file, so that they are run again. */
RL_MUST_CHECK enum rl_status
rl_store_trials(struct rl_store *store, void (*visit)(void *user, const struct rl_trial *trial),
                void *user, struct rl_error *error);

struct rl_store_salvaged {
    uint64_t points;
    uint64_t trials; /* saved */
    uint64_t again;  /* the other trials of these points: to be run again from their seeds */
};

/* -------------------------------------------------------------------------------------------------
 *
 * Statistics of one sample, which is an array of doubles.
 *
 * docs/decisions/185-test-the-claim.md says why we use no library for this.
 */

struct rl_stats {
    size_t count;          /* including those that gave up */
    size_t gave_up;        /* their values are not known, only a limit that they exceed */
    double mean;           /* with limits for unknown values: a lower bound if any gave up */
    double deviation;      /* with divisor count - 1; 0 for a single value */
    double standard_error; /* of the mean; infinite for a single value, or if any gave up */
    double low, high;      /* 95 % confidence interval of the mean; NaN: none */
    double least, most;    /* of the known values; NaN: none */
};

enum { RL_STATS_TRIALS = 5 }; /* fewer values get no interval */

/* -------------------------------------------------------------------------------------------------
 *
 * The hunt searches for configurations from which reaching the target takes long, by measuring. The
 * verifier finds them on rings of a few agents; the hunt looks for them on rings of any size, and
 * proves nothing.
 *
 * It starts with the named starts as its population, changes them, and judges them by racing: few
 * trials for many, more for the best, fresh ones for the last. The result depends only on the
 * options, not on the number of threads.
 */

/* The state of a hunt. */
struct rl_hunt_progress {
    unsigned generation;
    double done;       /* the share of the work, 0 to 1 */
    double best;       /* the largest mean so far; too large, as these trials chose it */
    double best_named; /* the same for named starts */
};

/* Zero is the natural thing everywhere but in the first. */
struct rl_hunt_options {
    const struct rl_experiment *experiment; /* the ring, the seed, and when trials give up */
    size_t jobs;                            /* threads; 0: 1 */
    double work;      /* how many events to simulate; 0: a minute or two on one core */
    const char *path; /* a study file that stores the trials, to continue later; or NULL */
    /* Called now and then; return true to stop. May be NULL. */
    bool (*stop)(void *user, const struct rl_hunt_progress *progress);
    void *user;
};

struct rl_hunt {
    const char *named;           /* the worst named start, ... */
    struct rl_stats named_stats; /* ... from fresh trials */
    char *configuration;         /* the find, as text, ... */
    struct rl_stats stats;       /* ... from fresh trials */
    const char *origin;          /* the named start, if the find is one unchanged; otherwise NULL */
    unsigned generations;
    uint64_t configurations, trials; /* how many were used */
    bool stopped;
};

/* RL_BAD_PARAMETER if the protocol does not allow the parameters; with a path, also the codes of a
 * store. Call rl_hunt_free even after a failure. */
RL_MUST_CHECK enum rl_status
rl_hunt_run(struct rl_hunt *hunt, const struct rl_hunt_options *options, struct rl_error *error);
void rl_hunt_free(struct rl_hunt *hunt);

/* -------------------------------------------------------------------------------------------------
 *
 * Running a study: the queue, the workers and the store together.
 *
 * The caller's thread is the only writer. Trials are committed ten times a second.
 */

/* Called about twenty times a second; returns whether to go on. May be NULL. */
typedef bool (*rl_study_go_on)(void *user, const struct rl_queue_outlook *outlook);

struct rl_study_options {
    const char *path;
    const char *plan;                        /* as text; NULL: continue with the plan in the file */
    const struct rl_plan_resolver *resolver; /* finds the files that the plan names, or NULL */
    bool extend;                             /* the plan may be added to the one in the file */
    uint64_t share, shares; /* part `share` (from 0) of `shares`; 0: as in the file, or all */
    const char *salvage;    /* a damaged study to recover from, or NULL */
    bool look;              /* only look at its state; nothing is written */

    /* For rl_study_run. */
    size_t jobs; /* threads */
    void *user;
    rl_study_go_on go_on;
};

/* An open study: what it should do, and what is done. */
struct rl_study {
    struct rl_store *store;
    const struct rl_plan *plan; /* all points of the file */
    struct rl_queue queue;      /* knows the trials in the file */
    struct rl_store_salvaged salvaged;
    uint64_t dropped; /* impossible trials in the file, to be run again */
    bool interrupted; /* the last writer was killed, or was at work when this copy was made, and the
                         log (FILE-wal) is missing: trials may be lost and are run again */
    bool at_work;     /* if only looked at: somebody is the writer, ... */
    uint64_t workers; /* ... how many work for the last one, ... */
    double age;       /* ... and how many seconds ago he began */
    size_t left_alone;     /* points whose protocol file was not given, ... */
    const char *left_name; /* ... and the name of one such protocol */
};

/* Opens the study in a file, adds the plan, the share and any salvaged trials to what the file
 * holds, and commits. Nothing is written unless all of it is valid. Call rl_study_close even after
 * a failure. RL_BAD_PARAMETER: the plan differs from the file's and `extend` is not set, or the
 * share differs, or a protocol has changed. Only errors about the plan have a line. */
RL_MUST_CHECK enum rl_status rl_study_open(struct rl_study *study,
                                           const struct rl_study_options *options,
                                           struct rl_error *error);
void rl_study_close(struct rl_study *study);

/* Is everything done? */
bool rl_study_is_finished(const struct rl_study *study);

/* Lets the workers run the remaining trials until all are done, `go_on` returns false, or something
 * fails. In every case all finished trials are written,
 * unless writing failed. Does not stop the workers. */
RL_MUST_CHECK enum rl_status rl_study_work(struct rl_study *study, struct rl_crew *workers,
                                           void *user, rl_study_go_on go_on,
                                           struct rl_error *error);

/* Opens, runs and closes a study, on threads of this process. What is done is kept: the same call
 * continues where this one stopped. */
RL_MUST_CHECK enum rl_status rl_study_run(const struct rl_study_options *options,
                                          bool *finished_out, struct rl_error *error);

RL_END

#endif
