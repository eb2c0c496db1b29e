/* SPDX-License-Identifier: MIT
 *
 * Algorithm 1, line by line. Every expectation was derived by hand from the paper's pseudocode.
 *
 * An agent reads as in configuration text: dist, L leader, b dummy bullet, B live bullet, s shield,
 * ! signal. The left agent is the initiator l, the right one the responder r; N = 9.
 */
#include "test.h"

enum { N = 9 };

/* One interaction of l and r takes `before` to `after`. */
static const struct {
    const char *protocol, *before, *after;
} ROWS[] = {
    /* line 1: a leading initiator has distance zero */
    {"prl", "3L 1", "0L 1"},
    {"prl", "9L 5b", "0L 5b"},
    /* line 1: a following initiator keeps its distance */
    {"prl", "3 4", "3 4"},
    {"prl", "0 1", "0 1"},
    {"prl", "9b 9b", "9! 0LBs"}, /* r has dist N: lines 3, 4, 14, 19; l keeps 9 */
    /* line 2: a leading responder has distance zero */
    {"prl", "3! 7L", "3! 0L"},
    {"prl", "3! 9L", "3! 0L"}, /* so a leader with dist N is not created anew */
    {"prl", "8! 1Lb", "8! 0Lb"},
    /* line 2: a following responder without a bullet counts on from l */
    {"prl", "3 7", "3 4"},
    {"prl", "3 0", "3 4"},
    {"prl", "0L 7", "0L 1"},
    {"prl", "6L 7", "0L 1"}, /* line 1 comes first */
    /* line 2: a responder with a bullet keeps its distance */
    {"prl", "3 7b", "3 7b"},
    {"prl", "3 7B", "3 7B"},
    {"prl", "8 7b", "8 7b"},
    /* line 2: distances end at N */
    {"prl", "9 2", "9! 0LBs"}, /* min(9 + 1, N) = N: line 3 */
    /* line 3: a responder that counts to N becomes a leader */
    {"prl", "8 2", "8! 0LBs"},
    {"prl", "3 9b", "3! 0LBs"}, /* it may have had dist N before */
    {"prl", "3 9B", "3! 0LBs"},
    /* line 3: below N nothing is created */
    {"prl", "7 2", "7 8"},
    {"prl", "3 8b", "3 8b"},
    {"prl", "3 9", "3 4"}, /* line 2 comes first */
    /* line 4: a new leader is armed shielded silent and at zero */
    {"prl", "8 2s", "8! 0LBs"},
    {"prl", "8 2!", "8! 0LBs"}, /* a signal left would make line 10 fire a dummy bullet */
    {"prl", "3 9b!", "3! 0LBs"},
    {"prl", "8b 2", "8! 0LBs"}, /* and l's bullet ends at the new leader: line 14 */
    {"prl", "8B 2", "8! 0LBs"}, /* whom it cannot kill: line 13 */
    /* line 6: a leading initiator with a signal fires */
    {"prl", "0L! 1", "0Ls 1B"},
    {"prl", "0L! 1b", "0Ls 1b"}, /* the bullet disappears at a bullet: lines 16, 17 */
    /* line 6: nobody else fires live */
    {"prl", "0L 1", "0L 1"},
    {"prl", "3! 4", "3! 4"},
    {"prl", "0Ls 1", "0Ls 1"},
    /* line 7: firing shields and takes the signal */
    {"prl", "0Ls! 1", "0Ls 1B"},
    {"prl", "0Lb! 1", "0Ls 1B"}, /* a dummy bullet it held becomes live */
    {"prl", "0LB! 1", "0Ls 1B"},
    {"prl", "0L! 0Ls", "0Ls! 0Ls"}, /* the signal is a new one, from line 19 */
    {"prl", "0L! 0L", "0Ls 0"}, /* it kills a neighbour without a shield, which then sends none */
    /* line 9: a leading responder with a signal fires a dummy */
    {"prl", "3 0L!", "3! 0Lb"},
    {"prl", "3 0LB!", "3! 0Lb"}, /* a live bullet it held becomes a dummy */
    /* line 9: nobody else fires a dummy */
    {"prl", "3 4!", "3! 4!"},
    {"prl", "3! 0L", "3! 0L"},
    {"prl", "3! 0Ls", "3! 0Ls"},
    /* line 10: a dummy shot costs the shield and takes the signal */
    {"prl", "3 0Ls!", "3! 0Lb"},
    {"prl", "3! 0Ls!", "3! 0Lb"},
    {"prl", "3B 0Ls!", "3 0b"}, /* before the bullet that arrives: lines 13, 14 */
    {"prl", "0L! 0Ls!", "0Ls 0b"},
    /* line 12: a bullet that reaches a leader is no bullet of line 15 */
    {"prl", "3b 0Ls", "3! 0Ls"}, /* r gets no bullet */
    {"prl", "3B 0Lbs", "3! 0Lbs"},
    /* line 13: a live bullet kills a leader without a shield */
    {"prl", "3B 0L", "3 0"},
    {"prl", "3B 5L", "3 0"},
    {"prl", "3B 0Lb", "3 0b"},
    {"prl", "0LB 0L", "0L 0"},
    /* line 13: a shield or a dummy bullet saves the leader */
    {"prl", "3B 0Ls", "3! 0Ls"},
    {"prl", "3b 0L", "3! 0L"},
    {"prl", "3b 0Ls", "3! 0Ls"},
    /* line 13 is missing in prl-dummy and nothing else */
    {"prl-dummy", "3B 0L", "3! 0L"},
    {"prl-dummy", "3B 0Ls!", "3! 0Lb"},
    {"prl-dummy", "3B 0Ls", "3! 0Ls"},
    {"prl-dummy", "0L! 1", "0Ls 1B"},
    {"prl-dummy", "8 2", "8! 0LBs"},
    /* line 14: the bullet disappears at any leader */
    {"prl", "3b! 0L", "3! 0L"},
    {"prl", "3B! 0Ls", "3! 0Ls"},
    {"prl", "0Lbs 0Ls", "0Ls! 0Ls"},
    /* line 16: a bullet moves on to a follower */
    {"prl", "3b 4", "3 4b"},
    {"prl", "3B 4", "3 4B"},
    {"prl", "3B 7", "3 4B"}, /* line 2 saw no bullet at r */
    {"prl", "0LB 1", "0L 1B"},
    /* line 16: a bullet disappears at a bullet */
    {"prl", "3B 4b", "3 4b"},
    {"prl", "3b 4B", "3 4B"},
    {"prl", "3B 7B", "3 7B"},
    /* line 17: a bullet disables the signal it meets */
    {"prl", "3b 4!", "3 4b"},
    {"prl", "3B 4!", "3 4B"},
    {"prl", "3B 4b!", "3 4b"},
    {"prl", "3b! 4!", "3! 4b"}, /* but not the one beside it */
    /* line 19: a signal spreads to the left */
    {"prl", "3 4!", "3! 4!"},
    {"prl", "0L 1!", "0L! 1!"},
    {"prl", "3! 4!", "3! 4!"},
    {"prl", "3! 4", "3! 4"}, /* and stays where it is */
    /* line 19: a leader sends a signal to its left */
    {"prl", "3 0L", "3! 0L"},
    {"prl", "0L 0L", "0L! 0L"},
    {"prl", "0Ls 0Lb", "0Ls! 0Lb"},
    /* line 19: a leader just killed sends none */
    {"prl", "3B 0L", "3 0"},
    /* the shield of a follower is neither used nor changed */
    {"prl", "3s 4s", "3s 4s"},
    {"prl", "3Bs 4s", "3s 4Bs"},
    {"prl", "3s 4s!", "3s! 4s!"},
};

TEST(an_interaction_is_what_the_paper_says)
{
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        FREED(rl_ring) ring = test_ring(ROWS[i].protocol, 2, N);
        test_fill(&ring, ROWS[i].before);
        const bool changed = rl_ring_interact(&ring, 0);
        if (strcmp(test_text(&ring), ROWS[i].after) != 0 ||
            changed != (strcmp(ROWS[i].before, ROWS[i].after) != 0))
            fail_msg("%s: '%s' became '%s', not '%s', changed: %d", ROWS[i].protocol,
                     ROWS[i].before, test_text(&ring), ROWS[i].after, changed);
    }
}

TEST(the_largest_distances_fit_their_words)
{
    FREED(rl_ring) ring = test_ring("prl", 2, (1u << 27) - 1);
    test_fill(&ring, "134217725 5");
    assert_true(rl_ring_interact(&ring, 0));
    assert_string_equal(test_text(&ring), "134217725 134217726");
    test_fill(&ring, "134217727Bs! 134217727bs!");
    assert_true(rl_ring_interact(&ring, 0));
    assert_string_equal(test_text(&ring), "134217727s! 0LBs");
}
