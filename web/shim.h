/* SPDX-License-Identifier: MIT
 *
 * The page's one execution: shared by the files of the shim.
 */
#ifndef RINGLEADER_WEB_SHIM_H
#define RINGLEADER_WEB_SHIM_H

#include "ringleader/run.h"
#include "ringleader/ring.h"
#include "ringleader/protocol.h"
#include "ringleader/experiment.h"
#include "ringleader/status.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* A function that gives a value and does nothing else. */
#define GIVES(type, name, parameters, value)                                                       \
    type EXPORT(name) parameters                                                                   \
    {                                                                                              \
        return value;                                                                              \
    }

struct page {
    struct rl_ring ring;
    struct rl_engine engine;
    struct rl_batch batch;
    struct rl_random fault_random;
    struct rl_random view_random; /* which null interaction to show; the execution
                                     has no need */
    uint64_t events;
    uint64_t hits[RL_MAX_SETS]; /* since the last disturbance; RL_NEVER: not hit */
    struct rl_settled settled;  /* watched, if that is the target */
    uint8_t *marks;             /* enum rl_mark, one byte an agent */
    uint32_t *shade;            /* dist, or 0 */
    uint8_t *obstacles;         /* a bit for each of the protocol's, one byte an agent */
    /* Before the batch, so that a run can stop exactly at a hit. */
    struct rl_snapshot snapshot;
};

extern struct page page;

/* Text in and out: the page writes arguments here and reads answers. */
extern char buffer[];
enum { BUFFER_SIZE = 1 << 20 };

#endif
