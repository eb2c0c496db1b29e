/* SPDX-License-Identifier: MIT
 *
 * Hitting sets: all that is said about the steps until a set is hit: expectations, fractions and
 * the protocol's claims.
 */
#ifndef RINGLEADER_VERIFY_HITTING_H
#define RINGLEADER_VERIFY_HITTING_H

#include "verify/enumerate/verifier.h"

/* Expected steps to safe, whose members are given, in the base. */
RL_MUST_CHECK enum rl_status rl_hitting_safe(struct rl_verifier *verifier, const uint8_t *members);

/* Expected steps to every named set that belongs to a view, and the claims that do. */
RL_MUST_CHECK enum rl_status rl_hitting_view(struct rl_verifier *verifier,
                                             const struct rl_space *space,
                                             const struct rl_view *view);

#endif
