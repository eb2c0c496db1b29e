/* SPDX-License-Identifier: MIT
 *
 * Which n a protocol is for, and whether an agent is the same thing for all of them.
 *
 * Neither is found by looking at some n. Which n is declared, as a least size and a modulus (struct
 * rl_promise); an agent is the same thing because rule, output and states are parts that were
 * compiled in a world without n (struct rl_without_n).
 */
#ifndef RINGLEADER_EVERY_N_SIZES_H
#define RINGLEADER_EVERY_N_SIZES_H

#include "ringleader/prove.h"

enum { RL_MOST_PERIOD = 64 };

struct rl_sizes {
    uint32_t period;
    bool in_period[RL_MOST_PERIOD]; /* [n % period]: promised, from some n on */
    uint32_t sample;                /* the least n that is accepted */
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
