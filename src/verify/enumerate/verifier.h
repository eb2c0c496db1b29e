/* SPDX-License-Identifier: MIT
 *
 * A verification under way.
 */
#ifndef RINGLEADER_VERIFY_VERIFIER_H
#define RINGLEADER_VERIFY_VERIFIER_H

#include "verify/enumerate/words.h"

/* ---- view.c -------------------------------------------------------------------------------------
 *
 * Views: for each question, the coarsest classes that it allows. Questions with the same classes
 * share a view.
 */

/* The base (outputs and interactions alone), and one for each set, lemma and claim at most. */
enum { RL_MAX_VIEWS = 1 + RL_MAX_SETS + 2 * RL_MAX_LEMMAS };

struct rl_view {
    bool measured; /* it is that of a set or a claim, to which steps are expected */
    struct rl_classes classes;
    struct rl_words words;
};

struct rl_views {
    struct rl_table table;
    struct rl_view *list[RL_MAX_VIEWS];
    size_t count;
    struct rl_view *base;
    struct rl_view *set[RL_MAX_SETS];
    struct rl_view *lemma[RL_MAX_LEMMAS];
    struct rl_view *claim[RL_MAX_LEMMAS];
};

/* Fails if so many bytes are not allowed, or, if `bytes` is 0, because no number of them would do.
 */
void rl_view_plan(struct rl_effort *effort, uint64_t bytes, struct rl_error *error);

/* The views of a protocol's sets, lemmas and claims. RL_TOO_LARGE if the configurations are too
 * many to be numbered or an agent has too many states to tabulate; RL_BAD_PARAMETER if what follows
 * depends on more than the configuration (an oracle that reports with a delay). With `no_reduction`
 * there is one, in which every configuration stands for itself. A set that does not see what the
 * protocol says it sees, or that depends on rotation, is an error. The views point to their table,
 * so they must not move. Free also after a failure. */
void rl_view_init(struct rl_views *views, const struct rl_protocol *protocol,
                  const struct rl_params *params, bool no_reduction, struct rl_effort *effort,
                  struct rl_error *error);
void rl_view_free(struct rl_views *views);

/* ---- space.c ------------------------------------------------------------------------------------
 *
 * The stored space: every representative has a number, and the numbers of its successors are kept.
 *
 * Representatives are numbered in the order of their codes. A bitmap with a bit for each code marks
 * them, and counts at every 64 bits make the number of a code one load and a population count.
 */

/* From every number each of its arcs is taken with the same chance. */
struct rl_graph {
    uint32_t count;
    uint32_t arcs;  /* of each */
    uint32_t *next; /* [number * arcs + arc]: the successor's number */
};

/* Of 64 codes: which are representatives, and how many are among the codes below. Side by side, for
 * who wants one wants the other. */
struct rl_block {
    uint32_t rank;
    uint32_t bits[2];
};

struct rl_space {
    struct rl_words words;
    struct rl_block *blocks;
    struct rl_graph graph; /* of the representatives */
};

/* Bytes that a space will take; 0 if it cannot be numbered. */
uint64_t rl_space_bytes(const struct rl_words *words);
/* Free also after a failure. Words keeps pointing to its classes, which must outlive the space. */
void rl_space_init(struct rl_space *space, const struct rl_words *words, struct rl_effort *effort);
void rl_space_free(struct rl_space *space);

/* The ones of a word, in a dozen instructions: compilers call a function where they may not rely on
 * a processor's own. */
static inline uint32_t rl_space_ones(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint64_t rl_block_bits(const struct rl_block *block)
{
    return block->bits[0] | (uint64_t)block->bits[1] << 32;
}

/* The number of a representative's code, and the word of a number (time: O(log count)). */
static inline uint32_t rl_space_number(const struct rl_space *space, uint64_t code)
{
    const struct rl_block *block = &space->blocks[code / 64];
    return block->rank + rl_space_ones(rl_block_bits(block) & ((UINT64_C(1) << code % 64) - 1));
}
void rl_space_word(const struct rl_space *space, uint32_t number, struct rl_word *word_out);

/* Marks everything from which something marked can be reached: by sweeps to and fro, until nothing
 * changes. */
void rl_graph_spread(const struct rl_graph *graph, uint8_t *marked);

/* A byte for each representative, to be freed: is it in the set, or, if `contains` is NULL, is the
 * bit of its code 1? */
uint8_t *rl_space_members(const struct rl_space *space, struct rl_effort *effort,
                          bool (*contains)(const struct rl_ring *ring), const uint64_t *bits);

/* ---- lump.c, solve.c, exact.c -------------------------------------------------------------------
 *
 * Expected steps to a target on a graph: lumping, which makes it smaller, values with a proven
 * error, and fractions.
 */

/* Lumping: third reduction, of whole configurations. Those that need equally many steps in
 * distribution are put together: the coarsest partition in which the target is one class and all
 * members of a class have the same number of arcs into each class (Kemeny and Snell). Expected
 * steps are constant on each class. */
struct rl_lump {
    struct rl_graph graph; /* of the classes; class 0 is the target, and goes to itself. The
                            * successors of a class are in ascending order. */
    uint32_t *of;    /* [number] its class; NULL: nothing was lumped, graph is the given one */
    uint8_t *target; /* [class] */
};

/* Gives up, and lumps nothing, where there are more than `most` classes. The graph and the target
 * must outlive the lump. Free also after a failure. Time: O(count * arcs) a round, and as many
 * rounds as steps tell configurations apart. */
void rl_lump_init(struct rl_lump *lump, const struct rl_graph *graph, uint8_t *target,
                  uint32_t most, struct rl_effort *effort);
void rl_lump_free(struct rl_lump *lump);
static inline uint32_t rl_lump_class(const struct rl_lump *lump, uint32_t number)
{
    return lump->of ? lump->of[number] : number;
}

/* Expected hitting times, with a certificate.
 *
 * Let P be the chain outside the target and h = 1 + P h the expected steps. Whoever found x and
 * however: if x is 0 on the target and its residual 1 + P x - x lies between -e and e everywhere,
 * then (I - P)(h - x) is between -e and e too, and since (I - P)^-1 is not negative and maps the
 * constant 1 to h, |h - x| <= e h at every configuration. So the largest residual, rounding
 * included, is a proven relative error of all expected times at once, of their maximum and of
 * their mean. */
struct rl_solution {
    bool finite;     /* the target is reached from everywhere; otherwise there is nothing else */
    double *steps;   /* [class] expected steps to the target */
    double error;    /* proven relative error of each */
    uint64_t sweeps; /* over the graph */
};

/* Bytes of work space for each number, the solution and lumping included. */
enum { RL_SOLVE_VECTORS = 6, RL_SOLVE_BYTES = RL_SOLVE_VECTORS * sizeof(double) };

/* Goes on until the proven error is `precision` at most, or does not get smaller any more. Free
 * also after a failure. */
void rl_solve(struct rl_solution *solution, const struct rl_lump *lump, struct rl_effort *effort,
              double precision);
void rl_solve_free(struct rl_solution *solution);

/* Expected steps as exact fractions, where lumping leaves few enough classes: more than this take
 * minutes. */
enum { RL_EXACT_CLASSES = 4000 };

/* The largest expected steps of a class, and the mean by the weights of the classes, both as "p/q"
 * in lowest terms, to be freed; NULL if the build cannot do it. The graph is that of a lump of at
 * most RL_EXACT_CLASSES classes, all of which reach the target. */
RL_MUST_CHECK enum rl_status rl_exact_solve(const struct rl_graph *graph, const uint64_t *weights,
                                            char **worst_out, char **mean_out);

/* ---- reach.c ------------------------------------------------------------------------------------
 *
 * Fixpoints without stored successors: sets of representatives as a bit for each code.
 */

static inline bool rl_bits_have(const uint64_t *bits, uint64_t code)
{
    return __atomic_load_n(&bits[code / 64], __ATOMIC_RELAXED) >> code % 64 & 1;
}

/* Which configurations are safe (Definition 1: exactly one leader, and no output ever changes), and
 * from which no safe one can be reached. To be freed, also after a failure. */
uint64_t *rl_reach_safe(const struct rl_words *words, struct rl_effort *effort);
uint64_t *rl_reach_stuck(const struct rl_words *words, struct rl_effort *effort,
                         const uint64_t *safe);

/* How many configurations of the full space the members of a set stand for. */
uint64_t rl_reach_size(const struct rl_words *words, struct rl_effort *effort,
                       const uint64_t *bits);

/* ---- survey.c -----------------------------------------------------------------------------------
 *
 * Surveys: questions answered by looking at each representative and its successors once. Nothing is
 * stored, so they go as far as patience does, not memory.
 */

/* Where something was found: before the interaction of an arc. */
struct rl_find {
    bool found;
    bool lost; /* the last leader is lost there */
    struct rl_word word;
    uint32_t arc;
};

/* What was found of a set or a lemma. Sizes are of the full space. */
struct rl_survey {
    uint64_t size;            /* of the set; configurations x arcs that the lemma is about */
    uint64_t violations;      /* of the lemma */
    struct rl_find violation; /* the first: of a set, an interaction that leaves it, and
                               * rather one that loses the last leader */
    struct rl_find unsafe;    /* the first member of the set that is not safe */
};

/* Of a set. Which are safe is asked if `base` is given, words with coarser classes: `safe` are bits
 * of its codes. */
struct rl_survey rl_survey_set(const struct rl_words *words, struct rl_effort *effort,
                               bool (*contains)(const struct rl_ring *ring),
                               const struct rl_words *base, const uint64_t *safe);

/* Of lemmas of one view, at every configuration and arc. */
void rl_survey_lemmas(const struct rl_words *words, struct rl_effort *effort,
                      const struct rl_lemma *const *lemmas, size_t count,
                      struct rl_survey *surveys_out);

/* ---- trap.c -------------------------------------------------------------------------------------
 *
 * A trap is a closed set whose members all reach each other (a bottom component of the graph of
 * configurations). If no safe configuration can be reached from somewhere, a trap without a safe
 * one can be.
 */

/* Bytes of work space for each representative. */
enum { RL_TRAP_BYTES = 2 * sizeof(uint8_t) + sizeof(uint32_t) };

/* Marks the members of a trap that is reachable from `from`, one byte each, to be freed. Time:
 * O(count). */
uint8_t *rl_trap_find(const struct rl_graph *graph, uint32_t from, struct rl_effort *effort);

struct rl_verifier {
    const struct rl_verify_options *options;
    const struct rl_protocol *protocol;
    struct rl_verification *answer;
    struct rl_error *error;
    struct rl_effort effort;
    struct rl_views views;
    uint64_t *safe;       /* bits of the base's codes */
    struct rl_space base; /* stored where it is needed */
};

static inline bool rl_verifier_asks(const struct rl_verifier *verifier, unsigned question)
{
    return verifier->answer->questions & question;
}

/* All that is said about the steps until a set is hit (hitting.c): the expected steps to every
 * named set that belongs to a view, to safe if it is the base, and the claims that belong to it. */
void rl_hitting_view(struct rl_verifier *verifier, const struct rl_space *space,
                     const struct rl_view *view);

#endif
