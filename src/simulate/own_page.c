/* SPDX-License-Identifier: MIT
 *
 * The user's own protocol for the page: what `ringleader page` compiles to WebAssembly and links
 * with the rest of the page's C. The engines' loops with the file in them, and the declaration as
 * the page has it. OWN_TEXT is a file that has the user's text as `own_text`; OWN_HASH is its hash.
 */
#include "simulate/specialise.c"

#include "simulate/own.h"

#include OWN_TEXT

const struct rl_protocol *rl_own_on_page(void)
{
    static struct rl_protocol protocol;
    static struct rl_parameter parameters[RL_MAX_PARAMETERS];
    protocol = DECLARED;
    protocol.text = own_text;
    protocol.hash = OWN_HASH;
    rl_protocol_settle(&protocol, parameters);
    return &protocol;
}
