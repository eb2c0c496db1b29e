/* SPDX-License-Identifier: MIT
 *
 * ATmega at 16 MHz: a round trip takes four or five milliseconds, most of it told on the console.
 */
enum {
    PORT_TICKS = 250,    /* a second */
    PORT_RATE = 4000,    /* rings of the right arc's clock in 1000 seconds */
    PORT_REPEATS = 80000 /* repetitions of a question without an answer in 1000 seconds */
};
