/* SPDX-License-Identifier: MIT
 *
 * The verifier: checks every configuration of a small ring.
 *
 *     struct rl_verification answer;
 *     status = rl_verify(&answer, &options, &error);
 *     ...answer.sets[0].closed, answer.self_stabilizing, ...
 *     rl_verify_free(&answer);
 *
 * It works for any protocol, through the one interface, and asks: are the named sets closed? Do the
 * lemmas hold at every interaction? Which configurations are safe? Can a safe one be reached from
 * everywhere? What is the expected number of steps to each set, from the worst configuration and
 * from a uniformly random one? Counts are always those of the full, unreduced space. "No" is an
 * answer, not an error. It comes with a counterexample: an execution that is as short as possible.
 *
 * The space is reduced, without loss, as far as the question allows. Agent states count as one if
 * neither the question nor any interaction can tell them apart (src/verify/classes.h). Rotated
 * configurations count as one too (words.h).
 */
#ifndef RINGLEADER_VERIFY_H
#define RINGLEADER_VERIFY_H

#include "ringleader/ring.h"

RL_BEGIN

/* Larger rings have more configurations than fit into any memory. */
enum { RL_VERIFY_AGENTS = 32, RL_MAX_LEMMAS = 16 };

/* The progress of a verification. */
struct rl_progress {
    const char *phase;
    const char *subject; /* the set in question, or "" */
    double done;         /* of this pass, 0 to 1 */
    uint64_t sweeps;     /* passes so far */
    uint64_t found;      /* instead of `done`, where the end is not known; 0: not counted */
    double error;        /* of the expected times so far; 0: not known */
};

/* Receives progress. `tell` is called often, from the thread that called rl_verify. If it returns
 * false, everything stops soon, with RL_STOPPED. */
struct rl_watch {
    void *user;
    bool (*tell)(void *user, const struct rl_progress *progress);
};

/* The questions. */
enum {
    RL_ASK_CLOSURE = 1,   /* sizes of the sets; are they closed? */
    RL_ASK_LEMMAS = 2,    /* the lemmas about interactions */
    RL_ASK_STABILITY = 4, /* safe, target inside safe, self-stabilization */
    RL_ASK_EXPECTED = 8,  /* expected steps, and the lemmas about them; includes stability */
    RL_ASK_EVERYTHING = 15,
};

/* A good value for most_expected: with up to this many configurations (up to symmetry), expected
 * steps take minutes. */
#define RL_MOST_EXPECTED (UINT64_C(1) << 26)

struct rl_verify_options {
    const struct rl_protocol *protocol;
    struct rl_params params;
    unsigned questions;     /* 0: everything, but expected steps only up to most_expected ... */
    uint64_t most_expected; /* ... configurations up to symmetry */
    bool no_reduction;      /* do not merge configurations */
    bool exact;             /* expected steps as fractions too */
    double precision;       /* relative error of expected steps */
    uint64_t memory;        /* at most this many bytes */
    unsigned jobs;          /* threads, at least 1 */
    const struct rl_watch *watch; /* may be NULL */
};

/* Asks everything about a ring of n agents with the protocol's default parameters: expected steps
 * with a relative error of 1e-9, one thread, and at most four fifths of the machine's memory. */
void rl_verify_options_init(struct rl_verify_options *options, const struct rl_protocol *protocol,
                            uint32_t n);

/* An execution from `start` along `arcs`; each of them is an event. */
struct rl_counterexample {
    bool exists;
    rl_state start[RL_VERIFY_AGENTS];
    uint32_t *arcs;
    size_t length;
};

/* Expected steps to a set. */
struct rl_expectation {
    bool known;   /* it was asked for, and proved to some use; if not, worst and mean are NaN */
    bool finite;  /* the set is reached from everywhere; if not, they are infinite */
    double worst; /* the maximum over all configurations */
    double mean;  /* from a uniformly random one */
    double error; /* the proven relative error of both, below 1/2 */
    uint64_t sweeps;
    rl_state worst_configuration[RL_VERIFY_AGENTS];
    uint64_t worst_count; /* configurations that are equally bad, within the error */
    /* If exact fractions were asked for: the number of classes after lumping, and the fractions, or
     * NULL if there are too many classes. */
    uint32_t lumped;
    char *exact_worst;
    char *exact_mean;
};

struct rl_set_answer {
    uint64_t size;
    bool closed;
    struct rl_counterexample way_out;
    bool inside_safe;                /* for the target */
    struct rl_counterexample unsafe; /* from the target to a change of output */
    struct rl_expectation expected;
};

struct rl_lemma_answer {
    uint64_t checked; /* configurations x arcs that the lemma is about */
    uint64_t violations;
    struct rl_counterexample violation;
};

struct rl_claim_answer {
    bool finite;
    double worst; /* expected steps, the maximum over `from`; NaN: nothing was proved; infinite, as
                     are `units`, if it is not finite */
    double units; /* the same in the claim's units */
    bool told;    /* whether it could be: the bound is not within the proven error */
    bool holds;   /* it is finite, and within the bound, if there is one */
};

struct rl_verification {
    unsigned questions; /* as asked, but without RL_ASK_EXPECTED if the space is too large */
    uint64_t agent_states;
    uint64_t configurations;
    uint64_t agent_classes;   /* in the finest space that was searched ... */
    uint64_t representatives; /* ... and its size */
    uint64_t memory;          /* planned bytes */

    struct rl_set_answer sets[RL_MAX_SETS];
    struct rl_lemma_answer lemmas[RL_MAX_LEMMAS];
    struct rl_claim_answer claims[RL_MAX_LEMMAS];

    uint64_t safe;
    bool self_stabilizing;
    uint64_t stuck; /* configurations from which no safe one can be reached */
    uint64_t trap;  /* size of a closed set without safe ones; 0: there is none */
    uint32_t trap_leaders_least, trap_leaders_most;
    /* Starts in the trap. It ends with a change of output, if one is possible there. Otherwise the
     * start is all there is to show: its leaders stay as they are, and are not one. */
    struct rl_counterexample trapped;
    struct rl_expectation safe_expected;
};

/* RL_TOO_LARGE if not enough memory is allowed; `error` then says how much is needed, and nothing
 * was allocated. After RL_STOPPED the answer means nothing: ask in parts. Free the answer even
 * after a failure. */
RL_MUST_CHECK enum rl_status rl_verify(struct rl_verification *answer,
                                       const struct rl_verify_options *options,
                                       struct rl_error *error);
void rl_verify_free(struct rl_verification *answer);

/* Is everything that was asked as the protocol promised? */
bool rl_verify_all_well(const struct rl_verification *answer, const struct rl_protocol *protocol);

/* Can it compute exact fractions? This needs FLINT. */
bool rl_verify_has_exact(void);

/* Writes a counterexample as an execution (run.h) through `put`. RL_IO if that fails. */
RL_MUST_CHECK enum rl_status rl_counterexample_write(const struct rl_counterexample *example,
                                                     const struct rl_protocol *protocol,
                                                     const struct rl_params *params, void *user,
                                                     rl_put put);

/* The distribution of the hitting time T of a set, from one configuration. Calls row(user, t, P(T
 * <= t)) for t = 0, 1, ..., until all but options->precision of the probability is known, or no
 * more is added. */
RL_MUST_CHECK enum rl_status
rl_distribution(const struct rl_verify_options *options, const struct rl_ring *start, size_t set,
                void *user, void (*row)(void *user, uint64_t step, double probability),
                struct rl_error *error);

/* Writes the model in the language of the PRISM model checker, through `put`. */
RL_MUST_CHECK enum rl_status rl_prism_write(const struct rl_protocol *protocol,
                                            const struct rl_params *params, void *user, rl_put put,
                                            struct rl_error *error);

RL_END

#endif
