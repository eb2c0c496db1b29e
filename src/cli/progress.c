/* SPDX-License-Identifier: MIT
 *
 * Progress on a terminal, Ctrl-C, and numbers for people.
 */
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct progress progress_begin(void)
{
    const double now = seconds_now();
    return (struct progress){.began = now, .shown = now + 0.9, .terminal = isatty(STDERR_FILENO)};
}

bool progress_due(struct progress *progress)
{
    if (!progress->terminal)
        return false;
    const double now = seconds_now();
    if (now < progress->shown + 0.1)
        return false;
    progress->shown = now;
    return true;
}

void progress_show(struct progress *progress, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    fflush(stderr);
    va_end(arguments);
    progress->visible = true;
}

void progress_end(struct progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}

static volatile sig_atomic_t interrupt_count;

static void on_interrupt(int number)
{
    interrupt_count++;
    if (interrupt_count > 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void)
{
    return interrupt_count > 0;
}

const char *grouped(uint64_t number)
{
    static struct rl_text_grouped buffers[8];
    static unsigned next;
    struct rl_text_grouped *buffer = &buffers[next++ % 8];
    *buffer = rl_text_grouped(number);
    return buffer->text;
}
