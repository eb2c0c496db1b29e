/* SPDX-License-Identifier: MIT
 *
 * Deterministic schedules.
 */
#include "test.h"

/* The arcs of a schedule as text, the first 64 of them. */
static const char *arcs_of(uint32_t n, const char *text)
{
    static char memory[512];
    struct rl_text out = rl_text_into(memory, sizeof memory);
    FREED(rl_schedule) schedule = test_schedule(n, text);
    struct rl_cursor cursor = {.schedule = &schedule};
    uint32_t arc;
    for (int i = 0; i < 64 && rl_schedule_next(&cursor, &arc); i++) {
        if (i > 0)
            rl_text_char(&out, ' ');
        rl_text_number(&out, arc);
    }
    return memory;
}

TEST(a_schedule_is_read_as_the_paper_writes_it)
{
    static const struct {
        uint32_t n;
        const char *text, *arcs;
    } cases[] = {
        {10, "7 0 9 7", "7 0 9 7"},
        {10, "# first\n7# second\n\t0\r\n", "7 0"},
        {10, "seqR 2 6", "2 3 4 5 6"},
        {10, "seqL 6 2", "6 5 4 3 2"},
        {10, "seqR 8 1", "8 9 0 1"},
        {10, "seqL 1 8", "1 0 9 8"},
        {10, "seqR 4 4 seqL 4 4", "4 4"},
        {2, "seqR 0 1 seqR 1 0", "0 1 1 0"},
        {5, "(0 1)^3", "0 1 0 1 0 1"},
        {5, "(0 1) 2", "0 1 2"},
        {5, "((0)^2 1)^2 3", "0 0 1 0 0 1 3"},
        {5, "((0)^2)^2", "0 0 0 0"},
        {5, "(0 (seqR 1 2)^2)^2(4)^1", "0 1 2 1 2 0 1 2 1 2 4"},
        {5, "(seqL 4 2)^2", "4 3 2 4 3 2"},
        {3, "((((((((((((((((1))))))))))))))))", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(arcs_of(cases[i].n, cases[i].text), cases[i].arcs);
}

TEST(a_huge_repetition_costs_no_memory)
{
    FREED(rl_schedule) schedule = test_schedule(100, "(seqR 0 99)^1000000000000000");
    struct rl_cursor cursor = {.schedule = &schedule};
    uint32_t arc;
    for (uint32_t i = 0; i < 100000; i++) {
        assert_true(rl_schedule_next(&cursor, &arc));
        assert_int_equal(arc, i % 100);
    }
    assert_true(schedule.count <= 2);
}

TEST(the_length_is_the_number_of_arcs)
{
    static const char *const texts[] = {
        "1", "seqR 0 9", "seqR 7 2", "seqL 2 7", "((0 1)^3 seqR 9 0)^2 4", "(0)^5 (1 (2)^2)^3",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        FREED(rl_schedule) schedule = test_schedule(10, texts[i]);
        uint32_t arc;
        uint64_t count = 0;
        for (struct rl_cursor cursor = {.schedule = &schedule}; rl_schedule_next(&cursor, &arc);)
            count++;
        assert_int_equal(schedule.length, count);
    }
}

TEST(a_mistake_is_told_with_its_place_and_what_was_expected)
{
    static const struct test_mistake mistakes[] = {
        {"", 1, 1, "there are no arcs"},
        {"# nothing\n", 2, 1, "there are no arcs"},
        {"10", 1, 1, "expected an arc, 0 to 9"},
        {"0 1\n  12", 2, 3, "expected an arc, 0 to 9"},
        {"seqR 0 10", 1, 8, "expected an arc, 0 to 9"},
        {"seqR 0", 1, 7, "expected an arc, 0 to 9"},
        {"seqL x 1", 1, 6, "expected an arc, 0 to 9"},
        {"seqX 0 1", 1, 1, "expected an arc, seqR, seqL or a bracket"},
        {"0 -1", 1, 3, "expected an arc, seqR, seqL or a bracket"},
        {"99999999999999999999999", 1, 1, "expected an arc, 0 to 9"},
        {"(0 1", 1, 5, "a bracket is not closed"},
        {"0)", 1, 2, "a closing bracket without an opening one"},
        {"()^2", 1, 2, "empty brackets"},
        {"(0)^0", 1, 5, "a sequence is repeated at least once"},
        {"(0)^", 1, 5, "expected a number of repetitions, 1 to 1000000000000000"},
        {"(0)^1000000000000001", 1, 5, "expected a number of repetitions, 1 to 1000000000000000"},
        {"(((((((((((((((((1)))))))))))))))))", 1, 17, "brackets nested more than 16 deep"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct rl_schedule schedule;
        struct rl_error error = {0};
        const char *text = mistakes[i].text;
        const enum rl_status status = rl_schedule_parse(&schedule, 10, text, strlen(text), &error);
        rl_schedule_free(&schedule);
        assert_mistake(&mistakes[i], status, &error);
        assert_int_equal(status, RL_BAD_TEXT);
        assert_string_equal(error.text, mistakes[i].reason);
    }
}

/* Lemma 10: from any configuration without a leader, (seqR(0, n-1))^(ceil(N/n)+1) creates one. */
TEST(lemma_10_going_round_creates_a_leader_from_any_leaderless_start)
{
    struct rl_random random = test_random(41, 0, RL_PURPOSE_START);
    for (int t = 0; t < 1000; t++) {
        const uint32_t n = 2 + rl_random_below(&random, 39);
        const uint32_t N = n + rl_random_below(&random, 2 * n + 1);
        FREED(rl_ring) ring = test_ring("prl", n, N);
        for (uint32_t i = 0; i < n; i++) {
            rl_state word;
            do
                word = rl_protocol_random_state(ring.protocol, &ring.params, &random);
            while (ring.protocol->leads(word));
            rl_ring_set(&ring, i, word);
        }
        char text[64];
        snprintf(text, sizeof text, "(seqR 0 %u)^%u", n - 1, (N + n - 1) / n + 1);
        FREED(rl_schedule) schedule = test_schedule(n, text);
        struct rl_cursor cursor = {.schedule = &schedule};
        uint32_t arc, steps = 0;
        bool created = false;
        while (!created && rl_schedule_next(&cursor, &arc)) {
            rl_ring_interact(&ring, arc);
            created = ring.protocol->leads(rl_ring_get(&ring, rl_ring_responder(&ring, arc)));
            steps++;
        }
        if (!created)
            fail_msg("n = %u, N = %u: no leader after %u steps", n, N, steps);
    }
}
