/* SPDX-License-Identifier: MIT
 *
 * What is said of mutants of fj06 for every n agrees with what enumeration finds: of its rules,
 * one line changed; and of its target. Among all 3,701 one-line changes of the rules, every
 * seventeenth is tried here (with the argument 1: every one; that takes some ten minutes).
 */
#include "agree/fj06_rules.h"
#include "test.h"

/* Enumeration of n agents says the same. */
static void compare(const struct rl_protocol *protocol, const struct rl_every_n *every_n,
                    uint32_t n)
{
    const struct rl_params params = {.n = n};
    FREED(rl_verification)
    answer = test_verify(protocol, params, RL_ASK_CLOSURE | RL_ASK_STABILITY, false);
    const struct rl_every_n_set *set = &every_n->sets[0];
    if (n >= every_n->least && (set->closed || n < set->way_out_n))
        assert_true(answer.sets[0].closed);
    if (n == set->way_out_n)
        assert_false(answer.sets[0].closed);
    if (n >= every_n->least && every_n->safe)
        assert_true(answer.sets[0].inside_safe);
    if (every_n->unsafe_n == n)
        assert_false(answer.sets[0].inside_safe);
    if (every_n->self_stabilizing_from > 0 && n >= every_n->self_stabilizing_from)
        assert_true(answer.self_stabilizing);
    if (every_n->self_stabilizing_from == n + 1)
        assert_false(answer.self_stabilizing);
}

/* Whether it is self-stabilizing from some n on, by an answer that enumeration agrees with. */
static bool is_right(const struct rl_protocol *protocol, uint32_t most)
{
    FREED(rl_every_n) answer = test_every_n(protocol, 24, 40000, UINT64_C(1) << 28);
    assert_string_equal(answer.obstacle, "");
    for (uint32_t n = 2; n <= most; n++)
        compare(protocol, &answer, n);
    return answer.self_stabilizing_from > 0;
}

TEST(the_rules_as_data_are_the_rules)
{
    const struct rl_protocol *fj06 = rl_protocol_named("fj06");
    rules_in_force = FJ06;
    for (unsigned i = 0; i < 2 * 64; i++) {
        const struct rl_params params = {.n = 3};
        rl_state l[2] = {i % 8, i % 8}, r[2] = {i / 8 % 8, i / 8 % 8};
        fj06->interact(&params, i / 64, &l[0], &r[0]);
        interact_by_rules(&params, i / 64, &l[1], &r[1]);
        assert_true(l[0] == l[1] && r[0] == r[1]);
    }
}

TEST(answers_about_one_line_changes_agree_with_enumeration)
{
    const struct rl_protocol protocol = protocol_by_rules();
    const unsigned every = (unsigned)test_amount(0, 17);
    unsigned right = 0;
    for (unsigned change = 0; change < CHANGES; change += every) {
        rules_in_force = changed_rules(change);
        right += is_right(&protocol, 5);
    }
    print_message("%u of %u changes leave it self-stabilizing from some n on\n", right,
                  (CHANGES + every - 1) / every);
    assert_true(right > 0 && right < CHANGES / every / 2);
}

/* The list of tests/mutants/fj06.txt. */
TEST(clauses_that_cannot_be_spared_are_missed_for_every_n)
{
    const struct rl_protocol protocol = protocol_by_rules();
    rules_in_force = FJ06;
    assert_true(is_right(&protocol, 7));
    rules_in_force.action[SWALLOWS][L_BULLET] = KEEP;
    assert_false(is_right(&protocol, 7));
    rules_in_force = FJ06;
    rules_in_force.condition[LEADS] = NEVER;
    assert_false(is_right(&protocol, 7));
    rules_in_force = FJ06;
    rules_in_force.action[SHOOTS][R_LEADER] = KEEP;
    assert_false(is_right(&protocol, 7));
}

/* ---- targets ---- */

enum { LEADER = 1, BULLET = 2, SHIELD = 4 };

/* guarded, with a place for each mistake: how far to the left it looks for bullets, what it wants
 * to find there, and how many leaders there may be. */
static bool is_guarded(const struct rl_ring *ring, uint32_t sight, bool wants_shield,
                       uint32_t leaders)
{
    const uint32_t n = ring->params.n, p = rl_ring_first_leader(ring);
    if (rl_ring_leaders(ring) == 0 || rl_ring_leaders(ring) > leaders)
        return false;
    if (rl_ring_get(ring, p) & SHIELD)
        return true;
    for (uint32_t d = 1; d < n; d++) {
        const rl_state u = rl_ring_get(ring, (p + n - d) % n);
        if (u & BULLET && d <= sight)
            return false;
        if (u & SHIELD)
            return true;
    }
    return !wants_shield;
}

static bool without_a_shield(const struct rl_ring *ring)
{
    return is_guarded(ring, UINT32_MAX, false, 1);
}

static bool with_bullets(const struct rl_ring *ring)
{
    return is_guarded(ring, 0, true, 1);
}

static bool of_short_sight(const struct rl_ring *ring)
{
    return is_guarded(ring, 4, true, 1);
}

static bool at_the_leader(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 1 && rl_ring_get(ring, rl_ring_first_leader(ring)) & SHIELD;
}

/* Only the oracle leads out of it. */
static bool without_a_leader(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 0;
}

static bool anything(const struct rl_ring *ring)
{
    (void)ring;
    return true;
}

static bool nothing(const struct rl_ring *ring)
{
    (void)ring;
    return false;
}

/* The way out begins in the set, and ends outside. */
static void follow(const struct rl_counterexample *way, uint32_t n, const struct rl_set *set)
{
    FREED(rl_ring) ring = test_ring("fj06", n, 0);
    for (uint32_t i = 0; i < n; i++)
        rl_ring_set(&ring, i, way->start[i]);
    assert_true(way->exists && set->contains(&ring));
    for (size_t i = 0; i < way->length; i++)
        rl_ring_interact(&ring, way->arcs[i]);
    assert_false(set->contains(&ring));
}

/* The answer about a target; the least n for which it is not closed, or 0. */
static uint32_t not_closed_at(bool (*contains)(const struct rl_ring *ring), bool *safe_out)
{
    const struct rl_set set = {"mutant", "", contains, contains};
    struct rl_protocol protocol = *rl_protocol_named("fj06");
    protocol.sets = &set;
    FREED(rl_every_n) answer = test_every_n(&protocol, 24, 300000, UINT64_C(1) << 28);
    for (uint32_t n = 2; n <= 7; n++)
        compare(&protocol, &answer, n);
    const uint32_t n = answer.sets[0].closed ? 0 : answer.sets[0].way_out_n;
    if (n > 0)
        follow(&answer.sets[0].way_out, n, &set);
    *safe_out = answer.safe;
    return n;
}

TEST(mutants_of_the_target_are_told_apart)
{
    bool safe;
    assert_int_equal(not_closed_at(without_a_shield, &safe), 3);
    assert_int_equal(not_closed_at(with_bullets, &safe), 3);
    assert_int_equal(not_closed_at(at_the_leader, &safe), 3);
    assert_int_equal(not_closed_at(without_a_leader, &safe), 3);
    assert_int_equal(not_closed_at(anything, &safe), 0);
    assert_false(safe);
    assert_int_equal(not_closed_at(nothing, &safe), 0);
}

/* Enumeration up to n = 5 sees nothing wrong with it. */
TEST(a_target_that_overlooks_bullets_far_away_is_caught)
{
    bool safe;
    assert_int_equal(not_closed_at(of_short_sight, &safe), 6);
    assert_false(safe);
}
