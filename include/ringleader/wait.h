/* SPDX-License-Identifier: MIT
 *
 * Waiting times: how many null interactions lie before the next event.
 *
 * When `successes` of `trials` equally likely arcs are active, the number of null steps before the
 * next event is geometric. It is drawn for every event, so that every event has its exact step; a
 * draw takes a few nanoseconds. Pure IEEE arithmetic without libm: the same numbers on every
 * machine. Why this way, and how exact it is: docs/decisions/003-waiting.md.
 */
#ifndef RINGLEADER_WAIT_H
#define RINGLEADER_WAIT_H

#include "ringleader/random.h"

RL_BEGIN

enum { RL_WAIT_LAYERS = 256, RL_WAIT_MEMO = 256 };

/* Tables for one number of trials; a value, never shared. */
struct rl_wait {
    uint64_t trials;
    /* The ziggurat of the exponential density: edges x_0 > x_1 > ... > x_256 = 0, heights e^-x. */
    double edge[RL_WAIT_LAYERS + 1];
    double height[RL_WAIT_LAYERS + 1];
    /* successes -> 1 / -ln(1 - successes / trials), the last ones asked for. */
    struct {
        uint64_t successes; /* 0: empty */
        double per_unit;
    } memo[RL_WAIT_MEMO];
};

/* For geometric draws among `trials` (1 .. 2^32) equally likely outcomes. Time: 256 logarithms. */
void rl_wait_init(struct rl_wait *wait, uint64_t trials);

/* The rare parts of the two draws below. */
double rl_wait_edge_case(const struct rl_wait *wait, struct rl_random *random, unsigned layer,
                         double x);
double rl_wait_remember(struct rl_wait *wait, uint64_t successes);

/* Exponential of mean 1 (Marsaglia and Tsang's ziggurat; 98.9 % of draws end here). */
static inline double rl_wait_exponential(const struct rl_wait *wait, struct rl_random *random)
{
    const uint64_t bits = rl_random_next(random);
    const unsigned layer = bits & (RL_WAIT_LAYERS - 1);
    const double x = (double)(bits >> 11) / 9007199254740992.0 * wait->edge[layer];
    if (__builtin_expect(x < wait->edge[layer + 1], 1))
        return x;
    return rl_wait_edge_case(wait, random, layer, x);
}

/* 1 / -ln(1 - p) for p = successes / trials: what follows cuts an exponential into such pieces.
 * 0 < successes <= trials. */
static inline double rl_wait_per_unit(struct rl_wait *wait, uint64_t successes)
{
    const unsigned slot = successes & (RL_WAIT_MEMO - 1);
    if (__builtin_expect(wait->memo[slot].successes != successes, 0))
        return rl_wait_remember(wait, successes);
    return wait->memo[slot].per_unit;
}

/* Geometric: the number of failures before the first success. An exponential cut into pieces of
 * length -ln(1 - p) counts failures. It is below 2^63: at most 2^39 pieces of the tail. */
static inline uint64_t rl_wait_geometric(const struct rl_wait *wait, struct rl_random *random,
                                         double per_unit)
{
    return (uint64_t)(int64_t)(rl_wait_exponential(wait, random) * per_unit);
}

RL_END

#endif
