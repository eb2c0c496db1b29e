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
    RL_PLAN_LINE = 640,
    RL_PLAN_CLAIM = 200,
    RL_PLAN_SPELLING = 64
};

/* ---- the fields of an experiment ----------------------------------------------------------------
 *
 * Everything about a field stands in its row: options of `study`, keys of plans, the identity of a
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
    char claim[RL_PLAN_CLAIM]; /* the growth somebody claims, for the report; may be empty */

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

/* ---- plans --------------------------------------------------------------------------------------
 */

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

/* Adds a point, with a copy of its configuration; says which point it is. If it is there already,
 * the larger number of trials holds, and the last word about the error and, if there is one, the
 * claim. Time: O(1). */
RL_MUST_CHECK enum rl_status rl_plan_add(struct rl_plan *plan, const struct rl_point *point,
                                         size_t *index_out);
/* The same point of a plan; NULL if there is none. */
const struct rl_point *rl_plan_find(const struct rl_plan *plan, const struct rl_point *point);

/* A text about a point: use `.text` in the same expression. */
struct rl_plan_line {
    char text[RL_PLAN_LINE];
};
/* "protocol=prl; n=64; N=128; start=random": the identity of a point, without what is as usual. */
struct rl_plan_line rl_plan_line(const struct rl_point *point);
/* The same as the plan spelled it: "protocol=prl; n=64; N=2n; start=random". */
struct rl_plan_line rl_plan_spelled(const struct rl_point *point);
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
