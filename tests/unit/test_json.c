/* SPDX-License-Identifier: MIT
 *
 * JSON: what is written is JSON, whatever it is asked to write.
 */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

/* {"a": text} as it is written. */
static const char *written(const char *text)
{
    static char memory[256];
    FILE *stream = fmemopen(memory, sizeof memory, "w");
    struct rl_json json = {.stream = stream};
    assert_non_null(stream);
    rl_json_string(&json, NULL, text);
    fclose(stream);
    return memory;
}

TEST(utf_8_is_written_as_it_is)
{
    assert_string_equal(written("n \xe2\x89\xa5 3 \xf0\x9f\x92\x8d"),
                        "\"n \xe2\x89\xa5 3 \xf0\x9f\x92\x8d\"");
    assert_string_equal(written("\x7f"), "\"\x7f\"");
}

/* The first and the last of every 64, so those of every form too. */
TEST(every_code_point_is_written_as_it_is)
{
    for (uint32_t c = 0x80; c < 0x110000; c += c % 64 ? 1 : 63) {
        const uint32_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        char text[8] = {(char)(0xf00 >> size | c >> 6 * (size - 1))}, quoted[16];
        for (uint32_t i = 1; i < size; i++)
            text[i] = (char)(0x80 | (c >> 6 * (size - 1 - i) & 63));
        snprintf(quoted, sizeof quoted, "\"%s\"", text);
        if (c < 0xd800 || c > 0xdfff) /* surrogates are none */
            assert_string_equal(written(text), quoted);
    }
}

TEST(what_json_cannot_hold_is_escaped)
{
    assert_string_equal(written("a\"b\\c\n\x1b"), "\"a\\\"b\\\\c\\u000a\\u001b\"");
}

TEST(bytes_that_are_no_utf_8_are_lone_surrogates)
{
    static const char *const cases[][2] = {
        {"\xff", "\"\\udcff\""},
        {"\x80x", "\"\\udc80x\""},
        {"\xc3", "\"\\udcc3\""},
        {"\xc0\xaf", "\"\\udcc0\\udcaf\""},                       /* longer than need be */
        {"\xed\xa0\x80", "\"\\udced\\udca0\\udc80\""},            /* a surrogate */
        {"\xf4\x90\x80\x80", "\"\\udcf4\\udc90\\udc80\\udc80\""}, /* above U+10FFFF */
        {"\xe2\x89 ", "\"\\udce2\\udc89 \""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(written(cases[i][0]), cases[i][1]);
}

TEST(what_is_no_number_is_null)
{
    char memory[128];
    FILE *stream = fmemopen(memory, sizeof memory, "w");
    struct rl_json json = {.stream = stream};
    assert_non_null(stream);
    rl_json_open(&json, NULL, '[');
    rl_json_real(&json, NULL, HUGE_VAL);
    rl_json_real(&json, NULL, -HUGE_VAL);
    rl_json_real(&json, NULL, NAN);
    rl_json_real(&json, NULL, 0.5);
    rl_json_close(&json, ']');
    fclose(stream);
    assert_string_equal(memory, "[null,null,null,0.5]");
}

TEST(fields_are_put_together_each_by_its_kind)
{
    char memory[256];
    const char *volatile none = NULL; /* that the compiler does not see it */
    FILE *stream = fmemopen(memory, sizeof memory, "w");
    struct rl_json json = {.stream = stream};
    assert_non_null(stream);
    rl_json_put(&json, "text=%s none=%s n=%u z=%zu", "x y=%d", none, 7u, (size_t)9);
    rl_json_put(&json, "count=%ju step=%jd never=%jd", RL_NEVER, UINT64_C(3), RL_NEVER);
    rl_json_put(&json, "yes=%d no=%d unknown=%d real=%g nan=%g", true, false, -1, 0.5, NAN);
    fclose(stream);
    assert_string_equal(memory, "\"text\":\"x y=%d\",\"none\":null,\"n\":7,\"z\":9,"
                                "\"count\":18446744073709551615,\"step\":3,\"never\":null,"
                                "\"yes\":true,\"no\":false,\"unknown\":null,\"real\":0.5,"
                                "\"nan\":null");
}
