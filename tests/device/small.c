/* SPDX-License-Identifier: MIT
 *
 * The link as a microcontroller has it, compiled with RL_LINK_SMALL: its rules of prl under names
 * that a test of the library can call.
 */
#define RL_LINK_SMALL
#include "ringleader/device.h"
#include "device/prl.h"

#include "device/small.h"

_Static_assert(sizeof(struct rl_link) <= 16, "an agent's memory: 13 bytes, padded");

void small_interact(uint32_t N, uint32_t *l, uint32_t *r)
{
    rl_prl_interact(&N, l, r);
}

uint32_t small_legal(uint32_t N, uint32_t any)
{
    return rl_prl_legal(&N, any);
}

bool small_leads(uint32_t word)
{
    return rl_prl_leads(word);
}
