/* SPDX-License-Identifier: MIT
 *
 * Stellaris LM3S6965 evaluation board (QEMU: lm3s6965evb) at 50 MHz: UART0 is the console, 460,800
 * baud; UART1 goes to the left, UART2 to the right, 115,200 baud; the lamp is PF0.
 *
 * No interrupt is ever taken: they are masked, and a pending one ends `wfi` all the same. The UARTs
 * hold 16 bytes each way, so a frame is written at once if the last one is out, or dropped. The
 * vectors and the reset are here too. A fault waits for the watchdog.
 */
#include "port.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* System control */
#define SYSCTL_RIS  REGISTER(0x400FE050)
#define SYSCTL_RCC  REGISTER(0x400FE060)
#define SYSCTL_RCGC ((volatile uint32_t *)0x400FE100) /* clocks of parts: three registers */
/* SysTick and the interrupt controller */
#define SYSTICK_CTRL REGISTER(0xE000E010)
#define SYSTICK_LOAD REGISTER(0xE000E014)
#define SYSTICK_VAL  REGISTER(0xE000E018)
#define NVIC_ISER    ((volatile uint32_t *)0xE000E100)
#define NVIC_ICPR    ((volatile uint32_t *)0xE000E280)
#define SCB_ICSR     REGISTER(0xE000ED04)
/* Watchdog */
#define WATCHDOG_LOAD REGISTER(0x40000000)
#define WATCHDOG_CTL  REGISTER(0x40000008)
#define WATCHDOG_ICR  REGISTER(0x4000000C)
/* Pins, by the base of their port */
#define GPIO_A                0x40004000u
#define GPIO_D                0x40007000u
#define GPIO_F                0x40025000u
#define GPIO_G                0x40026000u
#define GPIO_DATA(base, pins) REGISTER((base) + ((pins) << 2))
#define GPIO_DIR(base)        REGISTER((base) + 0x400)
#define GPIO_AFSEL(base)      REGISTER((base) + 0x420)
#define GPIO_DEN(base)        REGISTER((base) + 0x51C)

/* A PL011 */
struct uart {
    uint32_t data, status, unused[4], flags, unused_too[2], divisor, fraction, line, control,
        levels, mask;
};
#define CONSOLE ((volatile struct uart *)0x4000C000)
#define LEFT    ((volatile struct uart *)0x4000D000)
#define RIGHT   ((volatile struct uart *)0x4000E000)
enum { RECEIVE_EMPTY = 1 << 4, SEND_FULL = 1 << 5, SEND_EMPTY = 1 << 7 };
enum { LEFT_IRQ = 6, RIGHT_IRQ = 33 };

enum { HZ = 50000000, WATCHDOG = 3 * HZ / 2 }; /* it bites the second time */

static void init_clocks(void)
{
    /* The 8 MHz crystal, and the PLL's 200 MHz divided by four: first bypassed, then used. */
    SYSCTL_RCC = 0x00000800u | 3u << 23 | 1u << 22 | 0xEu << 6;
    while (!(SYSCTL_RIS & 1u << 6))
        continue;
    SYSCTL_RCC = 3u << 23 | 1u << 22 | 0xEu << 6;
    SYSCTL_RCGC[0] = 1u << 3;                               /* watchdog */
    SYSCTL_RCGC[1] = 7;                                     /* UART0, 1, 2 */
    SYSCTL_RCGC[2] = 1u << 0 | 1u << 3 | 1u << 5 | 1u << 6; /* ports A, D, F, G */
    (void)SYSCTL_RCGC[2];                                   /* they need some cycles */
}

static void init_uart(volatile struct uart *uart, uint32_t baud)
{
    const uint32_t divisor = (4 * HZ + baud / 2) / baud; /* of 64 parts of HZ / 16 */
    uart->control = 0;
    uart->divisor = divisor >> 6;
    uart->fraction = divisor & 63;
    uart->line = 0x70; /* eight bits, with the queues */
    uart->mask = 1u << 4 | 1u << 6;
    uart->control = 0x301;
}

static void init_pins(uint32_t base, uint32_t pins)
{
    GPIO_AFSEL(base) |= pins;
    GPIO_DEN(base) |= pins;
}

void port_init(void)
{
    init_clocks();
    WATCHDOG_LOAD = WATCHDOG;
    WATCHDOG_CTL = 3;
    init_pins(GPIO_A, 3);
    init_pins(GPIO_D, 3u << 2);
    init_pins(GPIO_G, 3);
    GPIO_DIR(GPIO_F) |= 1;
    GPIO_DEN(GPIO_F) |= 1;
    init_uart(CONSOLE, 460800);
    init_uart(LEFT, 115200);
    init_uart(RIGHT, 115200);
    NVIC_ISER[LEFT_IRQ / 32] = 1u << LEFT_IRQ % 32;
    NVIC_ISER[RIGHT_IRQ / 32] = 1u << RIGHT_IRQ % 32;
    SYSTICK_LOAD = HZ / PORT_TICKS - 1;
    SYSTICK_VAL = 0;
    SYSTICK_CTRL = 7;
}

static volatile struct uart *line_to(enum port_side side)
{
    return side == PORT_LEFT ? LEFT : RIGHT;
}

bool port_read(enum port_side side, uint8_t *byte_out)
{
    if (line_to(side)->flags & RECEIVE_EMPTY)
        return false;
    *byte_out = (uint8_t)line_to(side)->data;
    return true;
}

void port_write(enum port_side side, const uint8_t *bytes, uint8_t count)
{
    if (!(line_to(side)->flags & SEND_EMPTY))
        return;
    for (uint8_t i = 0; i < count; i++)
        line_to(side)->data = bytes[i];
}

void port_say(char character)
{
    while (CONSOLE->flags & SEND_FULL)
        continue;
    CONSOLE->data = (uint8_t)character;
}

/* A tick after the flag was read is pending, so that `wfi` ends at once. */
bool port_tick(void)
{
    SCB_ICSR = 1u << 25;           /* no longer pending */
    return SYSTICK_CTRL >> 16 & 1; /* reading clears it */
}

uint16_t port_entropy(void)
{
    return (uint16_t)SYSTICK_VAL;
}

/* What is pending is forgotten first; a line that still has a byte is pending again at once. */
void port_idle(void)
{
    NVIC_ICPR[LEFT_IRQ / 32] = 1u << LEFT_IRQ % 32;
    NVIC_ICPR[RIGHT_IRQ / 32] = 1u << RIGHT_IRQ % 32;
    __asm__ volatile("wfi");
}

void port_feed(void)
{
    WATCHDOG_ICR = 0;
}

void port_lamp(bool on)
{
    GPIO_DATA(GPIO_F, 1) = on;
}

/* ---- from the reset to main ---- */

int main(void);
void start(void);

void start(void)
{
    __asm__ volatile("cpsid i");
    main();
}

static void wait_for_watchdog(void)
{
    for (;;)
        continue;
}

extern uint32_t stack_top; /* memory.ld */

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors = {&stack_top,
             {start, wait_for_watchdog, wait_for_watchdog, wait_for_watchdog, wait_for_watchdog,
              wait_for_watchdog}};
