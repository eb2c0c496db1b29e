/* SPDX-License-Identifier: MIT
 *
 * Traces: an execution on record, as its start and the arcs that changed something.
 *
 * The format is specified in docs/formats.md. A trace is written while a run goes on and read from
 * memory. Reading checks everything: a damaged trace is refused by the name of its defect, and a
 * replay recomputes every event and every hit.
 */
#ifndef RINGLEADER_TRACE_H
#define RINGLEADER_TRACE_H

#include "ringleader/run.h"

RL_BEGIN

enum { RL_TRACE_NAME = 64 };

/* What stands in a trace besides the execution. */
struct rl_trace_info {
    char start[RL_TRACE_NAME]; /* a named start, or "file" */
    uint64_t seed;
    uint64_t trial;
    enum rl_engine_kind engine;
};

/* Writes through `put(user, bytes, size)`, which says whether it could; after a failure nothing
 * more is put and rl_trace_end answers RL_IO. */
struct rl_trace_writer {
    void *user;
    bool (*put)(void *user, const void *bytes, size_t size);
    bool failed;
    uint64_t checksum;
    uint64_t step; /* of the last record */
    uint32_t arc;
    uint8_t buffer[4096];
    size_t used;
};

/* Begins a trace of an execution from the configuration of `ring`. */
void rl_trace_begin(struct rl_trace_writer *writer, void *user,
                    bool (*put)(void *user, const void *bytes, size_t size),
                    const struct rl_trace_info *info, const struct rl_ring *ring);
/* `arcs` as in rl_ring_arcs. */
void rl_trace_event(struct rl_trace_writer *writer, uint32_t arcs, uint64_t step, uint32_t arc);
/* The agents struck now hold the states in `ring`. */
void rl_trace_fault(struct rl_trace_writer *writer, uint64_t step, const struct rl_ring *ring,
                    const uint32_t *agents, size_t count);
/* The end: total steps and the hits since the last fault (RL_NEVER: none). */
RL_MUST_CHECK enum rl_status rl_trace_end(struct rl_trace_writer *writer, uint64_t step,
                                          const uint64_t *hits, size_t set_count);

/* Makes `writer` record `run`, before it begins. Call rl_trace_end when the run is over. */
void rl_trace_watch(struct rl_trace_writer *writer, struct rl_run *run);

/* One thing that happened. */
struct rl_trace_record {
    enum { RL_TRACE_EVENT, RL_TRACE_FAULT, RL_TRACE_END } kind;
    uint64_t step;
    uint32_t arc;   /* of an event */
    uint32_t count; /* agents that a fault struck; they are in the ring already */
};

struct rl_trace_reader {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    bool forced;
    struct rl_trace_info info;
    struct rl_ring ring; /* where the execution stands; its memory is the reader's */
    struct rl_oracle oracle;
    uint64_t step;
    uint32_t arc;
    uint64_t final_step;
    uint64_t events;
    uint64_t faults;
    uint64_t hits[RL_MAX_SETS];
};

/* Opens a trace in memory, which must outlive the reader: checks its form from end to end and sets
 * the ring to the start. RL_BAD_TRACE names the defect. `forced` lets parameters pass that the
 * protocol promises nothing for, as `verify --force` does. Free also after a failure. */
RL_MUST_CHECK enum rl_status rl_trace_open(struct rl_trace_reader *reader, const void *bytes,
                                           size_t size, bool forced, struct rl_error *error);
void rl_trace_close(struct rl_trace_reader *reader);

/* The next record, applied to the ring. Refuses an event that changes nothing. */
RL_MUST_CHECK enum rl_status rl_trace_next(struct rl_trace_reader *reader,
                                           struct rl_trace_record *record_out,
                                           struct rl_error *error);

/* Replays to the end and recomputes every hit since the last fault; RL_BAD_TRACE if one differs.
 * Time: O(events + n * sets). */
RL_MUST_CHECK enum rl_status rl_trace_check(struct rl_trace_reader *reader, struct rl_error *error);

RL_END

#endif
