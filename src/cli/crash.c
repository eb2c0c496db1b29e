/* SPDX-License-Identifier: MIT
 *
 * Protocols from files that crash or hang although they passed the trial: the program says which
 * one and ends. A study commits ten times a second, so only the trials in flight are lost.
 *
 * A tick comes after every second of processor time, to the thread that used it. The handlers have
 * their own stack, because a protocol may have used up the usual one. Here it is for the main
 * thread; crew.c has it for workers.
 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <sys/time.h>

#include "cli/cli.h"

static unsigned patience; /* in ticks */

/* In a signal handler: nothing but our own text and write. */
static _Noreturn void end_at_once(const char *what)
{
    const struct rl_point *point;
    uint64_t trial;
    char memory[300];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    if (rl_trial_now(&point, &trial))
        rl_text_format(&text,
                       "ringleader: protocol %s %s in trial %llu with n = %u from start %s; the "
                       "trials written before are kept\n",
                       point->run.protocol->name, what, (unsigned long long)trial,
                       point->run.params.n, point->run.start);
    else
        rl_text_format(&text, "ringleader: a protocol from a file %s\n", what);
    (void)!write(STDERR_FILENO, memory, strlen(memory));
    _exit(EXIT_OUTSIDE);
}

static void on_signal(int signal)
{
    static _Thread_local unsigned beats_seen, ticks;
    const struct rl_point *point;
    uint64_t trial;
    const unsigned beats = rl_trial_now(&point, &trial);
    if (signal != SIGVTALRM)
        end_at_once("crashed");
    ticks = beats && beats == beats_seen ? ticks + 1 : 0;
    beats_seen = beats;
    if (ticks > patience)
        end_at_once("does not return");
}

void catch_crashes(void)
{
    static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};
    static char spare[1 << 14];
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigaltstack(&(stack_t){.ss_sp = spare, .ss_size = sizeof spare}, NULL);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++)
        sigaction(SIGNALS[i], &action, NULL);
}

void catch_hangs(unsigned seconds)
{
    patience = seconds;
    catch_crashes();
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){{1, 0}, {1, 0}}, NULL);
}
