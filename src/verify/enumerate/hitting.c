/* SPDX-License-Identifier: MIT
 *
 * Answers everything about a goal while its solution is in memory, because a solution is large: the
 * worst and the mean, fractions if they are wanted, and every claim with that goal.
 */
#include "verify/enumerate/verifier.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Lumping takes some twenty sweeps; with fewer representatives than this it is not worth it, nor
 * where it leaves more than a quarter of them. */
enum { LEAST_LUMPED = 1 << 12, FEWER = 4 };

/* A set to be reached, in one of the views: a named set, safe, or that of a claim. */
struct goal {
    bool (*contains)(const struct rl_ring *ring); /* NULL: safe */
    struct rl_verifier *verifier;
    const struct rl_space *space;
    const struct rl_view *view;
    struct rl_lump lump;
    struct rl_solution solution;
    uint64_t *weights; /* [class] */
};

static double steps_from(const struct goal *goal, uint32_t number)
{
    return goal->solution.steps[rl_lump_class(&goal->lump, number)];
}

/* Nothing follows from an error of a half or more. */
static bool is_known(const struct rl_solution *solution)
{
    return !solution->finite || solution->error < 0.5;
}

/* ---- claims ---- */

/* The largest expected steps from a configuration of a set; 0 if that is empty. */
static double worst_from(const struct goal *goal, bool (*from)(const struct rl_ring *ring))
{
    struct rl_effort *effort = &goal->verifier->effort;
    uint8_t *members = rl_space_members(goal->space, effort, from, NULL);
    double worst = 0;
    for (uint32_t i = 0; !effort->status && i < goal->space->graph.count; i++)
        if (members[i] && steps_from(goal, i) > worst)
            worst = steps_from(goal, i);
    free(members);
    return worst;
}

/* A bound within the proven error is neither kept nor broken, as far as can be told. */
static void answer_claims(const struct goal *goal)
{
    struct rl_verifier *verifier = goal->verifier;
    const double error = 2 * goal->solution.error;
    for (size_t i = 0; !verifier->effort.status && i < verifier->protocol->claim_count; i++) {
        const struct rl_claim *claim = &verifier->protocol->claims[i];
        struct rl_claim_answer *answer = &verifier->answer->claims[i];
        if (verifier->views.claim[i] != goal->view || claim->to != goal->contains)
            continue;
        answer->finite = goal->solution.finite;
        answer->worst = !answer->finite             ? INFINITY
                        : is_known(&goal->solution) ? worst_from(goal, claim->from)
                                                    : NAN;
        answer->units = answer->worst / (double)claim->unit(&verifier->options->params);
        const bool kept = claim->bound == 0 || answer->units * (1 + error) <= claim->bound;
        const bool broken = claim->bound > 0 && answer->units * (1 - error) > claim->bound;
        answer->told = !answer->finite || (is_known(&goal->solution) && (kept || broken));
        answer->holds = answer->finite && answer->told && kept;
    }
}

/* ---- the worst and the mean ---- */

/* A sum of many doubles, and what rounding has cut off (Neumaier): its error is a few roundings of
 * the sum, however many there are; and it is the same on every machine. */
struct sum {
    double high, low;
};

static void add(struct sum *sum, double value)
{
    const double high = sum->high + value;
    sum->low += sum->high >= value ? (sum->high - high) + value : (value - high) + sum->high;
    sum->high = high;
}

static void weigh(void *user, const struct rl_word *word)
{
    const struct goal *goal = user;
    const uint32_t number = rl_space_number(goal->space, word->code);
    __atomic_fetch_add(&goal->weights[rl_lump_class(&goal->lump, number)],
                       rl_words_weight(&goal->space->words, word), __ATOMIC_RELAXED);
}

static void sum_up(const struct goal *goal, struct rl_expectation *expectation)
{
    const struct rl_solution *solution = &goal->solution;
    struct sum sum = {0};
    expectation->finite = true;
    expectation->sweeps = solution->sweeps;
    expectation->worst = expectation->mean = NAN;
    if (!is_known(solution))
        return;
    expectation->worst = 0;
    for (uint32_t c = 0; c < goal->lump.graph.count; c++) {
        add(&sum, solution->steps[c] * (double)goal->weights[c]);
        if (solution->steps[c] > expectation->worst)
            expectation->worst = solution->steps[c];
    }
    expectation->mean = (sum.high + sum.low) / (double)goal->verifier->answer->configurations;
    /* Weight, product, sum, quotient; what is added is not negative. */
    expectation->error = solution->error + 8 * DBL_EPSILON;
    const double threshold = expectation->worst * (1 - 2 * solution->error);
    for (uint32_t c = 0; c < goal->lump.graph.count; c++)
        if (solution->steps[c] >= threshold)
            expectation->worst_count += goal->weights[c];
    uint32_t worst_at = 0; /* the first that is as bad as any */
    while (steps_from(goal, worst_at) < threshold)
        worst_at++;
    struct rl_word word;
    rl_space_word(goal->space, worst_at, &word);
    rl_words_states(&goal->space->words, word.letters, expectation->worst_configuration);
}

static void summarize(struct goal *goal, bool exact, struct rl_expectation *expectation)
{
    struct rl_effort *effort = &goal->verifier->effort;
    goal->weights = rl_effort_calloc(effort, goal->lump.graph.count, sizeof *goal->weights);
    rl_words_visit_all(&goal->space->words, effort, weigh, goal);
    if (!effort->status)
        sum_up(goal, expectation);
    if (exact)
        expectation->lumped = goal->lump.graph.count;
    if (!effort->status && exact && expectation->lumped <= RL_EXACT_CLASSES)
        effort->status = rl_exact_solve(&goal->lump.graph, goal->weights, &expectation->exact_worst,
                                        &expectation->exact_mean);
    free(goal->weights);
}

/* ---- goals ---- */

/* Expected steps to a goal, and all claims about it. */
static void solve(struct rl_verifier *verifier, const struct rl_space *space,
                  const struct rl_view *view, const char *name,
                  bool (*contains)(const struct rl_ring *ring), struct rl_expectation *expectation)
{
    struct goal goal = {.contains = contains, .verifier = verifier, .space = space, .view = view};
    const struct rl_graph *graph = &space->graph;
    struct rl_effort *effort = &verifier->effort;
    const bool exact = expectation && verifier->options->exact;
    const uint32_t most = exact                         ? UINT32_MAX
                          : graph->count < LEAST_LUMPED ? 0
                                                        : graph->count / FEWER;
    if (effort->status)
        return;
    rl_effort_phase(effort, "members", name);
    uint8_t *members = rl_space_members(space, effort, contains, verifier->safe);
    rl_effort_phase(effort, "lumping", name);
    rl_lump_init(&goal.lump, graph, members, most, effort);
    rl_effort_phase(effort, "expected steps", name);
    rl_solve(&goal.solution, &goal.lump, effort, verifier->options->precision);
    if (expectation)
        expectation->worst = expectation->mean = INFINITY;
    if (expectation && goal.solution.finite)
        summarize(&goal, exact, expectation);
    if (expectation)
        expectation->known = !effort->status && is_known(&goal.solution);
    answer_claims(&goal);
    rl_solve_free(&goal.solution);
    rl_lump_free(&goal.lump);
    free(members);
}

/* Is the claim's goal a named set of the same view? Then it is answered with that. */
static bool is_answered_with_a_set(const struct rl_verifier *verifier, size_t claim)
{
    for (size_t i = 0; i < rl_protocol_set_count(verifier->protocol); i++)
        if (verifier->views.set[i] == verifier->views.claim[claim] &&
            verifier->protocol->sets[i].contains == verifier->protocol->claims[claim].to)
            return true;
    return false;
}

void rl_hitting_view(struct rl_verifier *verifier, const struct rl_space *space,
                     const struct rl_view *view)
{
    const struct rl_protocol *protocol = verifier->protocol;
    struct rl_verification *answer = verifier->answer;
    if (view == verifier->views.base)
        solve(verifier, space, view, "safe", NULL, &answer->safe_expected);
    for (size_t i = 0; i < rl_protocol_set_count(protocol); i++)
        if (verifier->views.set[i] == view)
            solve(verifier, space, view, protocol->sets[i].name, protocol->sets[i].contains,
                  &answer->sets[i].expected);
    for (size_t i = 0; i < protocol->claim_count; i++)
        if (verifier->views.claim[i] == view && !is_answered_with_a_set(verifier, i))
            solve(verifier, space, view, protocol->claims[i].name, protocol->claims[i].to, NULL);
}
