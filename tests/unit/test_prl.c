/* SPDX-License-Identifier: MIT
 *
 * Algorithm 1, line by line. Every expectation was derived by hand from the paper's pseudocode.
 *
 * An agent reads as in configuration text: dist, L leader, b dummy bullet, B live bullet, s shield,
 * ! signal. The left agent is the initiator l, the right one the responder r; N = 9.
 */
#include "test.h"

enum { N = 9 };

/* One interaction of l and r under `protocol` takes `before` to `after`. */
static void becomes_under(const char *protocol, const char *before, const char *after)
{
    struct rl_ring ring = test_ring(protocol, 2, N);
    test_fill(&ring, before);
    const bool changed = rl_ring_interact(&ring, 0);
    if (strcmp(test_text(&ring), after) != 0)
        fail_msg("%s: '%s' became '%s', not '%s'", protocol, before, test_text(&ring), after);
    assert_int_equal(changed, strcmp(before, after) != 0);
    test_done(&ring);
}

static void becomes(const char *before, const char *after)
{
    becomes_under("prl", before, after);
}

/* A null interaction. */
static void stays(const char *before)
{
    becomes(before, before);
}

TEST(line_1_a_leading_initiator_has_distance_zero)
{
    becomes("3L 1", "0L 1");
    becomes("9L 5b", "0L 5b");
}

TEST(line_1_a_following_initiator_keeps_its_distance)
{
    stays("3 4");
    stays("0 1");
    becomes("9b 9b", "9! 0LBs"); /* r has dist N: lines 3, 4, 14, 19; l keeps 9 */
}

TEST(line_2_a_leading_responder_has_distance_zero)
{
    becomes("3! 7L", "3! 0L");
    becomes("3! 9L", "3! 0L"); /* so a leader with dist N is not created anew */
    becomes("8! 1Lb", "8! 0Lb");
}

TEST(line_2_a_following_responder_without_a_bullet_counts_on_from_l)
{
    becomes("3 7", "3 4");
    becomes("3 0", "3 4");
    becomes("0L 7", "0L 1");
    becomes("6L 7", "0L 1"); /* line 1 comes first */
}

TEST(line_2_a_responder_with_a_bullet_keeps_its_distance)
{
    stays("3 7b");
    stays("3 7B");
    stays("8 7b");
}

TEST(line_2_distances_end_at_N)
{
    becomes("9 2", "9! 0LBs"); /* min(9 + 1, N) = N: line 3 */
}

TEST(line_3_a_responder_that_counts_to_N_becomes_a_leader)
{
    becomes("8 2", "8! 0LBs");
    becomes("3 9b", "3! 0LBs"); /* it may have had dist N before */
    becomes("3 9B", "3! 0LBs");
}

TEST(line_3_below_N_nothing_is_created)
{
    becomes("7 2", "7 8");
    stays("3 8b");
    becomes("3 9", "3 4"); /* line 2 comes first */
}

TEST(line_4_a_new_leader_is_armed_shielded_silent_and_at_zero)
{
    becomes("8 2s", "8! 0LBs");
    becomes("8 2!", "8! 0LBs"); /* a signal left would make line 10 fire a dummy bullet */
    becomes("3 9b!", "3! 0LBs");
    becomes("8b 2", "8! 0LBs"); /* and l's bullet ends at the new leader: line 14 */
    becomes("8B 2", "8! 0LBs"); /* whom it cannot kill: line 13 */
}

TEST(line_6_a_leading_initiator_with_a_signal_fires)
{
    becomes("0L! 1", "0Ls 1B");
    becomes("0L! 1b", "0Ls 1b"); /* the bullet disappears at a bullet: lines 16, 17 */
}

TEST(line_6_nobody_else_fires_live)
{
    stays("0L 1");
    stays("3! 4");
    stays("0Ls 1");
}

TEST(line_7_firing_shields_and_takes_the_signal)
{
    becomes("0Ls! 1", "0Ls 1B");
    becomes("0Lb! 1", "0Ls 1B"); /* a dummy bullet it held becomes live */
    becomes("0LB! 1", "0Ls 1B");
    becomes("0L! 0Ls", "0Ls! 0Ls"); /* the signal is a new one, from line 19 */
    becomes("0L! 0L", "0Ls 0"); /* it kills a neighbour without a shield, which then sends none */
}

TEST(line_9_a_leading_responder_with_a_signal_fires_a_dummy)
{
    becomes("3 0L!", "3! 0Lb");
    becomes("3 0LB!", "3! 0Lb"); /* a live bullet it held becomes a dummy */
}

TEST(line_9_nobody_else_fires_a_dummy)
{
    becomes("3 4!", "3! 4!");
    stays("3! 0L");
    stays("3! 0Ls");
}

TEST(line_10_a_dummy_shot_costs_the_shield_and_takes_the_signal)
{
    becomes("3 0Ls!", "3! 0Lb");
    becomes("3! 0Ls!", "3! 0Lb");
    becomes("3B 0Ls!", "3 0b"); /* before the bullet that arrives: lines 13, 14 */
    becomes("0L! 0Ls!", "0Ls 0b");
}

TEST(line_12_a_bullet_that_reaches_a_leader_is_no_bullet_of_line_15)
{
    becomes("3b 0Ls", "3! 0Ls"); /* r gets no bullet */
    becomes("3B 0Lbs", "3! 0Lbs");
}

TEST(line_13_a_live_bullet_kills_a_leader_without_a_shield)
{
    becomes("3B 0L", "3 0");
    becomes("3B 5L", "3 0");
    becomes("3B 0Lb", "3 0b");
    becomes("0LB 0L", "0L 0");
}

TEST(line_13_a_shield_or_a_dummy_bullet_saves_the_leader)
{
    becomes("3B 0Ls", "3! 0Ls");
    becomes("3b 0L", "3! 0L");
    becomes("3b 0Ls", "3! 0Ls");
}

TEST(line_13_is_missing_in_prl_dummy_and_nothing_else)
{
    becomes_under("prl-dummy", "3B 0L", "3! 0L");
    becomes_under("prl-dummy", "3B 0Ls!", "3! 0Lb");
    becomes_under("prl-dummy", "3B 0Ls", "3! 0Ls");
    becomes_under("prl-dummy", "0L! 1", "0Ls 1B");
    becomes_under("prl-dummy", "8 2", "8! 0LBs");
}

TEST(line_14_the_bullet_disappears_at_any_leader)
{
    becomes("3b! 0L", "3! 0L");
    becomes("3B! 0Ls", "3! 0Ls");
    becomes("0Lbs 0Ls", "0Ls! 0Ls");
}

TEST(line_16_a_bullet_moves_on_to_a_follower)
{
    becomes("3b 4", "3 4b");
    becomes("3B 4", "3 4B");
    becomes("3B 7", "3 4B"); /* line 2 saw no bullet at r */
    becomes("0LB 1", "0L 1B");
}

TEST(line_16_a_bullet_disappears_at_a_bullet)
{
    becomes("3B 4b", "3 4b");
    becomes("3b 4B", "3 4B");
    becomes("3B 7B", "3 7B");
}

TEST(line_17_a_bullet_disables_the_signal_it_meets)
{
    becomes("3b 4!", "3 4b");
    becomes("3B 4!", "3 4B");
    becomes("3B 4b!", "3 4b");
    becomes("3b! 4!", "3! 4b"); /* but not the one beside it */
}

TEST(line_19_a_signal_spreads_to_the_left)
{
    becomes("3 4!", "3! 4!");
    becomes("0L 1!", "0L! 1!");
    stays("3! 4!");
    stays("3! 4"); /* and stays where it is */
}

TEST(line_19_a_leader_sends_a_signal_to_its_left)
{
    becomes("3 0L", "3! 0L");
    becomes("0L 0L", "0L! 0L");
    becomes("0Ls 0Lb", "0Ls! 0Lb");
}

TEST(line_19_a_leader_just_killed_sends_none)
{
    becomes("3B 0L", "3 0");
}

TEST(the_shield_of_a_follower_is_neither_used_nor_changed)
{
    stays("3s 4s");
    becomes("3Bs 4s", "3s 4Bs");
    becomes("3s 4s!", "3s! 4s!");
}

TEST(the_largest_distances_fit_their_words)
{
    struct rl_ring ring = test_ring("prl", 2, (1u << 27) - 1);
    test_fill(&ring, "134217725 5");
    assert_true(rl_ring_interact(&ring, 0));
    assert_string_equal(test_text(&ring), "134217725 134217726");
    test_fill(&ring, "134217727Bs! 134217727bs!");
    assert_true(rl_ring_interact(&ring, 0));
    assert_string_equal(test_text(&ring), "134217727s! 0LBs");
    test_done(&ring);
}
