/* SPDX-License-Identifier: MIT
 *
 * Choosing the classes for each question.
 */
#include "verify/enumerate/view.h"

#include <stdlib.h>

/* What a set sees is discovered where that takes at most this many calls (about a second). */
#define MOST_EFFORT (UINT64_C(1) << 24)

/* Random configurations on which a declared sight is probed. */
enum { PROBES = 10000 };

struct maker {
    struct rl_views *views;
    const struct rl_table *table;
    bool no_reduction;
    uint16_t *labels;
    struct rl_effort *effort;
};

/* The view for the labels (NULL: none), an old one if there is one like it. */
static struct rl_view *add_view(struct maker *maker, const uint16_t *labels)
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
    if (maker->effort->status)
        return NULL;
    rl_sight_declared(maker->table, maker->no_reduction ? NULL : sees, maker->labels);
    return add_view(maker, maker->labels);
}

static void probe(struct maker *maker, const struct rl_set *set, rl_sight *sees,
                  struct rl_error *error)
{
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {maker->table->protocol, maker->table->params, agents};
    if (!rl_sight_probe(maker->table, set->contains, sees, PROBES, &ring))
        maker->effort->status = rl_error_set(
            error, RL_BAD_PARAMETER, "set %s of protocol %s depends on more than it declares",
            set->name, maker->table->protocol->name);
}

static struct rl_view *add_set(struct maker *maker, size_t i, struct rl_error *error)
{
    const struct rl_protocol *protocol = maker->table->protocol;
    const struct rl_set *set = &protocol->sets[i];
    rl_sight *sees = protocol->set_sees ? protocol->set_sees[i] : NULL;
    if (!maker->effort->status)
        probe(maker, set, sees, error);
    if (sees || maker->no_reduction ||
        !rl_table_configurations(maker->table->states, maker->table->params.n, MOST_EFFORT))
        return add_declared(maker, sees);
    rl_sight_discover(maker->table, set->contains, maker->labels, maker->effort);
    return add_view(maker, maker->labels);
}

void rl_view_init(struct rl_views *views, const struct rl_protocol *protocol,
                  const struct rl_params *params, bool no_reduction, struct rl_effort *effort,
                  struct rl_error *error)
{
    *views = (struct rl_views){0};
    rl_table_init(&views->table, protocol, params, effort);
    struct maker maker = {views, &views->table, no_reduction,
                          rl_effort_calloc(effort, views->table.states, sizeof *maker.labels),
                          effort};
    views->base = no_reduction ? add_declared(&maker, NULL) : add_view(&maker, NULL);
    for (size_t i = 0; i < protocol->set_count; i++)
        views->set[i] = add_set(&maker, i, error);
    for (size_t i = 0; i < protocol->lemma_count; i++)
        views->lemma[i] = add_declared(&maker, protocol->lemmas[i].sees);
    for (size_t i = 0; i < protocol->claim_count; i++)
        views->claim[i] = add_declared(&maker, protocol->claims[i].sees);
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
