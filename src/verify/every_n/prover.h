/* SPDX-License-Identifier: MIT
 *
 * The prover's parts, one file each: the sets (sets.c), the stages (stages.c), small rings
 * (small.c). every_n.c asks them in turn.
 */
#ifndef RINGLEADER_EVERY_N_PROVER_H
#define RINGLEADER_EVERY_N_PROVER_H

#include "verify/every_n/proof.h"

struct rl_prover {
    struct rl_every_n_options options;
    struct rl_every_n *answer;
    struct rl_every_n_proof *proof;
    struct rl_error *error;
    struct rl_effort effort;
    struct rl_progress progress;
};

/* What is being done, for who watches. */
void rl_prover_phase(struct rl_prover *prover, const char *phase, const char *subject);

/* Learns the sets, makes the alphabet, and judges the sets for every n. */
RL_MUST_CHECK enum rl_status rl_sets_judge(struct rl_prover *prover);

/* Takes pre-images until each stage is proved, or no more comes. */
RL_MUST_CHECK enum rl_status rl_stages_climb(struct rl_prover *prover);

/* Enumerates small rings: those below what is proved, and some beside it. */
RL_MUST_CHECK enum rl_status rl_small_enumerate(struct rl_prover *prover);
/* Explores the rings that the stages could not settle. */
RL_MUST_CHECK enum rl_status rl_small_explore(struct rl_prover *prover);

#endif
