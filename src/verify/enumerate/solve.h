/* SPDX-License-Identifier: MIT
 *
 * Expected hitting times on the stored space, with a certificate.
 *
 * Let P be the chain outside the target and h = 1 + P h the expected steps. Whoever found x and
 * however: if x is 0 on the target and its residual 1 + P x - x lies between -e and e everywhere,
 * then (I - P)(h - x) is between -e and e too, and since (I - P)^-1 is not negative and maps the
 * constant 1 to h, |h - x| <= e h at every configuration. So the largest residual, rounding
 * included, is a proven relative error of all expected times at once, of their maximum and of
 * their mean. It needs only that the target is reached from everywhere (reach.h).
 */
#ifndef RINGLEADER_SOLVE_H
#define RINGLEADER_SOLVE_H

#include "verify/enumerate/space.h"

struct rl_solution {
    double *steps;   /* [number] expected steps to the target */
    double error;    /* proven relative error of each */
    uint64_t sweeps; /* over the whole space */
};

/* Bytes of work space for `count` representatives, the solution included. */
uint64_t rl_solve_bytes(uint64_t count);

/* Goes on until the proven error is `precision` at most, or does not get smaller any more. The
 * target must be reachable from everywhere. Free with rl_solve_free, also after a failure. */
RL_MUST_CHECK enum rl_status rl_solve(struct rl_solution *solution, const struct rl_space *space,
                                      struct rl_workers *workers, const uint8_t *target,
                                      double precision);
void rl_solve_free(struct rl_solution *solution);

#endif
