/* SPDX-License-Identifier: MIT
 *
 * What a proof for every n consists of: letters, the automata of the sets, and a chain of automata
 * for each stage. Whoever has these can check it (prove.h).
 */
#ifndef RINGLEADER_EVERY_N_PROOF_H
#define RINGLEADER_EVERY_N_PROOF_H

#include "ringleader/prove.h"
#include "verify/every_n/automaton.h"

/* ---- sizes.c ------------------------------------------------------------------------------------
 *
 * Which n a protocol is for, and whether an agent is the same thing for all of them.
 *
 * Neither is found by looking at some n. Which n is declared, as a least size and a modulus (struct
 * rl_promise); an agent is the same thing because rule, output and states are parts that were
 * compiled in a world without n (struct rl_without_n).
 */

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

enum { RL_CHAIN_MOVES = 64 };

/* sets[0] is inside the goal; sets[i + 1] is sets[i] and what its pre-image under moves[i] has of
 * the guard. A guard keeps automata small: leaders and marks stay where they are, so the one at u_1
 * may be taken to be there all the way. Where the oracle speaks, it keeps to rings without a leader
 * besides. */
struct rl_chain {
    const struct rl_alphabet *alphabet;
    struct rl_automaton guard;
    bool report;    /* the oracle speaks */
    uint32_t count; /* moves */
    enum rl_move moves[RL_CHAIN_MOVES];
    struct rl_automaton sets[RL_CHAIN_MOVES + 1];
};

struct rl_every_n_proof {
    struct rl_sizes sizes;
    struct rl_table table;     /* of the smallest ring that is accepted */
    struct rl_classes classes; /* no interaction, output or set can tell their members apart */
    struct rl_alphabet plain, marked;
    struct rl_automaton set[RL_MAX_SETS]; /* over `plain`; no states: not learnt */
    /* Stages must not lose the last leader, or else they could go round for ever. With an oracle
     * they may, if from no leader a set is reached from which the target is, and nobody is lost any
     * more: the set of the chain of one leader before its move `lose`. */
    bool may_lose;
    uint32_t lost_at; /* the place of that set */
    struct rl_chain chains[RL_EVERY_N_STAGES];
};

/* The stages, by their places in the list. */
enum { RL_STAGE_MANY, RL_STAGE_ONE, RL_STAGE_NONE };

void rl_proof_free(struct rl_every_n_proof *proof);

/* What stage `stage` begins with, for all n >= from_n (of a ring, one rotation is enough), and what
 * it is to reach: fewer leaders, the target, or some leader (if others may lose the last one, in
 * the set just named). */
struct rl_automaton rl_proof_wanted(const struct rl_every_n_proof *proof, int stage,
                                    uint32_t from_n, struct rl_effort *effort);
struct rl_automaton rl_proof_goal(const struct rl_every_n_proof *proof, int stage,
                                  struct rl_effort *effort);

/* A chain of a stage, with its guard and no sets. */
void rl_proof_chain(struct rl_every_n_proof *proof, int stage, struct rl_effort *effort);
/* A set of the chain, and what its pre-image under a move has of the guard. */
struct rl_automaton rl_proof_move(const struct rl_chain *chain, const struct rl_automaton *set,
                                  enum rl_move move, struct rl_effort *effort);

/* Does no interaction make a leader while the oracle is silent? */
bool rl_proof_never_creates(const struct rl_every_n_proof *proof);

/* What can be wrong with a set. The last two concern the target only. */
enum rl_flaw {
    RL_FLAW_TURN,    /* turned by one agent, a ring is outside: it matters where a ring is cut */
    RL_FLAW_CLOSURE, /* one interaction leads outside */
    RL_FLAW_LEADERS, /* there is not exactly one leader */
    RL_FLAW_OUTPUT   /* one interaction changes an output */
};

/* A shortest ring of n >= from_n agents of a set for which this is so, if there is one. */
struct rl_letters rl_proof_flaw(const struct rl_every_n_proof *proof, size_t set, enum rl_flaw flaw,
                                uint32_t from_n, struct rl_effort *effort);

/* Is a ring of n agents self-stabilizing? As rl_verify has it. */
RL_MUST_CHECK enum rl_status rl_proof_verify(const struct rl_every_n_options *options, uint32_t n,
                                             struct rl_verification *answer,
                                             struct rl_error *error);

/* ---- certificate.c ------------------------------------------------------------------------------
 *
 * A certificate in memory: what the file says, with the protocol that it is about. Sizes, letters
 * and tables are the protocol's own, or reading fails; the automata are as the file has them, and
 * nothing is known of them yet but that they are automata.
 */

struct rl_certificate_text {
    struct rl_every_n_options options; /* protocol, parameters, from_n as the file has them */
    struct rl_certificate says;
    struct rl_every_n_proof proof;
};

/* Free the proof also after a failure. RL_BAD_TEXT with line and column, or RL_NO_MEMORY. */
RL_MUST_CHECK enum rl_status rl_certificate_read(struct rl_certificate_text *read, const char *text,
                                                 size_t length, struct rl_error *error);

/* ---- every_n.c, sets.c, stages.c ---------------------------------------------------------------
 *
 * The prover's parts: the sets (sets.c), the stages (stages.c). every_n.c asks them in turn, and
 * small rings besides.
 */

struct rl_prover {
    struct rl_every_n_options options;
    struct rl_every_n *answer;
    struct rl_every_n_proof *proof;
    struct rl_error *error;
    struct rl_effort effort; /* with what has become of all of it */
};

/* Learns the sets, makes the alphabet, and judges the sets for every n. */
void rl_sets_judge(struct rl_prover *prover);

/* Takes pre-images until each stage is proved, or no more comes. */
void rl_stages_climb(struct rl_prover *prover);

#endif
