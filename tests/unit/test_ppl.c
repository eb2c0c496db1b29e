/* SPDX-License-Identifier: MIT
 *
 * P_PL, line by line, with psi = 2 and kmax = 2: signals and clocks, distances and segments,
 * tokens.
 */
#include "examples.h"

/* r sigR, c the clock, h hits. */
static const struct example MODE[] = {
    {"0L 1", "0L 1r2h1"},   {"0r1 1c1", "0 1r1h1"}, {"0r1 1r2", "0 1r2h1"}, {"0r2 1r1", "0 1r2h1"},
    {"0h1 1r1h1", "0 1"},   {"0 1h1", "0 1c1"},     {"0 1c1h1", "0 1c2"},   {"0 1c2h1", "0 1c2"},
    {"0 1r2c1", "0 1r2h1"}, {"0Lc1 1", "0L 1r2h1"}, {"3 0Lc1", "3 0Lh1"},
};

/* dist, and | in the last segment before a leader. */
static const struct example DISTANCE[] = {
    {"2 0", "2 3"},     {"3 1", "3 0"},       {"3| 1|", "3 0|"}, {"1| 0|", "1 2|"},
    {"0 2|", "0| 1|"},  {"2L 0", "0L 1"},     {"1 2L", "1| 0L"}, {"0 1c2", "0 1c2"},
    {"0 3c1", "0 1c1"}, {"0 3c2", "0| 0LBs"}, {"3B 0L", "3| 0"},
};

/* ^ a bit, k a black token and w a white one: 1 + bit 2 + carry 1 on its last step to the right, 4
 * more on the step before it, 8 more on its way back. */
static const struct example TOKENS[] = {
    /* sent out; not from the last segment */
    {"0 1", "0 1k3"},
    {"0^ 1", "0^ 1k2"},
    {"0| 1|", "0| 1|"},
    {"2 3", "2 3w3"},
    /* compared, sent back, or done */
    {"1k3 2", "1 2^k11"},
    {"1k1 2^", "1 2k9"},
    {"1k3 2c2", "1 2Lk11"},
    {"1k3 2^c2", "1 2^k11"},
    {"3w4 0", "3 0^w12"},
    {"2|k3 3", "2 3^w3"},
    /* on to the next bit */
    {"1 2k11", "1k5 2"},
    {"1^ 2k12", "1^k6 2"},
    {"1 2k10", "1k7 2"},
    {"3 0w11", "3w5 0"},
    /* out of place, in the way, at the end */
    {"1k9 2", "1 2"},
    {"0| 1k9|", "0| 1|"},
    {"2k5 3", "2 3w3"},
    {"1k3 2k11", "1k5 2"},
    {"3w3 0L", "3| 0L"},
    {"1k3 2|", "1 2|"},
};

static void check(const struct example *examples, size_t count, const char *const *variables)
{
    FREED(rl_ring) ring = test_ring("ppl", 2, 2);
    ring.params.value[1] = 2; /* kmax */
    check_examples(&ring, examples, count, variables);
}

TEST(clocks_run_where_no_signal_comes_by)
{
    static const char *const seen[] = {"dist", "leader", "sigR", "clock", "hits", NULL};
    check(MODE, EXAMPLE_COUNT(MODE), seen);
}

TEST(distances_are_counted_or_contradicted)
{
    static const char *const seen[] = {"dist", "leader", "bullet", "shield", "last", "clock", NULL};
    check(DISTANCE, EXAMPLE_COUNT(DISTANCE), seen);
}

TEST(tokens_carry_bits_to_the_next_segment)
{
    static const char *const seen[] = {"dist", "leader", "last", "bit", "black", "white", NULL};
    check(TOKENS, EXAMPLE_COUNT(TOKENS), seen);
}
