/* SPDX-License-Identifier: MIT
 *
 * Random numbers: seeding, and the two continuous-looking draws.
 *
 * The generator itself is in the header, to be inlined. The logarithm is ours because two libms
 * may differ in the last bit and a run must be the same on every machine: -ln of a uniform number
 * and -ln(1 - p) both reduce to 2 artanh(s) with |s| <= 0.172, where eleven terms of the Taylor
 * series leave less than 2^-56 of the value.
 */
#include "ringleader/random.h"

#include <stdbool.h>

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

/* 2 artanh(s) = ln((1 + s) / (1 - s)), for |s| <= 0.172. */
static double log_ratio(double s)
{
    const double z = s * s;
    double sum = 1.0 / 23;
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * z + 1.0 / k;
    return 2 * s * sum;
}

/* -ln((x + 1/2) / 2^64). */
static double minus_log_uniform(uint64_t x)
{
    const double ln2 = 0.693147180559945309417;
    int zeros = x ? __builtin_clzll(x) : 64;
    /* Mantissa in [1, 2) from the leading one bit on; the bits shifted in are the half. */
    const uint64_t bits =
        zeros < 64 ? (x << zeros) | (zeros ? UINT64_C(1) << (zeros - 1) : 0) : UINT64_C(1) << 63;
    double mantissa = (double)(bits >> 11) * 0x1p-52;
    if (mantissa > 1.41421356237309504880) {
        mantissa *= 0.5;
        zeros -= 1;
    }
    return (zeros + 1) * ln2 - log_ratio((mantissa - 1) / (mantissa + 1));
}

double rl_random_exponential(struct rl_random *random)
{
    return minus_log_uniform(rl_random_next(random));
}

uint64_t rl_random_geometric(struct rl_random *random, uint64_t successes, uint64_t trials)
{
    if (4 * successes > trials) {
        uint64_t failures = 0;
        while (rl_random_below(random, trials) >= successes)
            failures++;
        return failures;
    }
    /* An exponential cut into pieces of length -ln(1 - p) counts failures; p/(2 - p) <= 1/7. */
    const double rate = log_ratio((double)successes / (double)(2 * trials - successes));
    return (uint64_t)(rl_random_exponential(random) / rate);
}
