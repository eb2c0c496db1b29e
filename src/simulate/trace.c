/* SPDX-License-Identifier: MIT
 *
 * Writing traces.
 *
 * Numbers are little-endian base 128 (seven bits a byte, high bit: more to come). An event takes
 * the steps since the last record, which are at least one, and the arc as a signed difference on
 * the ring; a zero in place of the steps announces something else. Bullets and signals move on by
 * one arc, so most events take two to four bytes. The checksum is FNV-1a, 64 bits, over everything
 * before it: enough against damage, not against malice.
 */
#include "ringleader/trace.h"

#include <assert.h>
#include <string.h>

#include "ringleader/text.h"
#include "simulate/trace_format.h"

static void flush(struct rl_trace_writer *writer)
{
    writer->checksum = trace_checksum(writer->checksum, writer->buffer, writer->used);
    if (!writer->failed && !writer->put(writer->user, writer->buffer, writer->used))
        writer->failed = true;
    writer->used = 0;
}

static void put_byte(struct rl_trace_writer *writer, uint8_t byte)
{
    if (writer->used == sizeof writer->buffer)
        flush(writer);
    writer->buffer[writer->used++] = byte;
}

static void put_number(struct rl_trace_writer *writer, uint64_t number)
{
    while (number >= 128) {
        put_byte(writer, (uint8_t)(number | 128));
        number >>= 7;
    }
    put_byte(writer, (uint8_t)number);
}

static void put_string(struct rl_trace_writer *writer, const char *string)
{
    const size_t length = strlen(string);
    put_number(writer, length);
    for (size_t i = 0; i < length; i++)
        put_byte(writer, (uint8_t)string[i]);
}

/* Its name; of a protocol from a file, also the first digits of the hash of its text. */
static void put_protocol(struct rl_trace_writer *writer, const struct rl_protocol *protocol)
{
    char name[RL_TRACE_NAME];
    struct rl_text text = rl_text_into(name, sizeof name);
    rl_text_string(&text, protocol->name);
    if (protocol->hash)
        rl_text_char(&text, '#');
    for (size_t i = 0; protocol->hash && i < TRACE_HASH_DIGITS; i++)
        rl_text_char(&text, protocol->hash[i]);
    put_string(writer, name);
}

void rl_trace_begin(struct rl_trace_writer *writer, void *user,
                    bool (*put)(void *user, const void *bytes, size_t size),
                    const struct rl_trace_info *info, const struct rl_ring *ring)
{
    assert(put && info && "a trace goes somewhere and says where it began");
    *writer = (struct rl_trace_writer){.user = user, .put = put, .checksum = TRACE_CHECKSUM_BEGIN};
    for (size_t i = 0; i < TRACE_MAGIC_LENGTH; i++)
        put_byte(writer, (uint8_t)TRACE_MAGIC[i]);
    put_protocol(writer, ring->protocol);
    put_number(writer, ring->params.n);
    put_number(writer, ring->protocol->parameter_count);
    for (size_t i = 0; i < ring->protocol->parameter_count; i++)
        put_number(writer, ring->params.value[i]);
    put_string(writer, info->start);
    put_number(writer, info->seed);
    put_number(writer, info->trial);
    put_number(writer, info->engine);
    for (uint32_t i = 0; i < ring->params.n; i++)
        put_number(writer, rl_ring_get(ring, i));
}

void rl_trace_event(struct rl_trace_writer *writer, uint32_t arcs, uint64_t step, uint32_t arc)
{
    assert(step > writer->step && arc < arcs &&
           "events come in their order, of arcs that there are");
    put_number(writer, step - writer->step);
    /* The shorter way round, as zigzag: 0, -1, 1, -2, 2, ... */
    const uint32_t right = arc >= writer->arc ? arc - writer->arc : arc + arcs - writer->arc;
    put_number(writer, right <= arcs / 2 ? 2 * (uint64_t)right : 2 * (uint64_t)(arcs - right) - 1);
    writer->step = step;
    writer->arc = arc;
}

void rl_trace_fault(struct rl_trace_writer *writer, uint64_t step, const struct rl_ring *ring,
                    const uint32_t *agents, size_t count)
{
    assert(step >= writer->step && "records come in their order");
    put_number(writer, 0);
    put_byte(writer, TRACE_FAULT);
    put_number(writer, step - writer->step);
    put_number(writer, count);
    for (size_t i = 0; i < count; i++) {
        put_number(writer, agents[i]);
        put_number(writer, rl_ring_get(ring, agents[i]));
    }
    writer->step = step;
}

enum rl_status rl_trace_end(struct rl_trace_writer *writer, uint64_t step, const uint64_t *hits,
                            size_t set_count)
{
    assert(step >= writer->step && "records come in their order");
    put_number(writer, 0);
    put_byte(writer, TRACE_END);
    put_number(writer, step - writer->step);
    put_number(writer, set_count);
    for (size_t i = 0; i < set_count; i++)
        put_number(writer, hits[i] == RL_NEVER ? 0 : hits[i] + 1);
    flush(writer);
    const uint64_t checksum = writer->checksum;
    for (int i = 0; i < 8; i++)
        put_byte(writer, (uint8_t)(checksum >> 8 * i));
    flush(writer);
    return writer->failed ? RL_IO : RL_OK;
}

static void on_batch(void *user, struct rl_run *run)
{
    for (size_t i = 0; i < run->batch.count; i++)
        rl_trace_event(user, rl_ring_arcs(&run->ring), run->batch.events[i].step,
                       run->batch.events[i].arc);
}

static void on_fault(void *user, struct rl_run *run, size_t index, const uint32_t *agents)
{
    rl_trace_fault(user, run->step, &run->ring, agents, run->faults[index].agents);
}

void rl_trace_watch(struct rl_trace_writer *writer, struct rl_run *run)
{
    rl_run_observe(run, (struct rl_observer){.user = writer, .batch = on_batch, .fault = on_fault});
}
