/* SPDX-License-Identifier: MIT
 *
 * Fuzzer of schedules. The first byte chooses n. Every arc is on the ring and the walk gives an arc
 * at every call until it ends.
 */
#include "fuzz/fuzz.h"
#include "simulate/inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const uint32_t n = 2 + data[0];
    char *text = malloc(size - 1 + (size == 1));
    memcpy(text, data + 1, size - 1);
    struct rl_schedule schedule;
    struct rl_error error = {0};
    const enum rl_status status = rl_schedule_parse(&schedule, n, text, size - 1, &error);
    if (status)
        require_reason(status, &error);
    else {
        struct rl_cursor cursor = {.schedule = &schedule};
        uint32_t arc, arcs = 0;
        for (; arcs < 10000 && rl_schedule_next(&cursor, &arc); arcs++)
            require(arc < n);
        require(arcs > 0);
    }
    rl_schedule_free(&schedule);
    free(text);
    return 0;
}
