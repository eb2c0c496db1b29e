/* SPDX-License-Identifier: MIT
 *
 * A batch: a stretch of an execution, as the events in it, that can be walked in both directions.
 *
 * Engines append events; the ring then stands after the last of them. `rl_batch_seek` undoes or
 * redoes events one by one, so an observer can look at any configuration of the stretch and
 * put the ring back. Because the named sets are closed, the exact step of a hit is found by
 * bisection inside a batch, and nothing has to be tested while the engine runs.
 */
#ifndef RINGLEADER_BATCH_H
#define RINGLEADER_BATCH_H

#include "ringleader/ring.h"

RL_BEGIN

/* An interaction that changed a state. `l` and `r` hold the words that are not in the ring: the
 * states before the event if the ring stands behind it, those after it otherwise. */
struct rl_event {
    uint64_t step; /* this was the step-th interaction, counted from 1 */
    rl_state l;
    rl_state r;
    uint32_t arc;
};

struct rl_batch {
    struct rl_event *events;
    size_t room;   /* length of `events` */
    size_t wanted; /* engines stop when count reaches this; 1 .. room */
    size_t count;
    size_t cursor; /* the ring stands after this many of the events */
};

/* Room for `room` events. Free with rl_batch_free, also after a failure. */
RL_MUST_CHECK enum rl_status rl_batch_init(struct rl_batch *batch, size_t room);
void rl_batch_free(struct rl_batch *batch);

/* Moves the ring to the configuration after the first `position` events. Time: O(distance). */
void rl_batch_seek(struct rl_batch *batch, struct rl_ring *ring, size_t position);

/* The least position at which the ring is in the closed set, which it must be at the end of the
 * batch. Puts the ring back. Time: O(count + n log count). */
size_t rl_batch_first_in(struct rl_batch *batch, struct rl_ring *ring, const struct rl_set *set);

RL_END

#endif
