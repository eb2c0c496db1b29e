/* SPDX-License-Identifier: MIT
 *
 * LM3S6965 at 50 MHz: a round trip takes less than a millisecond. A hundred ticks a second cost a
 * few percent of a core for each board in an emulator.
 */
enum {
    PORT_TICKS = 100,    /* a second */
    PORT_RATE = 18000,   /* rings of the right arc's clock in 1000 seconds */
    PORT_REPEATS = 80000 /* repetitions of a question without an answer in 1000 seconds */
};
