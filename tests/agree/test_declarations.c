/* SPDX-License-Identifier: MIT
 *
 * What must hold for the declaration of every protocol, by a loop over the registry: its texts, the
 * numbering of its states, its starts. See also test_registry.c.
 */
#include "registry.h"
#include "core/inside.h"

static void check_text(struct rl_ring *ring, struct rl_random *random)
{
    (void)random;
    const size_t bytes = rl_ring_bytes(ring->protocol, ring->params.n);
    void *before = malloc(bytes);
    assert_non_null(before);
    memcpy(before, ring->agents, bytes);
    const char *text = test_text(ring);
    assert_ok(rl_ring_parse(ring, text, strlen(text), &error));
    assert_memory_equal(before, ring->agents, bytes);
    free(before);
}

TEST(every_start_is_read_back_as_it_was_written)
{
    registry_for_starts(20, check_text);
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

/* A state with every variable zero that the part does not have. */
static rl_state seen_in(const struct rl_protocol *protocol, const struct rl_part *part,
                        rl_state state)
{
    for (size_t i = 0; i < protocol->variable_count; i++)
        if (!(part->variables >> i & 1))
            state = rl_variable_set(&protocol->variables[i], state, 0);
    return state;
}

static void check_parts(struct rl_ring *ring, struct rl_random *random)
{
    (void)random;
    const struct rl_protocol *protocol = ring->protocol;
    for (size_t p = 0; p < protocol->part_count; p++)
        for (uint32_t i = 0; i < ring->params.n; i++) {
            const rl_state word = rl_ring_get(ring, i);
            assert_int_equal(protocol->leads(seen_in(protocol, &protocol->parts[p], word)),
                             protocol->leads(word));
        }
}

TEST(every_part_shows_the_output)
{
    registry_for_starts(20, check_parts);
}

TEST(every_start_and_every_interaction_gives_states)
{
    registry_for_starts(20, check_states);
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        FREED(rl_ring) ring;
        struct rl_random random = test_random(12, p, RL_PURPOSE_START);
        assert_true(registry_ring(protocol, 5, &ring));
        for (int t = 0; t < 20000; t++) {
            rl_ring_randomize(&ring, &random);
            rl_ring_interact(&ring, rl_random_below(&random, rl_ring_arcs(&ring)));
            check_states(&ring, &random);
        }
    }
}

TEST(every_protocol_says_what_the_table_of_protocols_shows)
{
    const struct rl_protocol *protocol;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++) {
        assert_true(protocol->assumption && protocol->claim && protocol->states);
        assert_true(protocol->provenance && protocol->source && protocol->title);
        assert_true(protocol->target < protocol->set_count && protocol->set_count <= RL_MAX_SETS);
        assert_true(protocol->gauge_count <= RL_MAX_GAUGES);
        assert_true(protocol->parameter_count <= RL_MAX_PARAMETERS);
    }
}

/* ---- activity ---- */

static void check_activity(const struct rl_ring *ring, bool told, rl_state l, rl_state r)
{
    rl_state l_after = l, r_after = r;
    ring->protocol->interact(&ring->params, told, &l_after, &r_after);
    const bool changes = l != l_after || r != r_after;
    if (ring->protocol->is_active(&ring->params, told, l, r) != changes)
        fail_msg("%s, n = %u: states %llx, %llx: the interaction %s", ring->protocol->name,
                 ring->params.n, (unsigned long long)l, (unsigned long long)r,
                 changes ? "changes something" : "changes nothing");
}

/* All pairs of states where they are few, random ones otherwise. */
static void check_all_activity(struct rl_ring *ring, bool told)
{
    enum { FEW = 400, MANY = 100000 };
    const struct rl_protocol *protocol = ring->protocol;
    const uint64_t states = rl_protocol_states(protocol, &ring->params);
    struct rl_random random = test_random(5, 0, RL_PURPOSE_START);
    if (states <= FEW)
        for (uint64_t pair = 0; pair < states * states; pair++)
            check_activity(ring, told, rl_protocol_state(protocol, &ring->params, pair / states),
                           rl_protocol_state(protocol, &ring->params, pair % states));
    else
        for (int i = 0; i < MANY; i++)
            check_activity(ring, told, rl_protocol_random_state(protocol, &ring->params, &random),
                           rl_protocol_random_state(protocol, &ring->params, &random));
}

TEST(an_arc_is_active_iff_its_interaction_changes_a_state)
{
    const struct rl_protocol *protocol;
    struct rl_ring ring;
    for (size_t p = 0; (protocol = rl_protocol_at(p)); p++)
        for (size_t k = 0; k < REGISTRY_SIZE_COUNT; k++) {
            if (!protocol->is_active || !registry_ring(protocol, REGISTRY_SIZES[k], &ring))
                continue;
            for (int told = 0; told <= protocol->oracle; told++)
                check_all_activity(&ring, told);
            free(ring.agents);
        }
}
