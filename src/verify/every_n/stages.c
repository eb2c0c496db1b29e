/* SPDX-License-Identifier: MIT
 *
 * Stages: from rings with so many leaders something better can be reached. Each is climbed by
 * pre-images, one kind of move after another: K, then K and the rings that one sweep to the right
 * leads into K, then those that one to the left leads there, and so on round.
 *
 * One kind at a time keeps the automata small: fj06's stage of two leaders or more takes four moves
 * and 16 states at most, where all kinds at once took three rounds and 249 states.
 */
#include <string.h>

#include "verify/every_n/proof.h"

/* Rings of so many configurations can be enumerated when a stage is proved from some n on only. */
#define MOST_ENUMERATED (UINT64_C(1) << 22)

/* ---- what is missing ---- */

static void show_missing(const struct rl_prover *prover, const struct rl_chain *chain,
                         const struct rl_letters *word, struct rl_every_n_stage *stage)
{
    const struct rl_every_n_proof *proof = prover->proof;
    stage->missing_n = word->exists && word->length <= RL_VERIFY_AGENTS ? word->length : 0;
    for (uint32_t i = 0; i < stage->missing_n; i++)
        stage->missing[i] =
            proof->table.word[proof->classes.first[chain->alphabet->plain[word->at[i]]]];
}

/* Looks at what of `wanted` the last set of the chain does not have. */
static void look(struct rl_prover *prover, const struct rl_chain *chain,
                 const struct rl_automaton *wanted, struct rl_every_n_stage *stage)
{
    struct rl_effort *effort = &prover->effort;
    const struct rl_automaton *last = &chain->sets[chain->count];
    struct rl_automaton missing = rl_automaton_without(wanted, last, effort);
    struct rl_letters word = rl_automaton_shortest(&missing, effort);
    uint32_t from_n = prover->answer->least;
    /* If rings of a few small sizes are all that is missing, these can be enumerated. */
    while (!effort->status && !rl_automaton_is_empty(&missing) && from_n < RL_EVERY_N_SMALL &&
           rl_table_configurations(prover->answer->agent_states, from_n, MOST_ENUMERATED))
        rl_automaton_keep(&missing,
                          rl_alphabet_lengths(chain->alphabet, ++from_n, (bool[]){true}, 1, effort),
                          RL_KEEP_BOTH, effort);
    if (!effort->status) {
        show_missing(prover, chain, &word, stage);
        stage->states = last->states;
        stage->moves = chain->count;
        stage->proved = rl_automaton_is_empty(&missing);
        stage->from_n = from_n;
    }
    rl_letters_free(&word);
    rl_automaton_free(&missing);
}

/* ---- climbing ---- */

/* Takes one pre-image; says whether it brought anything. */
static bool climb_once(struct rl_prover *prover, struct rl_chain *chain, enum rl_move move)
{
    struct rl_automaton *before = &chain->sets[chain->count], *after = before + 1;
    *after = rl_proof_move(chain, before, move, &prover->effort);
    const bool more = !prover->effort.status && !rl_automaton_equal(before, after);
    if (more)
        chain->moves[chain->count++] = move;
    else
        rl_automaton_free(after);
    return more;
}

/* The moves of a chain, in turn. Where the oracle speaks, one interaction changes that: no sweeps.
 */
static enum rl_move move_at(const struct rl_chain *chain, uint32_t turn)
{
    static const enum rl_move SILENT[] = {RL_MOVE_RIGHT, RL_MOVE_LEFT, RL_MOVE_SEAM};
    static const enum rl_move SPEAKING[] = {RL_MOVE_ARC, RL_MOVE_SEAM};
    return chain->report ? SPEAKING[turn % 2] : SILENT[turn % 3];
}

/* Climbs until the stage is proved or no more comes. */
static void climb(struct rl_prover *prover, struct rl_chain *chain,
                  const struct rl_automaton *wanted, struct rl_every_n_stage *stage)
{
    const uint32_t most = chain->count + prover->options.sweeps;
    uint32_t idle = 0;
    look(prover, chain, wanted, stage);
    for (uint32_t turn = 0; !prover->effort.status && !stage->proved && idle < 3 &&
                            chain->count < most && chain->count < RL_CHAIN_MOVES;
         turn++) {
        prover->effort.progress.sweeps = chain->count + 1;
        const bool more = climb_once(prover, chain, move_at(chain, turn));
        idle = more ? 0 : idle + 1;
        if (more)
            look(prover, chain, wanted, stage);
    }
    prover->effort.progress.sweeps = 0;
}

/* The first set: the goal; but leaders and marks that stay where they are need no other place. */
static void begin_chain(struct rl_prover *prover, int number)
{
    struct rl_chain *chain = &prover->proof->chains[number];
    struct rl_effort *effort = &prover->effort;
    rl_proof_chain(prover->proof, number, effort);
    chain->sets[0] = rl_proof_goal(prover->proof, number, effort);
    if (number != RL_STAGE_NONE)
        rl_automaton_keep(&chain->sets[0], rl_automaton_copy(&chain->guard, effort), RL_KEEP_BOTH,
                          effort);
}

/* One leader leads to the target; and if it cannot be kept all the way, with an oracle: to the
 * target or to no leader. While the oracle is silent, a leader that is there in the end was always
 * there only if nobody creates one. */
static void climb_from_one(struct rl_prover *prover, const struct rl_automaton *wanted)
{
    struct rl_every_n_proof *proof = prover->proof;
    struct rl_every_n_stage *stage = &prover->answer->stages[RL_STAGE_ONE];
    struct rl_chain *chain = &proof->chains[RL_STAGE_ONE];
    const bool oracle = proof->plain.meet[1];
    if (!oracle || rl_proof_never_creates(proof))
        climb(prover, chain, wanted, stage);
    if (prover->effort.status || stage->proved || !oracle || chain->count == RL_CHAIN_MOVES)
        return;
    proof->may_lose = true;
    proof->lost_at = chain->count;
    climb_once(prover, chain, RL_MOVE_LOSE);
    climb(prover, chain, wanted, stage);
}

static void climb_stage(struct rl_prover *prover, int number)
{
    struct rl_every_n_stage *stage = &prover->answer->stages[number];
    stage->tried = true;
    rl_effort_phase(&prover->effort, "pre-images from", stage->from);
    begin_chain(prover, number);
    struct rl_automaton wanted =
        rl_proof_wanted(prover->proof, number, prover->answer->least, &prover->effort);
    if (!prover->effort.status && number == RL_STAGE_ONE)
        climb_from_one(prover, &wanted);
    else if (!prover->effort.status)
        climb(prover, &prover->proof->chains[number], &wanted, stage);
    rl_automaton_free(&wanted);
    stage->out_of_memory = prover->effort.status == RL_TOO_LARGE;
    if (stage->out_of_memory)
        prover->effort.status = RL_OK;
}

/* The stages in words. There is no way round among them but by fewer leaders. */
static void name_stages(struct rl_prover *prover)
{
    const struct rl_protocol *protocol = prover->options.protocol;
    struct rl_every_n_stage *stages = prover->answer->stages;
    const bool may_lose = prover->proof->may_lose;
    stages[RL_STAGE_MANY].from = "2 or more leaders";
    stages[RL_STAGE_MANY].to = may_lose ? "fewer" : "fewer, not none";
    stages[RL_STAGE_ONE].from = "1 leader";
    stages[RL_STAGE_ONE].to = protocol->sets[protocol->target].name;
    stages[RL_STAGE_ONE].or_none = may_lose;
    stages[RL_STAGE_NONE].from = "no leader";
    stages[RL_STAGE_NONE].to = may_lose ? "a leader that need not be lost" : "some leader";
}

/* The least n from which on all stages are proved, or 0. */
static uint32_t proved_from(const struct rl_every_n *answer)
{
    uint32_t from = 0;
    for (int number = 0; number < RL_EVERY_N_STAGES; number++) {
        const struct rl_every_n_stage *stage = &answer->stages[number];
        if (!stage->proved)
            return 0;
        from = stage->from_n > from ? stage->from_n : from;
    }
    return from;
}

void rl_stages_climb(struct rl_prover *prover)
{
    static const int ORDER[RL_EVERY_N_STAGES] = {RL_STAGE_ONE, RL_STAGE_NONE, RL_STAGE_MANY};
    name_stages(prover);
    for (int i = 0; !prover->effort.status && prover->answer->safe && i < RL_EVERY_N_STAGES; i++)
        climb_stage(prover, ORDER[i]);
    name_stages(prover); /* again: a leader may be lost now */
    prover->answer->proved_from = proved_from(prover->answer);
}
