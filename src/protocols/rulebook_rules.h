/* SPDX-License-Identifier: MIT
 *
 * The rules of every rulebook, for the engines' inner loops: one load from its table. What
 * protocols/declare.h would make of a file's names is written here by hand.
 */
#ifndef RINGLEADER_PROTOCOLS_DECLARE_H
#define RINGLEADER_PROTOCOLS_DECLARE_H

#include "ringleader/rulebook.h"

enum { OUTPUT_BIT = 31 };

static inline uint32_t values_of(rl_state state)
{
    return (uint32_t)state & ~(1u << OUTPUT_BIT);
}

static inline void interact(const struct rl_params *params, bool no_leader, rl_state *l,
                            rl_state *r)
{
    const struct rl_rulebook *book = params->data;
    const uint32_t pair = values_of(*l) << book->bits | values_of(*r);
    const struct rl_rule rule =
        book->rules[pair + (RULEBOOK_ORACLE && no_leader ? (size_t)1 << 2 * book->bits : 0)];
    *l = rule.l;
    *r = rule.r;
}

static inline bool leads(rl_state state)
{
    return state >> OUTPUT_BIT;
}

static const struct rl_loops loops;

static const struct rl_protocol declared = {
    .interact = interact, .leads = leads, .width = 4, .oracle = RULEBOOK_ORACLE, .loops = &loops};
#define DECLARED declared

#endif
