/* SPDX-License-Identifier: MIT
 *
 * The safe configurations of a small ring, as the verifier computes them (Definition 1: exactly one
 * leader, and no output ever changes), for somebody who asks about one after another; and a
 * protocol with that set for its target.
 */
#ifndef RINGLEADER_SAFE_H
#define RINGLEADER_SAFE_H

#include "ringleader/verify.h"

RL_BEGIN

struct rl_safe;

/* Of the ring in the options (protocol, params, memory, jobs, watch). The statuses are those of
 * rl_verify: RL_TOO_LARGE without having taken anything. Free also after a failure. */
RL_MUST_CHECK enum rl_status rl_safe_init(struct rl_safe **safe_out,
                                          const struct rl_verify_options *options,
                                          struct rl_error *error);
/* Time: O(n). Of the ring that it was computed for. */
bool rl_safe_contains(const struct rl_safe *safe, const struct rl_ring *ring);
void rl_safe_free(struct rl_safe *safe);

/* A protocol of its own (NAME-safe): `original`, whose only set is `safe`. It must outlive this,
 * and use no `data`. The set is empty on rings that were not prepared. */
struct rl_safe_target;
RL_MUST_CHECK enum rl_status rl_safe_target_init(struct rl_safe_target **target_out,
                                                 const struct rl_protocol *original);
void rl_safe_target_free(struct rl_safe_target *target);
const struct rl_protocol *rl_safe_target_protocol(const struct rl_safe_target *target);
/* Whether a protocol is one of these, and not what stands for one in a study. */
bool rl_safe_target_is(const struct rl_protocol *protocol);

/* Computes the safe configurations for these parameters, if that is not done. Not while others run
 * the protocol. */
RL_MUST_CHECK enum rl_status rl_safe_target_prepare(const struct rl_protocol *protocol,
                                                    const struct rl_params *params, unsigned jobs,
                                                    struct rl_error *error);

RL_END

#endif
