/* SPDX-License-Identifier: MIT
 *
 * Exploration: breadth first from each member of a start, in the projection on each part.
 *
 * A configuration is the row of its agents' classes, folded to 64 bits (fold.h). Classes and what
 * two of them can do are found out on the way (projection.h), so nothing depends on how many states
 * there are, only on how many are met. Rotations are not merged: what is explored has, as a rule,
 * one leader, which stays where it is. Members are explored one after the other, for their
 * reachable sets seldom meet and memory is what ends an exploration.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/inside.h"
#include "verify/explore/explorer.h"
#include "verify/classes.h"

enum { SPELL = 1 << 14 };

static struct rl_explored *current(struct rl_explorer *explorer)
{
    return &explorer->out->explored[explorer->out->explored_count - 1];
}

/* Goes on, unless something failed, there is no more room, or something was seen that must not be.
 */
static bool goes_on(const struct rl_explorer *explorer)
{
    return !explorer->status && explorer->allowance >= 0 && !explorer->out->violated;
}

static void classes_of(const struct rl_explorer *explorer, uint64_t at, uint32_t *classes_out)
{
    rl_unfold(&explorer->pairs, explorer->found.configurations.keys[at], explorer->ring.params.n,
              classes_out);
}

uint64_t rl_explorer_fold(struct rl_explorer *explorer, const struct rl_ring *ring)
{
    uint32_t classes[RL_EXPLORER_ROW];
    for (uint32_t i = 0; i < ring->params.n; i++)
        classes[i] = rl_projection_class(&explorer->projection, rl_ring_get(ring, i));
    return rl_fold(&explorer->pairs, classes, ring->params.n);
}

/* The oracle's report, where there is one. */
static bool no_leader(const struct rl_explorer *explorer, const uint32_t *classes)
{
    if (!explorer->projection.protocol->oracle)
        return false;
    for (uint32_t i = 0; i < explorer->ring.params.n; i++)
        if (explorer->projection.protocol->leads(
                rl_projection_state(&explorer->projection, classes[i])))
            return false;
    return true;
}

/* Whether configuration `at` is in a set; nothing is hidden then. */
static bool is_in(struct rl_explorer *explorer, const struct rl_set *set, uint64_t at)
{
    uint32_t classes[RL_EXPLORER_ROW];
    struct rl_ring ring = explorer->ring;
    ring.agents = explorer->scratch;
    classes_of(explorer, at, classes);
    for (uint32_t i = 0; i < ring.params.n; i++)
        rl_ring_set(&ring, i, rl_projection_state(&explorer->projection, classes[i]));
    return set->contains(&ring);
}

/* A violation: the present configuration's along an arc, or at it. */
static void violate(struct rl_explorer *explorer, uint64_t last, uint32_t arc)
{
    explorer->out->violated = true;
    explorer->last = last;
    explorer->arc = arc;
}

static void add(struct rl_explorer *explorer, uint64_t folded, uint32_t parent, uint32_t arc)
{
    const struct rl_explore_options *options = explorer->options;
    struct rl_found *found = &explorer->found;
    const uint64_t count = found->configurations.count;
    const uint32_t number = rl_interned_add(&found->configurations, folded);
    if (explorer->allowance < 0)
        return;
    if (number == count) { /* it is new */
        if (!rl_interned_room(&explorer->allowance, &found->parents, &found->parent_room, count + 1,
                              sizeof *found->parents) ||
            !rl_interned_room(&explorer->allowance, &found->arcs, &found->arc_room, count + 1,
                              sizeof *found->arcs))
            return;
        found->parents[number] = parent;
        found->arcs[number] = (uint8_t)arc;
    }
    if (options->goal && rl_interned_room(&explorer->allowance, &found->links, &found->link_room,
                                          found->link_count + 1, sizeof *found->links))
        found->links[found->link_count++] = (struct rl_way){parent, number};
    if (number == count && options->set && !is_in(explorer, options->set, number))
        violate(explorer, number, 0);
}

/* Adds what one interaction leads to from configuration `at`, or notes a violation. */
static void follow_arc(struct rl_explorer *explorer, uint32_t at, const uint32_t *classes,
                       bool no_leader, uint32_t arc)
{
    const uint32_t n = explorer->ring.params.n;
    const uint32_t l = rl_ring_initiator(&explorer->ring, arc);
    const uint32_t r = rl_ring_responder(&explorer->ring, arc);
    const struct rl_outcomes outcomes =
        rl_projection_outcomes(&explorer->projection, classes[l], classes[r], no_leader);
    for (uint64_t k = 0; goes_on(explorer) && k < outcomes.count; k++) {
        const struct rl_outcome *outcome = &outcomes.list[k];
        if (outcome->changes & explorer->mine)
            violate(explorer, at, arc);
        if (outcome->changes & (explorer->mine | explorer->elsewhere))
            continue;
        uint32_t after[RL_EXPLORER_ROW];
        memcpy(after, classes, 2 * (size_t)n * sizeof *after);
        after[l] = outcome->l;
        after[r] = outcome->r;
        const uint64_t folded = rl_refold(&explorer->pairs, after, n, l, r);
        if (goes_on(explorer))
            add(explorer, folded, at, arc);
    }
}

/* Now and then somebody may stop it. */
static void ask_whether_to_go_on(struct rl_explorer *explorer, uint64_t count)
{
    const struct rl_explore_options *options = explorer->options;
    if (count % SPELL == SPELL - 1 && options->go_on &&
        !options->go_on(options->user, explorer->out))
        explorer->status = RL_STOPPED;
}

/* Marks everything from which something marked can be reached. Breadth first, most links lead on to
 * what was found later, so one look from the last to the first spreads marks nearly everywhere; it
 * is repeated until it changes nothing. */
static void spread(const struct rl_found *found, bool *marked)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t i = found->link_count; i-- > 0;) {
            const struct rl_way link = found->links[i];
            if (marked[link.to] && !marked[link.from])
                marked[link.from] = changed = true;
        }
    }
}

/* Can everything found go on to the goal? If not, the first that cannot is the violation. */
static void look_for_goal(struct rl_explorer *explorer)
{
    const uint64_t count = explorer->found.configurations.count;
    bool *reaches = NULL;
    uint64_t room = 0;
    if (!rl_interned_room(&explorer->allowance, &reaches, &room, count, sizeof *reaches))
        return;
    for (uint64_t i = 0; !explorer->status && i < count; i++) {
        ask_whether_to_go_on(explorer, i);
        reaches[i] = is_in(explorer, explorer->options->goal, i);
    }
    if (!explorer->status)
        spread(&explorer->found, reaches);
    for (uint64_t i = count; !explorer->status && i-- > 0;)
        if (!reaches[i])
            violate(explorer, i, 0);
    free(reaches);
    explorer->allowance += (int64_t)(count * sizeof *reaches);
}

/* Breadth first from the ring as it stands. */
static void explore_member(struct rl_explorer *explorer)
{
    struct rl_explored *explored = current(explorer);
    const uint64_t before = explored->configurations;
    uint32_t classes[RL_EXPLORER_ROW], depth = 0;
    uint64_t level_end = 1; /* the configurations before it are at most `depth` away */
    rl_interned_clear(&explorer->pairs);
    rl_interned_clear(&explorer->found.configurations);
    explorer->found.link_count = 0;
    const uint64_t *const count = &explorer->found.configurations.count;
    const uint64_t folded = rl_explorer_fold(explorer, &explorer->ring);
    if (goes_on(explorer))
        add(explorer, folded, 0, 0);
    for (uint32_t at = 0; goes_on(explorer) && at < *count; at++) {
        if (at == level_end) {
            depth++;
            level_end = *count;
        }
        explored->configurations = before + *count;
        ask_whether_to_go_on(explorer, at);
        classes_of(explorer, at, classes);
        const bool absent = no_leader(explorer, classes);
        const uint32_t arcs = rl_ring_arcs(&explorer->ring);
        for (uint32_t arc = 0; goes_on(explorer) && arc < arcs; arc++)
            follow_arc(explorer, at, classes, absent, arc);
    }
    explored->configurations = before + *count;
    if (*count > explored->largest)
        explored->largest = *count;
    if (depth > explored->depth)
        explored->depth = depth;
    if (!explorer->status && explorer->allowance >= 0 && explorer->options->goal)
        look_for_goal(explorer);
    if (!explorer->status && explorer->allowance < 0)
        explorer->status = rl_error_set(
            explorer->error, RL_TOO_LARGE,
            "more than %llu configurations from one start do not fit into %llu MB",
            (unsigned long long)*count, (unsigned long long)(explorer->options->memory / 1000000));
}

/* ---- all of it ---- */

static const struct rl_start *named_start(const struct rl_experiment *experiment)
{
    const struct rl_protocol *protocol = experiment->protocol;
    for (size_t i = 0; !experiment->configuration && i < protocol->start_count; i++)
        if (strcmp(protocol->starts[i].name, experiment->start) == 0)
            return &protocol->starts[i];
    return NULL;
}

static void explore_members(struct rl_explorer *explorer)
{
    const struct rl_experiment *experiment = &explorer->options->experiment;
    const struct rl_start *start = named_start(experiment);
    struct rl_exploration *out = explorer->out;
    explorer->status = rl_experiment_fill(experiment, &explorer->ring, explorer->error);
    out->members = 0;
    do {
        if (explorer->status)
            return;
        out->members++;
        explore_member(explorer);
    } while (!out->violated && start && start->next && start->next(&explorer->ring));
    if (!explorer->status && out->violated)
        rl_explorer_confirm(explorer);
}

static void explore_part(struct rl_explorer *explorer, const struct rl_part *part)
{
    const struct rl_explore_options *options = explorer->options;
    const struct rl_experiment *experiment = &options->experiment;
    explorer->out->explored[explorer->out->explored_count++] =
        (struct rl_explored){.part = part->name};
    const bool any_change = options->set || options->goal;
    explorer->mine = any_change ? 0 : part->changes;
    explorer->elsewhere = any_change ? 0 : ~part->changes;
    explorer->allowance = options->memory < INT64_MAX ? (int64_t)options->memory : INT64_MAX;
    explorer->pairs.allowance = &explorer->allowance;
    explorer->found.configurations.allowance = &explorer->allowance;
    rl_projection_init(&explorer->projection, experiment->protocol, &experiment->params,
                       part->variables, &explorer->allowance);
    if (explorer->allowance < 0)
        explorer->status = rl_error_set(
            explorer->error, RL_TOO_LARGE, "the %llu states of an agent do not fit into %llu bytes",
            (unsigned long long)rl_protocol_states(experiment->protocol, &experiment->params),
            (unsigned long long)options->memory);
    else
        explore_members(explorer);
    current(explorer)->agent_classes = (uint32_t)explorer->projection.classes.count;
    rl_projection_free(&explorer->projection);
    rl_interned_free(&explorer->pairs);
    rl_interned_free(&explorer->found.configurations);
    free(explorer->found.parents);
    free(explorer->found.arcs);
    free(explorer->found.links);
    explorer->found = (struct rl_found){0};
}

static enum rl_status check(const struct rl_experiment *experiment, struct rl_error *error)
{
    if (experiment->params.n > RL_VERIFY_AGENTS)
        return rl_error_set(error, RL_BAD_PARAMETER, "n = %u is too large: at most %u agents",
                            experiment->params.n, RL_VERIFY_AGENTS);
    return rl_table_check(experiment->protocol, &experiment->params, error);
}

void rl_explore_options_init(struct rl_explore_options *options, const struct rl_protocol *protocol,
                             uint32_t n, const char *start)
{
    *options = (struct rl_explore_options){.memory = UINT64_C(1) << 30};
    rl_experiment_init(&options->experiment, protocol, n);
    options->experiment.start = start;
}

enum rl_status rl_explore(const struct rl_explore_options *options,
                          struct rl_exploration *exploration_out, struct rl_error *error)
{
    const struct rl_experiment *experiment = &options->experiment;
    assert(experiment->protocol && (experiment->start || experiment->configuration) &&
           options->memory > 0 && "the options are not those of rl_explore_options_init");
    static const struct rl_part whole = {"whole", UINT64_MAX, RL_CREATION | RL_DEATH};
    const struct rl_protocol *protocol = experiment->protocol;
    *exploration_out = (struct rl_exploration){0};
    const bool divided = protocol->part_count > 0 && !options->set && !options->goal;
    const size_t bytes = rl_ring_bytes(protocol, experiment->params.n);
    const enum rl_status status = check(experiment, error);
    if (status)
        return status;
    struct rl_explorer explorer = {.options = options,
                                   .out = exploration_out,
                                   .error = error,
                                   .ring = {protocol, experiment->params, malloc(bytes)},
                                   .scratch = malloc(bytes)};
    explorer.status = explorer.ring.agents && explorer.scratch ? RL_OK : RL_NO_MEMORY;
    unsigned seen_to = 0;
    for (size_t i = 0; i < (divided ? protocol->part_count : 1); i++) {
        const struct rl_part *part = divided ? &protocol->parts[i] : &whole;
        seen_to |= part->changes;
        if (goes_on(&explorer))
            explore_part(&explorer, part);
    }
    assert(seen_to == (RL_CREATION | RL_DEATH));
    free(explorer.ring.agents);
    free(explorer.scratch);
    return explorer.status;
}

void rl_explore_free(struct rl_exploration *exploration)
{
    free(exploration->execution.arcs);
    *exploration = (struct rl_exploration){0};
}
