/* SPDX-License-Identifier: MIT
 *
 * Engines: what turns a ring and a schedule into a stream of events.
 *
 * There are two. `step` is the plain one, the oracle: it draws an arc for every step. `event`
 * simulates only the interactions that change a state and draws how many null ones lie between
 * them; its executions have the same distribution, exactly, and take a fraction of the work.
 *
 * An execution depends on the ring and the random stream alone: not on how it is cut into batches,
 * where it is observed, or how often rl_engine_advance is called. Both engines are compiled once
 * for each protocol with its `interact` inlined, and once for protocols that have no such loops
 * (src/simulate/specialise.c).
 * Any step of it can be reached again from a snapshot (snapshot.h).
 */
#ifndef RINGLEADER_ENGINE_H
#define RINGLEADER_ENGINE_H

#include "ringleader/batch.h"
#include "ringleader/oracle.h"
#include "ringleader/schedule.h"
#include "ringleader/wait.h"

RL_BEGIN

enum rl_engine_kind { RL_ENGINE_EVENT, RL_ENGINE_STEP };

/* No limit on steps. */
#define RL_NEVER UINT64_MAX

/* Choices are drawn so far ahead of their use, so that memory has time to bring what they need. */
enum { RL_CHOICES_AHEAD = 4 };

struct rl_engine {
    enum rl_engine_kind kind;
    struct rl_ring *ring;
    uint64_t step; /* interactions so far */
    bool over;     /* no event can ever follow: schedule at its end, or silence */

    /* What follows is the engines' own. */
    const struct rl_loops *loops;
    struct rl_random random;
    struct rl_cursor *schedule; /* arcs from a file instead of random ones; NULL: random */
    struct rl_oracle oracle;    /* if the protocol has one */
    uint64_t delay;             /* its delay, in steps */

    /* The event engine's own. It runs as the plain engine while many arcs are active, and counts;
     * when few are, it keeps them in a list. */
    bool sparse;
    bool told;                          /* what the oracle reports while the list holds */
    uint32_t block_steps, block_events; /* of the plain engine, since it last asked which to be */
    uint32_t *listed;                   /* every active arc and some others, in no order */
    uint32_t listed_count;
    uint32_t listed_room;
    uint8_t *is_listed; /* arc -> a bit: is it on the list? */
    uint64_t next_step; /* of the next draw from the list, if there is anything on it */
    uint64_t choices[RL_CHOICES_AHEAD]; /* random bits, already drawn, that will choose from it */
    struct rl_wait *wait;
};

/* An engine on `ring`, which must outlive it. `schedule` (may be NULL) needs RL_ENGINE_STEP. */
RL_MUST_CHECK enum rl_status rl_engine_init(struct rl_engine *engine, enum rl_engine_kind kind,
                                            struct rl_ring *ring, const struct rl_random *random,
                                            struct rl_cursor *schedule);
void rl_engine_free(struct rl_engine *engine);

/* Goes on until `batch` has `wanted` events, step `until` is reached, or a spell of work is done
 * (so that the caller stays responsive). The batch is emptied first. */
void rl_engine_advance(struct rl_engine *engine, uint64_t until, struct rl_batch *batch);

/* To be called when somebody else has changed the ring (a fault, an edit). */
void rl_engine_disturbed(struct rl_engine *engine);

/* One step; the arc that interacted. The batch then holds it, if it is an event. The event engine
 * never draws the arcs of null interactions: for the eye one that would change nothing is drawn
 * from `eye`, a stream of its own. */
uint32_t rl_engine_step(struct rl_engine *engine, struct rl_random *eye, struct rl_batch *batch);

/* An interaction of the caller's choice: one step like any other. The batch then holds it, if it is
 * an event; says whether it is. Time: O(1), and O(n) with an oracle. */
bool rl_engine_interact(struct rl_engine *engine, uint32_t arc, struct rl_batch *batch);

/* "event" or "step"; and the kind of that name, false if there is none. */
const char *rl_engine_name(enum rl_engine_kind kind);
bool rl_engine_named(const char *name, enum rl_engine_kind *kind_out);

RL_END

#endif
