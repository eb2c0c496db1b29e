/* SPDX-License-Identifier: MIT
 *
 * A verification under way.
 */
#ifndef RINGLEADER_VERIFY_VERIFIER_H
#define RINGLEADER_VERIFY_VERIFIER_H

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
    struct rl_space base;
    uint8_t *safe; /* of the base */
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

#endif
