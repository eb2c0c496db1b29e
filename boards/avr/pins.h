/* SPDX-License-Identifier: MIT
 *
 * A serial line made of two pins, for a chip with one USART: PD3 sends, PD2 receives. A byte takes
 * a quarter of a millisecond, in which nothing else is done; the USART holds what comes to it
 * meanwhile. What comes from the right while something is sent there is lost, and asked for again.
 */
#include <util/delay.h>

#define BIT_TIME (1e6 / BAUD) /* microseconds */

/* A start bit: each bit is looked at in its middle. Getting here took two microseconds or so. An
 * edge within the last byte is told in its stop bit. */
ISR(INT0_vect)
{
    uint8_t byte = 0;
    if (PIND & 1 << PD2)
        return;
    _delay_us(1.5 * BIT_TIME - 3);
    for (uint8_t i = 0; i < 8; i++) {
        byte = (uint8_t)(byte >> 1 | (PIND & 1 << PD2 ? 0x80 : 0));
        _delay_us(BIT_TIME - 0.6);
    }
    put(PORT_RIGHT, byte);
}

static void init_right(void)
{
    PORTD |= 1 << PD3 | 1 << PD2;
    DDRD |= 1 << PD3;
    EICRA = 1 << ISC01; /* a falling edge */
    EIMSK = 1 << INT0;
}

static void send_right(uint8_t byte)
{
    uint16_t bits = (uint16_t)(byte << 1 | 0x200); /* start, eight bits, stop */
    cli();
    for (; bits; bits >>= 1) {
        if (bits & 1)
            PORTD |= 1 << PD3;
        else
            PORTD &= (uint8_t) ~(1 << PD3);
        _delay_us(BIT_TIME - 0.8);
    }
    sei();
}
