/* SPDX-License-Identifier: MIT
 *
 * Fuzzer of configuration text. The first byte chooses the protocol, the second n, the third N.
 * What is read prints to a text that reads as the same configuration.
 */
#include "fuzz/fuzz.h"

static void read_back(const struct rl_ring *ring)
{
    enum { ROOM = 1 << 16 };
    uint64_t words[32];
    char *memory = malloc(ROOM);
    struct rl_text text = rl_text_into(memory, ROOM);
    rl_ring_print(ring, &text);
    require(text.length < ROOM);
    struct rl_ring again = *ring;
    again.agents = words;
    require(!rl_ring_parse(&again, memory, text.length, NULL));
    for (uint32_t i = 0; i < ring->params.n; i++)
        require(rl_ring_get(ring, i) == rl_ring_get(&again, i));
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    size_t protocols = 0;
    while (rl_protocol_at(protocols))
        protocols++;
    const struct rl_protocol *protocol = rl_protocol_at(data[0] % protocols);
    const bool given[RL_MAX_PARAMETERS] = {protocol->parameter_count == 1};
    uint64_t words[32];
    struct rl_ring ring = {.protocol = protocol,
                           .params = {.n = 2 + data[1] % 31, .value = {data[2]}},
                           .agents = words};
    if (rl_protocol_complete(protocol, &ring.params, given, NULL))
        return 0;
    char *text = malloc(size - 3 + (size == 3)); /* exactly, so that a read beyond it is seen */
    memcpy(text, data + 3, size - 3);
    struct rl_error error = {0};
    const enum rl_status status = rl_ring_parse(&ring, text, size - 3, &error);
    if (status)
        require_reason(status, &error);
    else
        read_back(&ring);
    free(text);
    return 0;
}
