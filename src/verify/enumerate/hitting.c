/* SPDX-License-Identifier: MIT
 *
 * Answering everything about a goal while its solution is there, for the solution is large: the
 * worst and the mean, fractions if they are wanted, and every claim with that goal.
 */
#include "verify/enumerate/hitting.h"

#include <stdlib.h>
#include <string.h>

#include "verify/enumerate/exact.h"
#include "verify/enumerate/expect.h"
#include "verify/enumerate/reach.h"

/* A set to be reached, in one of the views: a named set, safe, or that of a claim. */
struct goal {
    const char *name;
    bool (*contains)(const struct rl_ring *ring); /* NULL: safe */
    bool exact;                                   /* fractions are wanted too */
};

static enum rl_status answer_claims(struct rl_verifier *verifier, const struct rl_space *space,
                                    const struct rl_view *view, const struct goal *goal,
                                    const struct rl_solution *solution)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < verifier->protocol->claim_count; i++) {
        const struct rl_claim *claim = &verifier->protocol->claims[i];
        struct rl_claim_answer *answer = &verifier->answer->claims[i];
        if (verifier->views.claim[i] != view || claim->to != goal->contains)
            continue;
        answer->finite = solution != NULL;
        answer->known = !solution;
        if (!solution)
            continue;
        status =
            rl_expect_worst_from(space, &verifier->workers, solution, claim->from, &answer->worst);
        answer->worst = answer->worst < 0 ? 0 : answer->worst;
        answer->units = answer->worst / (double)claim->unit(&verifier->options->params);
        answer->holds =
            claim->bound == 0 || answer->units * (1 + 2 * solution->error) <= claim->bound;
        answer->known = !status;
    }
    return status;
}

/* The weights of the lumped classes, and those that may be the worst. */
struct lumped {
    const struct rl_space *space;
    const struct rl_lump *lump;
    const double *steps;
    double threshold;
    uint64_t *weights;
    bool *is_candidate;
};

static void weigh_class(void *user, size_t task, uint32_t number, const struct rl_word *word)
{
    const struct lumped *lumped = user;
    (void)task;
    const uint32_t class = lumped->lump->of[number];
    __atomic_fetch_add(&lumped->weights[class], rl_words_weight(&lumped->space->words, word),
                       __ATOMIC_RELAXED);
    if (lumped->steps[number] >= lumped->threshold)
        __atomic_store_n(&lumped->is_candidate[class], true, __ATOMIC_RELAXED);
}

static enum rl_status solve_lumped(struct rl_verifier *verifier, struct lumped *lumped,
                                   struct rl_expectation *expectation)
{
    const struct rl_lump *lump = lumped->lump;
    uint32_t *candidates = malloc(lump->count * sizeof *candidates);
    size_t count = 0;
    if (!candidates)
        return RL_NO_MEMORY;
    enum rl_status status = rl_space_visit(lumped->space, &verifier->workers, weigh_class, lumped);
    for (uint32_t c = 0; c < lump->count; c++)
        if (lumped->is_candidate[c])
            candidates[count++] = c;
    const struct rl_exact_request request = {
        lump,  lumped->space->words.arcs, candidates,
        count, lumped->weights,           verifier->answer->configurations};
    if (!status)
        status = rl_exact_solve(&request, &expectation->exact_worst, &expectation->exact_mean);
    free(candidates);
    return status;
}

static enum rl_status solve_exactly(struct rl_verifier *verifier, const struct rl_space *space,
                                    const uint8_t *members, const struct rl_solution *solution,
                                    struct rl_expectation *expectation)
{
    struct rl_lump lump;
    enum rl_status status = rl_lump_init(&lump, space, members);
    expectation->lumped = lump.count;
    if (!status && lump.count <= RL_EXACT_CLASSES) {
        struct lumped lumped = {.space = space,
                                .lump = &lump,
                                .steps = solution->steps,
                                .threshold = expectation->worst * (1 - 2 * solution->error)};
        lumped.weights = calloc(lump.count, sizeof *lumped.weights);
        lumped.is_candidate = calloc(lump.count, sizeof *lumped.is_candidate);
        status = lumped.weights && lumped.is_candidate
                     ? solve_lumped(verifier, &lumped, expectation)
                     : RL_NO_MEMORY;
        free(lumped.weights);
        free(lumped.is_candidate);
    }
    rl_lump_free(&lump);
    return status;
}

/* Expected steps to the goal, whose members are given, and all claims about it. */
static enum rl_status solve_goal(struct rl_verifier *verifier, const struct rl_space *space,
                                 const struct rl_view *view, const struct goal *goal,
                                 const uint8_t *members, struct rl_expectation *expectation)
{
    struct rl_solution solution = {0};
    uint8_t *reaching = malloc(space->count);
    if (!reaching)
        return RL_NO_MEMORY;
    rl_verifier_phase(verifier, "reachability", goal->name);
    memcpy(reaching, members, space->count);
    enum rl_status status = rl_reach_back(space, &verifier->workers, reaching);
    const bool finite = !memchr(reaching, 0, space->count);
    free(reaching);
    if (status || !finite) {
        expectation->known = !status;
        return status ? status : answer_claims(verifier, space, view, goal, NULL);
    }
    rl_verifier_phase(verifier, "expected steps", goal->name);
    status = rl_solve(&solution, space, &verifier->workers, members, verifier->options->precision);
    if (!status)
        status = rl_expect_summary(space, &verifier->workers, &solution,
                                   verifier->answer->configurations, expectation);
    if (!status)
        status = answer_claims(verifier, space, view, goal, &solution);
    if (!status && goal->exact)
        status = solve_exactly(verifier, space, members, &solution, expectation);
    rl_solve_free(&solution);
    expectation->known = !status;
    return status;
}

static enum rl_status solve_predicate(struct rl_verifier *verifier, const struct rl_space *space,
                                      const struct rl_view *view, const struct goal *goal,
                                      struct rl_expectation *expectation)
{
    uint8_t *members = malloc(space->count);
    if (!members)
        return RL_NO_MEMORY;
    rl_verifier_phase(verifier, "members", goal->name);
    enum rl_status status = rl_reach_members(space, &verifier->workers, goal->contains, members);
    if (!status)
        status = solve_goal(verifier, space, view, goal, members, expectation);
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

/* All expected steps that belong to one view. */
enum rl_status rl_hitting_view(struct rl_verifier *verifier, const struct rl_space *space,
                               const struct rl_view *view)
{
    const struct rl_protocol *protocol = verifier->protocol;
    const bool exact = verifier->options->exact;
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < protocol->set_count; i++)
        if (verifier->views.set[i] == view)
            status = solve_predicate(
                verifier, space, view,
                &(struct goal){protocol->sets[i].name, protocol->sets[i].contains, exact},
                &verifier->answer->sets[i].expected);
    for (size_t i = 0; !status && i < protocol->claim_count; i++) {
        struct rl_expectation unused = {0};
        if (verifier->views.claim[i] == view && !is_answered_with_a_set(verifier, i))
            status = solve_predicate(
                verifier, space, view,
                &(struct goal){protocol->claims[i].name, protocol->claims[i].to, false}, &unused);
    }
    return status;
}

enum rl_status rl_hitting_safe(struct rl_verifier *verifier, const uint8_t *members)
{
    const struct goal goal = {"safe", NULL, verifier->options->exact};
    return solve_goal(verifier, &verifier->base, verifier->views.base, &goal, members,
                      &verifier->answer->safe_expected);
}
