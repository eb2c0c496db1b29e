/* SPDX-License-Identifier: MIT
 *
 * Protocols on a link: which fit, and that the rules of a microcontroller are those of the library.
 */
#include "test.h"

#include "device/small.h"

static enum rl_status try_rules(const char *name, uint32_t n, struct rl_rules *rules,
                                struct rl_error *error)
{
    const struct rl_protocol *protocol = rl_protocol_named(name);
    struct rl_params params = {.n = n};
    const bool given[RL_MAX_PARAMETERS] = {false};
    assert_int_equal(rl_protocol_complete(protocol, &params, given, NULL), RL_OK);
    return rl_rules_init(rules, protocol, &params, error);
}

TEST(prl_fits_a_link_at_every_size)
{
    const uint32_t sizes[] = {2, 16, 41, 42, 1000, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct rl_rules rules;
        assert_int_equal(try_rules("prl", sizes[i], &rules, NULL), RL_OK);
    }
}

/* The answer must be that of the rule, by brute force over all pairs of a small ring. */
static bool changes_initiator(const struct rl_rules *rules)
{
    const uint64_t states = rl_protocol_states(rules->protocol, &rules->params);
    for (uint64_t i = 0; i < states * states; i++) {
        rl_state l = rl_protocol_state(rules->protocol, &rules->params, i % states);
        rl_state r = rl_protocol_state(rules->protocol, &rules->params, i / states);
        const bool led = rules->protocol->leads(l);
        rules->protocol->interact(&rules->params, false, &l, &r);
        if (led != rules->protocol->leads(l))
            return true;
    }
    return false;
}

TEST(others_fit_or_are_refused_with_the_reason)
{
    const struct rl_protocol *protocol;
    size_t fitting = 0;
    for (size_t i = 0; (protocol = rl_protocol_at(i)); i++) {
        struct rl_rules rules;
        struct rl_error error = {0};
        const enum rl_status status = try_rules(protocol->name, 5, &rules, &error);
        if (protocol->oracle)
            assert_non_null(strstr(error.text, "it needs an oracle"));
        else if (protocol->undirected)
            assert_non_null(strstr(error.text, "undirected"));
        else if (rl_protocol_states(protocol, &rules.params) < 4096)
            assert_int_equal(status != RL_OK, changes_initiator(&rules));
        if (status)
            assert_true(strlen(error.text) > 40);
        fitting += !status;
    }
    assert_true(fitting >= 2); /* prl and prl-dummy at least */
}

static uint32_t flips_from, flips_to; /* distances */

static void flip(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    rl_protocol_named("prl")->interact(params, no_leader, l, r);
    *l ^= *l >> 5 >= flips_from && *l >> 5 <= flips_to && (*r & 1);
}

TEST(a_rule_that_changes_an_initiator_only_at_a_corner_or_between_them_is_refused)
{
    struct rl_protocol protocol = *rl_protocol_named("prl");
    protocol.interact = flip;
    for (uint32_t N = 4, k = 0; N < 1 << 24; N *= k ? 64 : 1, k = !k) {
        const struct rl_params params = {.n = 4, .value = {N}};
        flips_from = k ? N : N / 4 + 1;
        flips_to = k ? N : N / 2;
        struct rl_rules rules;
        struct rl_error error = {0};
        assert_int_equal(rl_rules_init(&rules, &protocol, &params, &error), RL_BAD_PARAMETER);
        assert_non_null(strstr(error.text, "the initiator's output changes"));
    }
}

TEST(any_word_becomes_a_state_and_states_stay)
{
    struct rl_random random = test_random(3, 0, RL_PURPOSE_START);
    struct rl_rules rules;
    assert_int_equal(try_rules("prl", 11, &rules, NULL), RL_OK);
    uint32_t at_bound = 0;
    for (int i = 0; i < 100000; i++) {
        const uint64_t any = rl_random_next(&random);
        const rl_state word = rules.link.legal(&rules, any), small = small_legal(11, (uint32_t)any);
        assert_true(rl_protocol_is_state(rules.protocol, &rules.params, word));
        assert_true(rl_protocol_is_state(rules.protocol, &rules.params, small));
        assert_int_equal(rules.link.legal(&rules, word), word);
        assert_int_equal(small_legal(11, (uint32_t)small), small);
        at_bound += small >> 5 == 11;
    }
    /* Not clamped: one word in twelve has dist = N; 40 standard deviations are allowed. */
    assert_true(at_bound > 5000 && at_bound < 12000);
}

TEST(the_rules_of_a_microcontroller_are_those_of_the_library)
{
    struct rl_rules rules;
    assert_int_equal(try_rules("prl", 6, &rules, NULL), RL_OK);
    const uint64_t states = rl_protocol_states(rules.protocol, &rules.params);
    for (uint64_t i = 0; i < states * states; i++) {
        rl_state l = rl_protocol_state(rules.protocol, &rules.params, i % states);
        rl_state r = rl_protocol_state(rules.protocol, &rules.params, i / states);
        uint32_t small_l = (uint32_t)l, small_r = (uint32_t)r;
        assert_int_equal(small_leads(small_l), rules.protocol->leads(l));
        rules.link.interact(&rules, &l, &r);
        small_interact(6, &small_l, &small_r);
        assert_int_equal(small_l, l);
        assert_int_equal(small_r, r);
    }
}
