/* SPDX-License-Identifier: MIT
 *
 * Configurations as text.
 */
#include "test.h"

TEST(the_variables_of_an_agent_may_stand_in_any_order)
{
    FREED(rl_ring) ring = test_ring("prl", 3, 12);
    test_fill(&ring, "sBL !12 b");
    assert_string_equal(test_text(&ring), "0LBs 12! 0b");
}

TEST(agents_may_stand_on_lines_of_their_own_among_comments)
{
    FREED(rl_ring) ring = test_ring("prl", 4, 4);
    test_fill(&ring, "# a ring of four\n0L#the leader\r\n\t1\n\n  2  # and a pair on one line\n"
                     "3 # the last\n# the end");
    assert_string_equal(test_text(&ring), "0L 1 2 3");
}

TEST(a_dash_is_an_agent_with_nothing_to_write)
{
    FREED(rl_ring) ring = test_ring("prl", 2, 4);
    test_fill(&ring, "- 1");
    assert_string_equal(test_text(&ring), "0 1");
}

TEST(a_mistake_is_told_with_its_place_and_what_was_expected)
{
    static const struct test_mistake mistakes[] = {
        {"0 1 2", 1, 6, "3 agents, but n = 4"},
        {"", 1, 1, "0 agents, but n = 4"},
        {"0 1\n2 3\n1 2", 3, 1, "more than n = 4 agents"},
        {"0 1 5 2", 1, 5, "dist is above its maximum, 4"},
        {"0 1 99999999999999999999 2", 1, 5, "dist is above its maximum, 4"},
        {"0 1\n 2x 3", 2, 3,
         "this is not part of an agent of prl (see 'ringleader protocols prl')"},
        {"0LL 1 2 3", 1, 3, "leader is given twice for one agent"},
        {"0bB 1 2 3", 1, 3, "bullet is given twice for one agent"},
        {"0L0 1 2 3", 1, 3, "dist is given twice for one agent"},
        {"0 -1 2 3", 1, 3, "a dash stands alone, for an agent with nothing to write"},
        {"0 1 2 \xc3\xa4", 1, 7,
         "this is not part of an agent of prl (see 'ringleader protocols prl')"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        FREED(rl_ring) ring = test_ring("prl", 4, 4);
        struct rl_error error = {0};
        const char *text = mistakes[i].text;
        const enum rl_status status = rl_ring_parse(&ring, text, strlen(text), &error);
        assert_mistake(&mistakes[i], status, &error);
        assert_string_equal(error.text, mistakes[i].reason);
        assert_int_equal(rl_ring_parse(&ring, text, strlen(text), NULL), RL_BAD_TEXT);
    }
}

TEST(reading_stops_at_the_given_length)
{
    FREED(rl_ring) ring = test_ring("prl", 2, 40);
    assert_int_equal(rl_ring_parse(&ring, "3 45", 3, NULL), RL_OK);
    assert_string_equal(test_text(&ring), "3 4");
}
