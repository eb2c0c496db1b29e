/* SPDX-License-Identifier: MIT
 *
 * A serial line on two pins of an AVR in simavr, bit by bit: the other end of boards/avr/pins.h.
 */
#ifndef RINGLEADER_BOARDS_HOST_PINS_H
#define RINGLEADER_BOARDS_HOST_PINS_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

enum { PINS_QUEUE = 64 };

struct pins {
    avr_t *avr;
    void (*take)(void *about, uint8_t byte); /* a byte that the board has sent */
    void *about;
    bool level; /* of the pin that sends */
    int got;    /* bits of a byte that is being sent; -1: none is */
    uint8_t byte;
    uint8_t queue[PINS_QUEUE], first, next; /* bytes on their way to the board */
    uint16_t bits;                          /* of the byte that is under way, the lowest next */
};

/* Once, after the core has been made. */
void pins_connect(struct pins *pins);
/* The core has been reset, and its timers with it. */
void pins_reset(struct pins *pins);
/* A byte for the board; what does not fit into the queue is lost. */
void pins_put(struct pins *pins, uint8_t byte);

#endif
