/* SPDX-License-Identifier: MIT
 *
 * Coins: a linear congruential generator modulo 2^32 (Numerical Recipes' constants), of which the
 * high half is used. An observer could predict it; nothing here depends on that.
 */
#include "ringleader/device.h"

static uint16_t next(struct rl_coins *coins)
{
    coins->state = coins->state * (uint32_t)1664525 + (uint32_t)1013904223;
    return (uint16_t)(coins->state >> 16);
}

RL_LINK_API void rl_coins_stir(struct rl_coins *coins, uint32_t entropy)
{
    coins->state ^= entropy;
    next(coins);
}

RL_LINK_API bool rl_coins_toss(struct rl_coins *coins, uint16_t odds)
{
    return next(coins) < odds;
}

RL_LINK_API uint32_t rl_coins_bits(struct rl_coins *coins)
{
    const uint32_t high = next(coins);
    return high << 16 | next(coins);
}
