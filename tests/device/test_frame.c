/* SPDX-License-Identifier: MIT
 *
 * Frames on a serial line, as a microcontroller compiles them, and coins.
 */
#define RL_LINK_SMALL
#include "test.h"

#include "ringleader/device.h"

#include "device/frame.c"

static struct rl_message random_message(struct rl_random *random)
{
    return (struct rl_message){.kind = (uint8_t)rl_random_below(random, RL_LINK_KINDS),
                               .ticket = (uint16_t)rl_random_next(random),
                               .value = (uint32_t)rl_random_next(random)};
}

static bool same(const struct rl_message *a, const struct rl_message *b)
{
    return a->kind == b->kind && a->ticket == b->ticket && a->value == b->value;
}

/* Feeds ten bytes; how many messages came out, the last one in `message_out`. */
static int feed(struct rl_frame *frame, uint16_t binding, const uint8_t *bytes,
                struct rl_message *message_out)
{
    int messages = 0;
    for (int i = 0; i < RL_FRAME_BYTES; i++)
        messages += rl_frame_read(frame, binding, bytes[i], message_out);
    return messages;
}

TEST(what_is_written_is_read_after_any_noise)
{
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    const uint16_t binding = rl_frame_binding("prl", 16);
    for (int trial = 0; trial < 20000; trial++) {
        const struct rl_message sent = random_message(&random);
        struct rl_message got;
        struct rl_frame frame;
        uint8_t bytes[RL_FRAME_BYTES];
        for (size_t i = 0; i < sizeof frame; i++)
            ((uint8_t *)&frame)[i] = (uint8_t)rl_random_next(&random);
        rl_frame_write(binding, &sent, bytes);
        for (int i = 0; i < RL_FRAME_BYTES; i++)
            assert_int_equal(bytes[i] >> 7, i == 0);
        assert_int_equal(feed(&frame, binding, bytes, &got), 1);
        assert_true(same(&sent, &got));
    }
}

TEST(a_frame_has_the_bytes_that_the_formats_say)
{
    /* Made from docs/formats.md by a program of a few lines in another language. */
    static const uint8_t expected[RL_FRAME_BYTES] = {0x8d, 0x2e, 0x0a, 0x4f, 0x15,
                                                     0x1a, 0x12, 0x4a, 0x26, 0x01};
    const struct rl_message message = {.kind = RL_DID, .ticket = 0xa5c3, .value = 0x12345678};
    uint8_t bytes[RL_FRAME_BYTES];
    rl_frame_write(rl_frame_binding("prl", 16), &message, bytes);
    assert_memory_equal(bytes, expected, sizeof expected);
}

TEST(every_change_of_up_to_three_bits_is_noticed)
{
    const uint16_t binding = rl_frame_binding("prl", 16);
    const struct rl_message sent = {.kind = RL_DID, .ticket = 0xa5c3, .value = 0x12345678};
    uint8_t good[RL_FRAME_BYTES];
    rl_frame_write(binding, &sent, good);
    for (int a = 0; a < 80; a++)
        for (int b = a; b < 80; b++)
            for (int c = b; c < 80; c++) {
                uint8_t bytes[RL_FRAME_BYTES];
                struct rl_frame frame = {.count = 0};
                struct rl_message got;
                memcpy(bytes, good, sizeof bytes);
                bytes[a / 8] ^= (uint8_t)(1 << a % 8);
                if (b != a)
                    bytes[b / 8] ^= (uint8_t)(1 << b % 8);
                if (c != b)
                    bytes[c / 8] ^= (uint8_t)(1 << c % 8);
                assert_int_equal(feed(&frame, binding, bytes, &got), 0);
            }
}

TEST(devices_that_do_not_fit_do_not_talk)
{
    const uint16_t binding = rl_frame_binding("prl", 16);
    const struct rl_message sent = {.kind = RL_ASK, .ticket = 7, .value = 32};
    uint8_t bytes[RL_FRAME_BYTES];
    struct rl_frame frame = {.count = 0};
    struct rl_message got;
    rl_frame_write(binding, &sent, bytes);
    assert_int_equal(feed(&frame, rl_frame_binding("prl", 17), bytes, &got), 0);
    assert_int_equal(feed(&frame, rl_frame_binding("prl-dummy", 16), bytes, &got), 0);
    assert_int_equal(feed(&frame, binding, bytes, &got), 1);
}

TEST(coins_have_their_odds_from_any_state)
{
    const uint32_t states[] = {0, UINT32_MAX, 1, 0x80000000};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        struct rl_coins coins = {states[i]};
        int heads = 0;
        for (int toss = 0; toss < 100000; toss++)
            heads += rl_coins_toss(&coins, RL_COINS_ODDS(18000, 100));
        /* 18 rings a second at 100 ticks a second: six standard deviations of 121. */
        assert_true(heads > 18000 - 730 && heads < 18000 + 730);
    }
}

TEST(devices_that_boot_alike_differ_once_stirred)
{
    struct rl_coins a = {5}, b = {5};
    assert_int_equal(rl_coins_bits(&a), rl_coins_bits(&b));
    rl_coins_stir(&a, 3);
    rl_coins_stir(&b, 4);
    assert_int_not_equal(rl_coins_bits(&a), rl_coins_bits(&b));
}
