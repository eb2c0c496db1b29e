/* SPDX-License-Identifier: MIT
 *
 * The protocol on a ring of cheap devices: no allocation, no operating system.
 *
 * A device keeps one word. When two neighbours meet, the left one sends its word. The right one
 * computes the interaction and sends back the left one's new word. Here eight devices are in one
 * program and meet in turn, and a fault strikes one of them.
 */
#include "ringleader/ring.h"

enum { DEVICES = 8 };

/* What the right device does when it meets the left one. */
static uint32_t meet(const struct rl_protocol *protocol, uint32_t left, uint32_t *own)
{
    const struct rl_params params = {.n = DEVICES, .value = {DEVICES}};
    rl_state l = left, r = *own;
    protocol->interact(&params, false, &l, &r);
    *own = (uint32_t)r;
    return (uint32_t)l;
}

int main(void)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    uint32_t device[DEVICES] = {0};
    struct rl_random meetings;
    rl_random_init(&meetings, 1, 0, RL_PURPOSE_SCHEDULE);
    for (uint32_t step = 0; step < 20000; step++) {
        const uint32_t i = rl_random_below(&meetings, DEVICES), j = (i + 1) % DEVICES;
        device[i] = meet(prl, device[i], &device[j]);
        if (step == 10000)
            device[3] = 1; /* a fault: suddenly this one takes itself for a leader */
    }
    int leaders = 0;
    for (int i = 0; i < DEVICES; i++)
        leaders += prl->leads(device[i]);
    return leaders == 1 ? 0 : 1;
}
