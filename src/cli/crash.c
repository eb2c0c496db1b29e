/* SPDX-License-Identifier: MIT
 *
 * Protocols from files that crash, or do not come back, although they were tried.
 *
 * In a study a thread that crashes stands still; the thread that writes sees it, keeps what is
 * finished and ends the program. A rank of MPI that does not write ends at once, after a word, and
 * MPI ends the others: what they had sent is in the file.
 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/cli.h"

static struct {
    const struct rl_point *volatile point;
    volatile uint64_t trial;
    volatile sig_atomic_t signal;
} crash;

/* Of a rank that does not write: how long it waits, in ticks of a second of its own time. */
static struct {
    unsigned patience; /* 0: this is no such rank */
    unsigned beats, ticks;
} rank;

/* In a signal handler: nothing but our own text and write. */
static _Noreturn void end_at_once(const char *what, const struct rl_point *point, uint64_t trial)
{
    char memory[300];
    struct rl_text text = rl_text_into(memory, sizeof memory);
    if (point)
        rl_text_format(&text,
                       "ringleader: protocol %s %s in trial %llu with n = %u from start %s; the "
                       "trials written before are kept\n",
                       point->protocol->name, what, (unsigned long long)trial, point->params.n,
                       point->start);
    else
        rl_text_format(&text, "ringleader: a protocol from a file %s\n", what);
    const ssize_t written = write(STDERR_FILENO, memory, strlen(memory));
    (void)written;
    _exit(EXIT_OUTSIDE);
}

static void on_crash(int signal)
{
    const struct rl_point *point;
    uint64_t trial;
    if (!rl_trial_now(&point, &trial) || rank.patience)
        end_at_once("crashed", point, trial);
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

static void on_tick(int signal)
{
    const struct rl_point *point;
    uint64_t trial;
    (void)signal;
    const unsigned beats = rl_trial_beats();
    const bool stands =
        rl_trial_now(&point, &trial) && point->protocol->hash && beats == rank.beats;
    rank.beats = beats;
    rank.ticks = stands ? rank.ticks + 1 : 0;
    if (rank.ticks > rank.patience)
        end_at_once("does not come back", point, trial);
}

void watch_rank(unsigned seconds)
{
    const struct itimerval second = {{1, 0}, {1, 0}};
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    rank.patience = seconds;
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &second, NULL);
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

int tell_stuck(const struct rl_point *point, uint64_t trial, double seconds)
{
    return complain(EXIT_OUTSIDE,
                    "protocol %s does not come back (not within %.0f s) in trial %llu with n = %u "
                    "from start %s; the trials finished before are kept",
                    point->protocol->name, seconds, (unsigned long long)trial, point->params.n,
                    point->start);
}
