/* SPDX-License-Identifier: MIT
 *
 * Studies: plans, trials, the file that keeps them, statistics.
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
 * Plans: what a study is to do, as grids of points with a number of trials each.
 *
 *     # how does it grow?
 *     protocol = prl
 *     n = 64..4096x2
 *     N = 1n, 2n
 *     start = random, leaderless
 *     trials = 200
 *
 * The text is specified in docs/formats.md. Options of the command line, presets, plan files and
 * the points in a database are all this one language, so there is one reader. A point written by
 * rl_plan_line is itself a plan of one point.
 */

enum {
    RL_PLAN_FAULTS = 8,
    RL_PLAN_NAME = 48,
    RL_PLAN_POINTS = 100000,
    RL_PLAN_LINE = 640,
    RL_PLAN_CLAIM = 200,
    RL_PLAN_SPELLING = 64
};

/* ---- the fields of an experiment ----------------------------------------------------------------
 *
 * Everything about a field is in its row: options of `study`, keys of plans, the identity of a
 * point, what two plans differ in, the columns of a study's file and of CSV are made from these.
 * CONTRIBUTING.md says how one is added.
 */

/* Those that are counts, each a member of struct rl_point (run.h says what a row holds). */
#define RL_COUNT_FIELDS(FIELD)                                                                     \
    RL_EXPERIMENT_COUNTS(FIELD)                                                                    \
    FIELD(trials, "trials", 1, UINT32_MAX, 100, false, "COUNT", "how many (default 100)")

enum rl_field_kind {
    RL_FIELD_PROTOCOL,
    RL_FIELD_N,
    RL_FIELD_PARAMETERS, /* of the protocol: keys of their own, together one field */
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
    bool identity;        /* points that differ in it are different points */
    const char *argument; /* what the help calls the value */
    const char *meaning;
    uint64_t least, most, otherwise; /* of a count ... */
    size_t member;                   /* ... and where it is in struct rl_point */
};

/* A point: everything a trial depends on but its number. Two points that differ only in what is no
 * part of the identity, or in how it was spelled, are the same point. */
struct rl_point {
    const struct rl_protocol *protocol;
    struct rl_params params;
    char start[RL_PLAN_NAME]; /* the name of a start, or of ... */
    const char *start_text;   /* ... a configuration, which belongs to the plan; else NULL */
    enum rl_engine_kind engine;
    struct rl_fault faults[RL_PLAN_FAULTS];
    size_t fault_count;
    RL_COUNT_FIELDS(RL_MEMBER)
    double until_error;        /* stop earlier at this relative standard error; 0: never */
    char claim[RL_PLAN_CLAIM]; /* the growth that is claimed, for the report; may be empty */
    char curve[RL_PLAN_NAME];  /* a gauge, or `leaders`, that trials keep; may be empty */

    /* As the plan said it, such as 2n; empty where it did not. */
    char spelled[RL_MAX_PARAMETERS][RL_PLAN_NAME];
    char spelled_faults[RL_PLAN_SPELLING];

    uint32_t hash; /* of its identity; set by rl_plan_add */
};

/* The fields in their order; NULL after the last. */
const struct rl_field *rl_field_at(size_t index);
/* What a point has there, as a plan says it. */
void rl_field_print(const struct rl_field *field, const struct rl_point *point,
                    struct rl_text *text);
/* Of a field that is a count. */
uint64_t rl_field_count(const struct rl_field *field, const struct rl_point *point);

/* ---- plans ---- */

struct rl_plan {
    struct rl_point *points; /* no two the same */
    size_t count;
    size_t room;
    uint32_t *slots; /* by hash: a place in `points` from 1, or 0 */
    size_t slot_count;
    struct rl_plan_start {
        struct rl_plan_start *next;
        char name[RL_PLAN_NAME];
        char text[];
    } * starts;        /* configurations that points begin from */
    char skipped[160]; /* what was left out though it was asked for; may be empty */
};

enum rl_plan_strictness {
    RL_PLAN_STRICT,
    RL_PLAN_SKIP_UNKNOWN, /* what this program lacks is left out: protocols, ... */
};

/* Who knows what is in files that a plan names. Both may be NULL: then there are the protocols of
 * the list and their starts only. */
struct rl_plan_resolver {
    void *user;
    /* A protocol by the word that the plan has for it; NULL in `protocol_out`: there is none. */
    enum rl_status (*protocol)(void *user, const char *word,
                               const struct rl_protocol **protocol_out, struct rl_error *error);
    /* The text of a configuration (to be freed); NULL in `text_out`: there is none. */
    enum rl_status (*start)(void *user, const char *word, char **text_out, struct rl_error *error);
};

/* Reads a plan. On failure `error` has line and column. A start that only some of a grid's
 * protocols have is left out for the others; so is a parameter that only some have. Free also after
 * a failure. Time: O(points), and O(n) for every start but `random`, which is tried. */
RL_MUST_CHECK enum rl_status rl_plan_parse(struct rl_plan *plan, const char *text, size_t length,
                                           enum rl_plan_strictness strictness,
                                           const struct rl_plan_resolver *resolver,
                                           struct rl_error *error);
void rl_plan_free(struct rl_plan *plan);

/* A text about a point: use `.text` in the same expression. */
struct rl_plan_line {
    char text[RL_PLAN_LINE];
};
/* The same as the plan spelled it: "protocol=prl; n=64; N=2n; start=random". */
struct rl_plan_line rl_plan_spelled(const struct rl_point *point);

/* The plans shipped with the program: their names, NULL after the last, and texts. */
const char *rl_plan_preset_name(size_t index);
const char *rl_plan_preset(const char *name);

/* -------------------------------------------------------------------------------------------------
 *
 * A trial: one run at a point of a plan, and what is kept of it.
 *
 * The result is exactly what `ringleader elect --json` prints for the same options.
 */

/* The steps of a curve: 0, 1, 2, 3, 4, 6, 8, 12, 16, ..., two to the octave. */
enum { RL_CURVE_STEPS = 126 };

/* Plain data: ranks send it to each other as bytes. */
struct rl_trial {
    uint32_t point; /* index in the plan */
    enum rl_run_state end;
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
    uint32_t curve_count;           /* how many steps of its curve the run got to; 0: it has none */
    uint32_t curve[RL_CURVE_STEPS]; /* what the gauge of the point showed at each */
};

/* -------------------------------------------------------------------------------------------------
 *
 * The queue of a study: which trials are still to do, which to do next, and how long it will take.
 *
 * Long trials come first, so that the last minute is not one core working alone. To know which
 * those are, one trial of every point is given out at the beginning, the largest rings first (a
 * small ring may take the longest: some protocols are exponential). Seconds change the order of the
 * work, never its results.
 *
 * A point with a stopping rule grows in rounds of 32, 48, 72, ... trials (half as many again each
 * time); the rule is asked only when a round is complete, over all its trials in order, and what
 * gave up is never precise. So which trials a study holds in the end does not depend on who did
 * them when.
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
        double value; /* what it measured; NaN: it gave up */
    } * trials;       /* those that are done, in order */
    size_t count, room;
    uint64_t wanted;  /* trials of the present round */
    uint64_t next;    /* first trial not yet given out */
    uint64_t ours;    /* trials of the round that fall into our share, ... */
    uint64_t done;    /* ... and how many of those are done */
    uint64_t gave_up; /* trials that did not reach the target, of all that are done */
    double seconds;   /* of the trials that were timed */
    uint64_t timed;
    bool probed;  /* a trial was given out, so that seconds will be known */
    size_t place; /* in the heap, from 1; 0: not there */
};

struct rl_queue {
    const struct rl_plan *plan;
    struct rl_queue_point *points;
    size_t *heap; /* points that may have trials to give out, the next first */
    size_t heap_count;
    uint64_t share, shares;  /* this is part `share` (from 0) of `shares` */
    uint64_t done, total;    /* of all points */
    double seconds, guessed; /* of all that were timed: how long, and how much work */
    enum rl_status status;   /* RL_NO_MEMORY: a trial that is done could not be kept */
};

/* How it stands. `seconds_left` is of one worker; `slowest` is the point with the longest trials,
 * by prediction. Time: O(points). */
struct rl_queue_outlook {
    uint64_t done, total;
    uint64_t gave_up; /* of those that are done, with other shares */
    double seconds_left;
    size_t slowest;
    double slowest_seconds;
};

/* -------------------------------------------------------------------------------------------------
 *
 * Workers: who does the trials. Threads of this process, or other ranks under MPI.
 *
 * The one who asks keeps the plan, the queue and the store to itself; workers get tasks and give
 * back trials, in any order.
 */

struct rl_crew {
    void *self;
    size_t count; /* how many work at the same time */
    /* Hands out a task. Never more than RL_CREW_AHEAD * count are under way. */
    enum rl_status (*give)(void *self, const struct rl_task *task);
    /* The trials of one finished task (at most RL_TASK_MOST); 0 if none comes within `seconds`. */
    size_t (*take)(void *self, double seconds, struct rl_trial *trials_out);
    /* Gives up what is under way, takes the workers home and frees them. */
    void (*stop)(void *self);
};

/* -------------------------------------------------------------------------------------------------
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

enum rl_store_mode { RL_STORE_READ, RL_STORE_WRITE };

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

/* Who is asked, some ten times a second, while another program keeps us from writing: `seconds` is
 * how long already; false gives up with RL_IO. Without one, a store gives up after 20 seconds. On
 * file systems with a write-ahead log no reader keeps a writer waiting. */
struct rl_store_patience {
    void *user;
    bool (*wait)(void *user, double seconds);
};

/* All points, in order of addition; RL_IO if one does not agree with itself. Free the plan also
 * after a failure. */
RL_MUST_CHECK enum rl_status rl_store_points(struct rl_store *store, struct rl_plan *plan_out,
                                             struct rl_error *error);

/* Visits all trials in order of point and number. A row that no run could have given
 * (rl_trial_possible) is left out, and a writer removes it from the file, so that it is done again;
 * rl_store_dropped says how many there were. */
RL_MUST_CHECK enum rl_status rl_store_trials(struct rl_store *store, const struct rl_plan *plan,
                                             void (*visit)(void *user,
                                                           const struct rl_trial *trial),
                                             void *user, struct rl_error *error);

struct rl_store_salvaged {
    uint64_t points;
    uint64_t trials; /* saved */
    uint64_t again;  /* the others of these points: to be computed again from their seeds */
};

/* A session: one process at work on the file. rl_store_write keeps it up to date. */
struct rl_store_session {
    uint64_t workers;
    double age;       /* seconds since it began */
    double idle;      /* seconds since it last wrote */
    uint64_t written; /* trials */
    bool alive;       /* it still is the writer */
};

/* -------------------------------------------------------------------------------------------------
 *
 * Statistics of one sample, an array of doubles.
 *
 * Why this is not a library: docs/decisions/042-statistics.md.
 */

struct rl_stats {
    size_t count;          /* with those that gave up */
    size_t gave_up;        /* of these only a limit is known, which their values exceed */
    double mean;           /* with the limits in their place, so a lower bound if any gave up */
    double deviation;      /* with divisor count - 1; 0 for a single value */
    double standard_error; /* of the mean; infinite for a single value, or if any gave up */
    double low, high;      /* 95 % confidence interval of the mean; NaN: none */
    double least, most;    /* of the known values; NaN: none */
};

enum { RL_STATS_TRIALS = 5 }; /* fewer values get no interval */

/* -------------------------------------------------------------------------------------------------
 *
 * Growth: how means taken at several x (n, say, or N) grow with x, and whether that is what is
 * claimed.
 *
 * The claim is tested first: mean / claimed = c + b/x, or c + b/sqrt(x), at all x, so that small
 * rings may differ from large ones. The free exponent comes second: what the means look like
 * without the claim. Why so: docs/decisions/185-test-the-claim.md.
 */

/* The forms compared. Each has two unknowns, so the one with the least weighted sum of squares is
 * also the one that AIC and BIC choose; `weight` is its Akaike weight, exp(-chi2/2) over the sum
 * for all forms compared. */
enum rl_growth_form {
    RL_GROWTH_POWER,       /* c x^a */
    RL_GROWTH_POWER_LOG,   /* c x^a log x */
    RL_GROWTH_EXPONENTIAL, /* c exp(a x) */
    RL_GROWTH_LINE,        /* c + a x; compared on request only */
    RL_GROWTH_FORMS
};

/* The trials at one x (n, or N, or whatever grows), each of which reached the target. */
struct rl_growth_sample {
    double x;
    double claimed;   /* what is claimed there, but for a factor; 0: nothing */
    double mean;      /* positive */
    double deviation; /* of a trial */
    size_t count;
};

/* No interval is given where an x has fewer trials: too often it would miss the truth. */
enum { RL_GROWTH_TRIALS = 5 };

/* A form, fitted to the means. */
struct rl_growth_curve {
    double factor;    /* c */
    double exponent;  /* a */
    double low, high; /* 95 % interval of a; NaN for RL_GROWTH_LINE, or if there is none */
    double chi2;
    double noise; /* probability that noise alone scatters the means about the curve as much */
    double weight;
};

enum rl_growth_verdict {
    RL_GROWTH_UNTESTED,  /* nothing was claimed, or nothing that can be computed */
    RL_GROWTH_AGREES,    /* mean / claimed tends to a positive number */
    RL_GROWTH_SLOWER,    /* it falls, without a limit that is surely positive */
    RL_GROWTH_UNEVEN,    /* it jumps by more than noise, and neither rises nor falls beyond that */
    RL_GROWTH_DISAGREES, /* it rises */
    RL_GROWTH_UNDECIDED, /* the trials are too few to say */
};

/* The claim, tested. */
struct rl_growth_test {
    enum rl_growth_verdict verdict;
    double factor, low, high; /* c with its 95 % interval; NaN: no interval */
    double bend;              /* b */
    bool root;                /* whether it is b/sqrt(x) */
    double chi2;
    size_t degrees;
    double noise; /* as above */
};

struct rl_growth {
    size_t count; /* how many x went in */
    struct rl_growth_test test;
    struct rl_growth_curve form[RL_GROWTH_FORMS];
    enum rl_growth_form best;
};

/* A curve whose `noise` is below this does not fit: the means bend, or jump, beyond their noise. */
#define RL_GROWTH_DOUBT 0.01

/* -------------------------------------------------------------------------------------------------
 *
 * The summary of a study: its trials in memory, statistics of every point, and families of points
 * along which something grows.
 */

/* Of one quantity over all trials of a point. A quantile that depends on trials that gave up is
 * NaN; if none has the quantity, so is everything but the mean, a lower bound. All zero: no trial.
 */
struct rl_summary_stats {
    struct rl_stats stats;
    double p05, p25, median, p75, p95;
};

struct rl_summary_point {
    const struct rl_point *point;
    const struct rl_trial *trials; /* in order of number */
    size_t count;
    double *values;   /* what was measured, where the target was hit */
    size_t reached;   /* length of `values`; the others gave up */
    char target[120]; /* what its steps lead to: "S_RL", or that it is observed, not proved */
    struct rl_summary_stats measure;           /* of `values`, in steps */
    struct rl_summary_stats hits[RL_MAX_SETS]; /* since the last fault, in steps */
    struct rl_summary_stats *curve;            /* of its gauge at each step of a curve, ... */
    size_t curve_count;                        /* ... so many; 0: there is none */
};

enum rl_family_axis { RL_FAMILY_N, RL_FAMILY_PARAMETER, RL_FAMILY_FAULT };

enum { RL_FAMILY_LABEL = 640, RL_FAMILY_VERDICT = 400 };

/* Points that differ in one thing only, in order of it: in n (parameters that are n, 2n, ... go
 * along), in one parameter, or in the number of agents that the last fault strikes. */
struct rl_family {
    enum rl_family_axis axis;
    const char *axis_name;        /* "n", "N", "agents struck" */
    char label[RL_FAMILY_LABEL];  /* "prl, N=n, leaderless" */
    const struct rl_point *point; /* the first that the plan has */
    struct rl_family_point {
        const struct rl_summary_point *point;
        double x;       /* where it stands on the axis */
        double claimed; /* what is claimed there, but for a factor; 0: nothing */
    } * at;             /* at least two, in order of x */
    size_t count;
    size_t left_out;   /* points with trials that gave up, which no fit has in it */
    const char *claim; /* the growth that is claimed: by the plan, else by the authors; or "" */
    bool fitted;
    enum rl_growth_form form; /* that of the claim */
    struct rl_growth growth;
    char verdict[RL_FAMILY_VERDICT]; /* the claim in words, if fitted */
};

struct rl_summary {
    struct rl_plan plan;
    struct rl_trial *trials;
    size_t trial_count, trial_room;
    uint64_t wanted;  /* trials there will be when the study is finished, as far as one can tell */
    uint64_t dropped; /* impossible rows that were left out */
    struct rl_summary_point *points; /* as many as plan.count */
    struct rl_family *families;
    size_t family_count, family_room;
};

/* -------------------------------------------------------------------------------------------------
 *
 * The hunt: looks for configurations from which the target takes long, by measurement. What the
 * verifier finds on rings of a few agents, it looks for on any; it proves nothing.
 *
 * A population of configurations, from the named starts on, is changed and judged by racing: few
 * trials for many, more for the best, fresh ones for the last. The result is a function of the
 * options, whatever the number of threads.
 */

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
    const char *path;   /* a study's file that keeps the trials, so that it can go on; or NULL */
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

/* RL_BAD_PARAMETER if the protocol does not allow the parameters; with a path, the codes of a store
 * too. Free also after a failure. */
RL_MUST_CHECK enum rl_status
rl_hunt_run(struct rl_hunt *hunt, const struct rl_hunt_options *options, struct rl_error *error);
void rl_hunt_free(struct rl_hunt *hunt);

/* -------------------------------------------------------------------------------------------------
 *
 * A study at work: queue, workers and store brought together.
 *
 * The caller's thread is the one writer. Trials are committed ten times a second.
 */

struct rl_study_options {
    const char *path;
    const char *plan; /* as text (study.h); NULL: what the file holds goes on */
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
    uint64_t dropped;  /* impossible trials of the file, to be done again */
    bool interrupted;  /* who wrote last was killed, or at work when this copy was made, and there
                        * is no log (FILE-wal): trials may be missing, to be done again */
    size_t left_alone; /* points of protocols from files that were not given, ... */
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
