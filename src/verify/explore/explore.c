/* SPDX-License-Identifier: MIT
 *
 * Exploration: breadth first from each member of a start, in the projection on each part.
 *
 * A configuration is the row of its agents' classes. Classes and what two of them can do are found
 * out on the way (projection.h), so nothing depends on how many states there are, only on how many
 * are met. Rotations are not merged: what is explored has, as a rule, one leader, which stays where
 * it is. Members are explored one after the other, because their reachable sets seldom overlap, and
 * memory is what limits an exploration.
 *
 * What a projection shows need not be real, so the path to a violation is followed interaction by
 * interaction, with all variables.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/explore.h"
#include "core/inside.h"
#include "verify/classes.h"
#include "verify/explore/projection.h"

/* Somebody may stop it after so many configurations. A hidden variable may have to count before a
 * step of the projection comes about: the same arc again and again, MOST_REPEATS times at most. */
enum { SPELL = 1 << 14, MOST_REPEATS = 1024 };

/* From which configuration one was found, along which arc. */
struct met {
    uint32_t parent, arc;
};

/* Main invariant: the parent of a configuration has a smaller number, but for number 0, so walking
 * from parent to parent ends at the first. */
struct explorer {
    const struct rl_explore_options *options;
    struct rl_exploration *out;
    struct rl_error *error;
    struct rl_effort effort; /* of the present part */
    struct rl_projection projection;
    unsigned mine;       /* changes of output that must not be seen */
    unsigned elsewhere;  /* changes that other parts see to */
    struct rl_ring ring; /* of the present member */
    uint64_t agents[RL_VERIFY_AGENTS];
    /* The configurations found so far, as rows of the classes of their agents. */
    struct rl_rows rows;
    struct met *met; /* [configuration] */
    uint64_t room;
    /* If there is a goal: which leads to which. */
    struct link {
        uint32_t from, to;
    } * links;
    uint64_t link_count, link_room;
    /* A violation: from configuration `last` along `arc`, or, for a set or a goal, at `last`. */
    uint64_t last;
    uint32_t arc;
};

static struct rl_explored *current(struct explorer *explorer)
{
    return &explorer->out->explored[explorer->out->explored_count - 1];
}

/* Goes on, unless something failed or something was seen that must not be. */
static bool goes_on(const struct explorer *explorer)
{
    return !explorer->effort.status && !explorer->out->violated;
}

static const uint16_t *row_of(const struct explorer *explorer, uint64_t number)
{
    uint64_t size;
    return rl_rows_at(&explorer->rows, number, &size);
}

static size_t bytes_of_row(const struct explorer *explorer)
{
    return explorer->ring.params.n * sizeof(uint16_t);
}

static void show(struct explorer *explorer, uint16_t *row_out)
{
    for (uint32_t i = 0; i < explorer->ring.params.n; i++)
        row_out[i] =
            (uint16_t)rl_projection_class(&explorer->projection, rl_ring_get(&explorer->ring, i));
}

/* The oracle's report, where there is one. */
static bool no_leader(const struct explorer *explorer, const uint16_t *row)
{
    bool none = explorer->projection.protocol->oracle;
    for (uint32_t i = 0; none && i < explorer->ring.params.n; i++)
        none = !explorer->projection.protocol->leads(
            rl_projection_state(&explorer->projection, row[i]));
    return none;
}

/* Whether configuration `at` is in a set; nothing is hidden then. */
static bool is_in(const struct explorer *explorer, const struct rl_set *set, uint64_t at)
{
    uint64_t agents[RL_VERIFY_AGENTS];
    struct rl_ring ring = {explorer->ring.protocol, explorer->ring.params, agents};
    for (uint32_t i = 0; i < ring.params.n; i++)
        rl_ring_set(&ring, i, rl_projection_state(&explorer->projection, row_of(explorer, at)[i]));
    return set->contains(&ring);
}

/* A violation: the present configuration's along an arc, or at it. */
static void violate(struct explorer *explorer, uint64_t last, uint32_t arc)
{
    explorer->out->violated = true;
    explorer->last = last;
    explorer->arc = arc;
}

static void add(struct explorer *explorer, const uint16_t *row, uint32_t parent, uint32_t arc)
{
    const struct rl_explore_options *options = explorer->options;
    const uint64_t count = explorer->rows.hashes.count;
    const uint32_t number = rl_rows_add(&explorer->rows, row, bytes_of_row(explorer));
    if (!rl_interned_room(&explorer->effort, &explorer->met, &explorer->room, number + UINT64_C(1),
                          sizeof *explorer->met))
        return;
    if (options->goal && rl_interned_room(&explorer->effort, &explorer->links, &explorer->link_room,
                                          explorer->link_count + 1, sizeof *explorer->links))
        explorer->links[explorer->link_count++] = (struct link){parent, number};
    if (number < count)
        return;
    explorer->met[number] = (struct met){parent, arc};
    if (options->set && !is_in(explorer, options->set, number))
        violate(explorer, number, 0);
}

/* Adds what one interaction leads to from configuration `at`, or notes a violation. */
static void follow_arc(struct explorer *explorer, uint32_t at, const uint16_t *row, bool no_leader,
                       uint32_t arc)
{
    const uint32_t l = rl_ring_initiator(&explorer->ring, arc);
    const uint32_t r = rl_ring_responder(&explorer->ring, arc);
    const struct rl_outcomes outcomes =
        rl_projection_outcomes(&explorer->projection, row[l], row[r], no_leader);
    for (uint64_t k = 0; goes_on(explorer) && k < outcomes.count; k++) {
        const struct rl_outcome *outcome = &outcomes.list[k];
        uint16_t after[RL_VERIFY_AGENTS];
        if (outcome->changes & explorer->mine)
            violate(explorer, at, arc);
        if (outcome->changes & (explorer->mine | explorer->elsewhere))
            continue;
        memcpy(after, row, bytes_of_row(explorer));
        after[l] = (uint16_t)outcome->l;
        after[r] = (uint16_t)outcome->r;
        add(explorer, after, at, arc);
    }
}

/* Now and then somebody may stop it. */
static void ask_whether_to_go_on(struct explorer *explorer, uint64_t count)
{
    if (count % SPELL == SPELL - 1)
        rl_effort_goes_on(&explorer->effort, current(explorer)->configurations);
}

/* Marks everything from which something marked can be reached. Breadth first, most links lead on to
 * what was found later, so one look from the last to the first spreads marks nearly everywhere; it
 * is repeated until it changes nothing. */
static void spread(const struct explorer *explorer, bool *marked)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t i = explorer->link_count; i-- > 0;) {
            const struct link link = explorer->links[i];
            if (marked[link.to] && !marked[link.from])
                marked[link.from] = changed = true;
        }
    }
}

/* Can everything found go on to the goal? If not, the first that cannot is the violation. */
static void look_for_goal(struct explorer *explorer)
{
    const uint64_t count = explorer->rows.hashes.count;
    bool *reaches = NULL;
    uint64_t room = 0;
    if (!rl_interned_room(&explorer->effort, &reaches, &room, count, sizeof *reaches))
        return;
    for (uint64_t i = 0; !explorer->effort.status && i < count; i++) {
        ask_whether_to_go_on(explorer, i);
        reaches[i] = is_in(explorer, explorer->options->goal, i);
    }
    if (!explorer->effort.status)
        spread(explorer, reaches);
    for (uint64_t i = count; !explorer->effort.status && i-- > 0;)
        if (!reaches[i])
            violate(explorer, i, 0);
    free(reaches);
    explorer->effort.memory += count * sizeof *reaches;
}

/* Breadth first from the ring as it stands. */
static void explore_member(struct explorer *explorer)
{
    struct rl_explored *explored = current(explorer);
    const uint64_t before = explored->configurations;
    const uint64_t *const count = &explorer->rows.hashes.count;
    const uint32_t arcs = rl_ring_arcs(&explorer->ring);
    uint16_t row[RL_VERIFY_AGENTS];
    uint32_t depth = 0;
    uint64_t level_end = 1; /* the configurations before it are at most `depth` away */
    rl_interned_clear(&explorer->rows.hashes);
    explorer->link_count = 0;
    show(explorer, row);
    add(explorer, row, 0, 0);
    for (uint32_t at = 0; goes_on(explorer) && at < *count; at++) {
        if (at == level_end) {
            depth++;
            level_end = *count;
        }
        explored->configurations = before + *count;
        ask_whether_to_go_on(explorer, at);
        memcpy(row, row_of(explorer, at), bytes_of_row(explorer));
        const bool absent = no_leader(explorer, row);
        for (uint32_t arc = 0; goes_on(explorer) && arc < arcs; arc++)
            follow_arc(explorer, at, row, absent, arc);
    }
    explored->configurations = before + *count;
    if (*count > explored->largest)
        explored->largest = *count;
    if (depth > explored->depth)
        explored->depth = depth;
    if (!explorer->effort.status && explorer->options->goal)
        look_for_goal(explorer);
}

/* ---- from a projection back to the protocol ---- */

/* Repeats an arc until the projection shows another configuration, which must be `wanted`; or, if
 * that is NULL, until an output changes as it must not. */
static bool repeat(struct explorer *explorer, uint32_t arc, const uint16_t *wanted)
{
    struct rl_ring *ring = &explorer->ring;
    const uint32_t l = rl_ring_initiator(ring, arc), r = rl_ring_responder(ring, arc);
    uint16_t before[RL_VERIFY_AGENTS], now[RL_VERIFY_AGENTS];
    show(explorer, before);
    for (int i = 0; i < MOST_REPEATS; i++) {
        const rl_state l_before = rl_ring_get(ring, l), r_before = rl_ring_get(ring, r);
        if (!rl_ring_interact(ring, arc))
            return false;
        rl_effort_record(&explorer->effort, &explorer->out->execution, arc);
        if (!wanted && rl_projection_changes(ring->protocol, l_before, r_before,
                                             rl_ring_get(ring, l), rl_ring_get(ring, r)) &
                           explorer->mine)
            return true;
        show(explorer, now);
        if (explorer->effort.status || memcmp(now, before, bytes_of_row(explorer)) != 0)
            return wanted && memcmp(now, wanted, bytes_of_row(explorer)) == 0;
    }
    return false;
}

/* Follows the path from the first configuration to number `at`, which turns it round. */
static bool reach(struct explorer *explorer, uint32_t at)
{
    uint32_t next = 0; /* on the way from `at` */
    while (at > 0) {
        const uint32_t parent = explorer->met[at].parent;
        explorer->met[at].parent = next;
        next = at;
        at = parent;
    }
    for (; next > 0; next = explorer->met[next].parent)
        if (!repeat(explorer, explorer->met[next].arc, row_of(explorer, next)))
            return false;
    return true;
}

/* Follows the violation from the explorer's ring with all variables. */
static void confirm(struct explorer *explorer)
{
    struct rl_counterexample *execution = &explorer->out->execution;
    for (uint32_t i = 0; i < explorer->ring.params.n; i++)
        execution->start[i] = rl_ring_get(&explorer->ring, i);
    execution->exists = reach(explorer, (uint32_t)explorer->last) &&
                        (explorer->options->set || explorer->options->goal ||
                         repeat(explorer, explorer->arc, NULL));
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

static void explore_members(struct explorer *explorer)
{
    const struct rl_experiment *experiment = &explorer->options->experiment;
    const struct rl_start *start = named_start(experiment);
    struct rl_exploration *out = explorer->out;
    if (!explorer->effort.status)
        explorer->effort.status = rl_experiment_fill(experiment, &explorer->ring, explorer->error);
    out->members = 0;
    do {
        if (explorer->effort.status)
            return;
        out->members++;
        explore_member(explorer);
    } while (!out->violated && start && start->next && start->next(&explorer->ring));
    if (!explorer->effort.status && out->violated)
        confirm(explorer);
}

static enum rl_status explore_part(const struct rl_explore_options *options,
                                   const struct rl_part *part, struct rl_exploration *out,
                                   struct rl_error *error)
{
    const struct rl_experiment *experiment = &options->experiment;
    const bool any_change = options->set || options->goal;
    struct explorer explorer = {.options = options,
                                .out = out,
                                .error = error,
                                .effort = {.memory = options->memory, .watch = options->watch},
                                .mine = any_change ? 0 : part->changes,
                                .elsewhere = any_change ? 0 : ~part->changes,
                                .ring = {experiment->protocol, experiment->params, explorer.agents},
                                .rows.hashes.effort = &explorer.effort};
    struct rl_explored *explored = &out->explored[out->explored_count++];
    explored->part = part->name;
    rl_effort_phase(&explorer.effort, "exploring", part->name);
    rl_projection_init(&explorer.projection, experiment->protocol, &experiment->params,
                       part->variables, &explorer.effort);
    explore_members(&explorer);
    explored->agent_classes = (uint32_t)explorer.projection.classes.count;
    if (explorer.effort.status == RL_TOO_LARGE)
        rl_error_set(error, RL_TOO_LARGE,
                     "more than %llu configurations from one start do not fit into %llu bytes "
                     "(%u kinds of agents are met; %u are the limit)",
                     (unsigned long long)explorer.rows.hashes.count,
                     (unsigned long long)options->memory, explored->agent_classes,
                     (unsigned)RL_PROJECTION_CLASSES);
    rl_projection_free(&explorer.projection);
    rl_rows_free(&explorer.rows);
    free(explorer.met);
    free(explorer.links);
    return explorer.effort.status;
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
    enum rl_status status = check(experiment, error);
    unsigned seen_to = 0;
    for (size_t i = 0; i < (divided ? protocol->part_count : 1); i++) {
        const struct rl_part *part = divided ? &protocol->parts[i] : &whole;
        seen_to |= part->changes;
        if (!status && !exploration_out->violated)
            status = explore_part(options, part, exploration_out, error);
    }
    assert(seen_to == (RL_CREATION | RL_DEATH));
    return status;
}

void rl_explore_free(struct rl_exploration *exploration)
{
    free(exploration->execution.arcs);
    *exploration = (struct rl_exploration){0};
}
