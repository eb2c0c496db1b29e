/* SPDX-License-Identifier: MIT
 *
 * Fuzzer of traces. The last eight bytes are replaced with the right checksum, or nothing behind it
 * would ever be reached. A trace that passes the check replays record by record to its end.
 */
#include "fuzz/fuzz.h"
#include "simulate/trace_format.h"

static void replay(const uint8_t *bytes, size_t size)
{
    struct rl_trace_reader reader;
    struct rl_trace_record record = {.kind = RL_TRACE_EVENT};
    uint64_t events = 0, step = 0;
    require(!rl_trace_open(&reader, bytes, size, false, NULL));
    while (record.kind != RL_TRACE_END) {
        require(!rl_trace_next(&reader, &record, NULL));
        require(record.step >= step);
        step = record.step;
        events += record.kind == RL_TRACE_EVENT;
    }
    require(events == reader.events && step == reader.final_step);
    rl_trace_close(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + !size);
    memcpy(bytes, data, size);
    if (size >= TRACE_CHECKSUM_LENGTH) {
        const size_t end = size - TRACE_CHECKSUM_LENGTH;
        const uint64_t checksum = trace_checksum(TRACE_CHECKSUM_BEGIN, bytes, end);
        for (size_t i = 0; i < TRACE_CHECKSUM_LENGTH; i++)
            bytes[end + i] = (uint8_t)(checksum >> 8 * i);
    }
    struct rl_trace_reader reader;
    struct rl_error error = {0};
    enum rl_status status = rl_trace_open(&reader, bytes, size, false, &error);
    if (!status)
        status = rl_trace_check(&reader, &error);
    rl_trace_close(&reader);
    if (status)
        require(status == RL_BAD_TRACE && error.text[0]);
    else
        replay(bytes, size);
    free(bytes);
    return 0;
}
