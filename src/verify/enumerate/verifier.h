/* SPDX-License-Identifier: MIT
 *
 * A verification under way.
 */
#ifndef RINGLEADER_VERIFY_VERIFIER_H
#define RINGLEADER_VERIFY_VERIFIER_H

#include "verify/enumerate/reach.h"
#include "verify/enumerate/space.h"
#include "verify/enumerate/view.h"

struct rl_verifier {
    const struct rl_verify_options *options;
    const struct rl_protocol *protocol;
    struct rl_verification *answer;
    struct rl_error *error;
    struct rl_workers workers;
    struct rl_table table;
    struct rl_views views;
    uint64_t *safe;       /* bits of the base's codes */
    struct rl_space base; /* stored where it is needed */
};

static inline bool rl_verifier_asks(const struct rl_verifier *verifier, unsigned question)
{
    return verifier->answer->questions & question;
}

static inline void rl_verifier_phase(struct rl_verifier *verifier, const char *name,
                                     const char *subject)
{
    verifier->workers.progress = (struct rl_progress){.phase = name, .subject = subject};
}

/* All that is said about the steps until a set is hit (hitting.c): the expected steps to every
 * named set that belongs to a view, to safe if it is the base, and the claims that belong to it. */
RL_MUST_CHECK enum rl_status rl_hitting_view(struct rl_verifier *verifier,
                                             const struct rl_space *space,
                                             const struct rl_view *view);

#endif
