/* SPDX-License-Identifier: MIT
 *
 * Expected steps to a target on a graph: lumping, which makes it smaller (lump.c), values with a
 * proven error (solve.c), and fractions (exact.c).
 */
#ifndef RINGLEADER_SOLVE_H
#define RINGLEADER_SOLVE_H

#include "verify/enumerate/space.h"

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

/* Bytes of work space for `count` numbers, the solution and lumping included. */
uint64_t rl_solve_bytes(uint64_t count);

/* Goes on until the proven error is `precision` at most, or does not get smaller any more. Free
 * also after a failure. */
void rl_solve(struct rl_solution *solution, const struct rl_lump *lump, struct rl_effort *effort,
              double precision);
void rl_solve_free(struct rl_solution *solution);

/* Expected steps as exact fractions, where lumping leaves few enough classes: more than this take
 * minutes. */
enum { RL_EXACT_CLASSES = 4000 };

/* Can this build do it at all? (It needs FLINT.) */
bool rl_exact_available(void);

/* The largest expected steps of a class, and the mean by the weights of the classes, both as "p/q"
 * in lowest terms, to be freed; NULL if the build cannot do it. The graph is that of a lump of at
 * most RL_EXACT_CLASSES classes, all of which reach the target. */
RL_MUST_CHECK enum rl_status rl_exact_solve(const struct rl_graph *graph, const uint64_t *weights,
                                            char **worst_out, char **mean_out);

#endif
