/* SPDX-License-Identifier: MIT
 *
 * What must hold for every protocol, by a loop over the registry: a new protocol is covered by
 * being listed. Its declaration (text, starts, numbering), its sets (two forms, closed, a stable
 * output), and its executions (engines, cuts, traces).
 */
#include "registry.h"

#include "simulate/specialise.h"

/* The only ones that are not meant to elect a leader. */
static bool elects(const struct rl_protocol *protocol)
{
    return strcmp(protocol->name, "prl-dummy") != 0;
}

static const uint32_t SIZES[] = {2, 3, 4, 5, 7, 8, 12, 21};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0] };

/* Calls `check` for every protocol, size and start, several times, at the start itself. */
static void for_starts(int times, void (*check)(struct rl_ring *ring, struct rl_random *random))
{
    const struct rl_protocol *protocol;
    const char *start;
    struct rl_ring ring;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t k = 0; k < SIZE_COUNT; k++) {
            if (!registry_ring(protocol, SIZES[k], &ring))
                continue;
            for (size_t s = 0; (start = registry_start(protocol, s)); s++)
                for (int t = 0; t < times; t++) {
                    struct rl_random random;
                    rl_random_init(&random, 11, (uint64_t)t, RL_PURPOSE_START);
                    if (rl_ring_start(&ring, start, &random, NULL) == RL_OK)
                        check(&ring, &random);
                }
            free(ring.agents);
        }
}

/* ---- declarations -----------------------------------------------------------------------------
 */

static void check_text(struct rl_ring *ring, struct rl_random *random)
{
    (void)random;
    const size_t bytes = rl_ring_bytes(ring->protocol, ring->params.n);
    void *before = malloc(bytes);
    assert_non_null(before);
    memcpy(before, ring->agents, bytes);
    const char *text = registry_text(ring);
    struct rl_error error = {0};
    if (rl_ring_parse(ring, text, strlen(text), &error))
        fail_msg("%s: '%s': column %u: %s", ring->protocol->name, text, error.column, error.text);
    assert_memory_equal(before, ring->agents, bytes);
    free(before);
}

static void every_start_is_read_back_as_it_was_written(void **state)
{
    (void)state;
    for_starts(20, check_text);
}

static void check_states(struct rl_ring *ring, struct rl_random *random)
{
    (void)random;
    const uint64_t count = rl_protocol_states(ring->protocol, &ring->params);
    for (uint32_t i = 0; i < ring->params.n; i++) {
        const rl_state word = rl_ring_get(ring, i);
        const uint64_t index = rl_protocol_index(ring->protocol, &ring->params, word);
        assert_true(index < count);
        assert_true(rl_protocol_state(ring->protocol, &ring->params, index) == word);
    }
}

static void every_start_and_every_interaction_gives_states(void **state)
{
    (void)state;
    for_starts(20, check_states);
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        struct rl_ring ring;
        struct rl_random random;
        rl_random_init(&random, 12, p, RL_PURPOSE_START);
        assert_true(registry_ring(protocol, 5, &ring));
        for (int t = 0; t < 20000; t++) {
            rl_ring_randomize(&ring, &random);
            ring.params.no_leader = protocol->oracle && rl_ring_leaders(&ring) == 0;
            rl_ring_interact(&ring, rl_random_below(&random, rl_ring_arcs(&ring)));
            check_states(&ring, &random);
        }
        free(ring.agents);
    }
}

static void every_protocol_says_what_the_table_of_protocols_shows(void **state)
{
    (void)state;
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        assert_true(protocol->assumption && protocol->claim && protocol->states);
        assert_true(protocol->provenance && protocol->source && protocol->title);
        assert_true(protocol->target < protocol->set_count && protocol->set_count <= RL_MAX_SETS);
        assert_true(protocol->gauge_count <= RL_MAX_GAUGES);
        assert_true(protocol->parameter_count <= RL_MAX_PARAMETERS);
    }
}

/* ---- activity ---------------------------------------------------------------------------------
 */

static void check_activity(const struct rl_engine *engine, rl_state l, rl_state r)
{
    const struct rl_ring *ring = engine->ring;
    rl_state l_after = l, r_after = r;
    ring->protocol->interact(&ring->params, &l_after, &r_after);
    const bool changes = l != l_after || r != r_after;
    if (engine->code->active(&ring->params, l, r) != changes)
        fail_msg("%s, n = %u: states %llx, %llx: the interaction %s", ring->protocol->name,
                 ring->params.n, (unsigned long long)l, (unsigned long long)r,
                 changes ? "changes something" : "changes nothing");
}

/* All pairs of states where they are few, random ones otherwise. */
static void check_all_activity(struct rl_ring *ring)
{
    enum { FEW = 400, MANY = 100000 };
    struct rl_random random;
    struct rl_engine engine;
    const struct rl_protocol *protocol = ring->protocol;
    const uint64_t states = rl_protocol_states(protocol, &ring->params);
    rl_random_init(&random, 5, 0, RL_PURPOSE_START);
    assert_int_equal(rl_engine_init(&engine, RL_ENGINE_EVENT, ring, &random, NULL), RL_OK);
    if (states <= FEW)
        for (uint64_t pair = 0; pair < states * states; pair++)
            check_activity(&engine, rl_protocol_state(protocol, &ring->params, pair / states),
                           rl_protocol_state(protocol, &ring->params, pair % states));
    else
        for (int i = 0; i < MANY; i++)
            check_activity(&engine, rl_protocol_random_state(protocol, &ring->params, &random),
                           rl_protocol_random_state(protocol, &ring->params, &random));
    rl_engine_free(&engine);
}

static void an_arc_is_active_iff_its_interaction_changes_a_state(void **state)
{
    (void)state;
    const struct rl_protocol *protocol;
    struct rl_ring ring;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t k = 0; k < SIZE_COUNT; k++) {
            if (!registry_ring(protocol, SIZES[k], &ring))
                continue;
            for (int told = 0; told <= protocol->oracle; told++) {
                ring.params.no_leader = told;
                check_all_activity(&ring);
            }
            free(ring.agents);
        }
}

/* ---- sets -------------------------------------------------------------------------------------
 */

static void compare_forms(const struct rl_ring *ring)
{
    for (size_t i = 0; i < ring->protocol->set_count; i++) {
        const struct rl_set *set = &ring->protocol->sets[i];
        if (set->contains(ring) != set->by_definition(ring))
            fail_msg("%s, n = %u: the two forms of %s differ at: %s", ring->protocol->name,
                     ring->params.n, set->name, registry_text(ring));
    }
}

/* Along an execution, and beside it: with one agent changed at random. */
static void check_forms(struct rl_ring *ring, struct rl_random *random)
{
    struct rl_oracle oracle = {0};
    rl_oracle_look(&oracle, ring, 0);
    for (uint64_t step = 1; step <= 40 * ring->params.n; step++) {
        rl_oracle_interact(&oracle, ring, rl_random_below(random, rl_ring_arcs(ring)), step);
        if (step % 7 != 1)
            continue;
        compare_forms(ring);
        const uint32_t i = rl_random_below(random, ring->params.n);
        const rl_state before = rl_ring_get(ring, i);
        rl_ring_set(ring, i, rl_protocol_random_state(ring->protocol, &ring->params, random));
        compare_forms(ring);
        rl_ring_set(ring, i, before);
    }
}

static void the_fast_form_of_every_set_agrees_with_its_definition(void **state)
{
    (void)state;
    for_starts(8, check_forms);
}

/* Every interaction from here leads to a member; an oracle may be silent, or truthful. */
static void check_closed_here(struct rl_ring *ring, const struct rl_set *set)
{
    const bool absent = ring->protocol->oracle && rl_ring_leaders(ring) == 0;
    for (uint32_t arc = 0; arc < rl_ring_arcs(ring); arc++)
        for (int told = 0; told <= absent; told++) {
            const uint32_t i = rl_ring_initiator(ring, arc), j = rl_ring_responder(ring, arc);
            const rl_state l = rl_ring_get(ring, i), r = rl_ring_get(ring, j);
            ring->params.no_leader = told;
            rl_ring_interact(ring, arc);
            const bool inside = set->contains(ring);
            rl_ring_set(ring, i, l);
            rl_ring_set(ring, j, r);
            if (!inside)
                fail_msg("%s, n = %u: arc %u leads out of %s: %s", ring->protocol->name,
                         ring->params.n, arc, set->name, registry_text(ring));
        }
}

static void check_closed(struct rl_ring *ring, struct rl_random *random)
{
    struct rl_oracle oracle = {0};
    rl_oracle_look(&oracle, ring, 0);
    for (uint64_t step = 1; step <= 60 * ring->params.n; step++) {
        for (size_t i = 0; i < ring->protocol->set_count && step % 5 == 1; i++)
            if (ring->protocol->sets[i].contains(ring))
                check_closed_here(ring, &ring->protocol->sets[i]);
        rl_oracle_interact(&oracle, ring, rl_random_below(random, rl_ring_arcs(ring)), step);
    }
}

static void every_set_is_closed_under_every_interaction(void **state)
{
    (void)state;
    for_starts(12, check_closed);
}

/* Runs from each start to the target, then on: who leads must not change. A protocol that claims
 * exponential growth is run on small rings only. */
static void check_output(struct rl_ring *ring, struct rl_random *random)
{
    if (strcmp(ring->protocol->claim, "exponential") == 0 && ring->params.n > 5)
        return;
    const struct rl_set *target = &ring->protocol->sets[ring->protocol->target];
    struct rl_oracle oracle = {0};
    uint64_t step = 0, limit = UINT64_C(3000000);
    rl_oracle_look(&oracle, ring, 0);
    while (!target->contains(ring) && step < limit) {
        step++;
        rl_oracle_interact(&oracle, ring, rl_random_below(random, rl_ring_arcs(ring)), step);
    }
    if (!elects(ring->protocol))
        return;
    if (step == limit)
        fail_msg("%s, n = %u: no leader after %u steps", ring->protocol->name, ring->params.n,
                 (unsigned)limit);
    assert_int_equal(rl_ring_leaders(ring), 1);
    const uint32_t leader = rl_ring_first_leader(ring);
    for (limit = step + 4000; step < limit; step++) {
        rl_oracle_interact(&oracle, ring, rl_random_below(random, rl_ring_arcs(ring)), step + 1);
        assert_true(ring->protocol->leads(rl_ring_get(ring, leader)));
    }
    assert_int_equal(rl_ring_leaders(ring), 1);
}

static void every_start_leads_to_one_leader_who_stays(void **state)
{
    (void)state;
    for_starts(1, check_output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_protocol_says_what_the_table_of_protocols_shows),
        cmocka_unit_test(every_start_is_read_back_as_it_was_written),
        cmocka_unit_test(every_start_and_every_interaction_gives_states),
        cmocka_unit_test(an_arc_is_active_iff_its_interaction_changes_a_state),
        cmocka_unit_test(the_fast_form_of_every_set_agrees_with_its_definition),
        cmocka_unit_test(every_set_is_closed_under_every_interaction),
        cmocka_unit_test(every_start_leads_to_one_leader_who_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
