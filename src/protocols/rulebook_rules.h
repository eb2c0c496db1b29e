/* SPDX-License-Identifier: MIT
 *
 * The rules of every rulebook, for the engines' inner loops: one load from its table. What
 * protocols/declare.h would make of a file's names is written here by hand.
 */
#ifndef RINGLEADER_PROTOCOLS_DECLARE_H
#define RINGLEADER_PROTOCOLS_DECLARE_H

#include "ringleader/protocol.h"

enum { OUTPUT_BIT = 31 };

/* The output's bit of l is shifted out. */
static inline struct rl_rule rule_of(const struct rl_params *params, bool no_leader, rl_state l,
                                     rl_state r)
{
    const struct rl_rulebook *book = params->data;
    const uint32_t pair = (uint32_t)l << book->bits | ((uint32_t)r & ~(1u << OUTPUT_BIT));
    return book->rules[RULEBOOK_ORACLE && no_leader][pair];
}

static inline void interact(const struct rl_params *params, bool no_leader, rl_state *l,
                            rl_state *r)
{
    const struct rl_rule rule = rule_of(params, no_leader, *l, *r);
    *l = rule.l & ~RL_RULE_CHANGES;
    *r = rule.r;
}

static inline bool is_active(const struct rl_params *params, bool no_leader, rl_state l, rl_state r)
{
    return rule_of(params, no_leader, l, r).l & RL_RULE_CHANGES;
}

static inline bool leads(rl_state state)
{
    return state >> OUTPUT_BIT;
}

static const struct rl_loops loops;

/* A table is the same for every n; its states have a numbering (rulebook.c). */
extern const struct rl_numbering rl_rulebook_numbering;
static const struct rl_without_n without_n = {
    .interact = interact, .leads = leads, .numbering = &rl_rulebook_numbering};

static const struct rl_protocol declared = {.interact = interact,
                                            .leads = leads,
                                            .width = 4,
                                            .oracle = RULEBOOK_ORACLE,
                                            .loops = &loops,
                                            .without_n = &without_n};
#define DECLARED declared

#endif
