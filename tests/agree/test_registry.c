/* SPDX-License-Identifier: MIT
 *
 * What must hold for every protocol, by a loop over the registry: a new protocol is covered by
 * being listed. Here its sets: their two forms if there are two, closed, a stable output. See also
 * test_declarations.c and test_executions.c.
 */
#include "registry.h"
#include "core/inside.h"

/* The only ones that are not meant to elect a leader. */
static bool elects(const struct rl_protocol *protocol)
{
    return strcmp(protocol->name, "prl-dummy") != 0;
}

/* ---- sets ---- */

static void compare_forms(const struct rl_ring *ring)
{
    for (size_t i = 0; i < ring->protocol->set_count; i++) {
        const struct rl_set *set = &ring->protocol->sets[i];
        if (set->by_definition && set->contains(ring) != set->by_definition(ring))
            fail_msg("%s, n = %u: the two forms of %s differ at: %s", ring->protocol->name,
                     ring->params.n, set->name, test_text(ring));
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

TEST(the_fast_form_of_every_set_agrees_with_its_definition)
{
    registry_for_starts(8, check_forms);
}

/* Every interaction from here leads to a member; an oracle may be silent, or truthful. */
static void check_closed_here(struct rl_ring *ring, const struct rl_set *set)
{
    const bool absent = ring->protocol->oracle && rl_ring_leaders(ring) == 0;
    for (uint32_t arc = 0; arc < rl_ring_arcs(ring); arc++)
        for (int told = 0; told <= absent; told++) {
            const uint32_t i = rl_ring_initiator(ring, arc), j = rl_ring_responder(ring, arc);
            const rl_state l = rl_ring_get(ring, i), r = rl_ring_get(ring, j);
            rl_ring_interact_told(ring, arc, told);
            const bool inside = set->contains(ring);
            rl_ring_set(ring, i, l);
            rl_ring_set(ring, j, r);
            if (!inside)
                fail_msg("%s, n = %u: arc %u leads out of %s: %s", ring->protocol->name,
                         ring->params.n, arc, set->name, test_text(ring));
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

TEST(every_set_is_closed_under_every_interaction)
{
    registry_for_starts(12, check_closed);
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

TEST(every_start_leads_to_one_leader_who_stays)
{
    registry_for_starts(1, check_output);
}
