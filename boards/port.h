/* SPDX-License-Identifier: MIT
 *
 * What a board must supply: two serial lines to its neighbours, a console, a tick, a watchdog, a
 * lamp. A port is one file that has these functions; board.c is the rest.
 */
#ifndef RINGLEADER_BOARDS_PORT_H
#define RINGLEADER_BOARDS_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "rates.h" /* of the port */

enum port_side { PORT_LEFT, PORT_RIGHT };

/* Clocks, lines, tick and watchdog. Memory is not touched: it may hold anything, and keeps it. */
void port_init(void);

/* The next byte that came from that side; false: there is none. */
bool port_read(enum port_side side, uint8_t *byte_out);
/* Sends a frame. One that cannot be sent now is dropped; nobody waits for a neighbour. */
void port_write(enum port_side side, const uint8_t *bytes, uint8_t count);
/* Waits until the console can take it, which is a matter of the baud rate alone. */
void port_say(char character);

/* Whether a tick has passed since it was asked last. */
bool port_tick(void);
/* Something that differs from board to board when asked at the arrival of a byte: a fast counter.
 */
uint16_t port_entropy(void);
/* Sleeps until a byte or a tick comes. */
void port_idle(void);
/* Keeps the watchdog from resetting the board, which it otherwise does within three seconds. */
void port_feed(void);

void port_lamp(bool on);

/* Memory that nobody initialises; and text that does not lie in memory. */
#define PORT_MEMORY __attribute__((section(".noinit")))
#ifdef __AVR__
#define PORT_TEXT __flash
#else
#define PORT_TEXT
#endif

#endif
