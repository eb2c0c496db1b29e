/* SPDX-License-Identifier: MIT
 *
 * Between plan.c (the text) and plan_grid.c (the product).
 */
#ifndef RINGLEADER_STUDY_PLAN_PARTS_H
#define RINGLEADER_STUDY_PLAN_PARTS_H

#include "ringleader/study.h"

/* A piece of the text and where it stands. */
struct slice {
    const char *at;
    size_t length;
    uint32_t line;
    uint32_t column;
};

/* "key = values", of a field or of a parameter. */
struct item {
    char key[RL_PLAN_NAME];
    struct slice where, values;   /* of the key, and behind it */
    const struct rl_field *field; /* NULL: a parameter */
    bool understood;              /* a protocol has it */
};

struct builder {
    struct rl_plan *plan;
    const struct rl_plan_resolver *resolver;
    struct rl_error *error;
    enum rl_status status; /* the first failure: it sticks, and nothing more is read */
    /* The defaults of all grids first, then what stands in this one. */
    struct item *items;
    size_t item_count, item_room, default_count;
    struct rl_point point; /* filled in from the outer dimension to the inner */
    bool given[RL_MAX_PARAMETERS];
};

/* If there is a failure, the first one, puts the place into the error. */
void plan_fail_at(struct builder *b, const struct slice *where, enum rl_status status);
/* The same, with a reason of ours. */
#define plan_fail(b, where, code, ...)                                                             \
    ((b)->status ? (void)0 : plan_fail_at(b, where, rl_error_set((b)->error, code, __VA_ARGS__)))
/* Takes the piece up to the first of `ends` off `rest`; false when nothing is left. */
bool plan_take(struct slice *rest, const char *ends, struct slice *piece_out);
bool plan_is(const struct slice *s, const char *word);
/* The slice as a string of its own; long ones are cut, and then nothing matches them. */
const char *plan_string_of(const struct slice *s, char buffer[RL_PLAN_NAME]);

/* What the grid, or the defaults, say about a key; NULL: nothing. */
struct item *plan_item(const struct builder *b, const char *key);
/* Adds all points of the builder's grid; `here` is where it ends, for complaints. */
void plan_expand_grid(struct builder *b, const struct slice *here);

/* A point as a line of a plan; `all`: with what is no part of its identity. */
struct rl_plan_line plan_line_of(const struct rl_point *point, bool spelled, bool all);

/* The configuration of that name in the plan, which takes a copy of the text if it has none; NULL
 * without memory. */
const char *plan_keep_start(struct rl_plan *plan, const char *name, const char *text);

#endif
