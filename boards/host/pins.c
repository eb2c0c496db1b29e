/* SPDX-License-Identifier: MIT
 *
 * Pins as a serial line: timers of the core look at the sending pin in the middle of each bit, and
 * put each bit on the receiving one.
 */
#include "pins.h"

#include <simavr/avr_ioport.h>

enum { BIT = 416, RECEIVE = 2, SEND = 3 }; /* cycles at 38,400 baud; pins of port D */

static avr_cycle_count_t sample(avr_t *avr, avr_cycle_count_t when, void *about)
{
    struct pins *pins = about;
    (void)avr;
    if (pins->got < 8) {
        pins->byte = (uint8_t)(pins->byte >> 1 | (pins->level ? 0x80 : 0));
        pins->got++;
        return when + BIT;
    }
    pins->got = -1;
    if (pins->level) /* a stop bit */
        pins->take(pins->about, pins->byte);
    return 0;
}

static void change(avr_irq_t *irq, uint32_t value, void *about)
{
    struct pins *pins = about;
    const bool falls = pins->level && !value;
    (void)irq;
    pins->level = value & 1;
    if (!falls || pins->got >= 0)
        return;
    pins->got = 0;
    avr_cycle_timer_register(pins->avr, BIT + BIT / 2, sample, pins);
}

static void set_level(struct pins *pins, bool level)
{
    avr_raise_irq(avr_io_getirq(pins->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), RECEIVE), level);
}

static avr_cycle_count_t put_bit(avr_t *avr, avr_cycle_count_t when, void *about)
{
    struct pins *pins = about;
    (void)avr;
    if (pins->bits == 0) {
        if (pins->first == pins->next)
            return 0;
        /* Start, eight bits, stop, and one that only marks the end. */
        pins->bits = (uint16_t)(pins->queue[pins->first++ % PINS_QUEUE] << 1 | 0x600);
    }
    set_level(pins, pins->bits & 1);
    pins->bits >>= 1;
    if (pins->bits == 1)
        pins->bits = 0;
    return when + BIT;
}

void pins_connect(struct pins *pins)
{
    avr_irq_register_notify(avr_io_getirq(pins->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), SEND), change,
                            pins);
    pins_reset(pins);
}

void pins_reset(struct pins *pins)
{
    pins->got = -1;
    pins->bits = 0;
    pins->first = pins->next = 0;
    set_level(pins, true);
}

void pins_put(struct pins *pins, uint8_t byte)
{
    if ((uint8_t)(pins->next - pins->first) == PINS_QUEUE)
        return;
    pins->queue[pins->next++ % PINS_QUEUE] = byte;
    if (avr_cycle_timer_status(pins->avr, put_bit, pins) == 0)
        avr_cycle_timer_register(pins->avr, BIT, put_bit, pins);
}
