/* SPDX-License-Identifier: MIT
 *
 * The wires between boards, which keep the order of bytes and do what they are told to frames: lose
 * them, double them, and make bytes bad. A frame begins at a byte with its top bit set.
 */
#include "ring.h"

static bool toss(struct ring *ring, double probability)
{
    return (double)(rl_random_next(&ring->random) >> 11) * 0x1p-53 < probability;
}

static void put(struct ring *ring, uint32_t i, enum side to, uint8_t byte)
{
    const uint32_t other = (to == RIGHT ? i + 1 : i + ring->n - 1) % ring->n;
    if (toss(ring, ring->bad)) {
        byte ^= (uint8_t)(1 + rl_random_below(&ring->random, 255));
        ring->bad_bytes++;
    }
    if (ring->boards[other].on && !ring->deaf)
        ring->emulator->deliver(ring, other, to == RIGHT ? LEFT : RIGHT, byte);
}

static void begin_frame(struct ring *ring, struct wire *wire)
{
    wire->count = 0;
    wire->lost = toss(ring, ring->loss);
    wire->doubled = !wire->lost && toss(ring, ring->duplicate);
    ring->frames++;
    ring->lost += wire->lost;
    ring->doubled += wire->doubled;
}

void wire_carry(struct ring *ring, uint32_t i, enum side to, uint8_t byte)
{
    struct wire *wire = &ring->boards[i].wires[to];
    if (byte & 0x80)
        begin_frame(ring, wire);
    if (!wire->lost)
        put(ring, i, to, byte);
    if (wire->count < FRAME_BYTES)
        wire->frame[wire->count++] = byte;
    if (wire->count == FRAME_BYTES && wire->doubled) {
        wire->doubled = false;
        for (int k = 0; k < FRAME_BYTES; k++)
            put(ring, i, to, wire->frame[k]);
    }
}
