/* SPDX-License-Identifier: MIT
 *
 * Text: the bounded writer, the formatter and counts as people write them.
 */
#include "test.h"

#include <limits.h>

TEST(a_text_is_cut_at_its_memory_and_goes_on_counting)
{
    char memory[8] = "1234567";
    struct rl_text text = rl_text_into(memory, 6);
    rl_text_string(&text, "abc");
    rl_text_number(&text, 12045);
    assert_string_equal(memory, "abc12");
    assert_int_equal(text.length, 8);
    assert_int_equal(memory[6], '7');
}

TEST(a_text_without_memory_only_counts)
{
    struct rl_text text = rl_text_into(NULL, 0);
    rl_text_string(&text, "abc");
    assert_int_equal(text.length, 3);
}

TEST(numbers_are_written_in_full)
{
    char memory[64];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    rl_text_number(&text, 0);
    rl_text_char(&text, ' ');
    rl_text_number(&text, UINT64_MAX);
    assert_string_equal(memory, "0 18446744073709551615");
}

TEST(the_formatter_writes_what_printf_writes)
{
    char ours[128], theirs[128];
    struct rl_text text = rl_text_into(ours, sizeof ours);
    rl_text_format(&text, "%s = %u, %lu, %llu, %zu %c 100%%", "N", 12u, 34ul, ULLONG_MAX,
                   sizeof ours, '*');
    snprintf(theirs, sizeof theirs, "%s = %u, %lu, %llu, %zu %c 100%%", "N", 12u, 34ul, ULLONG_MAX,
             sizeof ours, '*');
    assert_string_equal(ours, theirs);
}

TEST(numbers_are_grouped_by_thousands)
{
    assert_string_equal(rl_text_grouped(0).text, "0");
    assert_string_equal(rl_text_grouped(999).text, "999");
    assert_string_equal(rl_text_grouped(1000).text, "1,000");
    assert_string_equal(rl_text_grouped(UINT64_MAX).text, "18,446,744,073,709,551,615");
}

TEST(equal_means_equal_to_the_end)
{
    assert_true(rl_text_equal("", ""));
    assert_true(rl_text_equal("prl", "prl"));
    assert_false(rl_text_equal("prl", "prl-dummy"));
    assert_false(rl_text_equal("prl-dummy", "prl"));
    assert_false(rl_text_equal("a", "b"));
}

static uint64_t count_of(const char *string, uint64_t n)
{
    uint64_t count = 0;
    assert_ok(rl_text_parse_count(string, n, &count, &error));
    return count;
}

TEST(counts_are_read_as_people_write_them_and_rounded_up_where_they_depend_on_n)
{
    static const struct {
        const char *text;
        uint64_t n, count;
    } cases[] = {{"0", 0, 0},          {"1000", 0, 1000},
                 {"1e6", 0, 1000000},  {"2.5e3", 0, 2500},
                 {"1.5k", 0, 1500},    {"10k", 0, 10000},
                 {"3M", 0, 3000000},   {"2G", 0, 2000000000},
                 {"0e99", 0, 0},       {"1e15", 0, 1000000000000000},
                 {"n", 7, 7},          {"2n", 7, 14},
                 {"n^1.5", 100, 1000}, {"n^1.5", 2, 3 /* 2.83 */},
                 {"10n^2", 9, 810},    {"n^1.5", 3, 6 /* 5.196 */}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(count_of(cases[i].text, cases[i].n), cases[i].count);
}

/* n^4 does not fit 64 bits there, but n^2 does. */
TEST(powers_of_the_largest_rings_are_read)
{
    const uint64_t most = RL_MAX_AGENTS;
    assert_int_equal(count_of("n^2", most), most * most);
    assert_int_equal(count_of("n^1.5", UINT64_C(1) << 26), UINT64_C(1) << 39);
    assert_int_equal(count_of("n^1.5", (1u << 26) - 1), 549755801601); /* 549755801600.00005 */
    assert_int_equal(count_of("n^2", 1000000), UINT64_C(1000000000000));
    assert_int_equal(count_of("n^1.5", 1000000), 1000000000);
    assert_int_equal(count_of("n^1.5", 1000001), 1000001501); /* 1000001500.00038 */
}

TEST(the_largest_count_is_just_below_two_to_the_63)
{
    assert_int_equal(count_of("9223372036854775807", 0), INT64_MAX);
    assert_int_equal(count_of("922337203685477580e1", 0), UINT64_C(9223372036854775800));
    uint64_t count;
    assert_int_equal(rl_text_parse_count("9223372036854775808", 0, &count, NULL), RL_BAD_TEXT);
    assert_int_equal(rl_text_parse_count("1e19", 0, &count, NULL), RL_BAD_TEXT);
    assert_int_equal(rl_text_parse_count("1e99999999999", 0, &count, NULL), RL_BAD_TEXT);
    assert_int_equal(rl_text_parse_count("99999999999999999999", 0, &count, NULL), RL_BAD_TEXT);
    assert_int_equal(rl_text_parse_count("1e18n", 10, &count, NULL), RL_BAD_TEXT);
    assert_int_equal(rl_text_parse_count("922337203685477581n", 10, &count, NULL), RL_BAD_TEXT);
    assert_int_equal(count_of("922337203685477579n", 10), UINT64_C(9223372036854775790));
}

TEST(what_is_no_count_is_refused_with_what_is_allowed)
{
    static const char *const wrong[] = {"",      "x",    "-1",     "1 ",    " 1", "1e",    "1e-3",
                                        "1.2.3", ".",    "10kk",   "n",     "2n", "0x10",  "1e6e6",
                                        "k",     "1n^3", "n^",     "n^1.2", "+5", "1,000", "1_000",
                                        "5.5",   "5.",   "1.55e1", "0.5n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint64_t count;
        struct rl_error error = {0};
        if (rl_text_parse_count(wrong[i], 0, &count, &error) != RL_BAD_TEXT)
            fail_msg("'%s' was taken for a count", wrong[i]);
        assert_non_null(strstr(error.text, "is not a count: write 1000, 1e6, 10k (below 2^63)"));
    }
    static const char *const wrong_power[] = {"n^3", "n^", "n^1.2", "n^0", "nn", "n2", "n^1.25"};
    for (size_t i = 0; i < sizeof wrong_power / sizeof wrong_power[0]; i++) {
        uint64_t count;
        if (rl_text_parse_count(wrong_power[i], 10, &count, NULL) != RL_BAD_TEXT)
            fail_msg("'%s' was taken for a count", wrong_power[i]);
    }
}

TEST(the_nearest_name_is_two_slips_away_at_most)
{
    static const char *const cases[][2] = {
        {"elct", "; did you mean 'elect'?"},
        {"VERFY", "; did you mean 'verify'?"},
        {"exprot", "; did you mean 'export'?"},
        {"vxxify", "; did you mean 'verify'?"},
        {"vxxxfy", ""},
        {"a-name-as-long-as-a-name-may-b", "; did you mean 'a-name-as-long-as-a-name-may-be'?"},
        {"nothing", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rl_nearest nearest = {.word = cases[i][0]};
        rl_nearest_try(&nearest, "elect");
        rl_nearest_try(&nearest, "verify");
        rl_nearest_try(&nearest, "export");
        rl_nearest_try(&nearest, "explore");
        rl_nearest_try(&nearest, "a-name-as-long-as-a-name-may-be");
        assert_string_equal(nearest.hint, cases[i][1]);
    }
}
