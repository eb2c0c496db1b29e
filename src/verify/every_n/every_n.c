/* SPDX-License-Identifier: MIT
 *
 * For every n: first the sets, then the stages, then small rings.
 */
#include "ringleader/prove.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/explore.h"
#include "verify/every_n/proof.h"

/* ---- small rings: enumerated one by one, or explored from one that a stage left open ---- */

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
    small->n = n;
    small->refused = accepted;
    const enum rl_status status =
        rl_proof_verify(&prover->options, n, &small->answer, prover->error);
    small->decided = !status;
    prover->effort.status = status == RL_TOO_LARGE ? RL_OK : status;
}

static void enumerate_small(struct rl_prover *prover)
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

static void explore_missing(struct rl_prover *prover)
{
    for (int i = 0; !prover->effort.status && i < RL_EVERY_N_STAGES; i++) {
        struct rl_every_n_stage *stage = &prover->answer->stages[i];
        if (stage->tried && !stage->proved && stage->missing_n > 0)
            explore(prover, stage);
    }
}

/* ---- all of it ---- */

/* The least n from which on all is settled well: by proof from proved_from on, below by
 * enumeration. */
static void combine(struct rl_prover *prover)
{
    struct rl_every_n *answer = prover->answer;
    uint32_t from = answer->proved_from;
    for (size_t i = answer->small_count; answer->proved_from > 0 && i-- > 0;) {
        const struct rl_every_n_small *small = answer->small[i];
        if (!small->decided || !small->answer.self_stabilizing) {
            from = small->n < from ? from : small->n + 1;
            break;
        }
        from = small->n < from ? small->n : from;
    }
    answer->self_stabilizing_from = from;
}

static void prove(struct rl_prover *prover)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    struct rl_every_n *answer = prover->answer;
    struct rl_params params;
    rl_sizes_find(&prover->proof->sizes, &prover->options, answer->obstacle);
    if (answer->obstacle[0])
        return;
    const struct rl_sizes *sizes = &prover->proof->sizes;
    const uint32_t from_n = prover->options.from_n;
    answer->least = sizes->sample > from_n ? sizes->sample : from_n;
    answer->period = sizes->period;
    memcpy(answer->sizes, sizes->in_period, sizes->period * sizeof *answer->sizes);
    rl_sizes_params(&prover->options, sizes->sample, &params);
    for (size_t i = 0; i < protocol->parameter_count; i++) { /* from here on: these, for every n */
        prover->options.params.value[i] = params.value[i];
        prover->options.given[i] = true;
    }
    answer->params = params;
    answer->agent_states = rl_protocol_states(protocol, &params);
    enum rl_status *status = &prover->effort.status;
    *status = rl_table_check(protocol, &params, prover->error);
    if (!*status)
        rl_table_init(&prover->proof->table, protocol, &params, &prover->effort);
    if (!*status)
        rl_sets_judge(prover);
    if (*status || answer->obstacle[0])
        return;
    rl_stages_climb(prover);
    enumerate_small(prover);
    explore_missing(prover);
    combine(prover);
}

enum rl_status rl_every_n(struct rl_every_n *answer, const struct rl_every_n_options *options,
                          struct rl_error *error)
{
    assert(options->from_n >= 2 && options->protocol->set_count > 0 &&
           options->protocol->sets[options->protocol->target].contains && "no set, or no ring");
    assert(options->jobs > 0 && options->memory > 0 && "nobody to do it, or no memory");
    *answer = (struct rl_every_n){0};
    struct rl_prover prover = {.options = *options,
                               .answer = answer,
                               .error = error,
                               .effort = {.memory = options->memory, .watch = options->watch}};
    prover.proof = answer->proof = rl_effort_calloc(&prover.effort, 1, sizeof *answer->proof);
    if (prover.proof)
        prove(&prover);
    return prover.effort.status;
}

void rl_every_n_free(struct rl_every_n *answer)
{
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        free(answer->sets[i].way_out.arcs);
    free(answer->unsafe.arcs);
    for (size_t i = 0; i < answer->small_count; i++) {
        rl_verify_free(&answer->small[i]->answer);
        free(answer->small[i]);
    }
    if (answer->proof)
        rl_proof_free(answer->proof);
    free(answer->proof);
    *answer = (struct rl_every_n){0};
}

struct rl_every_n_automaton rl_every_n_automaton(const struct rl_every_n *answer, size_t set)
{
    assert(set < RL_MAX_SETS && answer->sets[set].learnt && "the set was not learnt");
    const struct rl_automaton *automaton = &answer->proof->set[set];
    return (struct rl_every_n_automaton){automaton->letters, automaton->states, automaton->next,
                                         automaton->accepts};
}

rl_state rl_every_n_letter(const struct rl_every_n *answer, uint32_t letter)
{
    assert(letter < answer->letters && "there is no such letter");
    return answer->proof->table.word[answer->proof->classes.first[letter]];
}

bool rl_every_n_fails(const struct rl_every_n *answer)
{
    for (size_t i = 0; i < answer->small_count; i++) {
        const struct rl_every_n_small *small = answer->small[i];
        if (!small->refused && small->decided && !small->answer.self_stabilizing)
            return true;
    }
    for (int i = 0; i < RL_EVERY_N_STAGES; i++)
        if (answer->stages[i].explored && !answer->stages[i].reaches)
            return true;
    return false;
}

bool rl_every_n_all_well(const struct rl_every_n *answer, const struct rl_protocol *protocol)
{
    bool well = answer->safe && answer->self_stabilizing_from > 0;
    for (size_t i = 0; i < protocol->set_count; i++)
        well &= answer->sets[i].closed;
    for (size_t i = 0; i < answer->small_count; i++) {
        const struct rl_every_n_small *small = answer->small[i];
        well &= small->refused || (small->decided && small->answer.self_stabilizing);
    }
    return well;
}
