/* SPDX-License-Identifier: MIT
 *
 * Which n a protocol is for, and whether an agent is the same thing for all of them.
 *
 * Both are found by looking at n = 2 .. 128, and taken to go on like that: a protocol says what it
 * accepts, and what two states become, by functions, not by formulas.
 */
#ifndef RINGLEADER_EVERY_N_SIZES_H
#define RINGLEADER_EVERY_N_SIZES_H

#include "ringleader/every_n.h"

struct rl_sizes {
    uint32_t period;
    bool in_period[64]; /* [n % period]: accepted, from some n on */
    uint32_t sample;    /* the least n that is accepted */
};

/* The parameters for n agents, and what the protocol says of them: RL_OK, RL_UNPROMISED or
 * RL_BAD_PARAMETER. */
enum rl_status rl_sizes_params(const struct rl_every_n_options *options, uint32_t n,
                               struct rl_params *params_out);

/* Finds out. If there is no answer about every n, `obstacle_out` (as in struct rl_every_n) says
 * why. */
void rl_sizes_find(struct rl_sizes *sizes, const struct rl_every_n_options *options,
                   char *obstacle_out);

#endif
