/* SPDX-License-Identifier: MIT
 *
 * Checks certificates: every automaton of the file is compared with the statements of proof.h.
 * Finding a proof is work; checking one is a few inclusions.
 */
#include <stdlib.h>

#include "ringleader/status.h"
#include "verify/every_n/learn.h"

/* The target is compared with its automaton on so many words. */
#define WORDS UINT64_C(2000000)

struct check {
    struct rl_certificate_text read;
    struct rl_effort effort; /* its status is that of the check */
    struct rl_error *error;
};

/* ---- refusals ---- */

/* Refuses, with a ring that shows why. */
static void refuse(struct check *check, const struct rl_alphabet *alphabet,
                   const struct rl_letters *word, const char *what)
{
    const struct rl_every_n_proof *proof = &check->read.proof;
    char ring[160] = "";
    struct rl_text text = rl_text_into(ring, sizeof ring);
    for (uint32_t i = 0; i < word->length; i++) {
        const uint16_t first = proof->classes.first[alphabet->plain[word->at[i]]];
        rl_text_format(&text, "%s%s%s", i > 0 ? " " : "",
                       rl_ring_state(proof->table.protocol, proof->table.word[first]).text,
                       alphabet->marked[word->at[i]] ? "*" : "");
    }
    check->effort.status = rl_error_set(check->error, RL_BAD_CERTIFICATE, "%s: %s", what, ring);
}

/* Every word of `inner` must be in `outer`. */
static void check_inside(struct check *check, const struct rl_alphabet *alphabet,
                         const struct rl_automaton *inner, const struct rl_automaton *outer,
                         const char *what)
{
    struct rl_automaton rest = rl_automaton_without(inner, outer, &check->effort);
    struct rl_letters word = rl_automaton_shortest(&rest, &check->effort);
    if (word.exists)
        refuse(check, alphabet, &word, what);
    check->read.says.automata++;
    rl_letters_free(&word);
    rl_automaton_free(&rest);
}

/* ---- the target ---- */

/* Compares it with its automaton on all small rings. */
static void compare(struct check *check)
{
    const struct rl_every_n_proof *proof = &check->read.proof;
    const struct rl_protocol *protocol = proof->table.protocol;
    const struct rl_teacher teacher = {.table = &proof->table,
                                       .set = &protocol->sets[protocol->target],
                                       .first = proof->classes.first,
                                       .letters = proof->plain.letters,
                                       .words = WORDS};
    rl_letter letters[RL_LEARN_PIECE];
    const struct rl_letters word = {
        letters, rl_learn_compare(&proof->set[protocol->target], &teacher, letters, &check->effort),
        true};
    check->read.says.checked = rl_learn_comparable(&teacher);
    if (word.length > 0)
        refuse(check, &proof->plain, &word,
               "the automaton and the target do not agree on this ring");
}

static void check_target(struct check *check)
{
    static const char *const WORDS_FOR[] = {
        "turned by one agent, this ring leaves the target",
        "one interaction leads this ring out of the target",
        "this ring of the target does not have exactly one leader",
        "one interaction changes an output of this ring"};
    const struct rl_every_n_proof *proof = &check->read.proof;
    compare(check);
    for (int flaw = RL_FLAW_TURN; !check->effort.status && flaw <= RL_FLAW_OUTPUT; flaw++) {
        struct rl_letters word =
            rl_proof_flaw(proof, proof->table.protocol->target, (enum rl_flaw)flaw,
                          check->read.options.from_n, &check->effort);
        if (word.exists)
            refuse(check, &proof->plain, &word, WORDS_FOR[flaw]);
        rl_letters_free(&word);
    }
    check->read.says.automata++;
}

/* ---- the stages ---- */

/* Where the chain of one leader lets go of the last one, if it does; and whether it may do what it
 * does before that. */
static enum rl_status find_loss(struct check *check)
{
    struct rl_every_n_proof *proof = &check->read.proof;
    const struct rl_chain *chain = &proof->chains[RL_STAGE_ONE];
    const bool oracle = proof->plain.meet[1];
    proof->lost_at = chain->count;
    for (uint32_t i = chain->count; i-- > 0;)
        if (chain->moves[i] == RL_MOVE_LOSE) {
            proof->may_lose = oracle;
            proof->lost_at = i;
        }
    if (proof->lost_at < chain->count && !oracle)
        return rl_error_set(check->error, RL_BAD_CERTIFICATE,
                            "a leader must not be lost if no oracle makes a new one");
    if (oracle && (proof->lost_at > 0 || !proof->may_lose) && !rl_proof_never_creates(proof))
        return rl_error_set(
            check->error, RL_BAD_CERTIFICATE,
            "leaders are made while the oracle is silent, so it may have reported on the way");
    return RL_OK;
}

/* Only one leader may be the last; and where the oracle speaks, a sweep would not know when it
 * falls silent. */
static bool is_allowed(const struct rl_chain *chain, int stage, enum rl_move move)
{
    if (move == RL_MOVE_RIGHT || move == RL_MOVE_LEFT)
        return !chain->report;
    return move != RL_MOVE_LOSE || stage == RL_STAGE_ONE;
}

static const char *const STAGES[] = {"many", "one", "none"};

static void check_move(struct check *check, int stage, uint32_t i)
{
    const struct rl_chain *chain = &check->read.proof.chains[stage];
    char what[96];
    struct rl_text text = rl_text_into(what, sizeof what);
    rl_text_format(&text, "stage %s, set %u has a ring that no move '%s' leads into set %u",
                   STAGES[stage], i + 1, rl_move_name(chain->moves[i]), i);
    if (!is_allowed(chain, stage, chain->moves[i])) {
        check->effort.status =
            rl_error_set(check->error, RL_BAD_CERTIFICATE, "stage %s does not allow move '%s'",
                         STAGES[stage], rl_move_name(chain->moves[i]));
        return;
    }
    struct rl_automaton reached =
        rl_proof_move(chain, &chain->sets[i], chain->moves[i], &check->effort);
    check_inside(check, chain->alphabet, &chain->sets[i + 1], &reached, what);
    rl_automaton_free(&reached);
}

static void check_stage(struct check *check, int stage)
{
    struct rl_every_n_proof *proof = &check->read.proof;
    struct rl_chain *chain = &proof->chains[stage];
    rl_proof_chain(proof, stage, &check->effort);
    struct rl_automaton goal = rl_proof_goal(proof, stage, &check->effort);
    check_inside(check, chain->alphabet, &chain->sets[0], &goal,
                 "the first set of a stage has a ring that is not in its goal");
    rl_automaton_free(&goal);
    for (uint32_t i = 0; !check->effort.status && i < chain->count; i++)
        check_move(check, stage, i);
    struct rl_automaton wanted =
        rl_proof_wanted(proof, stage, check->read.says.from_n, &check->effort);
    check_inside(check, chain->alphabet, &wanted, &chain->sets[chain->count],
                 "the last set of a stage does not contain this ring");
    rl_automaton_free(&wanted);
}

/* ---- small rings ---- */

static void check_small(struct check *check, uint32_t n, bool holds)
{
    struct rl_verification answer = {0};
    enum rl_status status = rl_proof_verify(&check->read.options, n, &answer, check->error);
    if (!status && answer.self_stabilizing != holds)
        status =
            rl_error_set(check->error, RL_BAD_CERTIFICATE,
                         "n = %u is %sself-stabilizing, enumerated again", n, holds ? "not " : "");
    rl_verify_free(&answer);
    check->effort.status = status;
}

/* ---- all of it ---- */

static void check_proof(struct check *check)
{
    const uint32_t from_n = check->read.says.from_n;
    check_target(check);
    if (check->effort.status || from_n == 0)
        return;
    check->effort.status = from_n < check->read.options.from_n
                               ? rl_error_set(check->error, RL_BAD_CERTIFICATE,
                                              "nothing is said about the target for n = %u", from_n)
                               : find_loss(check);
    for (int stage = 0; !check->effort.status && stage < RL_EVERY_N_STAGES; stage++)
        check_stage(check, stage);
}

enum rl_status rl_certificate_check(const char *text, size_t length, uint64_t memory,
                                    const struct rl_watch *watch,
                                    struct rl_certificate *certificate_out, struct rl_error *error)
{
    struct check check = {.error = error, .effort = {.memory = memory, .watch = watch}};
    check.effort.status = rl_certificate_read(&check.read, text, length, error);
    check.read.options.memory = memory;
    check.read.options.jobs = 1;
    check.read.options.watch = watch;
    rl_effort_phase(&check.effort, "checking", "");
    if (!check.effort.status)
        check_proof(&check);
    for (uint32_t i = 0; !check.effort.status && i < check.read.says.enumerated; i++)
        check_small(&check, check.read.says.small_n[i], check.read.says.small_holds[i]);
    *certificate_out = check.read.says;
    rl_proof_free(&check.read.proof);
    return check.effort.status;
}
