/* SPDX-License-Identifier: MIT
 *
 * Answering everything about a goal while its solution is there, for the solution is large: the
 * worst and the mean, fractions if they are wanted, and every claim with that goal.
 */
#include "verify/enumerate/verifier.h"

#include <float.h>
#include <stdlib.h>

#include "verify/enumerate/solve.h"

/* Lumping takes some twenty sweeps; with fewer representatives than this it is not worth it, nor
 * where it leaves more than a quarter of them. */
enum { LEAST_LUMPED = 1 << 12, FEWER = 4 };

/* A set to be reached, in one of the views: a named set, safe, or that of a claim. */
struct goal {
    const char *name;
    bool (*contains)(const struct rl_ring *ring); /* NULL: safe */
    struct rl_verifier *verifier;
    const struct rl_space *space;
    const struct rl_view *view;
    struct rl_lump lump;
    struct rl_solution solution;
    uint64_t *weights;                        /* [class] */
    bool (*from)(const struct rl_ring *ring); /* of the claim at hand */
    double *worst;                            /* [task] of that claim */
};

static double steps_from(const struct goal *goal, uint32_t number)
{
    return goal->solution.steps[rl_lump_class(&goal->lump, number)];
}

/* ---- claims ---- */

static void look_from(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    const struct goal *goal = user;
    const double steps = steps_from(goal, number);
    if (steps > goal->worst[task] && rl_words_is_in(&goal->space->words, word->letters, goal->from))
        goal->worst[task] = steps;
}

/* The largest expected steps from a configuration of a claim's `from`; 0 if that is empty. */
static enum rl_status find_worst_from(struct goal *goal, double *worst_out)
{
    const size_t tasks = rl_words_tasks(&goal->space->words);
    if (!(goal->worst = calloc(tasks, sizeof *goal->worst)))
        return RL_NO_MEMORY;
    const enum rl_status status =
        rl_space_visit(goal->space, &goal->verifier->workers, look_from, goal);
    for (size_t task = 0; task < tasks; task++)
        if (goal->worst[task] > *worst_out)
            *worst_out = goal->worst[task];
    free(goal->worst);
    return status;
}

static enum rl_status answer_claims(struct goal *goal)
{
    const struct rl_verifier *verifier = goal->verifier;
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < verifier->protocol->claim_count; i++) {
        const struct rl_claim *claim = &verifier->protocol->claims[i];
        struct rl_claim_answer *answer = &verifier->answer->claims[i];
        if (verifier->views.claim[i] != goal->view || claim->to != goal->contains)
            continue;
        answer->finite = goal->solution.finite;
        goal->from = claim->from;
        if (answer->finite)
            status = find_worst_from(goal, &answer->worst);
        answer->units = answer->worst / (double)claim->unit(&verifier->options->params);
        answer->holds =
            answer->finite &&
            (claim->bound == 0 || answer->units * (1 + 2 * goal->solution.error) <= claim->bound);
        answer->known = !status;
    }
    return status;
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

static void weigh(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    (void)task;
    const struct goal *goal = user;
    __atomic_fetch_add(&goal->weights[rl_lump_class(&goal->lump, number)],
                       rl_words_weight(&goal->space->words, word), __ATOMIC_RELAXED);
}

static double worst_threshold(const struct goal *goal, const struct rl_expectation *expectation)
{
    return expectation->worst * (1 - 2 * goal->solution.error);
}

static void sum_up(const struct goal *goal, struct rl_expectation *expectation)
{
    const struct rl_solution *solution = &goal->solution;
    struct sum sum = {0};
    for (uint32_t c = 0; c < goal->lump.graph.count; c++) {
        add(&sum, solution->steps[c] * (double)goal->weights[c]);
        if (solution->steps[c] > expectation->worst)
            expectation->worst = solution->steps[c];
    }
    expectation->mean = (sum.high + sum.low) / (double)goal->verifier->answer->configurations;
    /* Weight, product, sum, quotient; what is added is not negative. */
    expectation->error = solution->error + 8 * DBL_EPSILON;
    expectation->finite = true;
    expectation->sweeps = solution->sweeps;
    const double threshold = worst_threshold(goal, expectation);
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

static enum rl_status solve_exactly(const struct goal *goal, struct rl_expectation *expectation)
{
    const struct rl_graph *graph = &goal->lump.graph;
    expectation->lumped = graph->count;
    if (graph->count > RL_EXACT_CLASSES)
        return RL_OK;
    bool *is_candidate = malloc(graph->count);
    if (!is_candidate)
        return RL_NO_MEMORY;
    for (uint32_t c = 0; c < graph->count; c++)
        is_candidate[c] = goal->solution.steps[c] >= worst_threshold(goal, expectation);
    const struct rl_exact_request request = {graph, is_candidate, goal->weights,
                                             goal->verifier->answer->configurations};
    const enum rl_status status =
        rl_exact_solve(&request, &expectation->exact_worst, &expectation->exact_mean);
    free(is_candidate);
    return status;
}

static enum rl_status summarize(struct goal *goal, bool exact, struct rl_expectation *expectation)
{
    if (!(goal->weights = calloc(goal->lump.graph.count, sizeof *goal->weights)))
        return RL_NO_MEMORY;
    enum rl_status status = rl_space_visit(goal->space, &goal->verifier->workers, weigh, goal);
    if (!status)
        sum_up(goal, expectation);
    if (!status && exact)
        status = solve_exactly(goal, expectation);
    free(goal->weights);
    return status;
}

/* ---- goals ---- */

/* Expected steps to the goal, whose members are given, and all claims about it. */
static enum rl_status solve_goal(struct goal *goal, uint8_t *members,
                                 struct rl_expectation *expectation)
{
    struct rl_verifier *verifier = goal->verifier;
    const struct rl_graph *graph = &goal->space->graph;
    const bool exact = expectation && verifier->options->exact;
    const uint32_t most = exact                         ? UINT32_MAX
                          : graph->count < LEAST_LUMPED ? 0
                                                        : graph->count / FEWER;
    rl_verifier_phase(verifier, "lumping", goal->name);
    enum rl_status status = rl_lump_init(&goal->lump, graph, members, most, &verifier->workers);
    rl_verifier_phase(verifier, "expected steps", goal->name);
    if (!status)
        status = rl_solve(&goal->solution, &goal->lump, &verifier->workers,
                          verifier->options->precision);
    if (!status && expectation && goal->solution.finite)
        status = summarize(goal, exact, expectation);
    if (expectation)
        expectation->known = !status;
    if (!status)
        status = answer_claims(goal);
    rl_solve_free(&goal->solution);
    rl_lump_free(&goal->lump);
    return status;
}

static enum rl_status solve(struct rl_verifier *verifier, const struct rl_space *space,
                            const struct rl_view *view, const char *name,
                            bool (*contains)(const struct rl_ring *ring),
                            struct rl_expectation *expectation)
{
    struct goal goal = {
        .name = name, .contains = contains, .verifier = verifier, .space = space, .view = view};
    uint8_t *members = malloc(space->graph.count);
    if (!members)
        return RL_NO_MEMORY;
    rl_verifier_phase(verifier, "members", name);
    enum rl_status status =
        rl_space_members(space, &verifier->workers, contains, verifier->safe, members);
    if (!status)
        status = solve_goal(&goal, members, expectation);
    free(members);
    return status;
}

/* Is the claim's goal a named set of the same view? Then it is answered with that. */
static bool is_answered_with_a_set(const struct rl_verifier *verifier, size_t claim)
{
    for (size_t i = 0; i < verifier->protocol->set_count; i++)
        if (verifier->views.set[i] == verifier->views.claim[claim] &&
            verifier->protocol->sets[i].contains == verifier->protocol->claims[claim].to)
            return true;
    return false;
}

enum rl_status rl_hitting_view(struct rl_verifier *verifier, const struct rl_space *space,
                               const struct rl_view *view)
{
    const struct rl_protocol *protocol = verifier->protocol;
    struct rl_verification *answer = verifier->answer;
    enum rl_status status = RL_OK;
    if (view == verifier->views.base)
        status = solve(verifier, space, view, "safe", NULL, &answer->safe_expected);
    for (size_t i = 0; !status && i < protocol->set_count; i++)
        if (verifier->views.set[i] == view)
            status = solve(verifier, space, view, protocol->sets[i].name,
                           protocol->sets[i].contains, &answer->sets[i].expected);
    for (size_t i = 0; !status && i < protocol->claim_count; i++)
        if (verifier->views.claim[i] == view && !is_answered_with_a_set(verifier, i))
            status = solve(verifier, space, view, protocol->claims[i].name, protocol->claims[i].to,
                           NULL);
    return status;
}
