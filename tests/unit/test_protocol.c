/* SPDX-License-Identifier: MIT
 *
 * Protocols from their declaration: the registry, parameters, the numbering of states.
 */
#include <inttypes.h>

#include "test.h"

TEST(every_protocol_is_found_by_its_name)
{
    const struct rl_protocol *protocol;
    size_t count = 0;
    for (; (protocol = rl_protocol_at(count)); count++)
        assert_ptr_equal(rl_protocol_named(protocol->name), protocol);
    assert_true(count >= 2);
    assert_null(rl_protocol_named("prlx"));
    assert_null(rl_protocol_named(""));
}

/* What the interface demands of a declaration; agree/test_declarations.c has more of it. */
TEST(every_protocol_declares_itself_properly)
{
    const struct rl_protocol *protocol;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        assert_true(protocol->width == 4 || protocol->width == 8);
        assert_true(!protocol->gauge_count || protocol->measure);
        uint64_t used = 0;
        for (size_t v = 0; v < protocol->variable_count; v++) {
            const struct rl_variable *variable = &protocol->variables[v];
            const uint64_t mask = ((UINT64_C(1) << variable->width) - 1) << variable->shift;
            assert_true(variable->shift + variable->width <= 8 * protocol->width);
            assert_int_equal(used & mask, 0); /* variables do not overlap */
            used |= mask;
        }
    }
}

/* Those of P_RL are in test_prl_sets.c. */
TEST(gauges_show_what_their_names_say)
{
    static const struct {
        const char *protocol;
        uint32_t n;
        const char *text;
        uint64_t values[RL_MAX_GAUGES];
    } cases[] = {
        {"prl-oracle", 5, "bs! LB L! Ls B", {2, 1, 2}},
        {"fj06", 5, "s Bs s s LB", {2, 4}},
        {"aaf08", 5, "0Lp 1B 0LBp 1L 0p", {1, 2, 3}},
        {"ppl", 5, "1B!|c8k9w6 5LBs|r11h1k8 5Bs!|r5c11k20w1 4s!|c12 0Lb|^r7h1w6", {3, 1, 6, 2}},
        {"fences", 8, "|0r |1w 2g 0*b! |1:2.B 2W! 0S 1S", {3, 3, 2, 1, 2, 1, 1, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FREED(rl_ring) ring = test_ring(cases[i].protocol, cases[i].n, 0);
        uint64_t values[RL_MAX_GAUGES];
        ring.params = rl_protocol_usual(ring.protocol, cases[i].n);
        test_fill(&ring, cases[i].text);
        memset(values, 0xff, sizeof values);
        ring.protocol->measure(&ring, values);
        for (size_t k = 0; k < ring.protocol->gauge_count; k++)
            if (values[k] != cases[i].values[k])
                fail_msg("%s of '%s' is %" PRIu64 ", not %" PRIu64, ring.protocol->gauges[k],
                         cases[i].text, values[k], cases[i].values[k]);
    }
}

TEST(names_of_parameters_and_sets_are_looked_up)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    assert_int_equal(rl_protocol_parameter(prl, "N"), 0);
    assert_int_equal(rl_protocol_parameter(prl, "M"), -1);
    assert_int_equal(rl_protocol_set(prl, "C_PB"), 0);
    assert_int_equal(rl_protocol_set(prl, "C_NI"), 1);
    assert_int_equal(rl_protocol_set(prl, "S_RL"), 2);
    assert_int_equal(rl_protocol_set(prl, "c_pb"), -1);
    assert_true(rl_protocol_has_start(prl, "random"));
    assert_true(rl_protocol_has_start(prl, "leaderless"));
    assert_false(rl_protocol_has_start(prl, "leader"));
    assert_int_equal(prl->target, 2);
}

/* -1: none given. */
static enum rl_status complete(uint32_t n, int64_t N, struct rl_params *params,
                               struct rl_error *error)
{
    const bool given[RL_MAX_PARAMETERS] = {N >= 0};
    *params = (struct rl_params){.n = n, .value = {N >= 0 ? (uint32_t)N : 0}};
    return rl_protocol_complete(rl_protocol_named("prl"), params, given, error);
}

TEST(N_is_n_unless_it_is_given)
{
    struct rl_params params;
    assert_int_equal(complete(10, -1, &params, NULL), RL_OK);
    assert_int_equal(params.value[0], 10);
    assert_int_equal(complete(10, 25, &params, NULL), RL_OK);
    assert_int_equal(params.value[0], 25);
}

TEST(parameters_outside_2_to_n_to_N_to_2_power_26_are_refused)
{
    struct rl_params params;
    struct rl_error error = {0};
    assert_int_equal(complete(1, -1, &params, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text, "a ring has 2 to 134217727 agents (2^27 - 1), not n = 1");
    assert_int_equal(complete(0, -1, &params, &error), RL_BAD_PARAMETER);
    assert_int_equal(complete(1u << 27, -1, &params, &error), RL_BAD_PARAMETER);
    assert_int_equal(complete(4, 3, &params, &error), RL_UNPROMISED);
    assert_string_equal(error.text, "N = 3 is below n = 4; the protocol needs 2 <= n <= N");
    assert_int_equal(complete(4, 1u << 27, &params, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text, "N = 134217728 is above 2^27 - 1 = 134217727, the largest");
    assert_int_equal(complete((1u << 27) - 1, (1u << 27) - 1, &params, &error), RL_OK);
    assert_int_equal(complete(2, 2, &params, &error), RL_OK);
}

TEST(a_choice_is_one_of_those_there_are)
{
    const struct rl_protocol *protocol = rl_protocol_named("prl-undirected");
    struct rl_params params = rl_protocol_usual(protocol, 5);
    struct rl_error error = {0};
    assert_int_equal(rl_protocol_allows(protocol, &params, &error), RL_OK);
    params.value[rl_protocol_parameter(protocol, "orientation")] = 2;
    assert_int_equal(rl_protocol_allows(protocol, &params, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text, "orientation has no choice number 2");
}

TEST(no_more_protocols_are_added_than_there_is_room_for)
{
    static char names[32][16];
    static struct rl_protocol protocols[32];
    size_t added = 1, before = 0;
    while (rl_protocol_at(before))
        before++;
    /* What stands for a protocol that is not at hand makes room for it, and for no other. */
    const struct rl_protocol stand_in = {.name = "prl-0", .hash = "ab"};
    static struct rl_protocol other; /* it stays in the list */
    other = *rl_protocol_named("prl");
    other.name = "prl-0";
    other.hash = "cd";
    assert_true(rl_protocol_add(&stand_in));
    assert_false(rl_protocol_add(&other));
    other.hash = "ab";
    assert_true(rl_protocol_add(&other));
    assert_ptr_equal(rl_protocol_at(before), &other);
    for (size_t i = 1; i < 32; i++) {
        protocols[i] = *rl_protocol_named("prl");
        assert_false(rl_protocol_add(&protocols[i])); /* its name is taken */
        snprintf(names[i], sizeof names[i], "prl-%u", (unsigned)i);
        protocols[i].name = names[i];
        added += rl_protocol_add(&protocols[i]);
    }
    assert_int_equal(added, 16);
    assert_ptr_equal(rl_protocol_at(before + 15), &protocols[15]);
    assert_null(rl_protocol_at(before + 16));
    assert_null(rl_protocol_named("prl-16"));
}

TEST(prl_has_24_times_N_plus_1_states_numbered_one_to_one)
{
    const struct rl_protocol *prl = rl_protocol_named("prl");
    for (uint32_t N = 2; N <= 9; N++) {
        const struct rl_params params = {.n = 2, .value = {N}};
        const uint64_t states = rl_protocol_states(prl, &params);
        assert_int_equal(states, 24 * (N + 1));
        for (uint64_t s = 0; s < states; s++) {
            const rl_state word = rl_protocol_state(prl, &params, s);
            assert_int_equal(rl_protocol_index(prl, &params, word), s);
            assert_true(word <= UINT32_MAX);
        }
    }
    const struct rl_params largest = {.n = 2, .value = {(1u << 27) - 1}};
    const uint64_t states = rl_protocol_states(prl, &largest);
    assert_true(states == 24 * (UINT64_C(1) << 27));
    assert_true(rl_protocol_index(prl, &largest, rl_protocol_state(prl, &largest, states - 1)) ==
                states - 1);
}
