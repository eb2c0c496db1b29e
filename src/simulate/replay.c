/* SPDX-License-Identifier: MIT
 *
 * Reading traces, with the name of whatever is wrong with them.
 *
 * Opening walks the whole trace once, without applying it, so that a truncated or altered file is
 * refused before anything is shown. The replay then checks what only the protocol can know: that
 * every event changes a state and that the hits are where the trace says.
 */
#include "ringleader/trace.h"

#include <stdlib.h>
#include <string.h>

#include "ringleader/hits.h"
#include "ringleader/text.h"
#include "simulate/trace_format.h"

static enum rl_status defect(struct rl_error *error, const char *what)
{
    return rl_error_set(error, RL_BAD_TRACE, "%s", what);
}

#define TRUNCATED "truncated: it ends in the middle of a record"

static bool get_number(struct rl_trace_reader *reader, uint64_t *out)
{
    uint64_t number = 0;
    for (int shift = 0; shift < 64 && reader->at < reader->size; shift += 7) {
        const uint8_t byte = reader->bytes[reader->at++];
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = number;
            return true;
        }
    }
    return false;
}

static bool get_string(struct rl_trace_reader *reader, char *out)
{
    uint64_t length;
    if (!get_number(reader, &length) || length >= RL_TRACE_NAME ||
        length > reader->size - reader->at)
        return false;
    memcpy(out, reader->bytes + reader->at, length);
    out[length] = '\0';
    reader->at += length;
    return true;
}

static enum rl_status read_params(struct rl_trace_reader *reader,
                                  const struct rl_protocol *protocol, struct rl_error *error)
{
    uint64_t n, count, value;
    bool given[RL_MAX_PARAMETERS];
    struct rl_params params = {0};
    if (!get_number(reader, &n) || !get_number(reader, &count))
        return defect(error, TRUNCATED);
    if (n > RL_MAX_AGENTS || count != protocol->parameter_count)
        return defect(error, "damaged: the parameters do not fit the protocol");
    params.n = (uint32_t)n;
    for (size_t i = 0; i < count; i++) {
        if (!get_number(reader, &value))
            return defect(error, TRUNCATED);
        if (value > UINT32_MAX)
            return defect(error, "damaged: a parameter is out of its range");
        params.value[i] = (uint32_t)value;
        given[i] = true;
    }
    reader->ring = (struct rl_ring){.protocol = protocol, .params = params};
    const enum rl_status status = rl_protocol_complete(protocol, &params, given, error);
    const bool fine = !status || (status == RL_UNPROMISED && reader->forced);
    return fine ? RL_OK : RL_BAD_TRACE;
}

static enum rl_status get_state(struct rl_trace_reader *reader, rl_state *out,
                                struct rl_error *error)
{
    if (!get_number(reader, out))
        return defect(error, TRUNCATED);
    const struct rl_ring *ring = &reader->ring;
    return rl_protocol_is_state(ring->protocol, &ring->params, *out)
               ? RL_OK
               : defect(error, "damaged: an impossible state");
}

/* The protocol of a name as the trace has it, "prl" or "ripple#0123456789abcdef". */
static enum rl_status find_protocol(char *name, const struct rl_protocol **protocol_out,
                                    struct rl_error *error)
{
    char *hash = strchr(name, '#');
    if (hash)
        *hash++ = '\0';
    const struct rl_protocol *protocol = *protocol_out = rl_protocol_named(name);
    if (!protocol && hash)
        return rl_error_set(error, RL_BAD_TRACE,
                            "of a protocol of somebody's own, %s: give its file with -p", name);
    if (!protocol)
        return defect(error, "of a protocol that this program does not have");
    const bool same = hash ? protocol->hash && strncmp(hash, protocol->hash, TRACE_HASH_DIGITS) == 0
                           : !protocol->hash;
    return same ? RL_OK
                : rl_error_set(error, RL_BAD_TRACE,
                               "of another %s: the file has changed since the trace was written",
                               name);
}

static enum rl_status read_head(struct rl_trace_reader *reader, struct rl_error *error)
{
    char name[RL_TRACE_NAME];
    if (reader->size < TRACE_MAGIC_LENGTH ||
        memcmp(reader->bytes, TRACE_MAGIC, TRACE_MAGIC_LENGTH - 1) != 0)
        return defect(error, "not a trace: it does not begin with RLTRACE");
    if (reader->bytes[TRACE_MAGIC_LENGTH - 1] != TRACE_MAGIC[TRACE_MAGIC_LENGTH - 1])
        return defect(error, "of another version of the format; this program reads version 1");
    reader->at = TRACE_MAGIC_LENGTH;
    if (!get_string(reader, name))
        return defect(error, TRUNCATED);
    const struct rl_protocol *protocol = NULL;
    enum rl_status status = find_protocol(name, &protocol, error);
    if (!status)
        status = read_params(reader, protocol, error);
    if (status)
        return status;
    uint64_t engine;
    if (!get_string(reader, reader->info.start) || !get_number(reader, &reader->info.seed) ||
        !get_number(reader, &reader->info.trial) || !get_number(reader, &engine))
        return defect(error, TRUNCATED);
    reader->info.engine = engine == RL_ENGINE_STEP ? RL_ENGINE_STEP : RL_ENGINE_EVENT;
    return RL_OK;
}

static enum rl_status read_start(struct rl_trace_reader *reader, struct rl_error *error)
{
    const uint32_t n = reader->ring.params.n;
    /* A state takes a byte at least; so a small file cannot ask for much memory. */
    if (n > reader->size - reader->at)
        return defect(error, TRUNCATED);
    reader->ring.agents = malloc(rl_ring_bytes(reader->ring.protocol, n));
    if (!reader->ring.agents)
        return RL_NO_MEMORY;
    for (uint32_t i = 0; i < n; i++) {
        rl_state state = 0;
        const enum rl_status status = get_state(reader, &state, error);
        if (status)
            return status;
        rl_ring_set(&reader->ring, i, state);
    }
    rl_oracle_look(&reader->oracle, &reader->ring, 0);
    return RL_OK;
}

static enum rl_status read_event(struct rl_trace_reader *reader, struct rl_trace_record *record,
                                 struct rl_error *error)
{
    const uint32_t arcs = rl_ring_arcs(&reader->ring);
    uint64_t turn;
    if (!get_number(reader, &turn))
        return defect(error, TRUNCATED);
    const uint64_t distance = turn / 2 + turn % 2;
    if (distance >= arcs)
        return defect(error, "damaged: an arc out of range");
    const uint64_t right = turn % 2 ? arcs - distance : distance;
    reader->arc = (uint32_t)((reader->arc + right) % arcs);
    *record =
        (struct rl_trace_record){.kind = RL_TRACE_EVENT, .step = reader->step, .arc = reader->arc};
    return RL_OK;
}

/* A fault; its states go into the ring if `apply`. */
static enum rl_status read_fault(struct rl_trace_reader *reader, bool apply,
                                 struct rl_trace_record *record, struct rl_error *error)
{
    uint64_t count, agent;
    if (!get_number(reader, &count))
        return defect(error, TRUNCATED);
    if (count > reader->ring.params.n)
        return defect(error, "damaged: a fault of more agents than the ring has");
    for (uint64_t i = 0; i < count; i++) {
        rl_state state = 0;
        if (!get_number(reader, &agent))
            return defect(error, TRUNCATED);
        if (agent >= reader->ring.params.n)
            return defect(error, "damaged: an agent out of range");
        const enum rl_status status = get_state(reader, &state, error);
        if (status)
            return status;
        if (apply)
            rl_ring_set(&reader->ring, (uint32_t)agent, state);
    }
    if (apply)
        rl_oracle_look(&reader->oracle, &reader->ring, reader->step);
    *record = (struct rl_trace_record){
        .kind = RL_TRACE_FAULT, .step = reader->step, .count = (uint32_t)count};
    return RL_OK;
}

static enum rl_status read_end(struct rl_trace_reader *reader, struct rl_trace_record *record,
                               struct rl_error *error)
{
    uint64_t count;
    if (!get_number(reader, &count))
        return defect(error, TRUNCATED);
    if (count != reader->ring.protocol->set_count)
        return defect(error, "damaged: the hits do not fit the protocol");
    for (uint64_t i = 0; i < count; i++) {
        if (!get_number(reader, &reader->hits[i]))
            return defect(error, TRUNCATED);
        reader->hits[i]--; /* 0, "not hit", becomes RL_NEVER */
    }
    *record = (struct rl_trace_record){.kind = RL_TRACE_END, .step = reader->step};
    return RL_OK;
}

static enum rl_status read_record(struct rl_trace_reader *reader, bool apply,
                                  struct rl_trace_record *record, struct rl_error *error)
{
    uint64_t steps;
    if (!get_number(reader, &steps))
        return defect(error, TRUNCATED);
    uint8_t kind = RL_TRACE_EVENT;
    if (steps == 0) {
        if (reader->at == reader->size)
            return defect(error, TRUNCATED);
        kind = reader->bytes[reader->at++];
        if (!get_number(reader, &steps))
            return defect(error, TRUNCATED);
        if (kind != TRACE_FAULT && kind != TRACE_END)
            return defect(error, "damaged: a record of unknown kind");
    }
    if (steps > RL_NEVER - 1 - reader->step)
        return defect(error, "damaged: the steps do not fit 64 bits");
    reader->step += steps;
    if (kind == TRACE_FAULT)
        return read_fault(reader, apply, record, error);
    if (kind == TRACE_END)
        return read_end(reader, record, error);
    return read_event(reader, record, error);
}

static enum rl_status check_checksum(const struct rl_trace_reader *reader, struct rl_error *error)
{
    if (reader->size - reader->at < TRACE_CHECKSUM_LENGTH)
        return defect(error, TRUNCATED);
    if (reader->size - reader->at > TRACE_CHECKSUM_LENGTH)
        return defect(error, "damaged: bytes after the end");
    const uint64_t computed = trace_checksum(TRACE_CHECKSUM_BEGIN, reader->bytes, reader->at);
    for (int i = 0; i < TRACE_CHECKSUM_LENGTH; i++)
        if (reader->bytes[reader->at + (size_t)i] != (uint8_t)(computed >> 8 * i))
            return defect(error, "damaged: the checksum differs");
    return RL_OK;
}

/* Walks from the first record to the end, and back. */
static enum rl_status survey(struct rl_trace_reader *reader, struct rl_error *error)
{
    const size_t first = reader->at;
    struct rl_trace_record record = {.kind = RL_TRACE_EVENT};
    while (record.kind != RL_TRACE_END) {
        const enum rl_status status = read_record(reader, false, &record, error);
        if (status)
            return status;
        reader->events += record.kind == RL_TRACE_EVENT;
        reader->faults += record.kind == RL_TRACE_FAULT;
    }
    reader->final_step = reader->step;
    const enum rl_status status = check_checksum(reader, error);
    reader->at = first;
    reader->step = 0;
    reader->arc = 0;
    return status;
}

enum rl_status rl_trace_open(struct rl_trace_reader *reader, const void *bytes, size_t size,
                             bool forced, struct rl_error *error)
{
    *reader = (struct rl_trace_reader){.bytes = bytes, .size = size, .forced = forced};
    enum rl_status status = read_head(reader, error);
    if (!status)
        status = read_start(reader, error);
    return status ? status : survey(reader, error);
}

void rl_trace_close(struct rl_trace_reader *reader)
{
    free(reader->ring.agents);
    *reader = (struct rl_trace_reader){0};
}

enum rl_status rl_trace_next(struct rl_trace_reader *reader, struct rl_trace_record *record_out,
                             struct rl_error *error)
{
    const enum rl_status status = read_record(reader, true, record_out, error);
    if (status || record_out->kind != RL_TRACE_EVENT)
        return status;
    if (!rl_oracle_interact(&reader->oracle, &reader->ring, record_out->arc, record_out->step))
        return rl_error_set(error, RL_BAD_TRACE,
                            "wrong: the event at step %llu (arc %u) changes nothing",
                            (unsigned long long)record_out->step, record_out->arc);
    return RL_OK;
}

/* Compares the sets that contain the ring now with what the trace says. A set that was hit before
 * may not be closed, and the trace may be there to show it. */
static enum rl_status check_sets(const struct rl_trace_reader *reader, struct rl_error *error)
{
    const int set = rl_hits_differ(reader->hits, &reader->ring, reader->step);
    return set < 0 ? RL_OK
                   : rl_error_set(error, RL_BAD_TRACE, "wrong: at step %llu the ring is %s %s",
                                  (unsigned long long)reader->step,
                                  reader->hits[set] == reader->step ? "not in" : "in",
                                  reader->ring.protocol->sets[set].name);
}

/* Whether the next record is the one of a hit, or the end. Refuses a hit that no record is at: one
 * before `begin`, where this stretch began, or between here and the next record. */
static enum rl_status look_ahead(const struct rl_trace_reader *reader, uint64_t begin,
                                 bool *is_hit_out, struct rl_error *error)
{
    struct rl_trace_reader ahead = *reader;
    struct rl_trace_record next = {0};
    const enum rl_status status = read_record(&ahead, false, &next, error);
    if (status)
        return status;
    *is_hit_out = next.kind == RL_TRACE_END;
    for (size_t i = 0; i < reader->ring.protocol->set_count; i++) {
        const uint64_t hit = reader->hits[i];
        const bool comes = hit != RL_NEVER && hit > reader->step;
        if (hit < begin || (comes && (hit < next.step || next.kind == RL_TRACE_END)))
            return rl_error_set(error, RL_BAD_TRACE,
                                "wrong: nothing happens at step %llu, the hit of %s",
                                (unsigned long long)hit, reader->ring.protocol->sets[i].name);
        *is_hit_out |= comes && hit == next.step;
    }
    return RL_OK;
}

/* One step of the check after the last fault: the sets are tested at its beginning, around each hit
 * and before the end. */
static enum rl_status check_here(const struct rl_trace_reader *reader, uint64_t begin, bool *test,
                                 struct rl_error *error)
{
    const bool after_hit = *test;
    struct rl_error wrong = {0};
    const enum rl_status claims = look_ahead(reader, begin, test, &wrong);
    const enum rl_status status = after_hit || *test || claims ? check_sets(reader, error) : RL_OK;
    if (!status && claims && error)
        *error = wrong;
    return status ? status : claims;
}

enum rl_status rl_trace_check(struct rl_trace_reader *reader, struct rl_error *error)
{
    uint64_t faults = 0, begin = 0;
    struct rl_trace_record record = {.kind = RL_TRACE_EVENT};
    bool test = true;
    while (record.kind != RL_TRACE_END) {
        enum rl_status status = RL_OK;
        if (faults == reader->faults)
            status = check_here(reader, begin, &test, error);
        if (!status)
            status = rl_trace_next(reader, &record, error);
        if (status)
            return status;
        if (record.kind == RL_TRACE_FAULT) {
            faults++;
            begin = reader->step;
            test = true;
        }
    }
    return RL_OK;
}
