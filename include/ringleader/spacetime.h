/* SPDX-License-Identifier: MIT
 *
 * Space-time pictures: an execution with agents across and steps down.
 *
 *     rl_spacetime_init(&picture, &run.ring, &options);
 *     rl_spacetime_watch(&picture, &run);
 *     ...run to the end...
 *     rl_spacetime_end(&picture, run.step, run.events);
 *     rl_spacetime_draw(&picture, title, RL_PEN_PNG, put, file);
 *
 * An execution of any length is sampled into at most `rows` rows, and any number of agents into at
 * most `columns` columns, so that the picture stays true: a cell shows a leader if and only if one
 * of its agents was a leader at some step of its row. Everything else in a row is as it was at the
 * row's first step. Memory: O(rows * columns). Time: O(1) for each event.
 */
#ifndef RINGLEADER_SPACETIME_H
#define RINGLEADER_SPACETIME_H

#include "ringleader/look.h"
#include "ringleader/pen.h"
#include "ringleader/run.h"

RL_BEGIN

enum rl_scale { RL_SCALE_STEPS, RL_SCALE_EVENTS, RL_SCALE_LOG };

struct rl_spacetime_options {
    enum rl_scale scale;
    bool dist;        /* shade followers by dist */
    uint32_t columns; /* at most; 0: 1000 */
    uint32_t rows;    /* at most; 0: 1000 */
};

enum { RL_SPACETIME_NOTES = 64, RL_SPACETIME_MARKS = 5 };

/* Something to be written beside a row. */
struct rl_spacetime_note {
    uint64_t at;
    bool fault; /* else the hit of a set */
    char label[24];
};

/* Stays where it is, for the run points to it. */
struct rl_spacetime {
    struct rl_spacetime_options options;
    struct rl_look look;
    struct rl_params params;
    uint32_t columns;
    size_t rows, room;
    uint64_t *at;    /* where each row begins, in steps or events */
    uint8_t *cells;  /* rows * columns: the marks (enum rl_mark) to be seen */
    uint8_t *shades; /* the same: dist from 0 to 255; NULL unless asked for */
    uint32_t *count; /* columns * RL_SPACETIME_MARKS: agents that have each mark now */
    double spacing;  /* from row to row; for log the factor */
    uint64_t next;   /* where the next row begins */
    uint64_t end;
    const struct rl_ring *ring;
    uint64_t events;            /* done before the present batch */
    uint64_t hits[RL_MAX_SETS]; /* already noted */
    struct rl_spacetime_note notes[RL_SPACETIME_NOTES];
    size_t note_count;
};

/* Begins with `ring` as it stands, which must outlive the sampling. Free also after a failure. */
RL_MUST_CHECK enum rl_status rl_spacetime_init(struct rl_spacetime *picture,
                                               const struct rl_ring *ring,
                                               const struct rl_spacetime_options *options);
void rl_spacetime_free(struct rl_spacetime *picture);

/* Makes the picture watch `run`, before it begins. */
void rl_spacetime_watch(struct rl_spacetime *picture, struct rl_run *run);

/* A note at the edge. */
void rl_spacetime_note(struct rl_spacetime *picture, uint64_t at, bool fault, const char *label);

/* The execution ends here. */
void rl_spacetime_end(struct rl_spacetime *picture, uint64_t step, uint64_t events);

/* The picture as a file, through `put` as in rl_pen_close. */
RL_MUST_CHECK enum rl_status
rl_spacetime_draw(const struct rl_spacetime *picture, const char *title, enum rl_pen_format format,
                  bool (*put)(void *user, const void *bytes, size_t size), void *user);

RL_END

#endif
