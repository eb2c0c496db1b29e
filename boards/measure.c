/* SPDX-License-Identifier: MIT
 *
 * A program for a board that does an interaction again and again between marks, for sizes.py, which
 * counts what an emulator executes from one mark to the next: nothing; the rule alone; the decision
 * on a question; a question's frame, byte by byte, its decision, and the frame of the answer.
 */
#include "ringleader-device.h"
#include "port.h"

void mark(void);
__attribute__((noinline)) void mark(void)
{
    __asm__ volatile("");
}

/* Not the compiler's to look through. */
static PORT_MEMORY struct rl_link link;
static PORT_MEMORY volatile uint32_t words[2];

__attribute__((noinline)) static void do_rule(const struct rl_link_rules *rules)
{
    uint32_t l = words[0], r = words[1];
    rules->interact(rules->about, &l, &r);
    words[0] = l;
    words[1] = r;
}

__attribute__((noinline)) static void do_frame(const struct rl_link_rules *rules, uint8_t *bytes)
{
    struct rl_frame frame;
    struct rl_message ask, answer;
    for (uint8_t i = 0; i < RL_FRAME_BYTES; i++)
        if (rl_frame_read(&frame, 1, bytes[i], &ask)) {
            (void)rl_link_asked(&link, rules, &ask, &answer);
            rl_frame_write(1, &answer, bytes);
        }
}

int main(void)
{
    const uint32_t N = BOARD_N;
    const struct rl_link_rules rules = {rl_prl_interact, rl_prl_legal, &N};
    struct rl_coins coins = {1};
    struct rl_message ask, answer;
    uint8_t bytes[RL_FRAME_BYTES];
    for (;;) {
        words[0] = rl_prl_legal(&N, rl_coins_bits(&coins));
        words[1] = link.word = rl_prl_legal(&N, rl_coins_bits(&coins));
        link.flags = 0;
        ask.kind = RL_ASK;
        ask.ticket = link.expects;
        ask.value = words[0];
        mark();
        mark();
        do_rule(&rules);
        mark();
        (void)rl_link_asked(&link, &rules, &ask, &answer);
        mark();
        ask.ticket = link.expects;
        rl_frame_write(1, &ask, bytes);
        mark();
        do_frame(&rules, bytes);
        mark();
    }
}
