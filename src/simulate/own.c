/* SPDX-License-Identifier: MIT
 *
 * The user's own protocol as a shared object: what `-p FILE.c` compiles. It is the engines' loops
 * with the file in them, and one more function, which only the file's own list of variables can
 * give.
 */
#include "simulate/specialise.c"

#include "simulate/own.h"

/* The place of the variable in the list, or -1. */
int rl_own_leaves(const struct rl_params *params, bool no_leader, rl_state l_word, rl_state r_word,
                  uint32_t *value_out)
{
    struct agent l = unpack(l_word), r = unpack(r_word);
    meet(world_of(params, no_leader), &l, &r);
    int place = 0;
#define LEAVES(name, ...)                                                                          \
    *value_out = l.name > r.name ? l.name : r.name;                                                \
    if (*value_out >= rl_variable_size(&declared_variables[place], params))                        \
        return place;                                                                              \
    place++;
    VARIABLES(LEAVES, LEAVES)
    return -1;
}

bool rl_own_leads(rl_state state)
{
    return state_leads(state);
}

const struct rl_without_n *const rl_own_without_n = FORM_WITHOUT_N;

const unsigned rl_own_form = RL_OWN_FORM;

/* Not looked at: so the text after the preprocessor is another with another compiler. */
const char rl_own_compiler[] = __VERSION__;
