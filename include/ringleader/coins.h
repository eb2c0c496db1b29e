/* SPDX-License-Identifier: MIT
 *
 * Coins of a device whose memory may hold anything: random numbers that heal, for clocks without
 * memory.
 *
 * A countdown in corruptible memory may take days; a coin tossed at every tick has no memory, and
 * is what the model wants: the clock of an arc is exponential. The generator is linear with full
 * period, so there is no content from which it does not go on (a shift register is stuck at 0).
 * Identical boots would toss identical coins: stir in what differs, such as the arrival times of
 * bytes.
 */
#ifndef RINGLEADER_COINS_H
#define RINGLEADER_COINS_H

#include "ringleader/link.h"

RL_BEGIN

struct rl_coins {
    uint32_t state;
};

RL_LINK_API void rl_coins_stir(struct rl_coins *coins, uint32_t entropy);
/* True with probability odds / 65536. */
RL_LINK_API bool rl_coins_toss(struct rl_coins *coins, uint16_t odds);
/* 32 random bits, for what a device wants at random at its boot: its word and its tickets. */
RL_LINK_API uint32_t rl_coins_bits(struct rl_coins *coins);

/* The odds of a clock that rings `rate` times in 1000 seconds, at `ticks` ticks a second; at most
 * one ring a tick. Of constants the compiler makes a constant. */
#define RL_COINS_ODDS(rate, ticks)                                                                 \
    ((uint16_t)((rate) * (uint64_t)65535 / ((ticks) * (uint64_t)1000)))

RL_END

#endif
