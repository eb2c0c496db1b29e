/* SPDX-License-Identifier: MIT
 *
 * The subset construction: the minimal deterministic automaton of those words of a pre-image that a
 * guard accepts as well. What the guard has turned away for good is not followed.
 */
#ifndef RINGLEADER_EVERY_N_SUBSETS_H
#define RINGLEADER_EVERY_N_SUBSETS_H

#include "verify/every_n/preimage.h"

/* RL_TOO_LARGE if the memory allowed is not enough. Free also after a failure.
 * Time: O(subsets * letters * the largest of them). */
RL_MUST_CHECK enum rl_status rl_subsets_automaton(const struct rl_preimage *preimage,
                                                  const struct rl_automaton *guard,
                                                  const struct rl_effort *effort,
                                                  struct rl_automaton *out);

#endif
