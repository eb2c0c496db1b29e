/* SPDX-License-Identifier: MIT
 *
 * A protocol of the registry as the rules of a link (link.h), where it fits.
 *
 * It fits if an interaction never changes whether its initiator leads: then the leaders that one
 * sees are at every instant the leaders there are, though an initiator hears late of what the
 * responder decided. That is asked of the rule itself, pair of states by pair of states.
 */
#ifndef RINGLEADER_RULES_H
#define RINGLEADER_RULES_H

#include "ringleader/link.h"
#include "ringleader/protocol.h"

RL_BEGIN

struct rl_rules {
    const struct rl_protocol *protocol;
    struct rl_params params;
    struct rl_link_rules link; /* its `about` is this struct, which stays where it is */
};

/* How many pairs of states are asked one by one. Where there are more, that many random ones are,
 * and every pair of states whose variables all have values at the ends of their domains. */
#define RL_RULES_PAIRS (UINT64_C(1) << 20)

/* RL_BAD_PARAMETER, with the reason, if the protocol has an oracle (no device sees the whole ring),
 * is for undirected rings (a device asks to its right only), or changes an initiator's output; then
 * the error names a pair of states. `params` are complete and checked. Time: O(RL_RULES_PAIRS). */
RL_MUST_CHECK enum rl_status rl_rules_init(struct rl_rules *rules,
                                           const struct rl_protocol *protocol,
                                           const struct rl_params *params, struct rl_error *error);

RL_END

#endif
