/* SPDX-License-Identifier: MIT
 *
 * Between plan.c (the text), plan_grid.c (the product) and plan_slice.c (the pieces).
 */
#ifndef RINGLEADER_STUDY_PLAN_PARTS_H
#define RINGLEADER_STUDY_PLAN_PARTS_H

#include "ringleader/plan.h"

/* Parameters of protocols are keys too: they follow these. */
enum key {
    KEY_PROTOCOL,
    KEY_N,
    KEY_START,
    KEY_ENGINE,
    KEY_FAULT,
    KEY_TRIALS,
    KEY_SEED,
    KEY_UNTIL_ERROR,
    KEY_MAX_STEPS,
    KEY_CLAIM,
    KEY_PARAMETERS,
    KEY_COUNT = KEY_PARAMETERS + 16
};

/* A piece of the text and where it stands. */
struct slice {
    const char *at;
    size_t length;
    uint32_t line;
    uint32_t column;
};

struct grid {
    struct slice values[KEY_COUNT]; /* at == NULL: not given */
    bool given_here[KEY_COUNT];     /* in this grid, not among the defaults */
};

struct builder {
    struct rl_plan *plan;
    enum rl_plan_strictness strictness;
    struct rl_error *error;
    struct grid grid;
    struct rl_point point; /* filled in from the outer dimension to the inner */
    bool given[RL_MAX_PARAMETERS];
    /* A grid is walked twice: first only to count, so that too many points are refused at once and
     * not when starts of a hundred thousand rings have been tried. */
    bool counting;
    size_t counted;
    bool understood[KEY_COUNT];        /* parameters of the protocols of this grid */
    bool understood_so_far[KEY_COUNT]; /* and of those before it */
};

/* A range of counts: a, a..b, a..b+STEP, a..bxFACTOR. */
struct range {
    uint64_t next, last, add;
    double factor; /* 0: add instead */
};

/* Puts the place into the error and returns `status`. */
enum rl_status plan_fail_at(const struct builder *b, const struct slice *where,
                            enum rl_status status);
/* The same, with a reason of ours. */
#define plan_fail(b, where, status, ...)                                                           \
    plan_fail_at(b, where, rl_error_set((b)->error, status, __VA_ARGS__))
struct slice plan_trimmed(struct slice s);
/* Takes the piece up to the first of `ends` off `rest`; false when nothing is left. */
bool plan_take(struct slice *rest, const char *ends, struct slice *piece_out);
/* The slice as a string of its own; long ones are cut, and then nothing matches them. */
const char *plan_string_of(const struct slice *s, char buffer[RL_PLAN_NAME]);
enum rl_status plan_read_count(const struct builder *b, const struct slice *s, uint64_t n,
                               uint64_t *out);
enum rl_status plan_read_range(const struct builder *b, struct slice s, uint64_t n,
                               struct range *out);
bool plan_range_next(struct range *range, uint64_t *value_out);

/* The key of a name; parameters of all protocols are numbered in order of first appearance. -1 if
 * there is none. */
int plan_key_of(const char *name);

/* A parameter that is given in a grid (or as a default) and that is not understood, because no
 * protocol there has it, is a mistake, unless what is unknown is to be skipped. */
enum rl_status plan_check_parameters(const struct builder *b, const struct grid *grid,
                                     const bool *understood);

/* Adds all points of the builder's grid; `here` is where it ends, for complaints. */
enum rl_status plan_expand_grid(struct builder *b, const struct slice *here);

#endif
