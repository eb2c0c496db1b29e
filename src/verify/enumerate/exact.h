/* SPDX-License-Identifier: MIT
 *
 * Expected steps as exact fractions, where lumping leaves few enough classes.
 */
#ifndef RINGLEADER_EXACT_H
#define RINGLEADER_EXACT_H

#include "verify/enumerate/lump.h"

/* More classes than this take minutes. */
enum { RL_EXACT_CLASSES = 4000 };

/* Can this build do it at all? (It needs FLINT.) */
bool rl_exact_available(void);

/* What is wanted: the largest expected steps of the candidates (classes that rounding cannot tell
 * apart), and the sum over all classes of weight * steps, divided by `configurations`. */
struct rl_exact_request {
    const struct rl_lump
        *lump; /* at most RL_EXACT_CLASSES classes, all of which reach the target */
    uint32_t arcs;
    const uint32_t *candidates;
    size_t candidate_count;
    const uint64_t *weights; /* [class] */
    uint64_t configurations;
};

/* Both as "p/q" in lowest terms, to be freed. NULL if the build cannot do it. */
RL_MUST_CHECK enum rl_status rl_exact_solve(const struct rl_exact_request *request,
                                            char **worst_out, char **mean_out);

#endif
