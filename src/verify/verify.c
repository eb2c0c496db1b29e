/* SPDX-License-Identifier: MIT
 *
 * The verifier: which question is asked of which space, in what order.
 *
 * First the base space, whose classes respect interactions and outputs only: safe configurations,
 * self-stabilization, expected steps to safe. While it is there, the sets are surveyed, and the
 * target is held against safe. Then the lemmas, which need no memory. Last, one after another, the
 * spaces that the sets need, for the expected steps to them.
 */
#include "ringleader/verify.h"

#include <stdlib.h>
#include <string.h>

#include "verify/exact.h"
#include "verify/expect.h"
#include "verify/reach.h"
#include "verify/survey.h"
#include "verify/trap.h"
#include "verify/view.h"

struct verifier {
    const struct rl_verify_options *options;
    const struct rl_protocol *protocol;
    struct rl_verification *answer;
    struct rl_error *error;
    struct rl_workers workers;
    struct rl_table table;
    struct rl_views views;
    struct rl_space base;
    uint8_t *safe; /* of the base */
};

static bool asks(const struct verifier *verifier, unsigned question)
{
    return verifier->options->questions & question;
}

static void phase(struct verifier *verifier, const char *name, const char *subject)
{
    verifier->workers.progress = (struct rl_progress){.phase = name, .subject = subject};
}

/* ---- sizes and memory -------------------------------------------------------------------------
 */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Bytes to store a view's space and to answer about it; 0 if it cannot be stored. */
static uint64_t bytes_of_view(const struct verifier *verifier, const struct rl_view *view)
{
    const uint64_t space = rl_space_bytes(&view->words), count = rl_words_count(&view->words);
    const uint64_t trap = 5 * sizeof(uint32_t) * count;
    const uint64_t solve = asks(verifier, RL_ASK_EXPECTED) ? rl_solve_bytes(count) : 0;
    return space == 0 ? 0 : space + 3 * count + larger(trap, solve);
}

static bool needs_space(const struct verifier *verifier, const struct rl_view *view)
{
    if (view == verifier->views.base)
        return asks(verifier, RL_ASK_STABILITY);
    bool needed = false;
    for (size_t i = 0; i < verifier->protocol->set_count; i++)
        needed |= verifier->views.set[i] == view;
    for (size_t i = 0; i < verifier->protocol->claim_count; i++)
        needed |= verifier->views.claim[i] == view;
    return needed && asks(verifier, RL_ASK_EXPECTED);
}

static enum rl_status too_large(const struct verifier *verifier, uint64_t bytes)
{
    const uint64_t mega = 1000 * 1000;
    if (bytes == 0)
        return rl_error_set(verifier->error, RL_TOO_LARGE,
                            "there are more than 2^32 configurations up to symmetry; only closure "
                            "and lemmas can be asked of so many");
    return rl_error_set(verifier->error, RL_TOO_LARGE,
                        "this takes %u MB of memory, and %u MB are allowed", bytes / mega + 1,
                        verifier->options->memory / mega);
}

static enum rl_status plan_memory(struct verifier *verifier)
{
    const struct rl_views *views = &verifier->views;
    uint64_t most = 0;
    for (size_t i = 0; i < views->count; i++) {
        if (!needs_space(verifier, views->list[i]))
            continue;
        const uint64_t bytes = bytes_of_view(verifier, views->list[i]);
        if (bytes == 0)
            return too_large(verifier, 0);
        most = larger(most, bytes);
    }
    most += rl_table_bytes(verifier->protocol, &verifier->options->params);
    verifier->answer->memory = most;
    return most > verifier->options->memory ? too_large(verifier, most) : RL_OK;
}

static enum rl_status check_size(struct verifier *verifier)
{
    const struct rl_params *params = &verifier->options->params;
    const uint64_t states = rl_protocol_states(verifier->protocol, params);
    verifier->answer->agent_states = states;
    if (rl_table_bytes(verifier->protocol, params) == 0)
        return rl_error_set(verifier->error, RL_TOO_LARGE,
                            "an agent has %u states, too many to tabulate all pairs", states);
    if (params->n > RL_VERIFY_AGENTS || !rl_words_fit(states, params->n))
        return rl_error_set(verifier->error, RL_TOO_LARGE,
                            "%u states to the power of n = %u are more than 2^63 configurations",
                            states, (uint64_t)params->n);
    verifier->answer->configurations = 1;
    for (uint32_t i = 0; i < params->n; i++)
        verifier->answer->configurations *= states;
    const uint64_t table = rl_table_bytes(verifier->protocol, params);
    return table > verifier->options->memory ? too_large(verifier, table) : RL_OK;
}

static enum rl_status prepare(struct verifier *verifier)
{
    const struct rl_verify_options *options = verifier->options;
    struct rl_verification *answer = verifier->answer;
    enum rl_status status = check_size(verifier);
    if (!status)
        status = rl_table_init(&verifier->table, verifier->protocol, &options->params);
    if (!status)
        status = rl_view_init(&verifier->views, &verifier->table, options->no_reduction,
                              verifier->error);
    if (status)
        return status;
    const struct rl_view *view = verifier->views.set[verifier->protocol->target];
    answer->agent_classes = view->classes.count;
    answer->representatives = rl_words_count(&view->words);
    return plan_memory(verifier);
}

/* ---- counterexamples --------------------------------------------------------------------------
 */

static void start_at(struct rl_counterexample *example, const struct rl_words *words,
                     const struct rl_word *word)
{
    const struct rl_table *table = words->classes->table;
    example->exists = true;
    for (uint32_t i = 0; i < words->n; i++)
        example->start[i] = table->word[words->classes->first[word->letters[i]]];
}

/* An execution of the one interaction that was found. */
static enum rl_status show_find(struct rl_counterexample *example, const struct rl_words *words,
                                const struct rl_find *find)
{
    if (!find->found)
        return RL_OK;
    start_at(example, words, &find->word);
    if (!(example->arcs = malloc(sizeof *example->arcs)))
        return RL_NO_MEMORY;
    example->arcs[0] = find->arc;
    example->length = 1;
    return RL_OK;
}

/* A shortest execution in the base from `number` to a change of output. */
static enum rl_status show_way(struct verifier *verifier, struct rl_counterexample *example,
                               uint32_t number)
{
    struct rl_word word;
    rl_space_word(&verifier->base, number, &word);
    start_at(example, &verifier->base.words, &word);
    return rl_trap_way(&verifier->base, number, &example->arcs, &example->length);
}

/* ---- expected steps ---------------------------------------------------------------------------
 */

/* A set to be reached, in one of the views: a named set, safe, or that of a claim. */
struct goal {
    const char *name;
    bool (*contains)(const struct rl_ring *ring); /* NULL: safe */
};

static enum rl_status answer_claims(struct verifier *verifier, const struct rl_space *space,
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
        if (!solution)
            continue;
        status =
            rl_expect_worst_from(space, &verifier->workers, solution, claim->from, &answer->worst);
        answer->worst = answer->worst < 0 ? 0 : answer->worst;
        answer->units = answer->worst / (double)claim->unit(&verifier->options->params);
        answer->holds =
            claim->bound == 0 || answer->units * (1 + 2 * solution->error) <= claim->bound;
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

static enum rl_status solve_lumped(struct verifier *verifier, struct lumped *lumped,
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

static enum rl_status solve_exactly(struct verifier *verifier, const struct rl_space *space,
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

/* Is it safe or a named set, not just something that a claim is about? */
static bool is_named(const struct verifier *verifier, const struct goal *goal)
{
    bool named = !goal->contains;
    for (size_t i = 0; i < verifier->protocol->set_count; i++)
        named |= verifier->protocol->sets[i].contains == goal->contains;
    return named;
}

/* Expected steps to the goal, whose members are given, and all claims about it. */
static enum rl_status solve_goal(struct verifier *verifier, const struct rl_space *space,
                                 const struct rl_view *view, const struct goal *goal,
                                 const uint8_t *members, struct rl_expectation *expectation)
{
    struct rl_solution solution = {0};
    uint8_t *reaching = malloc(space->count);
    if (!reaching)
        return RL_NO_MEMORY;
    phase(verifier, "reachability", goal->name);
    memcpy(reaching, members, space->count);
    enum rl_status status = rl_reach_back(space, &verifier->workers, reaching);
    const bool finite = !memchr(reaching, 0, space->count);
    free(reaching);
    *expectation = (struct rl_expectation){.known = true};
    if (status || !finite)
        return status ? status : answer_claims(verifier, space, view, goal, NULL);
    phase(verifier, "expected steps", goal->name);
    status = rl_solve(&solution, space, &verifier->workers, members, verifier->options->precision);
    if (!status)
        status = rl_expect_summary(space, &verifier->workers, &solution,
                                   verifier->answer->configurations, expectation);
    if (!status)
        status = answer_claims(verifier, space, view, goal, &solution);
    if (!status && verifier->options->exact && is_named(verifier, goal))
        status = solve_exactly(verifier, space, members, &solution, expectation);
    rl_solve_free(&solution);
    return status;
}

static enum rl_status solve_predicate(struct verifier *verifier, const struct rl_space *space,
                                      const struct rl_view *view, const struct goal *goal,
                                      struct rl_expectation *expectation)
{
    uint8_t *members = malloc(space->count);
    if (!members)
        return RL_NO_MEMORY;
    phase(verifier, "members", goal->name);
    enum rl_status status = rl_reach_members(space, &verifier->workers, goal->contains, members);
    if (!status)
        status = solve_goal(verifier, space, view, goal, members, expectation);
    free(members);
    return status;
}

/* Is the claim's goal a named set of the same view? Then it is answered with that. */
static bool is_answered_with_a_set(const struct verifier *verifier, size_t claim)
{
    for (size_t i = 0; i < verifier->protocol->set_count; i++)
        if (verifier->views.set[i] == verifier->views.claim[claim] &&
            verifier->protocol->sets[i].contains == verifier->protocol->claims[claim].to)
            return true;
    return false;
}

/* All expected steps that belong to one view. */
static enum rl_status solve_view(struct verifier *verifier, const struct rl_space *space,
                                 const struct rl_view *view)
{
    const struct rl_protocol *protocol = verifier->protocol;
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < protocol->set_count; i++)
        if (verifier->views.set[i] == view)
            status =
                solve_predicate(verifier, space, view,
                                &(struct goal){protocol->sets[i].name, protocol->sets[i].contains},
                                &verifier->answer->sets[i].expected);
    for (size_t i = 0; !status && i < protocol->claim_count; i++) {
        struct rl_expectation unused;
        if (verifier->views.claim[i] == view && !is_answered_with_a_set(verifier, i))
            status = solve_predicate(
                verifier, space, view,
                &(struct goal){protocol->claims[i].name, protocol->claims[i].to}, &unused);
    }
    return status;
}

/* ---- the base ---------------------------------------------------------------------------------
 */

/* Puts a trap without a safe configuration on show. */
static enum rl_status show_trap(struct verifier *verifier, const uint8_t *reaching)
{
    const struct rl_space *base = &verifier->base;
    struct rl_verification *answer = verifier->answer;
    uint8_t *trap = malloc(base->count);
    if (!trap)
        return RL_NO_MEMORY;
    const uint8_t *stuck = memchr(reaching, 0, base->count);
    enum rl_status status = rl_trap_find(base, (uint32_t)(stuck - reaching), trap);
    struct rl_size size = {0};
    if (!status)
        status = rl_reach_size(base, &verifier->workers, trap, &size);
    answer->trap = size.configurations;
    answer->trap_leaders_least = base->words.n;
    uint32_t example = UINT32_MAX;
    bool changes = false;
    for (uint32_t i = 0; !status && i < base->count; i++) {
        struct rl_word word;
        if (!trap[i])
            continue;
        rl_space_word(base, i, &word);
        const uint32_t leaders = rl_words_leaders(&base->words, word.letters);
        if (leaders < answer->trap_leaders_least)
            answer->trap_leaders_least = leaders;
        if (leaders > answer->trap_leaders_most)
            answer->trap_leaders_most = leaders;
        /* Rather one where an output is about to change. */
        const bool here = !rl_words_keeps_outputs(&base->words, word.letters);
        if (example == UINT32_MAX || (here && !changes))
            example = i;
        changes |= here;
    }
    free(trap);
    return status ? status : show_way(verifier, &answer->trapped, example);
}

static enum rl_status judge_stability(struct verifier *verifier)
{
    const struct rl_space *base = &verifier->base;
    struct rl_verification *answer = verifier->answer;
    struct rl_size size = {0};
    uint8_t *reaching = malloc(base->count);
    if (!reaching)
        return RL_NO_MEMORY;
    phase(verifier, "safe configurations", "");
    enum rl_status status = rl_reach_safe(base, &verifier->workers, verifier->safe);
    if (!status)
        status = rl_reach_size(base, &verifier->workers, verifier->safe, &size);
    answer->safe = size.configurations;
    memcpy(reaching, verifier->safe, base->count);
    phase(verifier, "self-stabilization", "");
    if (!status)
        status = rl_reach_back(base, &verifier->workers, reaching);
    if (!status)
        status = rl_reach_size(base, &verifier->workers, reaching, &size);
    answer->stuck = answer->configurations - size.configurations;
    answer->self_stabilizing = answer->stuck == 0;
    if (!status && !answer->self_stabilizing)
        status = show_trap(verifier, reaching);
    free(reaching);
    return status;
}

static enum rl_status do_base(struct verifier *verifier)
{
    const struct rl_view *view = verifier->views.base;
    phase(verifier, "configurations", "");
    enum rl_status status = rl_space_init(&verifier->base, &view->words, &verifier->workers);
    if (status)
        return status;
    if (!(verifier->safe = malloc(verifier->base.count)))
        return RL_NO_MEMORY;
    status = judge_stability(verifier);
    if (status || !asks(verifier, RL_ASK_EXPECTED))
        return status;
    status = solve_goal(verifier, &verifier->base, view, &(struct goal){"safe", NULL},
                        verifier->safe, &verifier->answer->safe_expected);
    return status ? status : solve_view(verifier, &verifier->base, view);
}

/* ---- sets and lemmas --------------------------------------------------------------------------
 */

static enum rl_status show_unsafe(struct verifier *verifier, struct rl_set_answer *answer,
                                  const struct rl_words *words, const struct rl_find *find)
{
    answer->inside_safe = !find->found;
    if (!find->found)
        return RL_OK;
    const struct rl_classes *classes = verifier->base.words.classes;
    uint16_t letters[RL_VERIFY_AGENTS];
    for (uint32_t i = 0; i < words->n; i++)
        letters[i] = classes->of[words->classes->first[find->word.letters[i]]];
    const uint64_t code = rl_words_canonical(&verifier->base.words, letters);
    return show_way(verifier, &answer->unsafe, rl_space_number(&verifier->base, code));
}

static enum rl_status do_sets(struct verifier *verifier)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < verifier->protocol->set_count; i++) {
        const struct rl_set *set = &verifier->protocol->sets[i];
        struct rl_set_answer *answer = &verifier->answer->sets[i];
        const struct rl_words *words = &verifier->views.set[i]->words;
        const bool judged = i == verifier->protocol->target && verifier->safe;
        struct rl_set_survey survey;
        phase(verifier, "closure", set->name);
        status =
            rl_survey_set(words, &verifier->workers, set->contains, judged ? &verifier->base : NULL,
                          judged ? verifier->safe : NULL, &survey);
        answer->size = survey.size;
        answer->closed = !survey.way_out.found;
        if (!status)
            status = show_find(&answer->way_out, words, &survey.way_out);
        if (!status && judged)
            status = show_unsafe(verifier, answer, words, &survey.unsafe);
    }
    return status;
}

static enum rl_status do_lemmas(struct verifier *verifier)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < verifier->protocol->lemma_count; i++) {
        const struct rl_lemma *lemma = &verifier->protocol->lemmas[i];
        struct rl_lemma_answer *answer = &verifier->answer->lemmas[i];
        const struct rl_words *words = &verifier->views.lemma[i]->words;
        struct rl_lemma_survey survey;
        phase(verifier, "lemma", lemma->name);
        status = rl_survey_lemma(words, &verifier->workers, lemma, &survey);
        answer->checked = survey.checked;
        answer->violations = survey.violations;
        if (!status)
            status = show_find(&answer->violation, words, &survey.violation);
    }
    return status;
}

static enum rl_status do_expected(struct verifier *verifier)
{
    enum rl_status status = RL_OK;
    for (size_t i = 0; !status && i < verifier->views.count; i++) {
        const struct rl_view *view = verifier->views.list[i];
        struct rl_space space;
        if (view == verifier->views.base || !needs_space(verifier, view))
            continue;
        phase(verifier, "configurations", "");
        status = rl_space_init(&space, &view->words, &verifier->workers);
        if (!status)
            status = solve_view(verifier, &space, view);
        rl_space_free(&space);
    }
    return status;
}

static void drop_base(struct verifier *verifier)
{
    rl_space_free(&verifier->base);
    free(verifier->safe);
    verifier->safe = NULL;
}

static enum rl_status do_everything(struct verifier *verifier)
{
    enum rl_status status = prepare(verifier);
    if (!status && asks(verifier, RL_ASK_STABILITY))
        status = do_base(verifier);
    if (!status && asks(verifier, RL_ASK_CLOSURE | RL_ASK_STABILITY))
        status = do_sets(verifier);
    drop_base(verifier);
    if (!status && asks(verifier, RL_ASK_LEMMAS))
        status = do_lemmas(verifier);
    if (!status && asks(verifier, RL_ASK_EXPECTED))
        status = do_expected(verifier);
    return status;
}

enum rl_status rl_verify(struct rl_verification *answer, const struct rl_verify_options *options,
                         struct rl_error *error)
{
    struct rl_verify_options complete = *options;
    *answer = (struct rl_verification){0};
    if (complete.questions & RL_ASK_EXPECTED)
        complete.questions |= RL_ASK_STABILITY;
    answer->questions = complete.questions;
    struct verifier verifier = {.options = &complete,
                                .protocol = options->protocol,
                                .answer = answer,
                                .error = error,
                                .workers = {.jobs = options->jobs, .watch = options->watch}};
    const enum rl_status status = do_everything(&verifier);
    drop_base(&verifier);
    rl_view_free(&verifier.views);
    rl_table_free(&verifier.table);
    return status;
}

static void free_expectation(struct rl_expectation *expectation)
{
    free(expectation->exact_worst);
    free(expectation->exact_mean);
}

void rl_verify_free(struct rl_verification *answer)
{
    for (size_t i = 0; i < RL_MAX_SETS; i++) {
        free(answer->sets[i].way_out.arcs);
        free(answer->sets[i].unsafe.arcs);
        free_expectation(&answer->sets[i].expected);
    }
    for (size_t i = 0; i < RL_MAX_LEMMAS; i++)
        free(answer->lemmas[i].violation.arcs);
    free(answer->trapped.arcs);
    free_expectation(&answer->safe_expected);
    *answer = (struct rl_verification){0};
}

bool rl_verify_all_well(const struct rl_verification *answer, const struct rl_protocol *protocol)
{
    const unsigned asked = answer->questions;
    bool well = true;
    if (asked & (RL_ASK_CLOSURE | RL_ASK_STABILITY))
        for (size_t i = 0; i < protocol->set_count; i++)
            well &= answer->sets[i].closed;
    if (asked & RL_ASK_LEMMAS)
        for (size_t i = 0; i < protocol->lemma_count; i++)
            well &= answer->lemmas[i].violations == 0;
    if (asked & RL_ASK_STABILITY)
        well &= answer->self_stabilizing && answer->sets[protocol->target].inside_safe;
    if (asked & RL_ASK_EXPECTED)
        for (size_t i = 0; i < protocol->claim_count; i++)
            well &= answer->claims[i].finite && answer->claims[i].holds;
    return well;
}

bool rl_verify_has_exact(void)
{
    return rl_exact_available();
}
