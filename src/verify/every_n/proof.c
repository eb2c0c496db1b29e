/* SPDX-License-Identifier: MIT
 *
 * The statements that a proof for every n is made of, as questions about automata. The prover asks
 * them while it looks for a proof, and the checker asks them again of a finished one.
 */
#include "verify/every_n/proof.h"

#include <stdlib.h>

#include "verify/every_n/subsets.h"

void rl_proof_forget(struct rl_chain *chain)
{
    for (uint32_t i = 0; i <= RL_CHAIN_MOVES; i++)
        rl_automaton_free(&chain->sets[i]);
    rl_automaton_free(&chain->guard);
    chain->count = 0;
}

void rl_proof_free(struct rl_every_n_proof *proof)
{
    for (int stage = 0; stage < RL_EVERY_N_STAGES; stage++)
        rl_proof_forget(&proof->chains[stage]);
    for (size_t i = 0; i < RL_MAX_SETS; i++)
        rl_automaton_free(&proof->set[i]);
    rl_alphabet_free(&proof->plain);
    rl_alphabet_free(&proof->marked);
    rl_classes_free(&proof->classes);
    rl_table_free(&proof->table);
}

/* Replaces *set by what it and another have, which is used up. */
static enum rl_status keep(struct rl_automaton *set, struct rl_automaton *other, enum rl_keep which,
                           const struct rl_effort *effort)
{
    struct rl_automaton both;
    const enum rl_status status = rl_automaton_combine(&both, set, other, which, effort);
    rl_automaton_free(set);
    rl_automaton_free(other);
    *set = both;
    return status;
}

/* The same, of another that may have failed to come about. */
static enum rl_status keep_made(enum rl_status made, struct rl_automaton *set,
                                struct rl_automaton *other, enum rl_keep which,
                                const struct rl_effort *effort)
{
    if (!made)
        return keep(set, other, which, effort);
    rl_automaton_free(other);
    return made;
}

static enum rl_status only_sizes(const struct rl_every_n_proof *proof,
                                 const struct rl_alphabet *alphabet, uint32_t from_n,
                                 const struct rl_effort *effort, struct rl_automaton *set)
{
    struct rl_automaton sizes;
    const enum rl_status status =
        rl_alphabet_lengths(alphabet, from_n, proof->sizes.in_period, proof->sizes.period, &sizes);
    return keep_made(status, set, &sizes, RL_KEEP_BOTH, effort);
}

/* ---- stages -----------------------------------------------------------------------------------
 */

static const struct rl_alphabet *alphabet_of(const struct rl_every_n_proof *proof, int stage)
{
    return stage == RL_STAGE_MANY ? &proof->marked : &proof->plain;
}

enum rl_status rl_proof_wanted(const struct rl_every_n_proof *proof, int stage, uint32_t from_n,
                               const struct rl_effort *effort, struct rl_automaton *out)
{
    const struct rl_alphabet *alphabet = alphabet_of(proof, stage);
    const uint32_t least = stage == RL_STAGE_MANY ? 2 : stage == RL_STAGE_ONE;
    const uint32_t most = stage == RL_STAGE_MANY ? UINT32_MAX : least;
    struct rl_automaton other;
    enum rl_status status = rl_alphabet_leaders(alphabet, least, most, out);
    if (!status && stage == RL_STAGE_MANY)
        status = keep_made(rl_alphabet_freshly_marked(alphabet, &other), out, &other, RL_KEEP_BOTH,
                           effort);
    if (!status && stage != RL_STAGE_NONE)
        status = keep_made(rl_alphabet_second_leads(alphabet, &other), out, &other, RL_KEEP_BOTH,
                           effort);
    return status ? status : only_sizes(proof, alphabet, from_n, effort, out);
}

enum rl_status rl_proof_goal(const struct rl_every_n_proof *proof, int stage,
                             const struct rl_effort *effort, struct rl_automaton *out)
{
    const struct rl_alphabet *alphabet = alphabet_of(proof, stage);
    struct rl_automaton some;
    if (stage == RL_STAGE_ONE)
        return rl_automaton_copy(out, &proof->set[proof->table.protocol->target]);
    if (stage == RL_STAGE_NONE && proof->may_lose)
        return rl_automaton_copy(out, &proof->chains[RL_STAGE_ONE].sets[proof->lost_at]);
    if (stage == RL_STAGE_NONE)
        return rl_alphabet_leaders(alphabet, 1, UINT32_MAX, out);
    const enum rl_status status = rl_alphabet_fewer(alphabet, out);
    if (status || proof->may_lose)
        return status;
    return keep_made(rl_alphabet_leaders(alphabet, 1, UINT32_MAX, &some), out, &some, RL_KEEP_BOTH,
                     effort);
}

enum rl_status rl_proof_chain(struct rl_every_n_proof *proof, int stage,
                              const struct rl_effort *effort)
{
    const struct rl_alphabet *alphabet = alphabet_of(proof, stage);
    struct rl_chain *chain = &proof->chains[stage];
    struct rl_automaton other;
    chain->alphabet = alphabet;
    chain->report = stage == RL_STAGE_NONE && alphabet->meet[1];
    if (stage == RL_STAGE_MANY)
        return rl_alphabet_second_marked(alphabet, &chain->guard);
    const enum rl_status status =
        rl_alphabet_leaders(alphabet, stage == RL_STAGE_ONE, stage == RL_STAGE_ONE, &chain->guard);
    if (status || stage == RL_STAGE_NONE)
        return status;
    return keep_made(rl_alphabet_second_leads(alphabet, &other), &chain->guard, &other,
                     RL_KEEP_BOTH, effort);
}

/* What the pre-image under a move has of the guard. */
static enum rl_status moved(const struct rl_chain *chain, const struct rl_automaton *set,
                            enum rl_move move, const struct rl_effort *effort,
                            struct rl_automaton *out)
{
    struct rl_preimage preimage;
    *out = (struct rl_automaton){0};
    if (move == RL_MOVE_LOSE)
        return rl_alphabet_leaders(chain->alphabet, 0, 0, out);
    enum rl_status status =
        rl_preimage_init(&preimage, set, chain->alphabet, move, chain->report, true);
    if (!status)
        status = rl_subsets_automaton(&preimage, &chain->guard, effort, out);
    rl_preimage_free(&preimage);
    return status;
}

enum rl_status rl_proof_move(const struct rl_chain *chain, const struct rl_automaton *set,
                             enum rl_move move, const struct rl_effort *effort,
                             struct rl_automaton *out)
{
    struct rl_automaton copy;
    const enum rl_status status = moved(chain, set, move, effort, out);
    if (status)
        return status;
    return keep_made(rl_automaton_copy(&copy, set), out, &copy, RL_KEEP_EITHER, effort);
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

/* ---- the sets ---------------------------------------------------------------------------------
 */

/* Words that a move leads into `outside`. With an oracle: only where its report is as the word has
 * it. */
static enum rl_status leaving(const struct rl_alphabet *alphabet,
                              const struct rl_automaton *outside, enum rl_move move, bool report,
                              const struct rl_effort *effort, struct rl_automaton *out)
{
    const bool listen = alphabet->meet[1] && move != RL_MOVE_TURN;
    struct rl_preimage preimage;
    struct rl_automaton guard;
    *out = (struct rl_automaton){0};
    enum rl_status status =
        rl_alphabet_leaders(alphabet, listen && !report, listen && report ? 0 : UINT32_MAX, &guard);
    if (!status)
        status = rl_preimage_init(&preimage, outside, alphabet, move, report, false);
    else
        preimage = (struct rl_preimage){0};
    if (!status)
        status = rl_subsets_automaton(&preimage, &guard, effort, out);
    rl_preimage_free(&preimage);
    rl_automaton_free(&guard);
    return status;
}

/* Words that one interaction leads outside. */
static enum rl_status leaving_by_arc(const struct rl_alphabet *alphabet,
                                     const struct rl_automaton *outside,
                                     const struct rl_effort *effort, struct rl_automaton *out)
{
    struct rl_automaton other;
    enum rl_status status = leaving(alphabet, outside, RL_MOVE_ARC, false, effort, out);
    if (!status)
        status = keep_made(leaving(alphabet, outside, RL_MOVE_SEAM, false, effort, &other), out,
                           &other, RL_KEEP_EITHER, effort);
    for (int seam = 0; !status && alphabet->meet[1] && seam < 2; seam++)
        status = keep_made(
            leaving(alphabet, outside, seam ? RL_MOVE_SEAM : RL_MOVE_ARC, true, effort, &other),
            out, &other, RL_KEEP_EITHER, effort);
    return status;
}

static enum rl_status with_flaw(const struct rl_every_n_proof *proof, size_t set, enum rl_flaw flaw,
                                const struct rl_effort *effort, struct rl_automaton *out)
{
    const struct rl_alphabet *alphabet = &proof->plain;
    struct rl_automaton outside = {0};
    enum rl_status status;
    if (flaw == RL_FLAW_OUTPUT)
        return rl_alphabet_changes(alphabet, out);
    if (flaw == RL_FLAW_LEADERS) {
        status = rl_alphabet_leaders(alphabet, 1, 1, out);
        if (!status)
            rl_automaton_complement(out);
        return status;
    }
    *out = (struct rl_automaton){0};
    status = rl_automaton_copy(&outside, &proof->set[set]);
    if (!status) {
        rl_automaton_complement(&outside);
        status = flaw == RL_FLAW_TURN
                     ? leaving(alphabet, &outside, RL_MOVE_TURN, false, effort, out)
                     : leaving_by_arc(alphabet, &outside, effort, out);
    }
    rl_automaton_free(&outside);
    return status;
}

enum rl_status rl_proof_flaw(const struct rl_every_n_proof *proof, size_t set, enum rl_flaw flaw,
                             uint32_t from_n, const struct rl_effort *effort,
                             struct rl_letters *word_out)
{
    struct rl_automaton flawed = {0}, other;
    *word_out = (struct rl_letters){0};
    enum rl_status status = rl_automaton_copy(&flawed, &proof->set[set]);
    if (!status)
        status = only_sizes(proof, &proof->plain, from_n, effort, &flawed);
    if (!status)
        status = keep_made(with_flaw(proof, set, flaw, effort, &other), &flawed, &other,
                           RL_KEEP_BOTH, effort);
    if (!status)
        status = rl_automaton_shortest(&flawed, word_out);
    rl_automaton_free(&flawed);
    return status;
}
