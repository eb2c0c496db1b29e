/* SPDX-License-Identifier: MIT
 *
 * Cycles on an AVR from one visit of an address to the next: board-cycles CHIP FIRMWARE ADDRESS
 * COUNT. Prints COUNT numbers. The address is hexadecimal, as nm prints it.
 */
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void be_silent(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    (void)level;
    (void)format;
    (void)arguments;
}

/* Runs on until the address comes; false: the program has ended. */
static bool run_to(avr_t *avr, avr_flashaddr_t address)
{
    do {
        const int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return false;
    } while (avr->pc != address);
    return true;
}

int main(int argc, char **argv)
{
    elf_firmware_t firmware = {0};
    avr_t *avr = argc == 5 ? avr_make_mcu_by_name(argv[1]) : NULL;
    avr_global_logger_set(be_silent);
    if (!avr || elf_read_firmware(argv[2], &firmware) || avr_init(avr)) {
        fputs("usage: board-cycles CHIP FIRMWARE ADDRESS COUNT\n", stderr);
        return 2;
    }
    avr_load_firmware(avr, &firmware);
    const avr_flashaddr_t address = (avr_flashaddr_t)strtoul(argv[3], NULL, 16);
    bool runs = run_to(avr, address);
    for (long count = strtol(argv[4], NULL, 10); count > 0 && runs; count--) {
        const avr_cycle_count_t before = avr->cycle;
        runs = run_to(avr, address);
        printf("%llu\n", (unsigned long long)(avr->cycle - before));
    }
    avr_terminate(avr);
    return runs ? 0 : 1;
}
