/* SPDX-License-Identifier: MIT
 *
 * P_RL for a link on a microcontroller: Algorithm 1, the very lines of src/protocols/prl.c, on
 * words of 32 bits, without the rest of the library.
 *
 *     static const uint32_t N = 16;
 *     static const struct rl_link_rules rules = {rl_prl_interact, rl_prl_legal, &N};
 *
 * Everything is static, so that a compiler which sees `rules` inlines it.
 */
#ifndef RINGLEADER_DEVICE_PRL_H
#define RINGLEADER_DEVICE_PRL_H

#include "ringleader/device.h"

#ifndef RL_LINK_SMALL
#error "device/prl.h is for links with RL_LINK_SMALL"
#endif

/* An agent, and its word as the library packs it (a test compares all states). */
struct agent {
    uint32_t leader, bullet, shield, signal, dist;
};

#include "protocols/prl_creation.h"
#include "protocols/prl_elimination.h"

static inline struct agent rl_prl_unpack(rl_link_word word)
{
    return (struct agent){
        .leader = word & 1,
        .bullet = word >> 1 & 3,
        .shield = word >> 3 & 1,
        .signal = word >> 4 & 1,
        .dist = word >> 5,
    };
}

static inline rl_link_word rl_prl_pack(struct agent agent)
{
    return agent.leader | agent.bullet << 1 | agent.shield << 3 | agent.signal << 4 |
           agent.dist << 5;
}

/* `N` is a const uint32_t: the bound that all devices know, 2 .. 2^27 - 1. */
static inline void rl_prl_interact(const void *N, rl_link_word *l_word, rl_link_word *r_word)
{
    struct agent l = rl_prl_unpack(*l_word), r = rl_prl_unpack(*r_word);
    create(*(const uint32_t *)N, &l, &r);
    eliminate(&l, &r);
    *l_word = rl_prl_pack(l);
    *r_word = rl_prl_pack(r);
}

/* On the packed word, and divides only where it must: on a small processor a division takes longer
 * than all the rest. */
static inline rl_link_word rl_prl_legal(const void *N, rl_link_word any)
{
    const uint32_t most = *(const uint32_t *)N, dist = any >> 5;
    if (dist > most)
        any = (any & 31) | dist % (most + 1) << 5;
    if ((any & 6) == 6) /* a bullet of 3 */
        any -= 6;
    return any;
}

static inline bool rl_prl_leads(rl_link_word word)
{
    return (word & 1) != 0;
}

#endif
