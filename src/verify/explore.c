/* SPDX-License-Identifier: MIT
 *
 * Exploration: breadth first from each member of a start, in the projection on each part.
 *
 * A configuration is a number, its agents' classes as digits. An interaction changes two digits, so
 * a successor's number is found by two multiplications, without packing the whole ring anew.
 * Rotations are not merged: what is explored has, as a rule, one leader, which stays where it is.
 * Members are explored one after the other, for their reachable sets seldom meet and memory is what
 * ends an exploration.
 */
#include "ringleader/explore.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "verify/found.h"
#include "verify/projection.h"

enum { SPELL = 1 << 14 };

struct search {
    const struct rl_explore_options *options;
    struct rl_exploration *out;
    struct rl_projection projection;
    unsigned mine;      /* changes of output that must not be seen */
    unsigned elsewhere; /* changes that other parts see to */
    uint64_t power[RL_VERIFY_AGENTS];
    struct rl_ring ring; /* of the present member; memory is the search's */
    void *scratch;       /* a configuration */
    struct rl_found found;
    /* A violation: from configuration `last` along `arc`, or, for a set, at `last` itself. */
    uint64_t last;
    uint32_t arc;
};

static struct rl_explored *current(struct search *search)
{
    return &search->out->explored[search->out->explored_count - 1];
}

static uint64_t number_of(const struct search *search, const struct rl_ring *ring)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < ring->params.n; i++)
        number += search->power[i] * rl_projection_class(&search->projection, rl_ring_get(ring, i));
    return number;
}

static void classes_of(const struct search *search, uint64_t number, uint32_t *classes_out)
{
    for (uint32_t i = 0; i < search->ring.params.n; i++) {
        classes_out[i] = (uint32_t)(number % search->projection.class_count);
        number /= search->projection.class_count;
    }
}

/* The oracle's report, where there is one. */
static bool no_leader(const struct search *search, const uint32_t *classes)
{
    if (!search->projection.protocol->oracle)
        return false;
    for (uint32_t i = 0; i < search->ring.params.n; i++)
        if (search->projection.protocol->leads(search->projection.first[classes[i]]))
            return false;
    return true;
}

/* Whether the newest configuration is in the set, if a set is asked about. */
static bool is_kept(struct search *search)
{
    if (!search->options->set)
        return true;
    uint32_t classes[RL_VERIFY_AGENTS];
    struct rl_ring ring = search->ring;
    ring.agents = search->scratch;
    classes_of(search, search->found.keys[search->found.count - 1], classes);
    for (uint32_t i = 0; i < ring.params.n; i++)
        rl_ring_set(&ring, i, search->projection.first[classes[i]]);
    return search->options->set->contains(&ring);
}

static enum rl_status add(struct search *search, uint64_t number, uint64_t parent, uint32_t arc,
                          struct rl_error *error)
{
    const enum rl_found_answer answer = rl_found_add(&search->found, number, parent, arc);
    if (answer == RL_FOUND_NO_ROOM)
        return rl_error_set(error, RL_TOO_LARGE,
                            "more than %u configurations from one start do not fit into %u MB",
                            search->found.count, search->options->memory / 1000000);
    if (answer == RL_FOUND_NEW && !is_kept(search)) {
        search->out->violated = true;
        search->last = search->found.count - 1;
    }
    return RL_OK;
}

/* Adds what one interaction leads to from configuration `at`, or notes a violation. */
static enum rl_status follow_arc(struct search *search, uint64_t at, const uint32_t *classes,
                                 uint64_t table, uint32_t arc, struct rl_error *error)
{
    const struct rl_projection *projection = &search->projection;
    const uint32_t l = rl_ring_initiator(&search->ring, arc);
    const uint32_t r = rl_ring_responder(&search->ring, arc);
    const uint64_t pair =
        (table * projection->class_count + classes[l]) * projection->class_count + classes[r];
    for (uint64_t k = projection->begin[pair]; k < projection->begin[pair + 1]; k++) {
        const struct rl_outcome outcome = projection->list[k];
        if (outcome.changes & search->mine) {
            search->out->violated = true;
            search->last = at;
            search->arc = arc;
            return RL_OK;
        }
        if (outcome.changes & search->elsewhere)
            continue;
        /* Differences may be negative; unsigned arithmetic comes out right. */
        const uint64_t number = search->found.keys[at] +
                                (uint64_t)(outcome.l - (uint64_t)classes[l]) * search->power[l] +
                                (uint64_t)(outcome.r - (uint64_t)classes[r]) * search->power[r];
        const enum rl_status status = add(search, number, at, arc, error);
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
    uint32_t classes[RL_VERIFY_AGENTS], depth = 0;
    uint64_t level_end = 1; /* the configurations before it are at most `depth` away */
    rl_found_clear(&search->found);
    enum rl_status status = add(search, number_of(search, &search->ring), 0, 0, error);
    for (uint64_t at = 0; !status && !search->out->violated && at < search->found.count; at++) {
        if (at == level_end) {
            depth++;
            level_end = search->found.count;
        }
        explored->configurations = before + search->found.count;
        if (at % SPELL == SPELL - 1 && !may_go_on(search))
            return RL_STOPPED;
        classes_of(search, search->found.keys[at], classes);
        const uint64_t table = no_leader(search, classes);
        const uint32_t arcs = rl_ring_arcs(&search->ring);
        for (uint32_t arc = 0; !status && !search->out->violated && arc < arcs; arc++)
            status = follow_arc(search, at, classes, table, arc, error);
    }
    explored->configurations = before + search->found.count;
    if (search->found.count > explored->largest)
        explored->largest = search->found.count;
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
    const uint64_t before = number_of(search, &search->ring);
    for (int i = 0; i < MOST_REPEATS; i++) {
        unsigned changes;
        if (!step(search, arc, &changes))
            return false;
        const uint64_t now = number_of(search, &search->ring);
        if (now != before)
            return now == wanted;
    }
    return false;
}

/* Repeats an arc until an output changes as it must not. */
static bool reach_violation(struct search *search, uint32_t arc)
{
    const uint64_t before = number_of(search, &search->ring);
    for (int i = 0; i < MOST_REPEATS; i++) {
        unsigned changes;
        if (!step(search, arc, &changes))
            return false;
        if (changes & search->mine)
            return true;
        if (number_of(search, &search->ring) != before)
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
        fine = reach(search, search->found.arcs[path[k]], search->found.keys[path[k]]);
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

static enum rl_status number_digits(struct search *search, struct rl_error *error)
{
    const uint32_t n = search->ring.params.n;
    uint64_t power = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (i == RL_VERIFY_AGENTS || power > UINT64_MAX / search->projection.class_count)
            return rl_error_set(error, RL_BAD_PARAMETER,
                                "n = %u is too large: %u kinds of agents on a ring of up to %u fit "
                                "64 bits",
                                (uint64_t)n, (uint64_t)search->projection.class_count, (uint64_t)i);
        search->power[i] = power;
        power *= search->projection.class_count;
    }
    return RL_OK;
}

static enum rl_status explore_part(struct search *search, const struct rl_part *part,
                                   struct rl_error *error)
{
    const struct rl_explore_options *options = search->options;
    search->out->explored[search->out->explored_count++] = (struct rl_explored){.part = part->name};
    search->mine = options->set ? 0 : part->changes;
    search->elsewhere = options->set ? 0 : ~part->changes;
    enum rl_status status = rl_projection_init(&search->projection, options->protocol,
                                               &options->params, part->variables);
    current(search)->agent_classes = search->projection.class_count;
    if (!status)
        status = number_digits(search, error);
    if (!status)
        status = explore_members(search, error);
    rl_projection_free(&search->projection);
    return status;
}

enum rl_status rl_explore(const struct rl_explore_options *options,
                          struct rl_exploration *exploration_out, struct rl_error *error)
{
    static const struct rl_part whole = {"whole", UINT64_MAX, RL_CREATION | RL_DEATH};
    const struct rl_protocol *protocol = options->protocol;
    const bool divided = protocol->part_count > 0 && !options->set;
    const size_t bytes = rl_ring_bytes(protocol, options->params.n);
    *exploration_out = (struct rl_exploration){0};
    struct search search = {.options = options,
                            .out = exploration_out,
                            .ring = {protocol, options->params, malloc(bytes)},
                            .scratch = malloc(bytes),
                            .found = {.most = options->memory}};
    enum rl_status status = search.ring.agents && search.scratch ? RL_OK : RL_NO_MEMORY;
    unsigned seen_to = 0;
    for (size_t i = 0; i < (divided ? protocol->part_count : 1); i++) {
        const struct rl_part *part = divided ? &protocol->parts[i] : &whole;
        seen_to |= part->changes;
        if (!status && !exploration_out->violated)
            status = explore_part(&search, part, error);
    }
    assert(seen_to == (RL_CREATION | RL_DEATH));
    rl_found_free(&search.found);
    free(search.ring.agents);
    free(search.scratch);
    return status;
}

void rl_explore_free(struct rl_exploration *exploration)
{
    free(exploration->execution.arcs);
    *exploration = (struct rl_exploration){0};
}
