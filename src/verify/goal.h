/* SPDX-License-Identifier: MIT
 *
 * Goals: sets to be reached, and all that is said about the steps to them: expectations, fractions
 * and the protocol's claims. With what a verification keeps while it goes on.
 */
#ifndef RINGLEADER_GOAL_H
#define RINGLEADER_GOAL_H

#include "verify/space.h"
#include "verify/view.h"

struct rl_verifier {
    const struct rl_verify_options *options;
    const struct rl_protocol *protocol;
    struct rl_verification *answer;
    struct rl_error *error;
    struct rl_workers workers;
    struct rl_table table;
    struct rl_views views;
    struct rl_space base;
    uint8_t *safe; /* of the base */
};

static inline bool rl_goal_asks(const struct rl_verifier *verifier, unsigned question)
{
    return verifier->answer->questions & question;
}

static inline void rl_goal_phase(struct rl_verifier *verifier, const char *name,
                                 const char *subject)
{
    verifier->workers.progress = (struct rl_progress){.phase = name, .subject = subject};
}

/* Expected steps to safe, whose members are given, in the base. */
RL_MUST_CHECK enum rl_status rl_goal_safe(struct rl_verifier *verifier, const uint8_t *members);

/* Expected steps to every named set that belongs to a view, and the claims that do. */
RL_MUST_CHECK enum rl_status rl_goal_solve_view(struct rl_verifier *verifier,
                                                const struct rl_space *space,
                                                const struct rl_view *view);

#endif
