/* SPDX-License-Identifier: MIT
 *
 * Colouring, orientation and election on undirected rings, layer by layer, exhaustively: the set
 * that a layer is to reach is closed, and can be reached from every configuration of the layer.
 *
 * Colouring looks at nothing else, so it is enumerated alone. Once coloured, marks and coins do not
 * touch anything else, so they are fixed and the rest is enumerated for every colouring up to the
 * names of the colours, rotation and reflection, none of which any layer can see. All together:
 * from every configuration of the whole the target can be reached.
 *
 * Configurations are numbered, a bit each. What an interaction adds to the number is looked up; and
 * where all agents have the same states, only one of the rotations of each is looked at. So a
 * quarter of a billion configurations take seconds.
 *
 * usage: agree_test_undirected_layers [LAYER N]    a layer of the table below, on a ring of N
 * agents
 */
#define TEST_MAIN_BELOW
#include "colourings.h"
#include "registry.h"
#include "core/inside.h"

enum { MAX_AGENTS = 12, MAX_STATES = 144 };

struct layer {
    const char *name;
    const char *set;
    const char *orientation;
    const char *variables[7]; /* that take all their values; colour only if it is among them */
    bool learned;             /* only agents that know the colours of both neighbours */
};

static const struct layer LAYERS[] = {
    {"colouring", "coloured", "por", {"colour", "marks", "coin"}},
    {"aaf", "oriented", "aaf", {"ahead", "behind"}},
    {"por", "oriented", "por", {"ahead", "behind", "strong"}},
    {"por-learned", "oriented", "por", {"ahead", "behind", "strong"}, true},
    {"fj06-aaf", "elected", "aaf", {"leader", "bullet", "shield", "ahead", "behind"}},
    {"fj06-por", "elected", "por", {"leader", "bullet", "shield", "ahead", "behind", "strong"}},
};
enum { LAYER_COUNT = sizeof LAYERS / sizeof LAYERS[0] };

/* Only colouring itself does not. */
static bool stands_on_colours(const struct layer *layer)
{
    return strcmp(layer->variables[0], "colour") != 0;
}

/* ---- a space ---- */

struct space {
    const struct layer *layer;
    struct rl_ring ring;
    const struct rl_set *set;
    rl_state seen; /* the bits of the layer's variables, and of the colour */
    bool alike;    /* all agents have the same states */
    uint32_t states[MAX_AGENTS];
    rl_state words[MAX_AGENTS][MAX_STATES];
    bool leads[MAX_STATES];
    uint64_t power[MAX_AGENTS + 1]; /* of the number of states; the last is the size */
    uint32_t initiator[2 * MAX_AGENTS], responder[2 * MAX_AGENTS];
    int64_t *moves[2]; /* [no leader?][arc][l][r]: what an interaction adds to the number */
    uint64_t *marked;
};

static rl_state with(const struct space *space, const char *name, rl_state word, uint32_t value)
{
    return rl_variable_set(registry_variable(space->ring.protocol, name), word, value);
}

static rl_state bits_of(const struct space *space, const char *name)
{
    return with(space, name, 0, (1u << registry_variable(space->ring.protocol, name)->width) - 1);
}

static bool knows_neighbours(const struct space *space, rl_state word, uint32_t left,
                             uint32_t right)
{
    const struct rl_protocol *protocol = space->ring.protocol;
    const uint32_t ahead = rl_variable_get(registry_variable(protocol, "ahead"), word);
    const uint32_t behind = rl_variable_get(registry_variable(protocol, "behind"), word);
    return (ahead == left && behind == right) || (ahead == right && behind == left);
}

/* The states of agent i: every combination of values of the layer's variables, from the v-th on. */
static void list_states(struct space *space, uint32_t i, const uint32_t *colours, size_t v,
                        rl_state word)
{
    const char *name = space->layer->variables[v];
    if (name) {
        const struct rl_variable *free = registry_variable(space->ring.protocol, name);
        for (uint32_t value = 0; value < rl_variable_size(free, &space->ring.params); value++)
            list_states(space, i, colours, v + 1, rl_variable_set(free, word, value));
        return;
    }
    const uint32_t n = space->ring.params.n;
    if (space->layer->learned &&
        !knows_neighbours(space, word, colours[(i + n - 1) % n], colours[(i + 1) % n]))
        return;
    assert_true(space->states[i] < MAX_STATES);
    space->words[i][space->states[i]++] = word;
}

static void list_all_states(struct space *space, const uint32_t *colours)
{
    space->power[0] = 1;
    for (uint32_t i = 0; i < space->ring.params.n; i++) {
        list_states(space, i, colours, 0, with(space, "colour", 0, colours[i]));
        assert_int_equal(space->states[i], space->states[0]);
        space->power[i + 1] = space->power[i] * space->states[i];
    }
    for (uint32_t state = 0; state < space->states[0]; state++)
        space->leads[state] = space->ring.protocol->leads(space->words[0][state]);
}

static int64_t number_of(const struct space *space, uint32_t i, rl_state word)
{
    for (uint32_t state = 0; state < space->states[i]; state++)
        if (((space->words[i][state] ^ word) & space->seen) == 0)
            return state;
    fail_msg("%s, n = %u: an interaction leads out of the layer", space->layer->name,
             space->ring.params.n);
    return 0;
}

static void fill_moves(struct space *space, uint32_t arc)
{
    struct rl_ring *ring = &space->ring;
    const uint32_t i = rl_ring_initiator(ring, arc), j = rl_ring_responder(ring, arc);
    const uint32_t states = space->states[0];
    space->initiator[arc] = i;
    space->responder[arc] = j;
    for (uint32_t no_leader = 0; no_leader < 2; no_leader++)
        for (uint32_t l = 0; l < states; l++)
            for (uint32_t r = 0; r < states; r++) {
                rl_ring_set(ring, i, space->words[i][l]);
                rl_ring_set(ring, j, space->words[j][r]);
                rl_ring_interact_told(ring, arc, no_leader);
                const int64_t l_adds = number_of(space, i, rl_ring_get(ring, i)) - l;
                const int64_t r_adds = number_of(space, j, rl_ring_get(ring, j)) - r;
                space->moves[no_leader][((uint64_t)arc * states + l) * states + r] =
                    l_adds * (int64_t)space->power[i] + r_adds * (int64_t)space->power[j];
            }
}

static void fill_all_moves(struct space *space)
{
    const uint32_t states = space->states[0], arcs = rl_ring_arcs(&space->ring);
    for (int i = 0; i < 2; i++)
        assert_non_null(space->moves[i] = calloc(arcs, sizeof(int64_t) * states * states));
    for (uint32_t arc = 0; arc < arcs; arc++)
        fill_moves(space, arc);
}

static void open_space(struct space *space, const struct layer *layer, uint32_t n,
                       const uint32_t *colours)
{
    *space = (struct space){.layer = layer};
    const struct rl_protocol *protocol = rl_protocol_named("fj06-undirected");
    assert_true(n >= 3 && n <= MAX_AGENTS && registry_ring(protocol, n, &space->ring));
    space->ring.params.value[rl_protocol_parameter(protocol, "orientation")] =
        strcmp(layer->orientation, "por") == 0;
    space->alike = !stands_on_colours(layer);
    space->set = &protocol->sets[rl_protocol_set(protocol, layer->set)];
    space->seen = bits_of(space, "colour");
    for (size_t v = 0; layer->variables[v]; v++)
        space->seen |= bits_of(space, layer->variables[v]);
    list_all_states(space, colours);
    fill_all_moves(space);
    assert_non_null(space->marked = calloc(space->power[n] / 64 + 1, sizeof(uint64_t)));
}

static void close_space(struct space *space)
{
    free(space->ring.agents);
    free(space->moves[0]);
    free(space->moves[1]);
    free(space->marked);
}

/* ---- one configuration after the other ---- */

struct place {
    uint32_t digits[MAX_AGENTS]; /* the state of each agent, by its number */
    uint64_t index;
};

/* Goes on to the next configuration; returns how many agents were touched, or 0 after the last. If
 * agents are alike, only where the last agent's number is the largest: some rotation of every
 * configuration is such. */
static uint32_t go_on(const struct space *space, struct place *place)
{
    const uint32_t n = space->ring.params.n;
    for (uint32_t i = 0; i < n; i++) {
        const bool limited = space->alike && i < n - 1;
        const uint32_t largest = limited ? place->digits[n - 1] : space->states[i] - 1;
        if (place->digits[i] < largest) {
            place->digits[i]++;
            place->index += space->power[i];
            return i + 1;
        }
        place->index -= place->digits[i] * space->power[i];
        place->digits[i] = 0;
    }
    return 0;
}

static bool is_marked(const struct space *space, uint64_t index)
{
    return space->marked[index / 64] >> index % 64 & 1;
}

/* Marks a configuration, and its rotations if agents are alike; returns how many that adds. */
static uint64_t mark(struct space *space, uint64_t index)
{
    const uint32_t n = space->ring.params.n;
    uint64_t added = 0;
    for (uint32_t turns = 0; turns < (space->alike ? n : 1); turns++) {
        added += !is_marked(space, index);
        space->marked[index / 64] |= UINT64_C(1) << index % 64;
        index = index % space->power[n - 1] * space->states[0] + index / space->power[n - 1];
    }
    return added;
}

/* ---- what can be reached ---- */

/* Marks the members of the set; returns how many there are. */
static uint64_t mark_members(struct space *space)
{
    uint64_t members = 0;
    struct place place = {0};
    uint32_t touched = space->ring.params.n;
    do {
        for (uint32_t i = 0; i < touched; i++)
            rl_ring_set(&space->ring, i, space->words[i][place.digits[i]]);
        if (space->set->contains(&space->ring))
            members += mark(space, place.index);
    } while ((touched = go_on(space, &place)) > 0);
    return members;
}

/* How many arcs lead to a marked configuration; no more are counted than are wanted. */
static uint32_t count_marked(const struct space *space, const struct place *place, uint32_t wanted)
{
    const uint32_t n = space->ring.params.n, states = space->states[0];
    uint32_t found = 0;
    bool led = false;
    for (uint32_t i = 0; i < n; i++)
        led |= space->leads[place->digits[i]];
    const int64_t *moves = space->moves[!led];
    for (uint32_t arc = 0; arc < 2 * n && found < wanted; arc++) {
        const uint32_t l = place->digits[space->initiator[arc]];
        const uint32_t r = place->digits[space->responder[arc]];
        const int64_t adds = moves[((uint64_t)arc * states + l) * states + r];
        found += is_marked(space, place->index + (uint64_t)adds);
    }
    return found;
}

static void check_closed(const struct space *space)
{
    const uint32_t arcs = rl_ring_arcs(&space->ring);
    struct place place = {0};
    do {
        if (is_marked(space, place.index) && count_marked(space, &place, arcs) < arcs)
            fail_msg("%s, n = %u: %s is not closed", space->layer->name, space->ring.params.n,
                     space->set->name);
    } while (go_on(space, &place) > 0);
}

/* Marks what can reach a marked configuration in one interaction, or more; returns how many that
 * adds. */
static uint64_t spread(struct space *space)
{
    uint64_t added = 0;
    struct place place = {0};
    do {
        if (!is_marked(space, place.index) && count_marked(space, &place, 1) > 0)
            added += mark(space, place.index);
    } while (go_on(space, &place) > 0);
    return added;
}

static void check_space(struct space *space)
{
    const uint64_t size = space->power[space->ring.params.n];
    uint64_t reached = mark_members(space), added = reached;
    assert_true(reached > 0);
    check_closed(space);
    while (added > 0)
        reached += added = spread(space);
    if (reached < size)
        fail_msg("%s, n = %u: %s cannot be reached from %llu of %llu", space->layer->name,
                 space->ring.params.n, space->set->name, (unsigned long long)(size - reached),
                 (unsigned long long)size);
}

/* ---- layer by layer ---- */

/* Checks a layer, for every colouring if it stands on one; returns how many there were. */
static uint32_t check_layer(const struct layer *layer, uint32_t n)
{
    struct space space;
    uint32_t colours[MAX_AGENTS] = {0}, count = 0, all = 1;
    for (uint32_t i = 0; i < n && stands_on_colours(layer); i++)
        all *= COLOURS;
    for (uint32_t index = 0; index < all; index++) {
        for (uint32_t i = 0, rest = index; i < n; i++, rest /= COLOURS)
            colours[i] = rest % COLOURS;
        if (all > 1 && (!colouring_is_two_hop(n, colours) || !colouring_is_first(n, colours)))
            continue;
        open_space(&space, layer, n, colours);
        check_space(&space);
        close_space(&space);
        count++;
    }
    return count;
}

static const struct layer *layer_named(const char *name)
{
    for (size_t i = 0; i < LAYER_COUNT; i++)
        if (strcmp(LAYERS[i].name, name) == 0)
            return &LAYERS[i];
    fail_msg("there is no layer %s", name);
    return NULL;
}

static void check_sizes(const char *name, uint32_t least, uint32_t most)
{
    /* Two-hop colourings up to names, rotation and reflection, counted by another program. */
    static const uint32_t colourings[] = {[3] = 1, 2, 1, 3, 3, 8, 8, 14};
    const struct layer *layer = layer_named(name);
    for (uint32_t n = least; n <= most; n++)
        assert_int_equal(check_layer(layer, n), stands_on_colours(layer) ? colourings[n] : 1);
}

TEST(colourings_are_closed_and_can_be_reached_from_everywhere)
{
    check_sizes("colouring", 3, 5);
}

TEST(orientations_are_closed_and_can_be_reached_from_everywhere_once_coloured)
{
    check_sizes("aaf", 3, 7);
    check_sizes("por", 3, 5);
    check_sizes("por-learned", 3, 10);
}

TEST(the_target_is_closed_and_can_be_reached_from_everywhere_once_coloured)
{
    check_sizes("fj06-aaf", 3, 4);
    check_sizes("fj06-por", 3, 3);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return printf("colourings: %u\n",
                      check_layer(layer_named(argv[1]), (uint32_t)strtoul(argv[2], NULL, 10))) < 0;
    return test_all(NULL, NULL);
}
