/* SPDX-License-Identifier: MIT
 *
 * What sets and lemmas see of an agent: the protocols' promises, held to on every configuration of
 * small rings, and what is discovered without them.
 */
#include "test.h"

#include "verify/classes.h"
#include "verify/enumerate/verifier.h"

/* All configurations of a ring, as an odometer over states; false after the last. */
static bool advance(const struct rl_table *table, uint32_t *digits)
{
    for (uint32_t i = 0; i < table->params.n; i++) {
        digits[i] = digits[i] + 1 == table->states ? 0 : digits[i] + 1;
        if (digits[i] > 0)
            return true;
    }
    return false;
}

static void fill(const struct rl_table *table, const uint32_t *digits, rl_sight *sees,
                 struct rl_ring *ring)
{
    for (uint32_t i = 0; i < table->params.n; i++) {
        const rl_state word = table->word[digits[i]];
        rl_ring_set(ring, i, sees ? sees(&table->params, word) : word);
    }
}

static enum rl_verdict judge(const struct rl_lemma *lemma, const struct rl_ring *before,
                             uint32_t arc, struct rl_ring *after)
{
    memcpy(after->agents, before->agents, rl_ring_bytes(before->protocol, before->params.n));
    rl_ring_interact(after, arc);
    return lemma->check(before, arc, after);
}

static void hold_to_promises(const struct rl_protocol *protocol, uint32_t n, uint32_t N)
{
    struct rl_effort effort = {0};
    FREED(rl_table) table;
    const struct rl_params params = {.n = n, .value = {N}};
    uint32_t digits[8] = {0};
    uint64_t memory[3][8];
    struct rl_ring ring = {protocol, params, memory[0]}, seen = {protocol, params, memory[1]};
    struct rl_ring after = {protocol, params, memory[2]};
    rl_table_init(&table, protocol, &params, &effort);
    do {
        fill(&table, digits, NULL, &ring);
        for (size_t i = 0; protocol->set_sees && i < protocol->set_count; i++) {
            fill(&table, digits, protocol->set_sees[i], &seen);
            assert_int_equal(protocol->sets[i].contains(&ring), protocol->sets[i].contains(&seen));
        }
        for (size_t i = 0; i < protocol->claim_count; i++) {
            const struct rl_claim *claim = &protocol->claims[i];
            fill(&table, digits, claim->sees, &seen);
            assert_int_equal(claim->from(&ring), claim->from(&seen));
            assert_int_equal(claim->to(&ring), claim->to(&seen));
        }
        for (size_t i = 0; i < protocol->lemma_count; i++) {
            const struct rl_lemma *lemma = &protocol->lemmas[i];
            fill(&table, digits, lemma->sees, &seen);
            for (uint32_t arc = 0; arc < rl_ring_arcs(&ring); arc++)
                assert_int_equal(judge(lemma, &ring, arc, &after),
                                 judge(lemma, &seen, arc, &after));
        }
    } while (advance(&table, digits));
}

TEST(no_predicate_sees_more_than_it_declares)
{
    hold_to_promises(rl_protocol_named("prl"), 2, 2);
    hold_to_promises(rl_protocol_named("prl"), 2, 4);
    hold_to_promises(rl_protocol_named("prl"), 3, 2);
    hold_to_promises(rl_protocol_named("prl-dummy"), 2, 3);
}

/* A leader's dist: C_NI sees it, C_PB does not. */
static rl_state without_dist(const struct rl_params *params, rl_state state)
{
    (void)params;
    return state & 31;
}

static enum rl_status verified(rl_sight *const *set_sees)
{
    struct rl_protocol protocol = *rl_protocol_named("prl");
    struct rl_verify_options options;
    FREED(rl_verification) answer;
    protocol.set_sees = set_sees;
    rl_verify_options_init(&options, &protocol, 2);
    options.questions = RL_ASK_CLOSURE;
    return rl_verify(&answer, &options, NULL);
}

TEST(a_false_declaration_is_found_out)
{
    rl_sight *const right[] = {without_dist, NULL, NULL};
    rl_sight *const wrong[] = {without_dist, without_dist, NULL};
    assert_int_equal(verified(right), RL_OK);
    assert_int_equal(verified(wrong), RL_BAD_PARAMETER);
}

/* What is discovered merges as much as what is declared. */
TEST(discovered_and_declared_sight_give_the_same_classes)
{
    struct rl_protocol protocol = *rl_protocol_named("prl");
    const struct rl_params params = {.n = 2, .value = {4}};
    struct rl_effort effort = {.memory = UINT64_MAX};
    struct rl_views declared, discovered;
    rl_view_init(&declared, &protocol, &params, false, &effort, NULL);
    protocol.set_sees = NULL;
    rl_view_init(&discovered, &protocol, &params, false, &effort, NULL);
    assert_int_equal(effort.status, RL_OK);
    for (size_t i = 0; i < protocol.set_count; i++)
        assert_true(rl_classes_equal(&declared.set[i]->classes, &discovered.set[i]->classes));
    rl_view_free(&declared);
    rl_view_free(&discovered);
}

TEST(states_that_nobody_can_tell_apart_are_merged)
{
    /* 6N + 4 classes of followers and 7 of leaders, by hand. */
    const uint32_t bounds[] = {2, 3, 5, 24};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const struct rl_params params = {.n = 2, .value = {bounds[i]}};
        struct rl_effort effort = {0};
        FREED(rl_table) table;
        FREED(rl_classes) classes;
        rl_table_init(&table, rl_protocol_named("prl"), &params, &effort);
        rl_classes_init(&classes, &table, NULL, 0, &effort);
        assert_int_equal(effort.status, RL_OK);
        assert_int_equal(classes.count, 6 * bounds[i] + 11);
    }
}
