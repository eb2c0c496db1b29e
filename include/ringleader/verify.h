/* SPDX-License-Identifier: MIT
 *
 * The verifier: every configuration of a small ring.
 *
 *     struct rl_verification answer;
 *     status = rl_verify(&answer, &options, &error);
 *     ...answer.sets[0].closed, answer.self_stabilizing, ...
 *     rl_verify_free(&answer);
 *
 * It asks of any protocol, through its one interface: are the named sets closed, do the lemmas hold
 * at every interaction, which configurations are safe, is a safe one reachable from everywhere, and
 * what is the expected number of steps to each set, from the worst configuration and from a
 * uniformly random one. Counts are always of the full, unreduced space. "No" is an answer, not an
 * error, and comes with a counterexample: an execution, as short as possible.
 *
 * The space is reduced exactly, as far as the question allows: agent states that neither the
 * question nor any interaction can tell apart are one (src/verify/classes.h), rotated
 * configurations are one (words.h).
 */
#ifndef RINGLEADER_VERIFY_H
#define RINGLEADER_VERIFY_H

#include "ringleader/ring.h"

RL_BEGIN

/* Larger rings have more configurations than any memory. */
enum { RL_VERIFY_AGENTS = 32, RL_MAX_LEMMAS = 16 };

/* How far a verification is. */
struct rl_progress {
    const char *phase;
    const char *subject; /* the set in question, or "" */
    double done;         /* of this pass, 0 to 1 */
    uint64_t sweeps;     /* passes so far */
    uint64_t found;      /* instead of `done`, where the end is not known; 0: not counted */
    double error;        /* of the expected times, as far as known; 0: nothing to say */
};

/* Who wants to know. `tell` is called often, from the thread that called rl_verify; if it answers
 * false, everything stops soon with RL_STOPPED. */
struct rl_watch {
    void *user;
    bool (*tell)(void *user, const struct rl_progress *progress);
};

/* The questions. */
enum {
    RL_ASK_CLOSURE = 1,   /* sizes of the sets; are they closed? */
    RL_ASK_LEMMAS = 2,    /* the lemmas about interactions */
    RL_ASK_STABILITY = 4, /* safe, target inside safe, self-stabilization */
    RL_ASK_EXPECTED = 8,  /* expected steps, and the lemmas about them; asks for stability too */
    RL_ASK_EVERYTHING = 15,
};

/* Up to this many configurations up to symmetry, expected steps are a matter of minutes: a good
 * value for most_expected. */
#define RL_MOST_EXPECTED (UINT64_C(1) << 26)

struct rl_verify_options {
    const struct rl_protocol *protocol;
    struct rl_params params;
    unsigned questions;     /* 0: everything, but expected steps only up to most_expected ... */
    uint64_t most_expected; /* ... configurations up to symmetry */
    bool no_reduction;      /* every configuration for itself */
    bool exact;             /* expected steps as fractions too */
    double precision;       /* relative error of expected steps */
    uint64_t memory;        /* bytes it may take */
    unsigned jobs;          /* threads, at least 1 */
    const struct rl_watch *watch; /* may be NULL */
};

/* Everything about a ring of n agents with the protocol's usual parameters: expected steps with a
 * relative error of 1e-9, one thread, and four fifths of the machine's memory. */
void rl_verify_options_init(struct rl_verify_options *options, const struct rl_protocol *protocol,
                            uint32_t n);

/* An execution from `start` along `arcs`, all of which are events. */
struct rl_counterexample {
    bool exists;
    rl_state start[RL_VERIFY_AGENTS];
    uint32_t *arcs;
    size_t length;
};

/* Expected steps to a set. */
struct rl_expectation {
    bool known;   /* it was asked for, and found before anything stopped */
    bool finite;  /* the set is reached from everywhere */
    double worst; /* the maximum over all configurations */
    double mean;  /* from a uniformly random one */
    double error; /* proven relative error of both */
    uint64_t sweeps;
    rl_state worst_configuration[RL_VERIFY_AGENTS];
    uint64_t worst_count; /* configurations that are as bad, within the error */
    /* If exact fractions were asked for: the number of classes after lumping, and the fractions
     * if these are few enough (NULL otherwise). */
    uint32_t lumped;
    char *exact_worst;
    char *exact_mean;
};

struct rl_set_answer {
    uint64_t size;
    bool closed;
    struct rl_counterexample way_out;
    bool inside_safe;                /* of the target */
    struct rl_counterexample unsafe; /* from the target to a change of output */
    struct rl_expectation expected;
};

struct rl_lemma_answer {
    uint64_t checked; /* configurations x arcs that it is about */
    uint64_t violations;
    struct rl_counterexample violation;
};

struct rl_claim_answer {
    bool known; /* as in rl_expectation */
    bool finite;
    double worst; /* expected steps, the maximum over `from` */
    double units; /* the same in the claim's units */
    bool holds;   /* within the bound, or there is none */
};

struct rl_verification {
    unsigned questions; /* as asked; without RL_ASK_EXPECTED if the space is too large for it */
    unsigned decided; /* the questions that are answered in full: all of them, unless it stopped */
    uint64_t agent_states;
    uint64_t configurations;
    uint64_t agent_classes;   /* in the finest space that was looked at ... */
    uint64_t representatives; /* ... and its size */
    uint64_t memory;          /* planned bytes */

    struct rl_set_answer sets[RL_MAX_SETS];
    struct rl_lemma_answer lemmas[RL_MAX_LEMMAS];
    struct rl_claim_answer claims[RL_MAX_LEMMAS];

    uint64_t safe;
    bool self_stabilizing;
    uint64_t stuck; /* configurations from which no safe one can be reached */
    uint64_t trap;  /* configurations of a closed set that has none; 0: there is no such set */
    uint32_t trap_leaders_least, trap_leaders_most;
    /* Starts in the trap; ends with a change of output, if one is possible there, or else where it
     * began, up to symmetry: so it goes on for ever. */
    struct rl_counterexample trapped;
    struct rl_expectation safe_expected;
};

/* RL_TOO_LARGE if the memory allowed is not enough; `error` then has the figure, and nothing has
 * been taken. After RL_STOPPED the answer has what was found until then: the questions that are
 * decided, and the expectations and claims that are known. Free the answer also after a failure. */
RL_MUST_CHECK enum rl_status rl_verify(struct rl_verification *answer,
                                       const struct rl_verify_options *options,
                                       struct rl_error *error);
void rl_verify_free(struct rl_verification *answer);

/* Is everything that was decided as the protocol promises? */
bool rl_verify_all_well(const struct rl_verification *answer, const struct rl_protocol *protocol);

/* Whether exact fractions are possible: this needs FLINT. */
bool rl_verify_has_exact(void);

/* A counterexample as an execution (run.h), through `put`. RL_IO if that fails. */
RL_MUST_CHECK enum rl_status rl_counterexample_write(const struct rl_counterexample *example,
                                                     const struct rl_protocol *protocol,
                                                     const struct rl_params *params, void *user,
                                                     rl_put put);

/* The distribution of the hit of a set, from one configuration: row(user, t, P(T <= t)) for t = 0,
 * 1, ..., until all but options->precision of the probability is known, or no more comes. */
RL_MUST_CHECK enum rl_status
rl_distribution(const struct rl_verify_options *options, const struct rl_ring *start, size_t set,
                void *user, void (*row)(void *user, uint64_t step, double probability),
                struct rl_error *error);

/* The model in the language of the PRISM model checker, through `put`. */
RL_MUST_CHECK enum rl_status rl_prism_write(const struct rl_protocol *protocol,
                                            const struct rl_params *params, void *user, rl_put put,
                                            struct rl_error *error);

RL_END

#endif
