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

#include <stdbool.h>
#include <stdint.h>

#include "ringleader/api.h"

RL_BEGIN

/* Stored with every result. Any change in which numbers a run draws, or in the order it draws
 * them, must raise it. */
#define RL_STREAM_VERSION 3

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

/* Makes 64 random bits a uniform number in 0 .. bound-1, without bias (Lemire's multiply and
 * reject). False: these bits are to be thrown away; that has probability bound / 2^64 at most, so
 * the test is all but free. `bound` is positive and at most 2^32. */
static inline bool rl_random_fit(uint64_t bits, uint64_t bound, uint32_t *number_out)
{
    /* bits * bound has 96 bits: the high 32 are the number, the low 64 decide. */
#if defined __SIZEOF_INT128__ && !defined __wasm__
    __extension__ const unsigned __int128 product = (unsigned __int128)bits * bound;
    const uint64_t rest = (uint64_t)product;
    *number_out = (uint32_t)(product >> 64);
#else
    const uint64_t low = (bits & 0xffffffffu) * bound;
    const uint64_t high = (bits >> 32) * bound + (low >> 32);
    const uint64_t rest = (high << 32) | (low & 0xffffffffu);
    *number_out = (uint32_t)(high >> 32);
#endif
    return rest >= bound || rest >= (0 - bound) % bound;
}

/* Uniform in 0 .. bound-1, without bias; 1 <= bound <= 2^32. */
static inline uint32_t rl_random_below(struct rl_random *random, uint64_t bound)
{
    uint32_t number;
    while (!rl_random_fit(rl_random_next(random), bound, &number))
        continue;
    return number;
}

RL_END

#endif
