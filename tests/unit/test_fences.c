/* SPDX-License-Identifier: MIT
 *
 * fences, line by line: every branch of the specification's sixteen lines, the states, the starts
 * and examples of the target.
 */
#include "test.h"

struct example {
    int line; /* of the specification */
    const char *before;
    const char *after;
};

/* Two agents of a longer ring, l and r; patience 4. A letter, | a fence, r w g pointers, :c a
 * letter in flight (:c. the last one), +d an idle empty slot. */
static const struct example EXAMPLES[] = {
    {1, "0w 1S", "0w 2S"},      {1, "0w 2S", "0w 0S"},         {2, "0w 0+2", "0w 0"},
    {3, "0S 1", "0 1S"},        {3, "0S |1:2.", "0 1S"},       {3, "0S |1w", "0 1S"},
    {3, "0S 1g", "0 1S"},       {3, "0S 1S", "0 2S"},          {3, "0S |1W", "0 |1W"},
    {3, "0S |1*", "0 |1*"},     {3, "0S |1r", "0 |1r"},        {3, "0S 1L", "0! 1LS"},
    {3, "0LS |1", "0L 1S"},     {4, "0L 1", "0L 1*"},          {4, "0L |1+2", "0L |1*"},
    {4, "0L |1w", "0L |1g"},    {4, "0L |1r", "0L |1r"},       {4, "0L 1g", "0L 1g"},
    {4, "0L 1W", "0L 1W"},      {4, "0L 1L", "0L! 1L"},        {5, "0 1W", "0+1 1W"},
    {5, "0+2 1+3", "0+3 1"},    {5, "0+3 |1:0", "|0r 1W"},     {5, "|2+3 1", "|2r 1W"},
    {5, "0+3 1L", "|0r! 1L"},   {6, "|0r 1L", "|0w! 1L"},      {6, "|0w 1L", "|0w! 1L"},
    {6, "|0g 1L", "|0! 1L"},    {6, "0W 1L", "0! 1L"},         {6, "0:1. 1L", "0! 1L"},
    {6, "0* 1L", "0! 1L"},      {7, "0W 1", "0 1W"},           {7, "0W |1g", "0 1W"},
    {7, "0W |1r", "0 |1r"},     {7, "0W |1w", "0 |1w"},        {7, "0W 1w", "0 1W"},
    {7, "0W 1r", "0 1W"},       {7, "0W |1:0", "0 1W"},        {7, "0W 1S", "0 2W"},
    {8, "0w 1g", "|0r 1W"},     {8, "|0w |1r", "|0r 1W"},      {8, "|0w 1w", "|0r 1W"},
    {8, "0w 1:0", "0w 1:0"},    {8, "0w 1W", "0w 1W"},         {9, "|0g 1", "|0 1r"},
    {9, "0g 1+2", "0 1r"},      {9, "0g |1", "|0r 1W"},        {9, "0g 1*", "|0r 1W"},
    {9, "0g 1w", "|0r 1W"},     {9, "0g 1W", "0g 1W"},         {9, "0g 1S", "0g 2S"},
    {10, "1r 0", "1w 0:1"},     {10, "|1r |0+1", "|1w |0:1."}, {10, "0:2. |1", "0 |1:2"},
    {11, "0:2. 1", "0 1:2."},   {11, "0:2 |1", "0 |1:2"},      {11, "0* |1", "0 |1*"},
    {12, "1r 1w", "1w 1g"},     {12, "0:1 1w", "0 1g"},        {12, "0* |1w", "0 |1g"},
    {13, "1r |1w", "1Ls 1SB"},  {13, "|0:1. 1wb!", "0Ls 1Sb"}, {14, "0:1. |1w", "0 |1g"},
    {15, "1r 0w", "|1r 0W"},    {15, "1r |0w", "|1r 0W"},      {15, "0:1 0w", "|0r 0W"},
    {15, "0:1. |0w", "|0r 0W"}, {15, "0* 1:0", "0 1:0"},       {15, "0* 1r", "0 1r"},
    {15, "1r 1:0", "|1r 1W"},   {15, "0:1 1W", "0:1 1W"},      {15, "1r 1W", "1r 1W"},
    {15, "0:0 1S", "0:0 2S"},   {16, "0wB 1L", "0w 1"},        {16, "0wB 1LS", "0w 2S"},
    {16, "0wB 1Ls", "0w! 1Ls"}, {16, "0wb 1!", "0w 1b"},       {16, "0w 1!", "0w! 1!"},
};

TEST(every_line_does_what_the_specification_says)
{
    FREED(rl_ring) ring = test_ring("fences", 2, 4);
    for (size_t i = 0; i < sizeof EXAMPLES / sizeof EXAMPLES[0]; i++) {
        test_fill(&ring, EXAMPLES[i].before);
        rl_ring_interact(&ring, 0);
        if (strcmp(test_text(&ring), EXAMPLES[i].after) != 0)
            fail_msg("line %d: %s became %s, not %s", EXAMPLES[i].line, EXAMPLES[i].before,
                     test_text(&ring), EXAMPLES[i].after);
    }
}

TEST(there_are_504_and_36_K_states)
{
    const struct rl_protocol *fences = rl_protocol_named("fences");
    for (uint32_t K = 3; K <= 8; K++) {
        const struct rl_params params = {.n = 5, .value = {K}};
        const uint64_t states = rl_protocol_states(fences, &params);
        assert_int_equal(states, 504 + 36 * K);
        for (uint64_t i = 0; i < states; i++) {
            const rl_state word = rl_protocol_state(fences, &params, i);
            assert_true(rl_protocol_is_state(fences, &params, word));
            assert_int_equal(rl_protocol_index(fences, &params, word), i);
        }
    }
}

TEST(values_that_do_not_go_together_are_refused)
{
    static const char *const WRONG[] = {"|0L 0", "0Lw 0", "0L+1 0", "0s 0", "0 0W+2", "0+4 0"};
    FREED(rl_ring) ring = test_ring("fences", 2, 4);
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct rl_error error = {0};
        assert_int_equal(rl_ring_parse(&ring, WRONG[i], strlen(WRONG[i]), &error), RL_BAD_TEXT);
        assert_int_equal(error.line, 1);
    }
}

TEST(patience_below_three_is_refused)
{
    const struct rl_protocol *fences = rl_protocol_named("fences");
    struct rl_params params = {.n = 5, .value = {2}};
    const bool given[RL_MAX_PARAMETERS] = {true};
    struct rl_error error = {0};
    assert_int_equal(rl_protocol_complete(fences, &params, given, &error), RL_BAD_PARAMETER);
    assert_string_equal(error.text, "patience is 3 to 255, not 2");
    params.value[0] = 3;
    assert_int_equal(rl_protocol_complete(fences, &params, given, &error), RL_OK);
}

/* ---- starts ---- */

static void fill_start(struct rl_ring *ring, const char *name)
{
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    assert_ok(rl_ring_start(ring, name, &random, &error));
}

/* The numbers of square-free ternary words up to renaming: OEIS A006156 over 6 from length 2. */
TEST(clean_goes_through_all_square_free_words)
{
    static const unsigned EXPECTED[] = {1, 1, 2, 3, 5, 7, 10, 13, 18, 24, 34};
    const struct rl_protocol *fences = rl_protocol_named("fences");
    const struct rl_start *clean = &fences->starts[2];
    assert_string_equal(clean->name, "clean");
    for (uint32_t n = 2; n <= 12; n++) {
        FREED(rl_ring) ring = test_ring("fences", n, 4);
        fill_start(&ring, "clean");
        unsigned words = 0;
        do {
            words++;
            assert_true(fences->sets[0].contains(&ring));
        } while (clean->next(&ring));
        assert_int_equal(words, EXPECTED[n - 2]);
    }
}

TEST(hard_is_as_free_of_short_squares_as_can_be)
{
    static const char *const WORDS[] = {
        "0 1", "0 1 2", "0 1 0 2", "0 1 0 1 2", "0 1 0 2 1 2", "0 1 0 2 0 1 2", "0 1 0 2 1 0 1 2"};
    for (uint32_t n = 2; n <= 8; n++) {
        FREED(rl_ring) ring = test_ring("fences", n, 4);
        fill_start(&ring, "hard");
        assert_string_equal(test_text(&ring), WORDS[n - 2]);
    }
}

TEST(starts_that_search_refuse_rings_too_large_for_it)
{
    FREED(rl_ring) ring = test_ring("fences", 5000, 4);
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    assert_int_equal(rl_ring_start(&ring, "clean", &random, NULL), RL_BAD_PARAMETER);
    assert_int_equal(rl_ring_start(&ring, "hard", &random, NULL), RL_BAD_PARAMETER);
}

/* ---- the target ---- */

static bool is_safe(const char *text, uint32_t n)
{
    FREED(rl_ring) ring = test_ring("fences", n, 4);
    test_fill(&ring, text);
    const struct rl_set *target = &ring.protocol->sets[ring.protocol->target];
    return target->contains(&ring);
}

TEST(the_target_is_as_section_5_says)
{
    assert_true(is_safe("0L 0 1 0 2", 5));
    assert_true(is_safe("0 1 0 2 0L", 5));
    assert_false(is_safe("0 1 0 2 0", 5));    /* no leader */
    assert_false(is_safe("0L 0L 1 0 2", 5));  /* two */
    assert_false(is_safe("0L 0 1 1 2", 5));   /* a square */
    assert_false(is_safe("0L 0 1 0 1", 5));   /* a longer one */
    assert_false(is_safe("0LS 0 1 0 2", 5));  /* a scrambler */
    assert_true(is_safe("0L 0* 1* 0 2", 5));  /* the leader's jokers */
    assert_false(is_safe("0L 0:0 1 0 2", 5)); /* a letter that nobody sent */
    assert_true(is_safe("0L 0W 1:1 0:0 2", 5));
    assert_false(is_safe("0L 0W 1:1 0* 2", 5));
    assert_true(is_safe("0L 0w 1:0 0 2", 5));     /* its own letter */
    assert_false(is_safe("0L 0w 1:1 0 2", 5));    /* not its letter */
    assert_false(is_safe("0L 0r 1:0 0 2", 5));    /* ready: has not sent it */
    assert_true(is_safe("0L 0w |1:0. 0 2", 5));   /* flagged as it stepped over a fence */
    assert_false(is_safe("0L 0w 1:0. 0 2", 5));   /* no fence there */
    assert_true(is_safe("0L 0w |1 0w 2", 5));     /* nothing left to send before the fence */
    assert_false(is_safe("0L 0w |1:0. 0w 2", 5)); /* would match and be last */
    assert_false(is_safe("0L 0r |1 0w 2", 5));    /* will send it */
    assert_true(is_safe("0L 0r |1 0 2w", 5));
    assert_true(is_safe("0L 0r |1 |0 2w", 5)); /* two fences between */
    assert_true(is_safe("0LsB 0B 1 0! 2", 5));
    assert_false(is_safe("0LB 0 1 0 2", 5));   /* no shield */
    assert_false(is_safe("0Ls 0! 1B 0 2", 5)); /* a signal behind the bullet */
}
