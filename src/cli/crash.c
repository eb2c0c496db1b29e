/* SPDX-License-Identifier: MIT
 *
 * Protocols from files that crash although they were tried.
 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static struct {
    const struct rl_point *volatile point;
    volatile uint64_t trial;
    volatile sig_atomic_t signal;
} crash;

static void on_crash(int signal)
{
    static const char TEXT[] = "ringleader: a protocol from a file crashed\n";
    const struct rl_point *point;
    uint64_t trial;
    if (!rl_trial_now(&point, &trial)) {
        const ssize_t written = write(STDERR_FILENO, TEXT, sizeof TEXT - 1);
        (void)written;
        _exit(EXIT_OUTSIDE);
    }
    crash.trial = trial;
    crash.point = point;
    crash.signal = signal;
    for (;;)
        pause();
}

void catch_crashes(void)
{
    static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action = {.sa_handler = on_crash};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++)
        sigaction(SIGNALS[i], &action, NULL);
}

bool has_crashed(void)
{
    return crash.signal != 0;
}

int tell_crash(void)
{
    const struct rl_point *point = crash.point;
    return complain(EXIT_OUTSIDE,
                    "protocol %s crashed (%s) in trial %llu with n = %u from start %s; the trials "
                    "finished before are kept",
                    point->protocol->name, strsignal(crash.signal), (unsigned long long)crash.trial,
                    point->params.n, point->start);
}
