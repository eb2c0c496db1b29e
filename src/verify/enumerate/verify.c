/* SPDX-License-Identifier: MIT
 *
 * The verifier: which question is asked of which space, in what order.
 *
 * First the base, whose classes respect interactions and outputs only: safe configurations and
 * self-stabilization. Then the sets are surveyed, and the target is compared with safe. Then come
 * the lemmas, which need no memory. Expected steps come last: those of the base, then, one after
 * another, the spaces that the sets need. Successors are stored for these only, and for a trap.
 */
#include "ringleader/verify.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ringleader/explore.h"
#include "verify/enumerate/verifier.h"

/* ---- sizes and memory ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Sets, a byte for each representative: safe, a target, and what reaches it. */
enum { SETS_AT_ONCE = 3 };

/* Bytes to store a view's space and to answer about it; 0 if it cannot be stored. */
static uint64_t bytes_of_view(const struct rl_verifier *verifier, const struct rl_view *view)
{
    const uint64_t space = rl_space_bytes(&view->words), count = rl_words_count(&view->words);
    const uint64_t solve = rl_verifier_asks(verifier, RL_ASK_EXPECTED) ? count * RL_SOLVE_BYTES : 0;
    return space == 0 ? 0 : space + SETS_AT_ONCE * count + larger(count * RL_TRAP_BYTES, solve);
}

static bool needs_space(const struct rl_verifier *verifier, const struct rl_view *view)
{
    if (view == verifier->views.base)
        return rl_verifier_asks(verifier, RL_ASK_STABILITY);
    return view->measured && rl_verifier_asks(verifier, RL_ASK_EXPECTED);
}

static void plan_memory(struct rl_verifier *verifier)
{
    const struct rl_views *views = &verifier->views;
    uint64_t most = 0;
    for (size_t i = 0; i < views->count; i++) {
        if (!needs_space(verifier, views->list[i]))
            continue;
        const uint64_t bytes = bytes_of_view(verifier, views->list[i]);
        if (bytes == 0)
            rl_view_plan(&verifier->effort, 0, verifier->error);
        most = larger(most, bytes);
    }
    most += rl_table_bytes(verifier->protocol, &verifier->options->params);
    verifier->answer->memory = most;
    rl_view_plan(&verifier->effort, most, verifier->error);
}

static void prepare(struct rl_verifier *verifier)
{
    const struct rl_verify_options *options = verifier->options;
    struct rl_verification *answer = verifier->answer;
    const struct rl_views *views = &verifier->views;
    rl_view_init(&verifier->views, verifier->protocol, &options->params, options->no_reduction,
                 &verifier->effort, verifier->error);
    if (verifier->effort.status)
        return;
    const struct rl_view *view = rl_protocol_set_count(verifier->protocol) > 0
                                     ? views->set[verifier->protocol->target]
                                     : views->base;
    answer->agent_states = views->table.states;
    answer->configurations =
        rl_table_configurations(views->table.states, options->params.n, INT64_MAX);
    answer->agent_classes = view->classes.count;
    answer->representatives = rl_words_count(&view->words);
    if (options->questions == 0 && answer->representatives > options->most_expected)
        answer->questions &= ~(unsigned)RL_ASK_EXPECTED;
    plan_memory(verifier);
}

/* ---- counterexamples ---- */

/* An execution of the one interaction that was found. */
static void show_find(struct rl_verifier *verifier, struct rl_counterexample *example,
                      const struct rl_words *words, const struct rl_find *find)
{
    if (!find->found)
        return;
    example->exists = true;
    rl_words_states(words, find->word.letters, example->start);
    rl_effort_record(&verifier->effort, example, find->arc);
}

/* An execution from a word on; up to the next change of output, if one can come. */
static void show_way(struct rl_verifier *verifier, struct rl_counterexample *example,
                     const struct rl_words *words, const uint16_t *letters, bool can_change)
{
    struct rl_protocol whole = *verifier->protocol;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {&whole, verifier->options->params, agents};
    const struct rl_explore_options options = {
        .experiment = {.protocol = &whole, .params = ring.params, .configuration = agents},
        .memory = verifier->effort.memory,
        .watch = verifier->effort.watch};
    struct rl_exploration exploration;
    example->exists = true;
    rl_words_states(words, letters, example->start);
    if (verifier->effort.status || !can_change)
        return;
    whole.part_count = 0; /* what shows in a part only need not be shortest */
    rl_words_ring(words, letters, &ring);
    const enum rl_status status = rl_explore(&options, &exploration, NULL);
    verifier->effort.status = status == RL_TOO_LARGE ? RL_OK : status;
    example->arcs = exploration.execution.arcs;
    example->length = exploration.execution.length;
}

/* The base with its successors, stored once. */
static void store_base(struct rl_verifier *verifier)
{
    if (verifier->base.graph.next)
        return;
    rl_effort_phase(&verifier->effort, "configurations", "");
    rl_space_init(&verifier->base, &verifier->views.base->words, &verifier->effort);
}

/* ---- the base ---- */

/* Puts a trap without a safe configuration on show, which can be reached from a code. */
static void show_trap(struct rl_verifier *verifier, uint64_t stuck)
{
    struct rl_verification *answer = verifier->answer;
    const struct rl_space *base = &verifier->base;
    store_base(verifier);
    if (verifier->effort.status)
        return;
    uint8_t *trap = rl_trap_find(&base->graph, rl_space_number(base, stuck), &verifier->effort);
    answer->trap_leaders_least = base->words.n;
    struct rl_word example = {0};
    bool changes = false;
    for (uint32_t i = 0; !verifier->effort.status && i < base->graph.count; i++) {
        struct rl_word word;
        if (!trap[i])
            continue;
        rl_space_word(base, i, &word);
        /* Rather one where an output is about to change. */
        const bool shows = !rl_words_keeps_outputs(&base->words, word.letters);
        if (answer->trap == 0 || shows > changes)
            example = word;
        changes |= shows;
        answer->trap += rl_words_weight(&base->words, &word);
        const uint32_t leaders = rl_words_leaders(&base->words, word.letters);
        if (leaders < answer->trap_leaders_least)
            answer->trap_leaders_least = leaders;
        if (leaders > answer->trap_leaders_most)
            answer->trap_leaders_most = leaders;
    }
    free(trap);
    show_way(verifier, &answer->trapped, &base->words, example.letters, changes);
}

static void judge_stability(struct rl_verifier *verifier)
{
    const struct rl_words *words = &verifier->views.base->words;
    struct rl_verification *answer = verifier->answer;
    struct rl_effort *effort = &verifier->effort;
    uint64_t at = 0;
    rl_effort_phase(effort, "safe configurations", "");
    verifier->safe = rl_reach_safe(words, effort);
    answer->safe = rl_reach_size(words, effort, verifier->safe);
    rl_effort_phase(effort, "self-stabilization", "");
    uint64_t *stuck = rl_reach_stuck(words, effort, verifier->safe);
    answer->stuck = rl_reach_size(words, effort, stuck);
    answer->self_stabilizing = !effort->status && answer->stuck == 0;
    while (!effort->status && !answer->self_stabilizing && !rl_bits_have(stuck, at))
        at++;
    free(stuck);
    if (!answer->self_stabilizing)
        show_trap(verifier, at);
}

/* ---- sets and lemmas ---- */

/* Whether the target is inside safe is a matter of stability, and is found with the sets. */
static void do_base_and_sets(struct rl_verifier *verifier)
{
    if (rl_verifier_asks(verifier, RL_ASK_STABILITY))
        judge_stability(verifier);
    for (size_t i = 0; !verifier->effort.status && i < rl_protocol_set_count(verifier->protocol);
         i++) {
        const struct rl_set *set = &verifier->protocol->sets[i];
        struct rl_set_answer *answer = &verifier->answer->sets[i];
        const struct rl_words *words = &verifier->views.set[i]->words;
        const bool judged = i == verifier->protocol->target && verifier->safe;
        rl_effort_phase(&verifier->effort, "closure", set->name);
        const struct rl_survey survey =
            rl_survey_set(words, &verifier->effort, set->contains,
                          judged ? &verifier->views.base->words : NULL, verifier->safe);
        answer->size = survey.size;
        answer->closed = !survey.violation.found;
        show_find(verifier, &answer->way_out, words, &survey.violation);
        answer->inside_safe = judged && !survey.unsafe.found;
        if (survey.unsafe.found)
            show_way(verifier, &answer->unsafe, words, survey.unsafe.word.letters, true);
    }
}

/* Lemmas of one view together. */
static void do_lemmas(struct rl_verifier *verifier)
{
    const struct rl_protocol *protocol = verifier->protocol;
    rl_effort_phase(&verifier->effort, "lemmas", "");
    for (size_t v = 0; v < verifier->views.count; v++) {
        const struct rl_view *view = verifier->views.list[v];
        const struct rl_lemma *lemmas[RL_MAX_LEMMAS];
        struct rl_survey surveys[RL_MAX_LEMMAS];
        size_t count = 0;
        for (size_t i = 0; i < protocol->lemma_count; i++)
            if (verifier->views.lemma[i] == view)
                lemmas[count++] = &protocol->lemmas[i];
        if (count > 0)
            rl_survey_lemmas(&view->words, &verifier->effort, lemmas, count, surveys);
        for (size_t i = 0; !verifier->effort.status && i < count; i++) {
            struct rl_lemma_answer *answer =
                &verifier->answer->lemmas[lemmas[i] - protocol->lemmas];
            answer->checked = surveys[i].size;
            answer->violations = surveys[i].violations;
            show_find(verifier, &answer->violation, &view->words, &surveys[i].violation);
        }
    }
}

static void drop_base(struct rl_verifier *verifier)
{
    rl_space_free(&verifier->base);
    free(verifier->safe);
    verifier->safe = NULL;
}

static void do_expected(struct rl_verifier *verifier)
{
    store_base(verifier);
    rl_hitting_view(verifier, &verifier->base, verifier->views.base);
    drop_base(verifier);
    for (size_t i = 0; i < verifier->views.count; i++) {
        const struct rl_view *view = verifier->views.list[i];
        struct rl_space space;
        if (view == verifier->views.base || !needs_space(verifier, view))
            continue;
        rl_effort_phase(&verifier->effort, "configurations", "");
        rl_space_init(&space, &view->words, &verifier->effort);
        rl_hitting_view(verifier, &space, view);
        rl_space_free(&space);
    }
}

void rl_verify_options_init(struct rl_verify_options *options, const struct rl_protocol *protocol,
                            uint32_t n)
{
    assert(protocol && "no protocol: is its name right?");
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    *options = (struct rl_verify_options){.protocol = protocol,
                                          .params = rl_protocol_usual(protocol, n),
                                          .most_expected = RL_MOST_EXPECTED,
                                          .precision = 1e-9,
                                          .memory = (uint64_t)pages / 5 * 4 * (uint64_t)page,
                                          .jobs = 1};
}

enum rl_status rl_verify(struct rl_verification *answer, const struct rl_verify_options *options,
                         struct rl_error *error)
{
    assert(options->protocol && options->params.n >= 2 && "no ring to verify");
    assert(options->jobs > 0 && options->memory > 0 && options->precision > 0 &&
           "the options are not those of rl_verify_options_init");
    *answer = (struct rl_verification){0};
    answer->questions = options->questions ? options->questions : RL_ASK_EVERYTHING;
    if (answer->questions & RL_ASK_EXPECTED)
        answer->questions |= RL_ASK_STABILITY;
    struct rl_verifier verifier = {
        .options = options,
        .protocol = options->protocol,
        .answer = answer,
        .error = error,
        .effort = {.memory = options->memory, .jobs = options->jobs, .watch = options->watch}};
    prepare(&verifier);
    if (!verifier.effort.status && rl_verifier_asks(&verifier, RL_ASK_CLOSURE | RL_ASK_STABILITY))
        do_base_and_sets(&verifier);
    if (!verifier.effort.status && rl_verifier_asks(&verifier, RL_ASK_LEMMAS))
        do_lemmas(&verifier);
    if (!verifier.effort.status && rl_verifier_asks(&verifier, RL_ASK_EXPECTED))
        do_expected(&verifier);
    drop_base(&verifier);
    rl_view_free(&verifier.views);
    return verifier.effort.status;
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
        for (size_t i = 0; i < rl_protocol_set_count(protocol); i++)
            well &= answer->sets[i].closed;
    if (asked & RL_ASK_LEMMAS)
        for (size_t i = 0; i < protocol->lemma_count; i++)
            well &= answer->lemmas[i].violations == 0;
    if (asked & RL_ASK_STABILITY)
        well &= answer->self_stabilizing && (rl_protocol_set_count(protocol) == 0 ||
                                             answer->sets[protocol->target].inside_safe);
    if (asked & RL_ASK_EXPECTED)
        for (size_t i = 0; i < protocol->claim_count; i++)
            well &= answer->claims[i].holds;
    return well;
}
