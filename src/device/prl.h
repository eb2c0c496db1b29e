/* SPDX-License-Identifier: MIT
 *
 * P_RL for a link on a microcontroller: the rules of src/protocols/prl.c, the very lines, on words
 * of 32 bits, without the rest of the library.
 *
 *     static const uint32_t N = 16;
 *     static const struct rl_link_rules rules = {rl_prl_interact, rl_prl_legal, &N};
 *
 * Everything is static, so that a compiler which sees `rules` inlines it.
 */
#ifndef RINGLEADER_DEVICE_PRL_H
#define RINGLEADER_DEVICE_PRL_H

#include "ringleader/link.h"

#ifndef RL_LINK_SMALL
#error "device/prl.h is for links with RL_LINK_SMALL"
#endif

typedef rl_link_word rl_state;
#define PRL_WORDS_ONLY
#include "protocols/prl.c"
#undef PRL_WORDS_ONLY

/* `N` is a const uint32_t: the bound that all devices know, 2 .. 2^26. */
static inline void rl_prl_interact(const void *N, rl_link_word *l_word, rl_link_word *r_word)
{
    struct prl_agent l = unpack(*l_word), r = unpack(*r_word);
    create(*(const uint32_t *)N, &l, &r);
    eliminate(&l, &r);
    *l_word = pack(l);
    *r_word = pack(r);
}

static inline rl_link_word rl_prl_legal(const void *N, rl_link_word any)
{
    struct prl_agent agent = unpack(any);
    agent.dist %= *(const uint32_t *)N + 1;
    agent.bullet %= 3;
    return pack(agent);
}

static inline bool rl_prl_leads(rl_link_word word)
{
    return unpack(word).leader != 0;
}

#endif
