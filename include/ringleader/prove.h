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
 * Verification for every n, for protocols whose states do not depend on n.
 *
 *     struct rl_every_n answer;
 *     status = rl_every_n(&answer, &options, &error);
 *     ...answer.sets[0].closed, answer.self_stabilizing_from, ...
 *     rl_every_n_free(&answer);
 *
 * A ring of n agents is a word of n letters, so a set of rings of all sizes can be a regular
 * language. The named sets are learnt as automata from their predicates. Then it is decided, for
 * every n, whether the target is closed and safe. That it can be reached from everywhere is shown
 * by pre-images under sweeps, in stages: two or more leaders become fewer, one leader leads to the
 * target, and no leader leads to one. docs/every-n.md explains the idea and the theorem behind it.
 *
 * "Yes" is a proof about the automaton that is shown. "Don't know" is an answer too. Small rings
 * are also enumerated. "No" always comes from there, or with an execution that you can replay.
 *
 * The proof is about a table that says what two letters become. The table matches the rule for
 * every n by construction: rule, output and states were compiled without n (struct rl_without_n).
 * For a protocol from a file, rl_own_tie checks that these depend only on their arguments; for the
 * built-in ones a test does. RL_EVERY_N_TIE and RL_EVERY_N_ASSUMED say this in words.
 */

enum { RL_EVERY_N_STAGES = 3, RL_EVERY_N_SMALL = 16 };

#define RL_EVERY_N_TIE                                                                             \
    "the rule is compiled without n, has no writable data and calls nothing outside"
#define RL_EVERY_N_ASSUMED                                                                         \
    "the rule's C is defined (it reads its arguments only), the compiler right"

struct rl_every_n_options {
    const struct rl_protocol *protocol;
    struct rl_params params;       /* without n: the parameters that were ... */
    bool given[RL_MAX_PARAMETERS]; /* ... given */
    const char *untied;            /* why the rule may depend on n after all, or NULL */
    uint32_t from_n;               /* only rings of at least this many agents; 2 or more */
    uint32_t sweeps;               /* at most this many pre-images per stage */
    uint64_t words;                /* how many rings to compare a learnt set on; 0: 2 * 10^7 */
    uint64_t memory;               /* at most this many bytes */
    unsigned jobs;                 /* threads for enumeration, at least 1 */
    const struct rl_watch *watch;  /* may be NULL */
};

/* What is known about a named set. */
struct rl_every_n_set {
    bool learnt;
    uint32_t states;  /* of its automaton */
    uint32_t checked; /* automaton and set agree on all rings of up to this many agents */
    bool closed;
    uint32_t way_out_n; /* if it is not closed: the least n, and an execution */
    struct rl_counterexample way_out;
};

/* A stage: from all rings with a given number of leaders, something better can be reached. */
struct rl_every_n_stage {
    const char *from, *to;
    bool or_none; /* or no leader, which the last stage deals with */
    bool tried;   /* stages are tried only if the target is closed and safe */
    bool proved;  /* for every n >= from_n */
    uint32_t from_n;
    uint32_t moves;     /* pre-images taken */
    uint32_t states;    /* of the last automaton */
    bool out_of_memory; /* the reason why it ended */
    /* If it is not proved: a shortest ring that is left open, and what exploring it showed. */
    uint32_t missing_n; /* 0: there is none to show */
    rl_state missing[RL_VERIFY_AGENTS];
    bool explored, reaches; /* the target with probability 1 */
};

/* A small ring, enumerated. */
struct rl_every_n_small {
    uint32_t n;
    bool refused; /* the protocol promises nothing for so few agents */
    bool decided; /* false: there was not enough memory */
    struct rl_verification answer;
};

struct rl_every_n_proof;

struct rl_every_n {
    char obstacle[240];      /* why nothing can be said about every n; "": something can */
    struct rl_params params; /* for the least n; the same for every n */
    uint64_t agent_states;
    uint32_t letters;
    /* Which n: those with sizes[n % period], from `least` on, which is the first n that was asked
     * for and that the protocol accepts. Smaller n are only enumerated. */
    uint32_t least;
    uint32_t period;
    bool sizes[64];

    struct rl_every_n_set sets[RL_MAX_SETS];
    bool safe; /* the target is safe, for every n */
    uint32_t unsafe_n;
    struct rl_counterexample unsafe;

    struct rl_every_n_stage stages[RL_EVERY_N_STAGES];
    struct rl_every_n_small *small[RL_EVERY_N_SMALL];
    size_t small_count;

    uint32_t proved_from;           /* for every n >= this, by automata alone; 0: not known */
    uint32_t self_stabilizing_from; /* the same, together with enumeration; 0: not known */

    struct rl_every_n_proof *proof; /* the automata themselves */
};

/* Free the answer even after a failure. RL_TOO_LARGE is never returned: what does not fit into
 * memory is "not known". RL_STOPPED is as in rl_verify. */
RL_MUST_CHECK enum rl_status rl_every_n(struct rl_every_n *answer,
                                        const struct rl_every_n_options *options,
                                        struct rl_error *error);
void rl_every_n_free(struct rl_every_n *answer);

/* The automaton of a set that was learnt; state 0 is the start. The answer owns it. */
struct rl_every_n_automaton {
    uint32_t letters, states;
    const uint32_t *next; /* [state * letters + letter] */
    const bool *accepts;  /* [state] */
};
struct rl_every_n_automaton rl_every_n_automaton(const struct rl_every_n *answer, size_t set);
/* The first agent state that this letter stands for. */
rl_state rl_every_n_letter(const struct rl_every_n *answer, uint32_t letter);

/* Is there an n for which the protocol makes its promise but is not self-stabilizing? */
bool rl_every_n_fails(const struct rl_every_n *answer);
/* Does everything that was asked hold, for every n that the protocol accepts? */
bool rl_every_n_all_well(const struct rl_every_n *answer, const struct rl_protocol *protocol);

/* -------------------------------------------------------------------------------------------------
 *
 * Certificates: a proof for every n as text, which you can keep, send, and let others check.
 * docs/formats.md has the form. tests/agree/certificate.py is a second checker that shares nothing
 * with this one.
 */

/* Writes what was proved: that the target is closed and safe, which it must be, and from which n on
 * the protocol is self-stabilizing, if that was proved. RL_IO if `put` fails. */
RL_MUST_CHECK enum rl_status rl_certificate_write(const struct rl_every_n *answer, void *user,
                                                  rl_put put);

/* What a certificate proves: on all rings of at least `least` agents (of the sizes that the
 * protocol is for) the target is closed and safe, and on those of at least `from_n` agents the
 * protocol is self-stabilizing (0: the certificate does not say). */
struct rl_certificate {
    const struct rl_protocol *protocol;
    struct rl_params params;
    uint32_t least, from_n;
    /* Small rings that were enumerated too, and are enumerated again by the check. */
    uint32_t enumerated, small_n[RL_EVERY_N_SMALL];
    bool small_holds[RL_EVERY_N_SMALL];
    uint32_t checked;  /* the automaton equals the target on all rings of up to this many agents */
    uint32_t automata; /* how many were checked */
};

/* Checks a whole certificate. RL_BAD_TEXT, with line and column, if it is not one.
 * RL_BAD_CERTIFICATE if it does not prove what it says; `error` then shows a ring as evidence.
 * RL_TOO_LARGE and RL_STOPPED are as in rl_verify. `watch` may be NULL. */
RL_MUST_CHECK enum rl_status rl_certificate_check(const char *text, size_t length, uint64_t memory,
                                                  const struct rl_watch *watch,
                                                  struct rl_certificate *certificate_out,
                                                  struct rl_error *error);

RL_END

#endif
