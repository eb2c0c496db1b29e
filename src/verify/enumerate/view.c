/* SPDX-License-Identifier: MIT
 *
 * Choosing the classes for each question, by what it can see of an agent's state.
 *
 * If the protocol says what a predicate sees, we rely on that: tests check it on every
 * configuration of small rings, and here it is probed on random ones of the present ring. If it
 * does not, every configuration is tried, if there are few enough: all states begin in one class;
 * for every choice of the other n-1 agents each state is tried, and a class whose states get
 * different answers falls apart. Otherwise the predicate is assumed to see everything, which is
 * exact and merges nothing.
 */
#include "verify/enumerate/verifier.h"

#include <stdlib.h>
#include <string.h>

#include "core/inside.h"
#include "verify/interned.h"

/* What a set sees is discovered where that takes at most this many calls (about a second). */
#define MOST_EFFORT (UINT64_C(1) << 24)

/* Random configurations on which a set is probed. */
enum { PROBES = 10000 };

struct maker {
    struct rl_views *views;
    const struct rl_table *table;
    bool no_reduction;
    uint32_t *labels; /* [state] */
    struct rl_effort *effort;
    struct rl_error *error;
};

/* The view for the labels (NULL: none), an old one if there is one like it. */
static struct rl_view *add_view(struct maker *maker, const uint32_t *labels)
{
    struct rl_views *views = maker->views;
    struct rl_view *view = rl_effort_calloc(maker->effort, 1, sizeof *view);
    if (!view)
        return NULL;
    views->list[views->count++] = view;
    rl_classes_init(&view->classes, maker->table, &labels, labels != NULL, maker->effort);
    for (size_t i = 0; !maker->effort->status && i + 1 < views->count; i++)
        if (rl_classes_equal(&views->list[i]->classes, &view->classes)) {
            rl_classes_free(&view->classes);
            free(view);
            views->count--;
            return views->list[i];
        }
    if (!maker->effort->status)
        rl_words_init(&view->words, &view->classes, !maker->no_reduction);
    return view;
}

/* A view for somebody who sees as declared, or everything. */
static struct rl_view *add_declared(struct maker *maker, rl_sight *sees)
{
    const struct rl_table *table = maker->table;
    for (uint32_t s = 0; !maker->effort->status && s < table->states; s++)
        maker->labels[s] = sees && !maker->no_reduction
                               ? (uint32_t)rl_protocol_index(table->protocol, &table->params,
                                                             sees(&table->params, table->word[s]))
                               : s;
    return add_view(maker, maker->labels);
}

/* ---- what a set sees ---- */

static void discover(struct maker *maker, bool (*contains)(const struct rl_ring *ring))
{
    const struct rl_table *table = maker->table;
    const uint32_t n = table->params.n;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {table->protocol, table->params, agents};
    uint16_t others[RL_VERIFY_AGENTS] = {0};
    struct rl_effort unlimited = {.memory = UINT64_MAX};
    struct rl_interned split = {.effort = &unlimited}; /* labels with answers: few */
    bool *answer = rl_effort_calloc(maker->effort, table->states, sizeof *answer);
    if (answer)
        memset(maker->labels, 0, table->states * sizeof *maker->labels);
    for (bool more = answer; more && !maker->effort->status;
         more = rl_table_advance(table->states, others, n - 1)) {
        for (uint32_t i = 1; i < n; i++)
            rl_ring_set(&ring, i, table->word[others[i - 1]]);
        for (uint32_t s = 0; s < table->states; s++) {
            rl_ring_set(&ring, 0, table->word[s]);
            answer[s] = contains(&ring);
        }
        if (!memchr(answer, answer[0] ? 0 : 1, table->states))
            continue;
        rl_interned_clear(&split);
        for (uint32_t s = 0; s < table->states; s++)
            maker->labels[s] = rl_interned_add(&split, 2 * maker->labels[s] + answer[s]);
        rl_effort_has(maker->effort, !unlimited.status);
    }
    rl_interned_free(&split);
    free(answer);
}

/* Does a set see no more than is declared, and ignore rotation, on random configurations? */
static bool keeps_its_word(const struct rl_table *table, const struct rl_set *set, rl_sight *sees)
{
    const uint32_t n = table->params.n;
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {table->protocol, table->params, agents};
    struct rl_random random;
    rl_random_init(&random, PROBES, 0, RL_PURPOSE_START);
    for (uint32_t k = 0; k < PROBES; k++) {
        rl_ring_randomize(&ring, &random);
        const bool answer = set->contains(&ring);
        const rl_state first = rl_ring_get(&ring, 0);
        for (uint32_t i = 0; i < n; i++) {
            const rl_state state = i + 1 < n ? rl_ring_get(&ring, i + 1) : first;
            rl_ring_set(&ring, i, sees ? sees(&table->params, state) : state);
        }
        if (set->contains(&ring) != answer)
            return false;
    }
    return true;
}

static struct rl_view *add_set(struct maker *maker, size_t i)
{
    const struct rl_protocol *protocol = maker->table->protocol;
    const struct rl_set *set = &protocol->sets[i];
    rl_sight *sees = protocol->set_sees ? protocol->set_sees[i] : NULL;
    if (!maker->effort->status && !keeps_its_word(maker->table, set, sees))
        maker->effort->status = rl_error_set(
            maker->error, RL_BAD_PARAMETER,
            "set %s of protocol %s depends on more than it declares", set->name, protocol->name);
    if (sees || maker->no_reduction ||
        !rl_table_configurations(maker->table->states, maker->table->params.n, MOST_EFFORT))
        return add_declared(maker, sees);
    discover(maker, set->contains);
    return add_view(maker, maker->labels);
}

/* ---- all of them ---- */

/* Can the configurations of this ring be enumerated? */
static enum rl_status check(const struct rl_protocol *protocol, const struct rl_params *params,
                            struct rl_error *error)
{
    const uint64_t states = rl_protocol_states(protocol, params);
    const enum rl_status status = rl_table_check(protocol, params, error);
    if (status)
        return status;
    if (states == 0)
        return rl_error_set(error, RL_BAD_PARAMETER, "an agent has no state with these parameters");
    if (rl_table_bytes(protocol, params) == 0)
        return rl_error_set(error, RL_TOO_LARGE,
                            "an agent has %llu states, too many to tabulate all pairs",
                            (unsigned long long)states);
    /* Codes of words have 63 bits. */
    if (params->n > RL_VERIFY_AGENTS || !rl_table_configurations(states, params->n, INT64_MAX))
        return rl_error_set(error, RL_TOO_LARGE,
                            "%llu states to the power of n = %u are more than 2^63 configurations",
                            (unsigned long long)states, params->n);
    return RL_OK;
}

void rl_view_plan(struct rl_effort *effort, uint64_t bytes, struct rl_error *error)
{
    const uint64_t mega = 1000 * 1000;
    if (effort->status || (bytes > 0 && bytes <= effort->memory))
        return;
    effort->status =
        bytes == 0 ? rl_error_set(error, RL_TOO_LARGE,
                                  "there are more than 2^32 configurations up to symmetry; for so "
                                  "many, only closure and lemmas can be checked")
                   : rl_error_set(error, RL_TOO_LARGE,
                                  "this takes %llu MB of memory, and %llu MB are allowed",
                                  (unsigned long long)(bytes / mega + 1),
                                  (unsigned long long)(effort->memory / mega));
}

void rl_view_init(struct rl_views *views, const struct rl_protocol *protocol,
                  const struct rl_params *params, bool no_reduction, struct rl_effort *effort,
                  struct rl_error *error)
{
    *views = (struct rl_views){0};
    effort->status = check(protocol, params, error);
    rl_view_plan(effort, rl_table_bytes(protocol, params), error);
    if (effort->status)
        return;
    rl_table_init(&views->table, protocol, params, effort);
    struct maker maker = {
        views,        &views->table,
        no_reduction, rl_effort_calloc(effort, views->table.states, sizeof *maker.labels),
        effort,       error};
    views->base = no_reduction ? add_declared(&maker, NULL) : add_view(&maker, NULL);
    for (size_t i = 0; i < rl_protocol_set_count(protocol); i++)
        views->set[i] = add_set(&maker, i);
    for (size_t i = 0; i < protocol->lemma_count; i++)
        views->lemma[i] = add_declared(&maker, protocol->lemmas[i].sees);
    for (size_t i = 0; i < protocol->claim_count; i++)
        views->claim[i] = add_declared(&maker, protocol->claims[i].sees);
    for (size_t i = 0; !effort->status && i < rl_protocol_set_count(protocol); i++)
        views->set[i]->measured = true;
    for (size_t i = 0; !effort->status && i < protocol->claim_count; i++)
        views->claim[i]->measured = true;
    free(maker.labels);
}

void rl_view_free(struct rl_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        rl_classes_free(&views->list[i]->classes);
        free(views->list[i]);
    }
    rl_table_free(&views->table);
    *views = (struct rl_views){0};
}
