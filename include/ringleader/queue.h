/* SPDX-License-Identifier: MIT
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
#ifndef RINGLEADER_QUEUE_H
#define RINGLEADER_QUEUE_H

#include "ringleader/trial.h"

RL_BEGIN

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
    size_t *probes; /* points, the one with the most work first */
    size_t probe;   /* the first that may still want one */
    size_t *heap;   /* points that may have trials to give out, the slowest first */
    size_t heap_count;
    uint64_t share, shares;  /* this is part `share` (from 0) of `shares` */
    uint64_t done, total;    /* of all points */
    double seconds, guessed; /* of all that were timed: how long, and how much work */
    enum rl_status status;   /* RL_NO_MEMORY: a trial that is done could not be kept */
};

/* The queue of all trials of a plan (which must outlive it) or of one share of them. */
RL_MUST_CHECK enum rl_status rl_queue_init(struct rl_queue *queue, const struct rl_plan *plan,
                                           uint64_t share, uint64_t shares);
void rl_queue_free(struct rl_queue *queue);

/* A trial is done: found in the store before the work began, or just now. Memory goes by the trials
 * that are done, not by those that are planned. Time: O(log points), for trials that come in
 * order. */
void rl_queue_done(struct rl_queue *queue, const struct rl_trial *trial);

/* To be called once, when all trials in the store have been told: completes rounds. */
void rl_queue_begin(struct rl_queue *queue);

/* Leaves a point as it stands: nothing more of it is given out, or counted. */
void rl_queue_leave(struct rl_queue *queue, size_t point);

/* The next piece of work, at most `most` trials; false if there is none at present. Time:
 * O(log points). */
bool rl_queue_next(struct rl_queue *queue, uint32_t most, struct rl_task *task_out);

/* How it stands. `seconds_left` is of one worker; `slowest` is the point with the longest trials,
 * by prediction. Time: O(points). */
struct rl_queue_outlook {
    uint64_t done, total;
    uint64_t gave_up; /* of those that are done, with other shares */
    double seconds_left;
    size_t slowest;
    double slowest_seconds;
};
struct rl_queue_outlook rl_queue_look(const struct rl_queue *queue);

RL_END

#endif
