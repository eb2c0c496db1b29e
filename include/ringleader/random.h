/* SPDX-License-Identifier: MIT
 *
 * Random numbers: xoshiro256++, one stream for each (seed, trial, purpose).
 *
 * A run is a function of its seed and trial on every machine and in the browser, so a generator
 * is a value, never global, and nothing here depends on the platform's libm. Why this generator
 * and this seeding: docs/decisions/001-random-numbers.md.
 */
#ifndef RINGLEADER_RANDOM_H
#define RINGLEADER_RANDOM_H

#include <stdint.h>

/* Stored with every result. Any change in which numbers a run draws, or in the order it draws
 * them, must raise it. */
#define RL_STREAM_VERSION 1

/* What a stream is for. Streams of different purposes are independent, so that, say, adding a
 * fault to a run does not change the interactions before the fault. */
enum rl_purpose {
    RL_PURPOSE_START = 0,
    RL_PURPOSE_SCHEDULE = 1,
    RL_PURPOSE_FAULT = 2,
};

struct rl_random {
    uint64_t s[4];
};

/* Streams with different (seed, trial, purpose) start from different hashes of 256 bits. */
void rl_random_init(struct rl_random *random, uint64_t seed, uint64_t trial,
                    enum rl_purpose purpose);

static inline uint64_t rl_random_rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* The next 64 random bits. */
static inline uint64_t rl_random_next(struct rl_random *random)
{
    uint64_t *s = random->s;
    const uint64_t result = rl_random_rotate(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rl_random_rotate(s[3], 45);
    return result;
}

/* Uniform in 0 .. bound-1, without bias (Lemire's multiply-and-reject). `bound` is positive and at
 * most 2^32; the 32-bit product keeps it one multiplication on every machine. A rejection happens
 * with probability bound / 2^64 at most, so the test is all but free. */
static inline uint32_t rl_random_below(struct rl_random *random, uint64_t bound)
{
    for (;;) {
        const uint64_t x = rl_random_next(random);
        /* x * bound as a 96-bit number: high 32 bits are the draw, low 64 bits decide. */
        const uint64_t low = (x & 0xffffffffu) * bound;
        const uint64_t high = (x >> 32) * bound + (low >> 32);
        const uint64_t rest = (high << 32) | (low & 0xffffffffu);
        if (rest >= bound || rest >= (0 - bound) % bound)
            return (uint32_t)(high >> 32);
    }
}

#endif
