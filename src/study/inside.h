/* SPDX-License-Identifier: MIT
 *
 * What the library knows of studies, and strangers need not.
 */
#ifndef RINGLEADER_STUDY_INSIDE_H
#define RINGLEADER_STUDY_INSIDE_H

#include <stdio.h>

#include "ringleader/study.h"

/* Adds a point, with copies of its start and faults; says which point it is. If it is there
 * already, the larger number of trials holds, and the last word about the error and, if there is
 * one, the claim. Time: O(1). */
RL_MUST_CHECK enum rl_status rl_plan_add(struct rl_plan *plan, const struct rl_point *point,
                                         size_t *index_out);

/* The same point of a plan; NULL if there is none. */
const struct rl_point *rl_plan_find(const struct rl_plan *plan, const struct rl_point *point);

/* "protocol=prl; n=64; N=128; start=random": the identity of a point, without what is as usual. */
struct rl_plan_line rl_plan_line(const struct rl_point *point);

/* The point as a line of a plan; `all`: with what is no part of its identity. */
struct rl_plan_line plan_line_of(const struct rl_point *point, bool spelled, bool all);

/* "1@0+32@5000", or as the plan spelled it, or "none". */
void plan_print_faults(const struct rl_point *point, bool spelled, struct rl_text *text);
bool rl_plan_same_point(const struct rl_point *a, const struct rl_point *b);

/* Asked between spells of work whether to give up. */
struct rl_trial_stop {
    void *user;
    bool (*asked)(void *user);
};

/* Runs trial number `trial` of a point; false if it was stopped. `point_index` is copied into the
 * result. RL_NO_MEMORY is reported in its status. */
bool rl_trial_run(const struct rl_point *point, uint32_t point_index, uint64_t trial,
                  struct rl_trial_stop stop, struct rl_trial *trial_out);

/* Step number `index` of a curve. */
uint64_t rl_curve_step(size_t index);

/* The trial that this thread is in the middle of, for somebody who must tell where it crashed; 0:
 * none, else a number that changes with every spell of work. May be called by a signal handler. */
unsigned rl_trial_now(const struct rl_point **point_out, uint64_t *trial_out);

/* Whether the target was hit. */
bool rl_trial_reached(const struct rl_point *point, const struct rl_trial *trial);

/* Whether a run at this point could end so: numbers in their domains, no more steps than the limit,
 * hits since the last fault and in the order of the protocol's sets, each of which contains the
 * next, and faults as planned. What a damaged file holds often could not. */
bool rl_trial_possible(const struct rl_point *point, const struct rl_trial *trial);

/* What studies measure, in steps: the hit of the target, or with faults the recovery from the last
 * one. Where the target was not hit, the steps that were not enough. */
double rl_trial_measure(const struct rl_point *point, const struct rl_trial *trial);

/* The queue of all trials of a plan (which must outlive it) or of one share of them. */
RL_MUST_CHECK enum rl_status rl_queue_init(struct rl_queue *queue, const struct rl_plan *plan,
                                           uint64_t share, uint64_t shares);
void rl_queue_free(struct rl_queue *queue);

/* A trial is done: found in the store before the work began, or just now. Memory goes by the trials
 * that are done, not by those that are planned. Time: O(log trials) for trials that come in order,
 * and O(points) for the last of a round. */
void rl_queue_done(struct rl_queue *queue, const struct rl_trial *trial);

/* To be called once, when all trials in the store have been told. */
void rl_queue_begin(struct rl_queue *queue);

/* Leaves a point as it stands: nothing more of it is given out, or counted. */
void rl_queue_leave(struct rl_queue *queue, size_t point);

/* Says which starts were left out from which n on, and why. */
void rl_queue_tell_easy(const struct rl_queue *queue, const char *between, struct rl_text *text);

/* The next piece of work, at most `most` trials; false if there is none at present. */
bool rl_queue_next(struct rl_queue *queue, uint32_t most, struct rl_task *task_out);

struct rl_queue_outlook rl_queue_look(const struct rl_queue *queue);

enum {
    RL_TASK_MOST = 64, /* trials in a task */
    RL_CREW_AHEAD = 4, /* tasks under way for each worker: one at work, the others waiting */
};

/* `jobs` threads for the points of `plan`, which must outlive them. */
RL_MUST_CHECK enum rl_status rl_crew_threads(struct rl_crew *workers, const struct rl_plan *plan,
                                             size_t jobs);

/* Ranks of MPI as workers, in a program that was built with it (crew_mpi.c). The library does
 * without: how processes begin and end is the program's business. */
struct rl_crew_mpi {
    /* Comes first, on every rank; returns its number. Rank 0 gets the others, if there are any, as
     * workers for the plan of a study that it opens later; it must stop them. */
    int (*begin)(const struct rl_study *study, struct rl_crew *workers_out);
    /* What the others do until rank 0 stops its workers. */
    void (*serve)(void);
};
extern const struct rl_crew_mpi rl_crew_mpi;

/* Writes the text of each plan, in order of addition. */
RL_MUST_CHECK enum rl_status rl_store_plans(struct rl_store *store, FILE *stream,
                                            struct rl_error *error);

uint64_t rl_store_dropped(const struct rl_store *store);

RL_MUST_CHECK enum rl_status rl_store_begin_session(struct rl_store *store, uint64_t workers,
                                                    struct rl_error *error);

/* Of `known` values, which are not negative, and `gave_up` more that exceed `limit`; together at
 * least one. The interval is Student's on a logarithmic scale, a little widened, for the steps of
 * runs are skewed: docs/coverage-of-intervals.md has how often it holds the truth. Two passes, so
 * exact for large values of small spread; the order of the values decides the last bits. Time:
 * O(known). */
struct rl_stats rl_stats_of(const double *values, size_t known, size_t gave_up, double limit);

/* Sets the interval of statistics that have a mean and its standard error. */
void rl_stats_interval(struct rl_stats *stats);

/* Sorts in place. */
void rl_stats_sort(double *values, size_t count);

/* The q-quantile of `count` values, 0 <= q <= 1, of which the `known` smallest are there, sorted,
 * by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). NaN where it
 * depends on a value that is not known. (Where all trials give up at one limit, that is Kaplan and
 * Meier's estimate.) */
double rl_stats_quantile(const double *sorted, size_t known, size_t count, double q);

/* The q-quantile of Student's t with `degrees` > 0 degrees of freedom, 0 < q < 1. */
double rl_stats_student(double q, double degrees);

/* The probability that Fisher's F, with these degrees of freedom above and below, is at least
 * `ratio` >= 0. With very many below, `ratio * above` is chi-squared. */
double rl_stats_f_tail(double ratio, double above, double below);

/* The label of a point in a family along `axis` (and, of parameters, along this one), cut to
 * RL_FAMILY_LABEL bytes. */
void rl_family_label(const struct rl_point *point, enum rl_family_axis axis, size_t parameter,
                     bool many_seeds, char *text);

/* The label of the family of a point, without its start. */
void rl_family_of_starts(const struct rl_point *point, char text[RL_FAMILY_LABEL]);

#endif
