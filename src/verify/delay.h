/* SPDX-License-Identifier: MIT
 *
 * Oracles that report late, which no part of the verifier knows.
 */
#ifndef RINGLEADER_VERIFY_DELAY_H
#define RINGLEADER_VERIFY_DELAY_H

#include "ringleader/protocol.h"
#include "ringleader/status.h"

/* RL_BAD_PARAMETER if what follows depends on more than the configuration: on how long an oracle
 * has waited. To be asked first. */
RL_MUST_CHECK enum rl_status rl_delay_check(const struct rl_protocol *protocol,
                                            const struct rl_params *params, struct rl_error *error);

#endif
