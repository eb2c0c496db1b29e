/* SPDX-License-Identifier: MIT
 *
 * A leader among Arduino-like boards in a ring, as a main loop. It needs one file,
 * ringleader-device.h (`make device-header`), and these six functions of your board.
 */
#include <stdbool.h>
#include <stdint.h>

bool left_read(uint8_t *byte_out);  /* a byte from the left neighbour, if there is one */
bool right_read(uint8_t *byte_out); /* from the right */
void left_write(const uint8_t *bytes, uint8_t count);
void right_write(const uint8_t *bytes, uint8_t count);
uint16_t microseconds(void); /* may wrap around */
void lead(bool on);          /* the leader's duty: a lamp, say */

#include "ringleader-device.h"

/* Nothing has to be initialised: any contents are legal, or are put right within a millisecond. */
static struct rl_link self;
static struct rl_coins coins;
static struct rl_frame from_left, from_right;
static uint16_t binding, last;

static void send(void (*write)(const uint8_t *, uint8_t), const struct rl_message *message)
{
    uint8_t bytes[RL_FRAME_BYTES];
    rl_frame_write(binding, message, bytes);
    write(bytes, RL_FRAME_BYTES);
}

void loop(void);
void loop(void)
{
    const uint32_t N = 16; /* the ring never has more boards than that; the same on all */
    const struct rl_link_rules rules = {rl_prl_interact, rl_prl_legal, &N};
    uint8_t byte;
    struct rl_message in, out;
    if (left_read(&byte) && rl_frame_read(&from_left, binding, byte, &in) &&
        rl_link_asked(&self, &rules, &in, &out) != RL_LINK_IGNORED) {
        rl_coins_stir(&coins, microseconds()); /* boards that boot alike must come to differ */
        send(left_write, &out);
    }
    if (right_read(&byte) && rl_frame_read(&from_right, binding, byte, &in) &&
        rl_link_answered(&self, &rules, &in, &out) == RL_LINK_RESUMED)
        send(right_write, &out);
    if ((uint16_t)(microseconds() - last) < 1000)
        return;
    last = microseconds();
    binding = rl_frame_binding("prl", N);
    if (rl_coins_toss(&coins, RL_COINS_ODDS(10000, 1000)) && rl_link_ring(&self, &rules, &out))
        send(right_write, &out); /* ten interactions a second */
    else if (rl_coins_toss(&coins, RL_COINS_ODDS(50000, 1000)) &&
             rl_link_repeat(&self, &rules, &out))
        send(right_write, &out); /* a question without an answer, every 20 ms or so */
    lead(rl_prl_leads(self.word));
}
