/* SPDX-License-Identifier: MIT
 *
 * Random numbers: seeding. The generator itself is in the header, to be inlined.
 */
#include "ringleader/protocol.h"

/* The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection that mixes all 64 bits. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void rl_random_init(struct rl_random *random, uint64_t seed, uint64_t trial,
                    enum rl_purpose purpose)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t h = mix(seed + (i + 1) * golden);
        h = mix((h ^ trial) + golden);
        random->s[i] = mix((h ^ (uint64_t)purpose) + golden);
    }
    /* All four zero is the one state to avoid; its probability is 2^-256. */
    if (!(random->s[0] | random->s[1] | random->s[2] | random->s[3]))
        random->s[0] = golden;
}
