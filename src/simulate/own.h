/* SPDX-License-Identifier: MIT
 *
 * What the program finds in the shared object of a protocol of one's own: `rl_protocol_own`, a
 * pointer to the declaration, and these.
 */
#ifndef RINGLEADER_SIMULATE_OWN_H
#define RINGLEADER_SIMULATE_OWN_H

#include "ringleader/protocol.h"

/* Which variable the interaction of two states takes out of its domain, by its place in the list
 * (-1: none), and to which value. The packed states cannot tell: there the value runs into others.
 */
int rl_own_leaves(const struct rl_params *params, bool no_leader, rl_state l, rl_state r,
                  uint32_t *value_out);

/* The output of a state, as the form has it. What these two call, and the numbers of values of the
 * variables, is all that `prove` takes from the file. */
bool rl_own_leads(rl_state state);
/* NULL: the file was compiled with n. */
extern const struct rl_without_n *const rl_own_without_n;

/* Of what is compiled and of what loads it: they must be the same. */
#define RL_OWN_FORM ((unsigned)sizeof(struct rl_protocol))
extern const unsigned rl_own_form;
extern const char rl_own_compiler[];

/* For the page: the protocol that it has besides ours (own_page.c); a page without one has no such
 * function. */
const struct rl_protocol *rl_own_on_page(void) __attribute__((weak));

#endif
