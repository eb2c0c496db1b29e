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
};

/* The view for the labels (NULL: none), an old one if there is one like it. */
static enum rl_status add_view(struct maker *maker, const uint16_t *labels,
                               struct rl_view **view_out)
{
    struct rl_views *views = maker->views;
    struct rl_view *view = calloc(1, sizeof *view);
    if (!view)
        return RL_NO_MEMORY;
    views->list[views->count++] = view;
    const enum rl_status status =
        rl_classes_init(&view->classes, maker->table, &labels, labels != NULL);
    if (status)
        return status;
    for (size_t i = 0; i + 1 < views->count; i++)
        if (rl_classes_equal(&views->list[i]->classes, &view->classes)) {
            rl_classes_free(&view->classes);
            free(view);
            views->count--;
            *view_out = views->list[i];
            return RL_OK;
        }
    rl_words_init(&view->words, &view->classes, !maker->no_reduction);
    *view_out = view;
    return RL_OK;
}

/* A view for somebody who sees as declared, or everything. */
static enum rl_status add_declared(struct maker *maker, rl_sight *sees, struct rl_view **view_out)
{
    rl_sight_declared(maker->table, maker->no_reduction ? NULL : sees, maker->labels);
    return add_view(maker, maker->labels, view_out);
}

static enum rl_status probe(struct maker *maker, const struct rl_set *set, rl_sight *sees,
                            struct rl_error *error)
{
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {maker->table->protocol, maker->table->params, agents};
    if (rl_sight_probe(maker->table, set->contains, sees, PROBES, &ring))
        return RL_OK;
    return rl_error_set(error, RL_BAD_PARAMETER,
                        "set %s of protocol %s is not a function of what it declares to see",
                        set->name, maker->table->protocol->name);
}

static enum rl_status add_set(struct maker *maker, size_t i, struct rl_error *error)
{
    const struct rl_protocol *protocol = maker->table->protocol;
    const struct rl_set *set = &protocol->sets[i];
    rl_sight *sees = protocol->set_sees ? protocol->set_sees[i] : NULL;
    enum rl_status status = probe(maker, set, sees, error);
    if (status)
        return status;
    if (sees || maker->no_reduction || rl_sight_effort(maker->table, MOST_EFFORT) == 0)
        return add_declared(maker, sees, &maker->views->set[i]);
    status = rl_sight_discover(maker->table, set->contains, maker->labels);
    return status ? status : add_view(maker, maker->labels, &maker->views->set[i]);
}

static enum rl_status add_all(struct maker *maker, struct rl_error *error)
{
    const struct rl_protocol *protocol = maker->table->protocol;
    struct rl_views *views = maker->views;
    enum rl_status status = maker->no_reduction ? add_declared(maker, NULL, &views->base)
                                                : add_view(maker, NULL, &views->base);
    for (size_t i = 0; !status && i < protocol->set_count; i++)
        status = add_set(maker, i, error);
    for (size_t i = 0; !status && i < protocol->lemma_count; i++)
        status = add_declared(maker, protocol->lemmas[i].sees, &views->lemma[i]);
    for (size_t i = 0; !status && i < protocol->claim_count; i++)
        status = add_declared(maker, protocol->claims[i].sees, &views->claim[i]);
    return status;
}

enum rl_status rl_view_init(struct rl_views *views, const struct rl_protocol *protocol,
                            const struct rl_params *params, bool no_reduction,
                            struct rl_error *error)
{
    *views = (struct rl_views){0};
    const enum rl_status made = rl_table_init(&views->table, protocol, params);
    if (made)
        return made;
    struct maker maker = {views, &views->table, no_reduction, NULL};
    maker.labels = malloc(views->table.states * sizeof *maker.labels);
    const enum rl_status status = maker.labels ? add_all(&maker, error) : RL_NO_MEMORY;
    free(maker.labels);
    return status;
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
