/* SPDX-License-Identifier: MIT
 *
 * The rules of fj06 as data, so that tests can change one line of them: conditions and actions, as
 * in src/protocols/fj06.c. The protocol made of them is fj06 in everything else.
 */
#ifndef RINGLEADER_TEST_FJ06_RULES_H
#define RINGLEADER_TEST_FJ06_RULES_H

#include "ringleader.h"

/* The variables of a meeting: bits of l, then of r. */
enum { L_LEADER, L_BULLET, L_SHIELD, R_LEADER, R_BULLET, R_SHIELD, VARIABLES };

/* A condition: a variable, or 6 for "never"; plus 7 for its opposite. */
enum { NEVER = VARIABLES, NOT = 7, CONDITIONS = 14 };

/* An action: for each variable 0 or 1, or 2 to leave it. */
enum { KEEP = 2 };

/* The lines, in order: if told { 0 } else if shield { 1; if leads { 2 } } else if bullet { 3 } else
 * if leads_too { 4 }. */
enum { MEETS_SHIELD, AND_LEADS, HAS_BULLET, LEADS, CONDITION_LINES };
enum { IS_TOLD, SWALLOWS, FIRES_AT_SHIELD, SHOOTS, FIRES, ACTION_LINES };

struct fj06_rules {
    uint8_t condition[CONDITION_LINES];
    uint8_t action[ACTION_LINES][VARIABLES];
};

static const struct fj06_rules FJ06 = {
    {R_SHIELD, R_LEADER, L_BULLET, R_LEADER},
    {{KEEP, KEEP, KEEP, 1, 1, 1},
     {KEEP, 0, 1, KEEP, KEEP, 0},
     {KEEP, KEEP, KEEP, KEEP, 1, KEEP},
     {KEEP, 0, KEEP, 0, 1, KEEP},
     {KEEP, KEEP, KEEP, KEEP, 1, KEEP}},
};

/* The rules in force: `interact` has no other way to know them. */
static struct fj06_rules rules_in_force;

static bool holds(unsigned condition, unsigned bits)
{
    const unsigned variable = condition % NOT;
    const bool set = variable != NEVER && bits >> variable & 1;
    return condition >= NOT ? !set : set;
}

static unsigned act(int line, unsigned bits)
{
    for (unsigned i = 0; i < VARIABLES; i++)
        if (rules_in_force.action[line][i] != KEEP)
            bits = (bits & ~(1u << i)) | (unsigned)rules_in_force.action[line][i] << i;
    return bits;
}

static void interact_by_rules(const struct rl_params *params, bool no_leader, rl_state *l,
                              rl_state *r)
{
    (void)params;
    const uint8_t *conditions = rules_in_force.condition;
    const unsigned before = (unsigned)*l | (unsigned)*r << 3;
    unsigned bits = before;
    if (no_leader)
        bits = act(IS_TOLD, bits);
    else if (holds(conditions[MEETS_SHIELD], before)) {
        bits = act(SWALLOWS, bits);
        if (holds(conditions[AND_LEADS], bits))
            bits = act(FIRES_AT_SHIELD, bits);
    } else if (holds(conditions[HAS_BULLET], before))
        bits = act(SHOOTS, bits);
    else if (holds(conditions[LEADS], before))
        bits = act(FIRES, bits);
    *l = bits & 7;
    *r = bits >> 3;
}

/* fj06 by the rules in force. */
static inline struct rl_protocol protocol_by_rules(void)
{
    static struct rl_without_n without_n; /* the rules stay in force while somebody asks */
    struct rl_protocol protocol = *rl_protocol_named("fj06");
    without_n = *protocol.without_n;
    without_n.interact = protocol.interact = interact_by_rules;
    protocol.without_n = &without_n;
    return protocol;
}

/* All one-line changes: every other condition, and every other action of a line. The number of
 * them, and the one of a number. */
enum { ACTIONS = 729, CHANGES = CONDITION_LINES * CONDITIONS + ACTION_LINES * ACTIONS };

static inline struct fj06_rules changed_rules(unsigned number)
{
    struct fj06_rules rules = FJ06;
    if (number < CONDITION_LINES * CONDITIONS)
        rules.condition[number / CONDITIONS] = (uint8_t)(number % CONDITIONS);
    else {
        number -= CONDITION_LINES * CONDITIONS;
        for (unsigned i = 0, code = number % ACTIONS; i < VARIABLES; i++, code /= 3)
            rules.action[number / ACTIONS][i] = (uint8_t)(code % 3);
    }
    return rules;
}

#endif
