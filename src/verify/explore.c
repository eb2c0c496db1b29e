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
#include "ringleader/explore.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "verify/fold.h"
#include "verify/found.h"
#include "verify/projection.h"

enum { SPELL = 1 << 14, ROW = 2 * RL_VERIFY_AGENTS };

struct search {
    const struct rl_explore_options *options;
    struct rl_exploration *out;
    struct rl_projection projection;
    unsigned mine;            /* changes of output that must not be seen */
    unsigned elsewhere;       /* changes that other parts see to */
    uint64_t allowance;       /* bytes that the present part may still take */
    struct rl_ring ring;      /* of the present member; memory is the search's */
    void *scratch;            /* a configuration */
    struct rl_interned pairs; /* of classes, and of such pairs */
    struct rl_found found;
    /* A violation: from configuration `last` along `arc`, or, for a set, at `last` itself. */
    uint64_t last;
    uint32_t arc;
};

static struct rl_explored *current(struct search *search)
{
    return &search->out->explored[search->out->explored_count - 1];
}

/* The memory allowed does not do. */
static enum rl_status no_room(const struct search *search, struct rl_error *error)
{
    return rl_error_set(error, RL_TOO_LARGE,
                        "more than %u configurations from one start do not fit into %u MB",
                        search->found.configurations.count, search->options->memory / 1000000);
}

static void classes_of(const struct search *search, uint64_t at, uint32_t *classes_out)
{
    rl_unfold(&search->pairs, search->found.configurations.keys[at], search->ring.params.n,
              classes_out);
}

/* The ring as the projection shows it, folded. */
static bool fold_ring(struct search *search, const struct rl_ring *ring, uint64_t *folded_out)
{
    uint32_t classes[ROW];
    for (uint32_t i = 0; i < ring->params.n; i++)
        if (!rl_projection_class(&search->projection, rl_ring_get(ring, i), &classes[i]))
            return false;
    return rl_fold(&search->pairs, classes, ring->params.n, folded_out);
}

/* The oracle's report, where there is one. */
static bool no_leader(const struct search *search, const uint32_t *classes)
{
    if (!search->projection.protocol->oracle)
        return false;
    for (uint32_t i = 0; i < search->ring.params.n; i++)
        if (search->projection.protocol->leads(
                rl_projection_state(&search->projection, classes[i])))
            return false;
    return true;
}

/* Whether the newest configuration is in the set, if a set is asked about. */
static bool is_kept(struct search *search)
{
    if (!search->options->set)
        return true;
    uint32_t classes[ROW];
    struct rl_ring ring = search->ring;
    ring.agents = search->scratch;
    classes_of(search, search->found.configurations.count - 1, classes);
    for (uint32_t i = 0; i < ring.params.n; i++)
        rl_ring_set(&ring, i, rl_projection_state(&search->projection, classes[i]));
    return search->options->set->contains(&ring);
}

static enum rl_status add(struct search *search, uint64_t folded, uint64_t parent, uint32_t arc,
                          struct rl_error *error)
{
    const enum rl_interned_answer answer = rl_found_add(&search->found, folded, parent, arc);
    if (answer == RL_INTERNED_NO_ROOM)
        return no_room(search, error);
    if (answer == RL_INTERNED_NEW && !is_kept(search)) {
        search->out->violated = true;
        search->last = search->found.configurations.count - 1;
    }
    return RL_OK;
}

/* Adds what one interaction leads to from configuration `at`, or notes a violation. */
static enum rl_status follow_arc(struct search *search, uint64_t at, const uint32_t *classes,
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
        uint32_t after[ROW];
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

static bool may_go_on(const struct search *search)
{
    const struct rl_explore_options *options = search->options;
    return !options->go_on || options->go_on(options->user, search->out);
}

/* Breadth first from the ring as it stands. */
static enum rl_status explore_member(struct search *search, struct rl_error *error)
{
    struct rl_explored *explored = current(search);
    const uint64_t before = explored->configurations;
    uint32_t classes[ROW], depth = 0;
    uint64_t level_end = 1; /* the configurations before it are at most `depth` away */
    uint64_t folded;
    rl_interned_clear(&search->pairs);
    rl_found_clear(&search->found);
    const uint64_t *const count = &search->found.configurations.count;
    enum rl_status status = fold_ring(search, &search->ring, &folded)
                                ? add(search, folded, 0, 0, error)
                                : no_room(search, error);
    for (uint64_t at = 0; !status && !search->out->violated && at < *count; at++) {
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
    return status;
}

/* ---- from the projection back to the protocol --------------------------------------------------
 */

/* A hidden variable may have to count before a step of the projection comes about: the same arc
 * again and again, this often at most. */
enum { MOST_REPEATS = 1024 };

static bool record(struct rl_counterexample *execution, uint32_t arc)
{
    if ((execution->length & (execution->length + 1)) == 0) { /* room for 2^k - 1 is used up */
        uint32_t *arcs = realloc(execution->arcs, (2 * execution->length + 1) * sizeof *arcs);
        if (!arcs)
            return false;
        execution->arcs = arcs;
    }
    execution->arcs[execution->length++] = arc;
    return true;
}

/* One interaction with all variables, recorded. Says what changed of the output, or that nothing
 * at all changed. */
static bool step(struct search *search, uint32_t arc, unsigned *changes_out)
{
    struct rl_ring *ring = &search->ring;
    const uint32_t l = rl_ring_initiator(ring, arc), r = rl_ring_responder(ring, arc);
    const rl_state l_before = rl_ring_get(ring, l), r_before = rl_ring_get(ring, r);
    ring->params.no_leader = ring->protocol->oracle && rl_ring_leaders(ring) == 0;
    const bool changed = rl_ring_interact(ring, arc);
    *changes_out = rl_projection_changes(ring->protocol, l_before, r_before, rl_ring_get(ring, l),
                                         rl_ring_get(ring, r));
    return changed && record(&search->out->execution, arc);
}

/* Repeats an arc until the projection shows `wanted`. */
static bool reach(struct search *search, uint32_t arc, uint64_t wanted)
{
    uint64_t before, now;
    if (!fold_ring(search, &search->ring, &before))
        return false;
    for (int i = 0; i < MOST_REPEATS; i++) {
        unsigned changes;
        if (!step(search, arc, &changes) || !fold_ring(search, &search->ring, &now))
            return false;
        if (now != before)
            return now == wanted;
    }
    return false;
}

/* Repeats an arc until an output changes as it must not. */
static bool reach_violation(struct search *search, uint32_t arc)
{
    uint64_t before, now;
    if (!fold_ring(search, &search->ring, &before))
        return false;
    for (int i = 0; i < MOST_REPEATS; i++) {
        unsigned changes;
        if (!step(search, arc, &changes))
            return false;
        if (changes & search->mine)
            return true;
        if (!fold_ring(search, &search->ring, &now) || now != before)
            return false;
    }
    return false;
}

/* Follows the path from configuration 0 of the list to number `at`. */
static bool reach_found(struct search *search, uint64_t at)
{
    uint64_t steps = 0;
    for (uint64_t i = at; i > 0; i = search->found.parents[i])
        steps++;
    uint32_t *path = malloc((steps + 1) * sizeof *path);
    bool fine = path;
    for (uint64_t i = at, k = steps; fine && i > 0; i = search->found.parents[i])
        path[--k] = (uint32_t)i;
    for (uint64_t k = 0; fine && k < steps; k++)
        fine =
            reach(search, search->found.arcs[path[k]], search->found.configurations.keys[path[k]]);
    free(path);
    return fine;
}

static void confirm(struct search *search)
{
    struct rl_counterexample *execution = &search->out->execution;
    for (uint32_t i = 0; i < search->ring.params.n; i++)
        execution->start[i] = rl_ring_get(&search->ring, i);
    execution->exists = reach_found(search, search->last) &&
                        (search->options->set || reach_violation(search, search->arc));
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

static enum rl_status first_member(struct search *search, struct rl_error *error)
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

static enum rl_status explore_members(struct search *search, struct rl_error *error)
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
        confirm(search);
    return status;
}

static enum rl_status explore_part(struct search *search, const struct rl_part *part,
                                   struct rl_error *error)
{
    const struct rl_explore_options *options = search->options;
    search->out->explored[search->out->explored_count++] = (struct rl_explored){.part = part->name};
    search->mine = options->set ? 0 : part->changes;
    search->elsewhere = options->set ? 0 : ~part->changes;
    search->allowance = options->memory;
    search->pairs.allowance = &search->allowance;
    search->found.configurations.allowance = &search->allowance;
    enum rl_status status =
        rl_projection_init(&search->projection, options->protocol, &options->params,
                           part->variables, &search->allowance);
    status = status ? no_room(search, error) : explore_members(search, error);
    current(search)->agent_classes = (uint32_t)search->projection.classes.count;
    rl_projection_free(&search->projection);
    rl_interned_free(&search->pairs);
    rl_found_free(&search->found);
    return status;
}

enum rl_status rl_explore(const struct rl_explore_options *options,
                          struct rl_exploration *exploration_out, struct rl_error *error)
{
    static const struct rl_part whole = {"whole", UINT64_MAX, RL_CREATION | RL_DEATH};
    const struct rl_protocol *protocol = options->protocol;
    *exploration_out = (struct rl_exploration){0};
    if (options->params.n > RL_VERIFY_AGENTS)
        return rl_error_set(error, RL_BAD_PARAMETER, "n = %u is too large: at most %u agents",
                            (uint64_t)options->params.n, (uint64_t)RL_VERIFY_AGENTS);
    const bool divided = protocol->part_count > 0 && !options->set;
    const size_t bytes = rl_ring_bytes(protocol, options->params.n);
    struct search search = {.options = options,
                            .out = exploration_out,
                            .ring = {protocol, options->params, malloc(bytes)},
                            .scratch = malloc(bytes)};
    enum rl_status status = search.ring.agents && search.scratch ? RL_OK : RL_NO_MEMORY;
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
