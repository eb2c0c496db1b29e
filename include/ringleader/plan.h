/* SPDX-License-Identifier: MIT
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
#ifndef RINGLEADER_PLAN_H
#define RINGLEADER_PLAN_H

#include "ringleader/request.h"
#include "ringleader/run.h"
#include "ringleader/text.h"

RL_BEGIN

enum {
    RL_PLAN_FAULTS = 8,
    RL_PLAN_NAME = 48,
    RL_PLAN_POINTS = 100000,
    RL_PLAN_LINE = 512,
    RL_PLAN_CLAIM = 200
};

/* A point: everything a trial depends on but its number. Two points that differ only in the last
 * four members are the same point. */
struct rl_point {
    const struct rl_protocol *protocol;
    struct rl_params params;
    char start[RL_PLAN_NAME];
    enum rl_engine_kind engine;
    uint64_t seed;
    uint64_t max_steps; /* RL_NEVER: no limit */
    struct rl_fault faults[RL_PLAN_FAULTS];
    size_t fault_count;

    uint64_t trials;           /* numbers 0 .. trials-1 */
    double until_error;        /* stop earlier at this relative standard error; 0: never */
    char claim[RL_PLAN_CLAIM]; /* the growth somebody claims, for the report; may be empty */

    uint32_t hash; /* of its identity; set by rl_plan_add */
};

struct rl_plan {
    struct rl_point *points; /* no two the same */
    size_t count;
    size_t room;
    uint32_t *slots; /* by hash: a place in `points` from 1, or 0 */
    size_t slot_count;
    char skipped[160]; /* what was left out though it was asked for; may be empty */
};

enum rl_plan_strictness {
    RL_PLAN_STRICT,
    RL_PLAN_SKIP_UNKNOWN, /* what this program lacks is left out: protocols, ... */
};

/* Reads a plan. On failure `error` has line and column. A start that only some of a grid's
 * protocols have is left out for the others; so is a parameter that only some have. Free also after
 * a failure. Time: O(points), and O(n) for every start but `random`, which is tried. */
RL_MUST_CHECK enum rl_status rl_plan_parse(struct rl_plan *plan, const char *text, size_t length,
                                           enum rl_plan_strictness strictness,
                                           struct rl_error *error);
void rl_plan_free(struct rl_plan *plan);

/* Adds a point, or raises the number of trials of the same point; says which point it is. Both take
 * O(1). */
RL_MUST_CHECK enum rl_status rl_plan_add(struct rl_plan *plan, const struct rl_point *point,
                                         size_t *index_out);
/* The same point of a plan; NULL if there is none. */
const struct rl_point *rl_plan_find(const struct rl_plan *plan, const struct rl_point *point);

/* A text about a point: use `.text` in the same expression. */
struct rl_plan_line {
    char text[RL_PLAN_LINE];
};
/* "protocol=prl; n=64; N=64; start=random; engine=event; seed=1": the identity of a point. */
struct rl_plan_line rl_plan_line(const struct rl_point *point);
/* "1@0+32@5000", or "none". */
struct rl_plan_line rl_plan_faults(const struct rl_point *point);
bool rl_plan_same_point(const struct rl_point *a, const struct rl_point *b);

/* Whether two plans ask for the same; if not, `text`, unless it is NULL, says in what they differ
 * ("trials is 100 in the file and 200 here"). */
bool rl_plan_same(const struct rl_plan *in_file, const struct rl_plan *here, struct rl_text *text);

/* The plans shipped with the program: their names, NULL after the last, and texts. */
const char *rl_plan_preset_name(size_t index);
const char *rl_plan_preset(const char *name);

RL_END

#endif
