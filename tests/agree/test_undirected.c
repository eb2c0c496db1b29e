/* SPDX-License-Identifier: MIT
 *
 * Undirected rings: the engine's list of arcs in both directions, and the composition of colouring,
 * orientation and a directed protocol, layer by layer, exhaustively on the smallest rings.
 *
 * The layers: colouring looks at nothing else, so it is enumerated alone. Once coloured, marks and
 * coins do not touch anything else, so they are fixed and the rest is enumerated for every
 * colouring (up to the names of the colours). Both together: from every configuration of the whole
 * the target can be reached.
 */
#include <math.h>

#include "registry.h"
#include "simulate/specialise.h"

/* ---- the list of arcs -------------------------------------------------------------------------
 */

extern const struct rl_protocol rl_protocol_walkers;
extern const struct rl_engine_code rl_engine_code_walkers;

/* Steps until one walker is left of four on a ring of 60 agents. */
static double steps_to_one(enum rl_engine_kind kind, uint64_t trial)
{
    enum { N = 60 };
    uint32_t words[N] = {0};
    struct rl_ring ring = {.protocol = &rl_protocol_walkers, .params = {.n = N}, .agents = words};
    for (uint32_t i = 0; i < N; i += N / 4)
        words[i] = 1;
    struct rl_random random;
    struct rl_engine engine;
    struct rl_batch batch;
    rl_random_init(&random, 21 + (uint64_t)kind, trial, RL_PURPOSE_SCHEDULE);
    assert_int_equal(rl_engine_init(&engine, kind, &ring, &random, NULL), RL_OK);
    engine.code = &rl_engine_code_walkers;
    assert_int_equal(rl_batch_init(&batch, 1), RL_OK);
    while (rl_ring_leaders(&ring) > 1)
        rl_engine_advance(&engine, RL_NEVER, &batch);
    assert_true(kind == RL_ENGINE_STEP || engine.sparse);
    const double steps = (double)engine.step;
    rl_engine_free(&engine);
    rl_batch_free(&batch);
    return steps;
}

/* The means of 400 trials differ by less than 5 standard errors: by chance, less than once in 10^6.
 */
static void the_event_engine_lists_the_arcs_of_an_undirected_ring(void **state)
{
    (void)state;
    enum { TRIALS = 400 };
    double mean[2], variance[2];
    for (int kind = 0; kind < 2; kind++) {
        double sum = 0, squares = 0;
        for (uint64_t t = 0; t < TRIALS; t++) {
            const double x = steps_to_one(kind ? RL_ENGINE_STEP : RL_ENGINE_EVENT, t);
            sum += x;
            squares += x * x;
        }
        mean[kind] = sum / TRIALS;
        variance[kind] = squares / TRIALS - mean[kind] * mean[kind];
    }
    assert_near(mean[0], mean[1], 5 * sqrt((variance[0] + variance[1]) / TRIALS));
}

/* ---- exhaustively -----------------------------------------------------------------------------
 */

/* Some variables of every agent take all their values; the others are as in `base`. */
struct space {
    struct rl_ring ring;
    const struct rl_variable *free[8];
    size_t free_count;
    rl_state base[8];
    uint64_t per_agent;
    uint64_t power[9]; /* of per_agent; the last is the size of the space */
};

static const struct rl_variable *variable(const struct rl_protocol *protocol, const char *name)
{
    for (size_t i = 0; i < protocol->variable_count; i++)
        if (strcmp(protocol->variables[i].name, name) == 0)
            return &protocol->variables[i];
    fail_msg("%s has no variable %s", protocol->name, name);
    return NULL;
}

static void set_variable(struct rl_ring *ring, uint32_t i, const char *name, uint32_t value)
{
    rl_ring_set(ring, i,
                rl_variable_set(variable(ring->protocol, name), rl_ring_get(ring, i), value));
}

static void open_space(struct space *space, const char *protocol, uint32_t n, uint32_t orientation,
                       const char *const *names)
{
    *space = (struct space){.ring = {.protocol = rl_protocol_named(protocol)}, .per_agent = 1};
    assert_true(registry_ring(space->ring.protocol, n, &space->ring));
    const int place = rl_protocol_parameter(space->ring.protocol, "orientation");
    space->ring.params.value[place] = orientation;
    for (; *names; names++) {
        space->free[space->free_count] = variable(space->ring.protocol, *names);
        space->per_agent *= rl_variable_size(space->free[space->free_count++], &space->ring.params);
    }
    space->power[0] = 1;
    for (uint32_t i = 0; i < n; i++)
        space->power[i + 1] = space->power[i] * space->per_agent;
}

static void load(struct space *space, uint64_t index)
{
    for (uint32_t i = 0; i < space->ring.params.n; i++) {
        uint64_t digit = index / space->power[i] % space->per_agent;
        rl_state word = space->base[i];
        for (size_t v = 0; v < space->free_count; v++) {
            const uint32_t size = rl_variable_size(space->free[v], &space->ring.params);
            word = rl_variable_set(space->free[v], word, (uint32_t)(digit % size));
            digit /= size;
        }
        rl_ring_set(&space->ring, i, word);
    }
}

static uint64_t digit_of(const struct space *space, rl_state word)
{
    uint64_t digit = 0;
    for (size_t v = space->free_count; v-- > 0;)
        digit = digit * rl_variable_size(space->free[v], &space->ring.params) +
                rl_variable_get(space->free[v], word);
    return digit;
}

/* Does some arc lead from configuration `index`, which is loaded, to a marked one? Leaves the ring
 * as it was. */
static bool leads_to_marked(struct space *space, uint64_t index, const uint8_t *marked)
{
    struct rl_ring *ring = &space->ring;
    ring->params.no_leader = ring->protocol->oracle && rl_ring_leaders(ring) == 0;
    bool found = false;
    for (uint32_t arc = 0; arc < rl_ring_arcs(ring) && !found; arc++) {
        const uint32_t i = rl_ring_initiator(ring, arc), j = rl_ring_responder(ring, arc);
        const rl_state l = rl_ring_get(ring, i), r = rl_ring_get(ring, j);
        rl_ring_interact(ring, arc);
        uint64_t there = index;
        there -= index / space->power[i] % space->per_agent * space->power[i];
        there -= index / space->power[j] % space->per_agent * space->power[j];
        there += digit_of(space, rl_ring_get(ring, i)) * space->power[i];
        there += digit_of(space, rl_ring_get(ring, j)) * space->power[j];
        found = marked[there];
        rl_ring_set(ring, i, l);
        rl_ring_set(ring, j, r);
    }
    return found;
}

/* The configurations from which no configuration of the set can be reached. */
static uint64_t count_lost(struct space *space, const char *set_name)
{
    const struct rl_protocol *protocol = space->ring.protocol;
    const struct rl_set *set = &protocol->sets[rl_protocol_set(protocol, set_name)];
    const uint64_t size = space->power[space->ring.params.n];
    uint8_t *marked = calloc(size, 1);
    assert_non_null(marked);
    uint64_t lost = size, found = 0;
    for (uint64_t i = 0; i < size; i++) {
        load(space, i);
        found += marked[i] = set->contains(&space->ring);
    }
    assert_true(found > 0);
    while (found > 0) {
        lost -= found;
        found = 0;
        for (uint64_t i = 0; i < size; i++) {
            if (marked[i])
                continue;
            load(space, i);
            found += marked[i] = leads_to_marked(space, i, marked);
        }
    }
    free(marked);
    return lost;
}

static void a_colouring_can_be_reached_from_everywhere(void **state)
{
    (void)state;
    static const char *const names[] = {"colour", "marks", "coin", NULL};
    for (uint32_t n = 3; n <= 4; n++) {
        struct space space;
        open_space(&space, "fj06-undirected", n, 0, names);
        assert_true(count_lost(&space, "coloured") == 0);
        free(space.ring.agents);
    }
}

/* Sets the colours to those numbered `index`; false if that is no two-hop colouring, or not the
 * first of those that differ only in the names of the colours. */
static bool set_colouring(struct space *space, uint32_t index)
{
    struct rl_ring *ring = &space->ring;
    uint32_t used = 0;
    for (uint32_t i = 0; i < ring->params.n; i++, index /= 3) {
        if (index % 3 > used)
            return false;
        used += index % 3 == used;
        rl_ring_set(ring, i, 0);
        set_variable(ring, i, "colour", index % 3);
        space->base[i] = rl_ring_get(ring, i);
    }
    return ring->protocol->sets[rl_protocol_set(ring->protocol, "coloured")].contains(ring);
}

/* Over all colourings; returns how many there were. */
static uint32_t check_colourings(const char *protocol, uint32_t n, uint32_t orientation,
                                 const char *const *names, const char *set)
{
    struct space space;
    uint32_t count = 0, all = 1;
    open_space(&space, protocol, n, orientation, names);
    for (uint32_t i = 0; i < n; i++)
        all *= 3;
    for (uint32_t index = 0; index < all; index++)
        if (set_colouring(&space, index)) {
            count++;
            assert_true(count_lost(&space, set) == 0);
        }
    free(space.ring.agents);
    return count;
}

static void an_orientation_can_be_reached_from_everywhere_once_coloured(void **state)
{
    (void)state;
    static const char *const aaf[] = {"ahead", "behind", NULL};
    static const char *const por[] = {"ahead", "behind", "strong", NULL};
    /* Two-hop colourings up to names: 3-colourings of one cycle of 3, of two edges, of one cycle
     * of 5, of two triangles; over 3! or so. */
    assert_int_equal(check_colourings("fj06-undirected", 3, 0, aaf, "oriented"), 1);
    assert_int_equal(check_colourings("fj06-undirected", 4, 0, aaf, "oriented"), 6);
    assert_int_equal(check_colourings("fj06-undirected", 5, 0, aaf, "oriented"), 5);
    assert_int_equal(check_colourings("fj06-undirected", 3, 1, por, "oriented"), 1);
    assert_int_equal(check_colourings("fj06-undirected", 4, 1, por, "oriented"), 6);
}

static void a_leader_can_be_elected_from_everywhere_once_coloured(void **state)
{
    (void)state;
    static const char *const aaf[] = {"leader", "bullet", "shield", "ahead", "behind", NULL};
    static const char *const por[] = {"leader", "bullet", "shield", "ahead",
                                      "behind", "strong", NULL};
    check_colourings("fj06-undirected", 3, 0, aaf, "elected");
    check_colourings("fj06-undirected", 3, 1, por, "elected");
}

/* ---- what the layers promise each other -------------------------------------------------------
 */

static void no_layer_looks_at_the_ones_above_it(void **state)
{
    (void)state;
    static const char *const layers[] = {"colour", "marks", "coin", "ahead", "behind", "strong"};
    struct rl_ring a, b;
    struct rl_random random;
    rl_random_init(&random, 31, 0, RL_PURPOSE_START);
    assert_true(registry_ring(rl_protocol_named("prl-undirected"), 3, &a));
    assert_true(registry_ring(a.protocol, 3, &b));
    for (int t = 0; t < 50000; t++) {
        const size_t shared = t % 2 ? 3 : 6; /* colouring alone, or with orientation */
        a.params.value[1] = b.params.value[1] = t / 2 % 2;
        rl_ring_randomize(&a, &random);
        rl_ring_randomize(&b, &random);
        for (uint32_t i = 0; i < 3; i++)
            for (size_t v = 0; v < shared; v++)
                set_variable(&b, i, layers[v],
                             rl_variable_get(variable(a.protocol, layers[v]), rl_ring_get(&a, i)));
        const uint32_t arc = rl_random_below(&random, 6);
        rl_ring_interact(&a, arc);
        rl_ring_interact(&b, arc);
        for (uint32_t i = 0; i < 3; i++)
            for (size_t v = 0; v < shared; v++)
                assert_int_equal(
                    rl_variable_get(variable(a.protocol, layers[v]), rl_ring_get(&a, i)),
                    rl_variable_get(variable(b.protocol, layers[v]), rl_ring_get(&b, i)));
    }
    free(a.agents);
    free(b.agents);
}

static void a_thousand_agents_elect_a_leader_on_an_undirected_ring(void **state)
{
    (void)state;
    struct rl_run run;
    struct rl_run_options options = {.protocol = rl_protocol_named("prl-undirected"),
                                     .seed = 1,
                                     .start = "random",
                                     .until = 2,
                                     .max_steps = UINT64_C(100000000)};
    assert_true(registry_params(options.protocol, 1000, 0, &options.params));
    assert_int_equal(rl_run_init(&run, &options, NULL), RL_OK);
    while (rl_run_advance(&run) == RL_RUNNING)
        ;
    assert_int_equal(run.state, RL_REACHED);
    assert_int_equal(rl_ring_leaders(&run.ring), 1);
    rl_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_event_engine_lists_the_arcs_of_an_undirected_ring),
        cmocka_unit_test(no_layer_looks_at_the_ones_above_it),
        cmocka_unit_test(a_colouring_can_be_reached_from_everywhere),
        cmocka_unit_test(an_orientation_can_be_reached_from_everywhere_once_coloured),
        cmocka_unit_test(a_leader_can_be_elected_from_everywhere_once_coloured),
        cmocka_unit_test(a_thousand_agents_elect_a_leader_on_an_undirected_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
