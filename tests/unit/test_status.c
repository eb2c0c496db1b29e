/* SPDX-License-Identifier: MIT
 *
 * Status codes and error texts.
 */
#include "test.h"

TEST(every_status_has_a_message)
{
    assert_string_equal(rl_status_message(RL_BAD_TRACE), "a trace is damaged");
#define HAS_MESSAGE(name, message) assert_true(rl_status_message(RL_##name)[0] != '\0');
    RL_STATUS_LIST(HAS_MESSAGE)
#undef HAS_MESSAGE
}

TEST(an_error_gets_its_text_and_returns_the_status)
{
    struct rl_error error = {0};
    assert_int_equal(rl_error_set(&error, RL_IO, "%s: %u", "x", 7u), RL_IO);
    assert_string_equal(error.text, "x: 7");
}

TEST(an_error_that_nobody_wants_is_not_written)
{
    assert_int_equal(rl_error_set(NULL, RL_BAD_TEXT, "%s", "x"), RL_BAD_TEXT);
}

TEST(a_long_name_does_not_push_the_reason_out)
{
    char name[600];
    memset(name, 'x', sizeof name - 1);
    name[0] = 'b';
    name[sizeof name - 2] = 'e';
    name[sizeof name - 1] = '\0';
    struct rl_error error = {0};
    assert_int_equal(rl_error_set(&error, RL_IO, "%s is too long", name), RL_IO);
    assert_true(strlen(error.text) < sizeof error.text - 1);
    assert_memory_equal(error.text, "bxx", 3);
    assert_non_null(strstr(error.text, "x ... x"));
    assert_non_null(strstr(error.text, "xe is too long"));
}

TEST(a_long_error_text_is_cut)
{
    char text[600];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct rl_error error = {0};
    assert_int_equal(rl_error_set(&error, RL_IO, "%s%s%s%s%s", text, text, text, text, text),
                     RL_IO);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}
