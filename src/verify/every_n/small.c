/* SPDX-License-Identifier: MIT
 *
 * Small rings beside the automata: enumerated one by one, or explored from the one ring that a
 * stage could not settle.
 */
#include <stdlib.h>

#include "ringleader/explore.h"
#include "verify/every_n/proof.h"

/* What is enumerated although nothing depends on it: at most so many configurations. */
#define BESIDE (UINT64_C(1) << 18)

static void enumerate(struct rl_prover *prover, uint32_t n)
{
    struct rl_every_n *answer = prover->answer;
    struct rl_params params;
    const enum rl_status accepted = rl_sizes_params(&prover->options, n, &params);
    if (accepted && accepted != RL_UNPROMISED)
        return;
    struct rl_every_n_small *small = rl_effort_calloc(&prover->effort, 1, sizeof *small);
    if (!small)
        return;
    answer->small[answer->small_count++] = small;
    *small = (struct rl_every_n_small){.n = n, .params = params, .refused = accepted};
    const struct rl_verify_options options = {.protocol = prover->options.protocol,
                                              .params = small->params,
                                              .questions = RL_ASK_CLOSURE | RL_ASK_STABILITY,
                                              .precision = 1e-9,
                                              .memory = prover->options.memory,
                                              .jobs = prover->options.jobs,
                                              .watch = prover->options.watch};
    const enum rl_status status = rl_verify(&small->answer, &options, prover->error);
    small->decided = !status;
    prover->effort.status = status == RL_TOO_LARGE ? RL_OK : status;
}

void rl_small_enumerate(struct rl_prover *prover)
{
    const struct rl_sizes *sizes = &prover->proof->sizes;
    const uint32_t proved_from = prover->answer->proved_from;
    for (uint32_t n = prover->options.from_n;
         !prover->effort.status && prover->answer->small_count < RL_EVERY_N_SMALL &&
         n <= RL_VERIFY_AGENTS &&
         (n < proved_from || rl_table_configurations(prover->answer->agent_states, n, BESIDE));
         n++)
        if (sizes->in_period[n % sizes->period])
            enumerate(prover, n);
}

/* ---- exploring ---- */

static void explore(struct rl_prover *prover, struct rl_every_n_stage *stage)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    uint64_t memory[RL_VERIFY_AGENTS];
    struct rl_ring ring = {.protocol = protocol, .agents = memory};
    if (rl_sizes_params(&prover->options, stage->missing_n, &ring.params))
        return; /* its `check` promises nothing of it */
    for (uint32_t i = 0; i < stage->missing_n; i++)
        rl_ring_set(&ring, i, stage->missing[i]);
    const struct rl_explore_options options = {
        .experiment = {.protocol = protocol, .params = ring.params, .configuration = memory},
        .goal = &protocol->sets[protocol->target],
        .memory = prover->options.memory,
        .watch = prover->effort.watch};
    struct rl_exploration exploration;
    const enum rl_status status = rl_explore(&options, &exploration, prover->error);
    stage->explored = !status;
    stage->reaches = !status && !exploration.violated;
    rl_explore_free(&exploration);
    prover->effort.status = status == RL_TOO_LARGE ? RL_OK : status;
}

void rl_small_explore(struct rl_prover *prover)
{
    for (int i = 0; !prover->effort.status && i < RL_EVERY_N_STAGES; i++) {
        struct rl_every_n_stage *stage = &prover->answer->stages[i];
        if (stage->tried && !stage->proved && stage->missing_n > 0)
            explore(prover, stage);
    }
}
