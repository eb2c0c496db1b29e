/* SPDX-License-Identifier: MIT
 *
 * ATmega1284P at 16 MHz: USART0 to the left, USART1 to the right, 250,000 baud; the console is the
 * SPI as a master, for anything that listens; the lamp is PB0. An ATmega328P has one USART: its
 * line to the right is made of two pins, in pins.h, and all lines of such a ring have 38,400 baud.
 *
 * A USART holds two bytes, and an interaction takes longer than two more need to come: so an
 * interrupt puts them into a queue of three frames. Its places are taken modulo the queue's length,
 * so any content of it is legal. The board sends when there is something to send and waits for its
 * own USART only, 0.4 ms a frame.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "port.h"

#ifdef UDR1
#define BAUD 250000
#else
#define BAUD 38400
#endif
enum { QUEUE = 32, BAUD_DIVISOR = (F_CPU / 16 + BAUD / 2) / BAUD - 1 };

#ifdef UDR1
enum { LAMP = PB0, CONSOLE_PINS = 1 << PB4 | 1 << PB5 | 1 << PB7 }; /* SS, MOSI, SCK */
#else
enum { LAMP = PB0, CONSOLE_PINS = 1 << PB2 | 1 << PB3 | 1 << PB5 };
#endif

static PORT_MEMORY volatile struct {
    uint8_t bytes[QUEUE], first, next;
} queues[2];

static void put(enum port_side side, uint8_t byte)
{
    queues[side].bytes[queues[side].next++ % QUEUE] = byte;
}

#ifdef UDR1
ISR(USART0_RX_vect)
{
    put(PORT_LEFT, UDR0);
}

ISR(USART1_RX_vect)
{
    put(PORT_RIGHT, UDR1);
}

static void init_right(void)
{
    UBRR1 = BAUD_DIVISOR;
    UCSR1C = UCSR0C;
    UCSR1B = UCSR0B;
}

static void send_right(uint8_t byte)
{
    while (!(UCSR1A & 1 << UDRE1))
        continue;
    UDR1 = byte;
}
#else
ISR(USART_RX_vect)
{
    put(PORT_LEFT, UDR0);
}
#include "pins.h"
#endif

static void send_left(uint8_t byte)
{
    while (!(UCSR0A & 1 << UDRE0))
        continue;
    UDR0 = byte;
}

/* A tick has passed: told in a register, which no stray write to memory reaches. */
ISR(TIMER1_COMPA_vect)
{
    GPIOR0 = 1;
}

void port_init(void)
{
    wdt_enable(WDTO_2S);
    DDRB |= CONSOLE_PINS | 1 << LAMP;
    SPCR = 1 << SPE | 1 << MSTR | 1 << SPR0;
    UBRR0 = BAUD_DIVISOR;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
    init_right();
    TCCR1B = 1 << WGM12 | 1 << CS11 | 1 << CS10;
    OCR1A = F_CPU / 64 / PORT_TICKS - 1;
    TIMSK1 = 1 << OCIE1A;
    sei();
}

static bool is_empty(enum port_side side)
{
    return (uint8_t)(queues[side].next - queues[side].first) % QUEUE == 0;
}

bool port_read(enum port_side side, uint8_t *byte_out)
{
    if (is_empty(side))
        return false;
    *byte_out = queues[side].bytes[queues[side].first++ % QUEUE];
    return true;
}

void port_write(enum port_side side, const uint8_t *bytes, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++)
        if (side == PORT_LEFT)
            send_left(bytes[i]);
        else
            send_right(bytes[i]);
}

void port_say(char character)
{
    SPDR = (uint8_t)character;
    while (!(SPSR & 1 << SPIF))
        continue;
}

bool port_tick(void)
{
    const bool passed = GPIOR0 != 0;
    GPIOR0 = 0;
    return passed;
}

uint16_t port_entropy(void)
{
    return TCNT1;
}

void port_idle(void)
{
    cli();
    if (is_empty(PORT_LEFT) && is_empty(PORT_RIGHT) && GPIOR0 == 0) {
        sleep_enable();
        sei(); /* it takes effect after the next instruction, so nothing comes in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

void port_feed(void)
{
    wdt_reset();
}

void port_lamp(bool on)
{
    if (on)
        PORTB |= 1 << LAMP;
    else
        PORTB &= (uint8_t) ~(1 << LAMP);
}
