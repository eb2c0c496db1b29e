/* SPDX-License-Identifier: MIT
 *
 * The statements that a proof for every n is made of, as questions about automata. The prover asks
 * them while it looks for a proof, and the checker asks them again of a finished one.
 */
#include "verify/every_n/proof.h"

#include <stdlib.h>

void rl_proof_free(struct rl_every_n_proof *proof)
{
    for (int stage = 0; stage < RL_EVERY_N_STAGES; stage++) {
        for (uint32_t i = 0; i <= RL_CHAIN_MOVES; i++)
            rl_automaton_free(&proof->chains[stage].sets[i]);
        rl_automaton_free(&proof->chains[stage].guard);
    }
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        rl_automaton_free(&proof->set[i]);
    rl_alphabet_free(&proof->plain);
    rl_alphabet_free(&proof->marked);
    rl_classes_free(&proof->classes);
    rl_table_free(&proof->table);
}

static void keep_sizes(const struct rl_every_n_proof *proof, const struct rl_alphabet *alphabet,
                       uint32_t from_n, struct rl_effort *effort, struct rl_automaton *set)
{
    const struct rl_sizes *sizes = &proof->sizes;
    rl_automaton_keep(
        set, rl_alphabet_lengths(alphabet, from_n, sizes->in_period, sizes->period, effort),
        RL_KEEP_BOTH, effort);
}

/* ---- stages ---- */

static const struct rl_alphabet *alphabet_of(const struct rl_every_n_proof *proof, int stage)
{
    return stage == RL_STAGE_MANY ? &proof->marked : &proof->plain;
}

struct rl_automaton rl_proof_wanted(const struct rl_every_n_proof *proof, int stage,
                                    uint32_t from_n, struct rl_effort *effort)
{
    const struct rl_alphabet *alphabet = alphabet_of(proof, stage);
    const uint32_t least = stage == RL_STAGE_MANY ? 2 : stage == RL_STAGE_ONE;
    const uint32_t most = stage == RL_STAGE_MANY ? UINT32_MAX : least;
    struct rl_automaton out = rl_alphabet_count(alphabet, alphabet->leads, least, most, effort);
    if (stage == RL_STAGE_MANY)
        rl_automaton_keep(&out, rl_alphabet_count(alphabet, alphabet->lost, 1, UINT32_MAX, effort),
                          RL_KEEP_FIRST_ONLY, effort);
    if (stage != RL_STAGE_NONE)
        rl_automaton_keep(&out, rl_alphabet_second(alphabet, alphabet->leads, effort), RL_KEEP_BOTH,
                          effort);
    keep_sizes(proof, alphabet, from_n, effort, &out);
    return out;
}

struct rl_automaton rl_proof_goal(const struct rl_every_n_proof *proof, int stage,
                                  struct rl_effort *effort)
{
    const struct rl_alphabet *alphabet = alphabet_of(proof, stage);
    if (stage == RL_STAGE_ONE)
        return rl_automaton_copy(&proof->set[proof->table.protocol->target], effort);
    if (stage == RL_STAGE_NONE && proof->may_lose)
        return rl_automaton_copy(&proof->chains[RL_STAGE_ONE].sets[proof->lost_at], effort);
    if (stage == RL_STAGE_NONE)
        return rl_alphabet_count(alphabet, alphabet->leads, 1, UINT32_MAX, effort);
    struct rl_automaton out = rl_alphabet_count(alphabet, alphabet->lost, 1, UINT32_MAX, effort);
    if (!proof->may_lose)
        rl_automaton_keep(&out, rl_alphabet_count(alphabet, alphabet->leads, 1, UINT32_MAX, effort),
                          RL_KEEP_BOTH, effort);
    return out;
}

void rl_proof_chain(struct rl_every_n_proof *proof, int stage, struct rl_effort *effort)
{
    const struct rl_alphabet *alphabet = alphabet_of(proof, stage);
    struct rl_chain *chain = &proof->chains[stage];
    const uint32_t leaders = stage == RL_STAGE_ONE;
    chain->alphabet = alphabet;
    chain->report = stage == RL_STAGE_NONE && alphabet->meet[1];
    chain->guard = stage == RL_STAGE_MANY
                       ? rl_alphabet_second(alphabet, alphabet->marked, effort)
                       : rl_alphabet_count(alphabet, alphabet->leads, leaders, leaders, effort);
    if (stage == RL_STAGE_ONE)
        rl_automaton_keep(&chain->guard, rl_alphabet_second(alphabet, alphabet->leads, effort),
                          RL_KEEP_BOTH, effort);
}

struct rl_automaton rl_proof_move(const struct rl_chain *chain, const struct rl_automaton *set,
                                  enum rl_move move, struct rl_effort *effort)
{
    struct rl_automaton out =
        move == RL_MOVE_LOSE
            ? rl_alphabet_count(chain->alphabet, chain->alphabet->leads, 0, 0, effort)
            : rl_preimage(set, chain->alphabet, move, chain->report, true, &chain->guard, effort);
    rl_automaton_keep(&out, rl_automaton_copy(set, effort), RL_KEEP_EITHER, effort);
    return out;
}

bool rl_proof_never_creates(const struct rl_every_n_proof *proof)
{
    const struct rl_alphabet *alphabet = &proof->plain;
    const size_t letters = alphabet->letters;
    for (size_t i = 0; i < letters * letters; i++) {
        const struct rl_pair after = alphabet->meet[0][i];
        if (alphabet->leads[after.l] > alphabet->leads[i / letters] ||
            alphabet->leads[after.r] > alphabet->leads[i % letters])
            return false;
    }
    return true;
}

/* ---- the sets ---- */

/* Words that a move leads into `outside`. With an oracle: only where its report is as the word has
 * it. */
static struct rl_automaton leaving(const struct rl_alphabet *alphabet,
                                   const struct rl_automaton *outside, enum rl_move move,
                                   bool report, struct rl_effort *effort)
{
    const bool listen = alphabet->meet[1] && move != RL_MOVE_TURN;
    struct rl_automaton guard = rl_alphabet_count(alphabet, alphabet->leads, listen && !report,
                                                  listen && report ? 0 : UINT32_MAX, effort);
    const struct rl_automaton out =
        rl_preimage(outside, alphabet, move, report, false, &guard, effort);
    rl_automaton_free(&guard);
    return out;
}

/* Words that one interaction leads outside. */
static struct rl_automaton leaving_by_arc(const struct rl_alphabet *alphabet,
                                          const struct rl_automaton *outside,
                                          struct rl_effort *effort)
{
    struct rl_automaton out = rl_automaton_make(alphabet->letters, 1, effort); /* none so far */
    for (int k = 0; k < 4 && alphabet->meet[k / 2]; k++)
        rl_automaton_keep(
            &out, leaving(alphabet, outside, k % 2 ? RL_MOVE_SEAM : RL_MOVE_ARC, k / 2, effort),
            RL_KEEP_EITHER, effort);
    return out;
}

static struct rl_automaton with_flaw(const struct rl_every_n_proof *proof, size_t set,
                                     enum rl_flaw flaw, struct rl_effort *effort)
{
    const struct rl_alphabet *alphabet = &proof->plain;
    if (flaw == RL_FLAW_OUTPUT)
        return rl_alphabet_changes(alphabet, effort);
    struct rl_automaton not = flaw == RL_FLAW_LEADERS
                                  ? rl_alphabet_count(alphabet, alphabet->leads, 1, 1, effort)
                                  : rl_automaton_copy(&proof->set[set], effort);
    rl_automaton_complement(&not );
    if (flaw == RL_FLAW_LEADERS)
        return not ;
    const struct rl_automaton out = flaw == RL_FLAW_TURN
                                        ? leaving(alphabet, &not, RL_MOVE_TURN, false, effort)
                                        : leaving_by_arc(alphabet, &not, effort);
    rl_automaton_free(&not );
    return out;
}

struct rl_letters rl_proof_flaw(const struct rl_every_n_proof *proof, size_t set, enum rl_flaw flaw,
                                uint32_t from_n, struct rl_effort *effort)
{
    struct rl_automaton flawed = rl_automaton_copy(&proof->set[set], effort);
    keep_sizes(proof, &proof->plain, from_n, effort, &flawed);
    rl_automaton_keep(&flawed, with_flaw(proof, set, flaw, effort), RL_KEEP_BOTH, effort);
    const struct rl_letters word = rl_automaton_shortest(&flawed, effort);
    rl_automaton_free(&flawed);
    return word;
}

/* ---- small rings ---- */

enum rl_status rl_proof_verify(const struct rl_every_n_options *options, uint32_t n,
                               struct rl_verification *answer, struct rl_error *error)
{
    struct rl_verify_options asked = {.protocol = options->protocol,
                                      .questions = RL_ASK_STABILITY,
                                      .precision = 1e-9,
                                      .memory = options->memory,
                                      .jobs = options->jobs,
                                      .watch = options->watch};
    const enum rl_status status = rl_sizes_params(options, n, &asked.params);
    return status && status != RL_UNPROMISED ? status : rl_verify(answer, &asked, error);
}
