/* SPDX-License-Identifier: MIT
 *
 * An agent on a board: the link of ringleader-device.h between two serial lines.
 *
 * All that is remembered is in `memory`, which nobody initialises and anything may overwrite: every
 * content is legal or is put right within a tick. What happens to the state is told on the console,
 * in the words of a node's log (docs/formats.md), each line before the answer that follows from it
 * is sent: so what a neighbour has heard of, the console has told. The watchdog is fed at a tick by
 * the loop that does the work, and nowhere else.
 */
#include "ringleader-device.h"
#include "port.h"

#ifndef BOARD_N
#define BOARD_N 16 /* the ring never has more boards than that; the same on all */
#endif

/* The rules, as variables of a function: its code makes them anew each time. A constant of the
 * program would lie in memory on an AVR, where it would not heal. */
#define RULES                                                                                      \
    const uint32_t N = BOARD_N;                                                                    \
    const struct rl_link_rules rules = {rl_prl_interact, rl_prl_legal, &N}

static PORT_MEMORY struct {
    struct rl_link link;
    struct rl_coins coins;
    struct rl_frame from_left, from_right;
    uint16_t binding; /* a constant, which would take too long to find at every byte */
} memory;

/* ---- the console ---- */

static const PORT_TEXT char BOOT[] = "gap\nboot"; /* the line before may have been cut off */
static const PORT_TEXT char DONE[] = "done";
static const PORT_TEXT char HEARD[] = "heard";

static void say(const PORT_TEXT char *text)
{
    for (; *text; text++)
        port_say(*text);
}

static void say_number(uint32_t number)
{
    uint8_t shift = 28;
    while (shift > 0 && number >> shift == 0)
        shift = (uint8_t)(shift - 4);
    port_say(' ');
    for (;; shift = (uint8_t)(shift - 4)) {
        const uint8_t digit = number >> shift & 15;
        port_say((char)(digit < 10 ? '0' + digit : 'a' - 10 + digit));
        if (shift == 0)
            return;
    }
}

/* ---- the link ---- */

static void send(enum port_side side, const struct rl_message *message)
{
    uint8_t bytes[RL_FRAME_BYTES];
    rl_frame_write(memory.binding, message, bytes);
    port_write(side, bytes, RL_FRAME_BYTES);
}

static uint16_t binding(void)
{
    char protocol[4]; /* written by code, as the rules are */
    protocol[0] = 'p';
    protocol[1] = 'r';
    protocol[2] = 'l';
    protocol[3] = '\0';
    return rl_frame_binding(protocol, BOARD_N);
}

static uint32_t state(uint32_t word)
{
    const uint32_t N = BOARD_N;
    return rl_prl_legal(&N, word);
}

/* A question from the left. */
static void answer(const struct rl_message *ask)
{
    RULES;
    struct rl_message reply;
    const uint32_t before = state(memory.link.word);
    const enum rl_link_event event = rl_link_asked(&memory.link, &rules, ask, &reply);
    if (event == RL_LINK_INTERACTED) {
        say(DONE);
        say_number(ask->ticket);
        say_number(state(ask->value));
        say_number(before);
        say_number(memory.link.reply);
        say_number(memory.link.word);
        port_say('\n');
    }
    if (event != RL_LINK_IGNORED)
        send(PORT_LEFT, &reply);
}

/* An answer from the right. */
static void hear(const struct rl_message *reply)
{
    RULES;
    struct rl_message ask;
    const uint32_t before = state(memory.link.word);
    const enum rl_link_event event = rl_link_answered(&memory.link, &rules, reply, &ask);
    if (event == RL_LINK_LEARNT) {
        say(HEARD);
        say_number(reply->ticket);
        say_number(before);
        say_number(memory.link.word);
        port_say('\n');
    } else if (event == RL_LINK_RESUMED)
        send(PORT_RIGHT, &ask);
}

/* A byte from either side; false: there was none. */
static bool listen(void)
{
    uint8_t byte;
    struct rl_message message;
    if (port_read(PORT_LEFT, &byte)) {
        rl_coins_stir(&memory.coins, port_entropy());
        if (rl_frame_read(&memory.from_left, memory.binding, byte, &message))
            answer(&message);
    } else if (port_read(PORT_RIGHT, &byte)) {
        rl_coins_stir(&memory.coins, port_entropy());
        if (rl_frame_read(&memory.from_right, memory.binding, byte, &message))
            hear(&message);
    } else
        return false;
    return true;
}

/* The clock of the right arc, and of questions that are not answered. */
static void tick(void)
{
    RULES;
    struct rl_message ask;
    memory.binding = binding();
    if (rl_coins_toss(&memory.coins, RL_COINS_ODDS(PORT_RATE, PORT_TICKS))) {
        if (rl_link_ring(&memory.link, &rules, &ask))
            send(PORT_RIGHT, &ask);
    } else if (rl_coins_toss(&memory.coins, RL_COINS_ODDS(PORT_REPEATS, PORT_TICKS)) &&
               rl_link_repeat(&memory.link, &rules, &ask))
        send(PORT_RIGHT, &ask);
    port_lamp(rl_prl_leads(memory.link.word));
}

int main(void)
{
    port_init();
    memory.binding = binding();
    memory.link.word = state(memory.link.word);
    say(BOOT);
    say_number(memory.link.word);
    port_say('\n');
    for (;;) {
        const bool heard = listen();
        if (port_tick()) {
            tick();
            port_feed();
        } else if (!heard)
            port_idle();
    }
}
