/* SPDX-License-Identifier: MIT
 *
 * Random numbers: seeding; and waiting times: the tables of the ziggurat, its rare cases, and a
 * logarithm. The generator itself is in the header, to be inlined.
 *
 * The logarithm is ours because two libms may differ in the last bit and a run must be the same on
 * every machine. All we need reduces to 2 artanh(s) with |s| <= 0.172, where twelve terms of the
 * Taylor series leave less than 2^-56 of the value.
 */
#include "ringleader/protocol.h"

#include <assert.h>
#include <float.h>

#include "core/inside.h"

#if FLT_EVAL_METHOD != 0
#error                                                                                             \
    "doubles are computed wider than they are stored: compile with -msse2 -mfpmath=sse or the like"
#endif

/* ---- seeds ---- */

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

/* ---- waiting times ---- */

/* Where the tail of the ziggurat begins, and e to minus that. Every layer has the area
 * (TAIL + 1) e^-TAIL, and with this value 256 of them fill the density exactly. */
static const double TAIL = 7.69711747013104972;
static const double TAIL_HEIGHT = 4.5413435384149676e-4;

/* 2 artanh(s) = ln((1 + s) / (1 - s)), for |s| <= 0.172. */
static double log_ratio(double s)
{
    const double z = s * s;
    double sum = 1.0 / 23;
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * z + 1.0 / k;
    return 2 * s * sum;
}

/* -ln(y) for 0 < y <= 1. */
static double minus_log(double y)
{
    const double ln2 = 0.693147180559945309417;
    int halvings = 0;
    while (y < 0.70710678118654752440) {
        y *= 2;
        halvings++;
    }
    return halvings * ln2 - log_ratio((y - 1) / (y + 1));
}

void rl_wait_init(struct rl_wait *wait, uint64_t trials)
{
    assert(trials > 0 && "who waits has something to try");
    *wait = (struct rl_wait){.trials = trials};
    const double area = (TAIL + 1) * TAIL_HEIGHT;
    wait->edge[0] = TAIL + 1;
    wait->edge[1] = TAIL;
    wait->height[1] = TAIL_HEIGHT;
    for (int i = 1; i < RL_WAIT_LAYERS; i++) {
        wait->height[i + 1] = wait->height[i] + area / wait->edge[i];
        wait->edge[i + 1] = i + 1 < RL_WAIT_LAYERS ? minus_log(wait->height[i + 1]) : 0;
    }
    wait->height[RL_WAIT_LAYERS] = 1;
}

double rl_wait_edge_case(const struct rl_wait *wait, struct rl_random *random, uint64_t bits,
                         double x)
{
    const unsigned layer = bits & (RL_WAIT_LAYERS - 1);
    /* Below the lowest layer lies the tail, which is the whole density again. */
    if (layer == 0)
        return TAIL + rl_wait_exponential(wait, random);
    const double below = wait->height[layer], above = wait->height[layer + 1];
    const double from = wait->edge[layer + 1], to = wait->edge[layer];
    const double uniform = ((double)(rl_random_next(random) >> 11) + 0.5) * 0x1p-53;
    const double height = below + uniform * (above - below);
    /* The density lies between its tangent and its chord, which mostly decide. */
    if (height < above * (1 - (x - from)))
        return x;
    if ((1 - uniform) * (to - from) >= x - from && minus_log(height) > x)
        return x;
    return rl_wait_exponential(wait, random);
}

double rl_wait_remember(struct rl_wait *wait, uint64_t successes)
{
    assert(successes > 0 && successes <= wait->trials &&
           "more can succeed than are tried, or none");
    /* -ln(1 - p) = 2 artanh(p / (2 - p)) where the argument is small; else by halves. Who cannot
     * fail does not wait. */
    const double p = (double)successes / (double)wait->trials;
    double per_unit = 0;
    if (4 * successes <= wait->trials)
        per_unit = 1 / log_ratio(p / (2 - p));
    else if (successes < wait->trials)
        per_unit = 1 / minus_log(1 - p);
    const unsigned slot = successes & (RL_WAIT_MEMO - 1);
    wait->memo[slot].successes = successes;
    wait->memo[slot].per_unit = per_unit;
    return per_unit;
}
