/* SPDX-License-Identifier: MIT
 *
 * Proofs for every n, and their certificates.
 */
#ifndef RINGLEADER_PROVE_H
#define RINGLEADER_PROVE_H

#include "ringleader/verify.h"

RL_BEGIN

/* -------------------------------------------------------------------------------------------------
 *
 * For every n: the verifier without a size, for protocols whose states do not depend on n.
 *
 *     struct rl_every_n answer;
 *     status = rl_every_n(&answer, &options, &error);
 *     ...answer.sets[0].closed, answer.self_stabilizing_from, ...
 *     rl_every_n_free(&answer);
 *
 * A ring of n agents is a word of n letters, so sets of rings of all sizes can be regular
 * languages. The named sets are learnt as automata from their predicates; that the target is closed
 * and safe is then decided for every n; and that it can be reached from everywhere is shown by
 * pre-images under sweeps, in stages: two or more leaders become fewer, one leads to the target,
 * none to one. docs/every-n.md has the idea, and the theorem that it rests on.
 *
 * "Yes" is a proof, about the automaton that is shown. "Don't know" is an answer. Small rings are
 * enumerated as well, and "no" always comes from there, or is an execution that replays.
 *
 * The proof is about a table of what two letters become. That it is the rule's for every n is so by
 * construction: rule, output and states are parts of the protocol that were compiled without n
 * (struct rl_without_n). Of a file, rl_own_tie says whether these depend on their arguments alone;
 * of the built-in ones a test does. RL_EVERY_N_TIE and RL_EVERY_N_ASSUMED say it in words.
 */

enum { RL_EVERY_N_STAGES = 3, RL_EVERY_N_SMALL = 16 };

#define RL_EVERY_N_TIE                                                                             \
    "the rule is compiled without n, has no writable data and calls nothing outside"
#define RL_EVERY_N_ASSUMED                                                                         \
    "the rule's C is defined (it reads its arguments only), the compiler right"

struct rl_every_n_options {
    const struct rl_protocol *protocol;
    struct rl_params params;       /* without n: the parameters that are ... */
    bool given[RL_MAX_PARAMETERS]; /* ... given */
    const char *untied;            /* why its rule may depend on n after all (own.h), or NULL */
    uint32_t from_n;               /* ask only about rings of so many agents or more; at least 2 */
    uint32_t sweeps;               /* pre-images a stage, at most */
    uint64_t words;                /* rings that a learnt set is compared on; 0: 2 * 10^7 */
    uint64_t memory;               /* bytes it may take */
    unsigned jobs;                 /* threads for what is enumerated, at least 1 */
    const struct rl_watch *watch;  /* may be NULL */
};

/* What is known of a named set. */
struct rl_every_n_set {
    bool learnt;
    uint32_t states;  /* of its automaton */
    uint32_t checked; /* the automaton and the set are equal on all rings of up to so many agents */
    bool closed;
    uint32_t way_out_n; /* if it is not: the least n, and an execution */
    struct rl_counterexample way_out;
};

/* A stage: from all rings with so many leaders something better can be reached. */
struct rl_every_n_stage {
    const char *from, *to;
    bool or_none; /* or no leader, which the last stage deals with */
    bool tried;   /* it is only if the target is closed and safe */
    bool proved;  /* for every n >= from_n */
    uint32_t from_n;
    uint32_t moves;     /* pre-images taken */
    uint32_t states;    /* of the last automaton */
    bool out_of_memory; /* it ended for that reason */
    /* If it is not proved: a shortest ring that is not settled, and what exploring it said. */
    uint32_t missing_n; /* 0: none to show */
    rl_state missing[RL_VERIFY_AGENTS];
    bool explored, reaches; /* the target with probability 1 */
};

/* A small ring, enumerated. */
struct rl_every_n_small {
    uint32_t n;
    struct rl_params params;
    bool refused; /* the protocol promises nothing of so few agents */
    bool decided; /* otherwise there was not enough memory */
    struct rl_verification answer;
};

struct rl_every_n_proof;

struct rl_every_n {
    char obstacle[240];      /* why nothing can be said of every n; "": something can */
    struct rl_params params; /* of the least n; the same for every n */
    uint64_t agent_states;
    uint32_t letters;
    /* Which n: those with sizes[n % period], from `least` on, the first that is asked about and
     * that the protocol accepts. Smaller ones are enumerated only. */
    uint32_t least;
    uint32_t period;
    bool sizes[64];

    struct rl_every_n_set sets[RL_MAX_SETS];
    bool safe; /* the target is, for every n */
    uint32_t unsafe_n;
    struct rl_counterexample unsafe;

    struct rl_every_n_stage stages[RL_EVERY_N_STAGES];
    struct rl_every_n_small *small[RL_EVERY_N_SMALL];
    size_t small_count;

    uint32_t proved_from;           /* by automata alone: for every n >= this; 0: not known */
    uint32_t self_stabilizing_from; /* the same, with what was enumerated; 0: not known */

    struct rl_every_n_proof *proof; /* the automata themselves */
};

/* Free the answer also after a failure. RL_TOO_LARGE does not happen: what does not fit is not
 * known. RL_STOPPED as in rl_verify. */
RL_MUST_CHECK enum rl_status rl_every_n(struct rl_every_n *answer,
                                        const struct rl_every_n_options *options,
                                        struct rl_error *error);
void rl_every_n_free(struct rl_every_n *answer);

/* The automaton of a set that was learnt; state 0 is the start. The answer keeps it. */
struct rl_every_n_automaton {
    uint32_t letters, states;
    const uint32_t *next; /* [state * letters + letter] */
    const bool *accepts;  /* [state] */
};
struct rl_every_n_automaton rl_every_n_automaton(const struct rl_every_n *answer, size_t set);
/* The first state that is this letter. */
rl_state rl_every_n_letter(const struct rl_every_n *answer, uint32_t letter);

/* Is there an n that the protocol promises, and at which it is not self-stabilizing? */
bool rl_every_n_fails(const struct rl_every_n *answer);
/* Does everything hold that was asked, for every n that the protocol accepts? */
bool rl_every_n_all_well(const struct rl_every_n *answer, const struct rl_protocol *protocol);

/* -------------------------------------------------------------------------------------------------
 *
 * Certificates: a proof for every n (every_n.h) as text, to be kept, sent and checked by others.
 * docs/formats.md has the form, and tests/agree/certificate.py a checker that shares nothing with
 * this one.
 */

/* Writes what was proved: that the target is closed and safe, which must be so, and from which n on
 * the protocol is self-stabilizing, if that is. RL_IO if `put` fails. */
RL_MUST_CHECK enum rl_status rl_certificate_write(const struct rl_every_n *answer, void *user,
                                                  rl_put put);

/* What a certificate certifies: the target is closed and safe on all rings of `least` agents or
 * more (of the sizes that the protocol is for), and the protocol self-stabilizing on those of
 * `from_n` or more (0: nothing is said of that). */
struct rl_certificate {
    const struct rl_protocol *protocol;
    struct rl_params params;
    uint32_t least, from_n;
    /* Small rings that were enumerated beside it, and are again when it is checked. */
    uint32_t enumerated, small_n[RL_EVERY_N_SMALL];
    bool small_holds[RL_EVERY_N_SMALL];
    uint32_t checked;  /* the automaton equals the target on all rings of up to so many agents */
    uint32_t automata; /* so many were looked at */
};

/* Checks a certificate from the beginning. RL_BAD_TEXT if it is not one (with line and column),
 * RL_BAD_CERTIFICATE if it does not prove what it says; `error` then has a ring that shows it.
 * RL_TOO_LARGE and RL_STOPPED as in rl_verify. `watch` may be NULL. */
RL_MUST_CHECK enum rl_status rl_certificate_check(const char *text, size_t length, uint64_t memory,
                                                  const struct rl_watch *watch,
                                                  struct rl_certificate *certificate_out,
                                                  struct rl_error *error);

RL_END

#endif
