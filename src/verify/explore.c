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

#include "verify/search.h"
#include "verify/words.h"

enum { SPELL = 1 << 14 };

static struct rl_explored *current(struct rl_search *search)
{
    return &search->out->explored[search->out->explored_count - 1];
}

/* The memory allowed does not do. */
static enum rl_status no_room(const struct rl_search *search, struct rl_error *error)
{
    return rl_error_set(error, RL_TOO_LARGE,
                        "more than %u configurations from one start do not fit into %u MB",
                        search->found.configurations.count, search->options->memory / 1000000);
}

static void classes_of(const struct rl_search *search, uint64_t at, uint32_t *classes_out)
{
    rl_unfold(&search->pairs, search->found.configurations.keys[at], search->ring.params.n,
              classes_out);
}

bool rl_search_fold(struct rl_search *search, const struct rl_ring *ring, uint64_t *folded_out)
{
    uint32_t classes[RL_SEARCH_ROW];
    for (uint32_t i = 0; i < ring->params.n; i++)
        if (!rl_projection_class(&search->projection, rl_ring_get(ring, i), &classes[i]))
            return false;
    return rl_fold(&search->pairs, classes, ring->params.n, folded_out);
}

/* The oracle's report, where there is one. */
static bool no_leader(const struct rl_search *search, const uint32_t *classes)
{
    if (!search->projection.protocol->oracle)
        return false;
    for (uint32_t i = 0; i < search->ring.params.n; i++)
        if (search->projection.protocol->leads(
                rl_projection_state(&search->projection, classes[i])))
            return false;
    return true;
}

/* Whether configuration `at` is in a set; nothing is hidden then. */
static bool is_in(struct rl_search *search, const struct rl_set *set, uint64_t at)
{
    uint32_t classes[RL_SEARCH_ROW];
    struct rl_ring ring = search->ring;
    ring.agents = search->scratch;
    classes_of(search, at, classes);
    for (uint32_t i = 0; i < ring.params.n; i++)
        rl_ring_set(&ring, i, rl_projection_state(&search->projection, classes[i]));
    return set->contains(&ring);
}

static enum rl_status add(struct rl_search *search, uint64_t folded, uint32_t parent, uint32_t arc,
                          struct rl_error *error)
{
    const struct rl_explore_options *options = search->options;
    uint32_t number;
    const enum rl_interned_answer answer =
        rl_found_add(&search->found, folded, parent, arc, &number);
    if (answer == RL_INTERNED_NO_ROOM ||
        (options->goal && !rl_links_add(&search->links, parent, number)))
        return no_room(search, error);
    if (answer == RL_INTERNED_NEW && options->set && !is_in(search, options->set, number)) {
        search->out->violated = true;
        search->last = number;
    }
    return RL_OK;
}

/* Adds what one interaction leads to from configuration `at`, or notes a violation. */
static enum rl_status follow_arc(struct rl_search *search, uint32_t at, const uint32_t *classes,
                                 bool no_leader, uint32_t arc, struct rl_error *error)
{
    const uint32_t n = search->ring.params.n;
    const uint32_t l = rl_ring_initiator(&search->ring, arc);
    const uint32_t r = rl_ring_responder(&search->ring, arc);
    struct rl_outcomes outcomes;
    if (!rl_projection_outcomes(&search->projection, classes[l], classes[r], no_leader, &outcomes))
        return no_room(search, error);
    for (uint64_t k = 0; k < outcomes.count; k++) {
        const struct rl_outcome *outcome = &outcomes.list[k];
        if (outcome->changes & search->mine) {
            search->out->violated = true;
            search->last = at;
            search->arc = arc;
            return RL_OK;
        }
        if (outcome->changes & search->elsewhere)
            continue;
        uint32_t after[RL_SEARCH_ROW];
        uint64_t folded;
        memcpy(after, classes, 2 * (size_t)n * sizeof *after);
        after[l] = outcome->l;
        after[r] = outcome->r;
        if (!rl_refold(&search->pairs, after, n, l, r, &folded))
            return no_room(search, error);
        const enum rl_status status = add(search, folded, at, arc, error);
        if (status || search->out->violated)
            return status;
    }
    return RL_OK;
}

static bool may_go_on(const struct rl_search *search)
{
    const struct rl_explore_options *options = search->options;
    return !options->go_on || options->go_on(options->user, search->out);
}

/* Marks what is in the goal. */
static bool mark_goal(struct rl_search *search, bool *marked_out)
{
    for (uint64_t i = 0; i < search->found.configurations.count; i++) {
        if (i % SPELL == SPELL - 1 && !may_go_on(search))
            return false;
        marked_out[i] = is_in(search, search->options->goal, i);
    }
    return true;
}

/* Can everything found go on to the goal? If not, the first that cannot is the violation. */
static enum rl_status look_for_goal(struct rl_search *search, struct rl_error *error)
{
    const uint64_t count = search->found.configurations.count;
    bool *reaches = rl_interned_more(&search->allowance, NULL, 0, count, sizeof *reaches);
    if (!reaches)
        return no_room(search, error);
    const bool marked = mark_goal(search, reaches);
    if (marked)
        rl_links_spread(&search->links, reaches);
    for (uint64_t i = count; marked && i-- > 0;)
        if (!reaches[i]) {
            search->out->violated = true;
            search->last = i;
        }
    free(reaches);
    search->allowance += count * sizeof *reaches;
    return marked ? RL_OK : RL_STOPPED;
}

/* Breadth first from the ring as it stands. */
static enum rl_status explore_member(struct rl_search *search, struct rl_error *error)
{
    struct rl_explored *explored = current(search);
    const uint64_t before = explored->configurations;
    uint32_t classes[RL_SEARCH_ROW], depth = 0;
    uint64_t level_end = 1; /* the configurations before it are at most `depth` away */
    uint64_t folded;
    rl_interned_clear(&search->pairs);
    rl_found_clear(&search->found);
    search->links.count = 0;
    const uint64_t *const count = &search->found.configurations.count;
    enum rl_status status = rl_search_fold(search, &search->ring, &folded)
                                ? add(search, folded, 0, 0, error)
                                : no_room(search, error);
    for (uint32_t at = 0; !status && !search->out->violated && at < *count; at++) {
        if (at == level_end) {
            depth++;
            level_end = *count;
        }
        explored->configurations = before + *count;
        if (at % SPELL == SPELL - 1 && !may_go_on(search))
            return RL_STOPPED;
        classes_of(search, at, classes);
        const bool absent = no_leader(search, classes);
        const uint32_t arcs = rl_ring_arcs(&search->ring);
        for (uint32_t arc = 0; !status && !search->out->violated && arc < arcs; arc++)
            status = follow_arc(search, at, classes, absent, arc, error);
    }
    explored->configurations = before + *count;
    if (*count > explored->largest)
        explored->largest = *count;
    if (depth > explored->depth)
        explored->depth = depth;
    if (!status && search->options->goal)
        status = look_for_goal(search, error);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static const struct rl_start *named_start(const struct rl_explore_options *options)
{
    for (size_t i = 0; !options->configuration && i < options->protocol->start_count; i++)
        if (strcmp(options->protocol->starts[i].name, options->start) == 0)
            return &options->protocol->starts[i];
    return NULL;
}

static enum rl_status first_member(struct rl_search *search, struct rl_error *error)
{
    const struct rl_explore_options *options = search->options;
    if (options->configuration) {
        memcpy(search->ring.agents, options->configuration,
               rl_ring_bytes(options->protocol, options->params.n));
        return RL_OK;
    }
    struct rl_random random;
    rl_random_init(&random, options->seed, 0, RL_PURPOSE_START);
    return rl_ring_start(&search->ring, options->start, &random, error);
}

static enum rl_status explore_members(struct rl_search *search, struct rl_error *error)
{
    const struct rl_start *start = named_start(search->options);
    struct rl_exploration *out = search->out;
    enum rl_status status = first_member(search, error);
    out->members = 0;
    do {
        if (status)
            return status;
        out->members++;
        status = explore_member(search, error);
    } while (!out->violated && start && start->next && start->next(&search->ring));
    if (!status && out->violated)
        rl_search_confirm(search);
    return status;
}

static enum rl_status explore_part(struct rl_search *search, const struct rl_part *part,
                                   struct rl_error *error)
{
    const struct rl_explore_options *options = search->options;
    search->out->explored[search->out->explored_count++] = (struct rl_explored){.part = part->name};
    const bool any_change = options->set || options->goal;
    search->mine = any_change ? 0 : part->changes;
    search->elsewhere = any_change ? 0 : ~part->changes;
    search->allowance = options->memory;
    search->pairs.allowance = &search->allowance;
    search->found.configurations.allowance = &search->allowance;
    search->links.allowance = &search->allowance;
    enum rl_status status =
        rl_projection_init(&search->projection, options->protocol, &options->params,
                           part->variables, &search->allowance);
    if (status)
        rl_error_set(error, status, "the %u states of an agent do not fit into %u bytes",
                     rl_protocol_states(options->protocol, &options->params), options->memory);
    else
        status = explore_members(search, error);
    current(search)->agent_classes = (uint32_t)search->projection.classes.count;
    rl_projection_free(&search->projection);
    rl_interned_free(&search->pairs);
    rl_found_free(&search->found);
    rl_links_free(&search->links);
    return status;
}

static enum rl_status check(const struct rl_explore_options *options, struct rl_error *error)
{
    if (options->params.n > RL_VERIFY_AGENTS)
        return rl_error_set(error, RL_BAD_PARAMETER, "n = %u is too large: at most %u agents",
                            (uint64_t)options->params.n, (uint64_t)RL_VERIFY_AGENTS);
    return rl_words_check_oracle(options->protocol, &options->params, error);
}

enum rl_status rl_explore(const struct rl_explore_options *options,
                          struct rl_exploration *exploration_out, struct rl_error *error)
{
    static const struct rl_part whole = {"whole", UINT64_MAX, RL_CREATION | RL_DEATH};
    const struct rl_protocol *protocol = options->protocol;
    *exploration_out = (struct rl_exploration){0};
    const bool divided = protocol->part_count > 0 && !options->set && !options->goal;
    const size_t bytes = rl_ring_bytes(protocol, options->params.n);
    enum rl_status status = check(options, error);
    if (status)
        return status;
    struct rl_search search = {.options = options,
                               .out = exploration_out,
                               .ring = {protocol, options->params, malloc(bytes)},
                               .scratch = malloc(bytes)};
    status = search.ring.agents && search.scratch ? RL_OK : RL_NO_MEMORY;
    unsigned seen_to = 0;
    for (size_t i = 0; i < (divided ? protocol->part_count : 1); i++) {
        const struct rl_part *part = divided ? &protocol->parts[i] : &whole;
        seen_to |= part->changes;
        if (!status && !exploration_out->violated)
            status = explore_part(&search, part, error);
    }
    assert(seen_to == (RL_CREATION | RL_DEATH));
    free(search.ring.agents);
    free(search.scratch);
    return status;
}

void rl_explore_free(struct rl_exploration *exploration)
{
    free(exploration->execution.arcs);
    *exploration = (struct rl_exploration){0};
}
