/* SPDX-License-Identifier: MIT
 *
 * Expected steps on a stored space, from all configurations: the worst, the mean, and the worst of
 * a part.
 */
#ifndef RINGLEADER_EXPECT_H
#define RINGLEADER_EXPECT_H

#include "verify/enumerate/solve.h"

/* Sums a solution up. `configurations` is the size of the full space. */
RL_MUST_CHECK enum rl_status rl_expect_summary(const struct rl_space *space,
                                               struct rl_workers *workers,
                                               const struct rl_solution *solution,
                                               uint64_t configurations,
                                               struct rl_expectation *expectation_out);

/* The largest expected steps from a configuration of `from`; -1 if that is empty. */
RL_MUST_CHECK enum rl_status rl_expect_worst_from(const struct rl_space *space,
                                                  struct rl_workers *workers,
                                                  const struct rl_solution *solution,
                                                  bool (*from)(const struct rl_ring *ring),
                                                  double *worst_out);

#endif
