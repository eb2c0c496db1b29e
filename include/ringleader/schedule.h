/* SPDX-License-Identifier: MIT
 *
 * Deterministic schedules: sequences of arcs in the paper's notation.
 *
 *     7               the arc e_7 = (u_7, u_8)
 *     seqR 0 99       e_0, e_1, ..., e_99   (round the ring if the second is smaller)
 *     seqL 50 3       e_50, e_49, ..., e_3
 *     ( ... )^12      the sequence in the brackets, twelve times
 *
 * Items are separated by white space; # starts a comment. A parsed schedule is a short list of
 * items; the arcs are produced one at a time, so a repetition costs no memory.
 */
#ifndef RINGLEADER_SCHEDULE_H
#define RINGLEADER_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringleader/status.h"

RL_BEGIN

enum { RL_SCHEDULE_DEPTH = 16 };

/* An item: arcs from, from +- 1, ..., to; or the end of a bracket that began at item `from` and is
 * to be done `times` times. */
struct rl_schedule_item {
    enum { RL_ARCS_RIGHT, RL_ARCS_LEFT, RL_REPEAT } kind;
    uint32_t from;
    uint32_t to;
    uint64_t times;
};

struct rl_schedule {
    uint32_t n;
    struct rl_schedule_item *items;
    size_t count;
    size_t room;
};

/* Parses `length` bytes of text for a ring of n agents. On failure `error` has line and column;
 * rl_schedule_free is legal all the same. */
RL_MUST_CHECK enum rl_status rl_schedule_parse(struct rl_schedule *schedule, uint32_t n,
                                               const char *text, size_t length,
                                               struct rl_error *error);
void rl_schedule_free(struct rl_schedule *schedule);

/* How many arcs it has, RL_NEVER if more. Time: O(items). */
uint64_t rl_schedule_length(const struct rl_schedule *schedule);

/* A position in a schedule. */
struct rl_cursor {
    const struct rl_schedule *schedule;
    size_t item;
    uint32_t arc;
    bool inside; /* `arc` is the next arc of `item` */
    size_t depth;
    uint64_t done[RL_SCHEDULE_DEPTH]; /* rounds done of each open bracket, the innermost last */
    size_t bracket[RL_SCHEDULE_DEPTH];
};

struct rl_cursor rl_schedule_begin(const struct rl_schedule *schedule);
/* The next arc; false at the end. Time: O(1), amortized. */
bool rl_schedule_next(struct rl_cursor *cursor, uint32_t *arc_out);

RL_END

#endif
