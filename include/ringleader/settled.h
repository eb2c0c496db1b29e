/* SPDX-License-Identifier: MIT
 *
 * Outputs that have settled: one agent leads, and no output has changed for long. What stands in
 * for a closed set where none is known (RL_SETTLED): observed, not proved.
 */
#ifndef RINGLEADER_SETTLED_H
#define RINGLEADER_SETTLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringleader/api.h"

struct rl_batch;
struct rl_params;
struct rl_protocol;
struct rl_ring;

RL_BEGIN

struct rl_settled {
    uint64_t wanted;  /* steps without a change of output; 0: nothing is watched */
    uint64_t since;   /* the step since which no output has changed ... */
    uint32_t leaders; /* ... and how many agents lead since */
};

/* For a protocol whose target is RL_SETTLED, how many steps are usually wanted: n times its
 * parameter `settled`, or 20 n^2 if it has none. 0 for any other. */
uint64_t rl_settled_usual(const struct rl_protocol *protocol, const struct rl_params *params);

/* From the ring as it stands after `step` interactions. Time: O(n). */
void rl_settled_begin(struct rl_settled *settled, const struct rl_ring *ring, uint64_t step);

/* Whether it has after `step` interactions, of which all events were watched. */
bool rl_settled_is(const struct rl_settled *settled, uint64_t step);

/* Walks through the batch from its event number `from` on; with `stop` only up to where it has
 * settled. The ring then stands after the events that were walked through; their number. */
size_t rl_settled_watch(struct rl_settled *settled, struct rl_ring *ring, struct rl_batch *batch,
                        size_t from, bool stop);

RL_END

#endif
