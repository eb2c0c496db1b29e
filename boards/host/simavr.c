/* SPDX-License-Identifier: MIT
 *
 * Boards with an ATmega1284P or 328P, in simavr: all cores in one process, in step, so that a ring
 * is a function of its seed.
 *
 * Each core runs for the time of a byte on the line, then the next one; a byte sent arrives at the
 * neighbour at once and is received the time of a byte later, as simavr does it. Memory survives a
 * reset. A core that simavr gives up (no such instruction, or asleep for good) would run on into
 * its watchdog on a real board: it is reset after the watchdog's time.
 */
#include <simavr/avr_spi.h>
#include <simavr/avr_uart.h>
#include <simavr/avr_watchdog.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdlib.h>
#include <string.h>

#include "pins.h"
#include "ring.h"

enum { FREQUENCY = 16000000, QUANTUM = 640, SLICE = FREQUENCY / 100, WATCHDOG = 2 * FREQUENCY };
enum { WDTCSR = 0x60, WDE = 3 }; /* of both chips */

struct core {
    struct ring *ring;
    uint32_t number;
    avr_t *avr;
    struct pins pins; /* to the right, if there is no second USART */
    uint64_t behind;  /* of the ring's clock: cycles that it did not run */
    uint64_t given_up;
};

struct cores {
    uint64_t cycle;
    elf_firmware_t firmware;
    struct core core[MOST_BOARDS];
};

/* ---- what comes out of a core ---- */

static void say(avr_irq_t *irq, uint32_t value, void *about)
{
    const struct core *core = about;
    (void)irq;
    board_says(core->ring, core->number, (uint8_t)value);
}

static void send_left(avr_irq_t *irq, uint32_t value, void *about)
{
    const struct core *core = about;
    (void)irq;
    wire_carry(core->ring, core->number, LEFT, (uint8_t)value);
}

static void send_right(avr_irq_t *irq, uint32_t value, void *about)
{
    const struct core *core = about;
    (void)irq;
    wire_carry(core->ring, core->number, RIGHT, (uint8_t)value);
}

static void send_by_pins(void *about, uint8_t byte)
{
    const struct core *core = about;
    wire_carry(core->ring, core->number, RIGHT, byte);
}

static void be_silent(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    (void)level;
    (void)format;
    (void)arguments;
}

static void do_not_wait(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

/* ---- cores ---- */

static avr_irq_t *usart_of(const struct core *core, enum side side, int irq)
{
    const char name = side == LEFT ? '0' : '1';
    return avr_io_getirq(core->avr, AVR_IOCTL_UART_GETIRQ(name), irq);
}

static void connect_core(struct core *core)
{
    avr_t *avr = core->avr;
    uint32_t quiet = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &quiet);
    avr_irq_register_notify(usart_of(core, LEFT, UART_IRQ_OUTPUT), send_left, core);
    if (usart_of(core, RIGHT, UART_IRQ_OUTPUT)) {
        avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('1'), &quiet);
        avr_irq_register_notify(usart_of(core, RIGHT, UART_IRQ_OUTPUT), send_right, core);
    } else {
        core->pins = (struct pins){.avr = avr, .take = send_by_pins, .about = core};
        pins_connect(&core->pins);
    }
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), say, core);
}

static bool begin(struct ring *ring)
{
    struct cores *cores = calloc(1, sizeof *cores);
    ring->emulated = cores;
    avr_global_logger_set(be_silent);
    if (!cores || elf_read_firmware(ring->firmware, &cores->firmware)) {
        snprintf(ring->broken, sizeof ring->broken, "%s is no program for a board", ring->firmware);
        return false;
    }
    for (uint32_t i = 0; i < ring->n; i++) {
        struct core *core = &cores->core[i];
        *core = (struct core){
            .ring = ring, .number = i, .avr = avr_make_mcu_by_name(ring->emulator->chip)};
        if (!core->avr || avr_init(core->avr)) {
            snprintf(ring->broken, sizeof ring->broken, "simavr has no %s", ring->emulator->chip);
            return false;
        }
        core->avr->frequency = FREQUENCY;
        core->avr->sleep = do_not_wait;
        core->avr->log = 0;
        avr_load_firmware(core->avr, &cores->firmware);
        connect_core(core);
        ring->boards[i].emulated = core;
    }
    return true;
}

static double now(struct ring *ring)
{
    const struct cores *cores = ring->emulated;
    return (double)cores->cycle / FREQUENCY;
}

/* Registers are memory too. */
static void fill(struct core *core, enum image image)
{
    avr_t *avr = core->avr;
    const size_t first = avr->ioend + 1u;
    fill_memory(core->ring, image, avr->data, 32);
    fill_memory(core->ring, image, avr->data + first, avr->ramend + 1u - first);
}

static void switch_on(struct ring *ring, uint32_t i)
{
    struct core *core = ring->boards[i].emulated;
    const struct cores *cores = ring->emulated;
    avr_reset(core->avr);
    if (core->pins.avr)
        pins_reset(&core->pins);
    fill(core, ring->boards[i].image);
    avr_regbit_set(core->avr, core->avr->reset_flags.porf);
    core->behind = cores->cycle - core->avr->cycle;
    core->given_up = 0;
}

static void switch_off(struct ring *ring, uint32_t i)
{
    (void)ring;
    (void)i; /* a board that is off is not run */
}

static void overwrite(struct ring *ring, uint32_t i, bool all)
{
    const struct core *core = ring->boards[i].emulated;
    const size_t bytes = core->avr->ramend - core->avr->ioend; /* the stack is at their end */
    board_struck(ring, i);
    fill_memory(ring, IMAGE_RANDOM, core->avr->data + core->avr->ioend + 1,
                all ? bytes : bytes / 2);
}

static void deliver(struct ring *ring, uint32_t i, enum side from, uint8_t byte)
{
    struct core *core = ring->boards[i].emulated;
    if (from == RIGHT && core->pins.avr)
        pins_put(&core->pins, byte);
    else
        avr_raise_irq(usart_of(core, from, UART_IRQ_INPUT), byte);
}

/* ---- time ---- */

/* A core asleep sleeps until its next timer: this one wakes it at the end of a quantum. */
static avr_cycle_count_t wake(avr_t *avr, avr_cycle_count_t when, void *about)
{
    (void)avr;
    (void)when;
    (void)about;
    return 0;
}

static void wait_for_watchdog(struct core *core)
{
    core->behind += QUANTUM;
    core->given_up += QUANTUM;
    const bool guarded = core->avr->data[WDTCSR] & 1 << WDE;
    if (!guarded || core->given_up < WATCHDOG)
        return;
    avr_reset(core->avr);
    avr_regbit_set(core->avr, core->avr->reset_flags.wdrf);
    core->given_up = 0;
}

static void run_core(struct core *core, uint64_t until)
{
    avr_t *avr = core->avr;
    until -= core->behind;
    if (avr->cycle >= until)
        return;
    avr_cycle_timer_register(avr, until - avr->cycle, wake, NULL);
    while (avr->cycle < until)
        if (avr_run(avr) == cpu_Done || avr->state == cpu_Crashed) {
            wait_for_watchdog(core);
            return;
        }
}

static void run(struct ring *ring)
{
    struct cores *cores = ring->emulated;
    for (const uint64_t end = cores->cycle + SLICE; cores->cycle < end; cores->cycle += QUANTUM)
        for (uint32_t i = 0; i < ring->n; i++)
            if (ring->boards[i].on)
                run_core(&cores->core[i], cores->cycle + QUANTUM);
}

/* Without wires nothing more happens but that consoles end their lines. */
static void halt(struct ring *ring)
{
    ring->deaf = true;
    for (int slice = 0; slice < 10; slice++)
        run(ring);
}

static void end(struct ring *ring)
{
    struct cores *cores = ring->emulated;
    for (uint32_t i = 0; i < ring->n && cores; i++)
        if (cores->core[i].avr) {
            avr_terminate(cores->core[i].avr);
            free(cores->core[i].avr);
        }
    free(cores);
}

#define SIMAVR(of_chip, of_name)                                                                   \
    {                                                                                              \
        .name = of_name, .chip = of_chip, .begin = begin, .now = now, .switch_on = switch_on,      \
        .switch_off = switch_off, .overwrite = overwrite, .deliver = deliver, .run = run,          \
        .halt = halt, .end = end                                                                   \
    }
const struct emulator simavr_emulator = SIMAVR("atmega1284p", "ATmega1284P in simavr");
const struct emulator simavr_328p_emulator = SIMAVR("atmega328p", "ATmega328P in simavr");
