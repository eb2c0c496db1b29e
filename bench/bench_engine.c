/* SPDX-License-Identifier: MIT
 *
 * How fast the engines are, as ratios taken in one run: machines are shared and noisy, so absolute
 * figures promise nothing.
 *
 * First the plain engine beside the loop one would write first (states as structs of ints, the
 * transition behind a function pointer). Then the event engine beside the plain one: an election
 * of n agents takes the plain engine (ns a step) x (steps), which for large n is computed, not
 * waited for. Every election runs in a process of its own, so that its peak memory is its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ringleader.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the loop one would write first ---- */

struct plain_agent {
    int leader, bullet, shield, signal, dist;
};

static void plain_interact(int N, struct plain_agent *l, struct plain_agent *r)
{
    if (l->leader)
        l->dist = 0;
    if (r->leader)
        r->dist = 0;
    else if (r->bullet == 0)
        r->dist = l->dist + 1 < N ? l->dist + 1 : N;
    if (r->dist == N)
        *r = (struct plain_agent){.leader = 1, .bullet = 2, .shield = 1};
    if (l->leader && l->signal)
        l->bullet = 2, l->shield = 1, l->signal = 0;
    if (r->leader && r->signal)
        r->bullet = 1, r->shield = 0, r->signal = 0;
    if (l->bullet > 0 && r->leader) {
        if (l->bullet == 2 && !r->shield)
            r->leader = 0;
        l->bullet = 0;
    } else if (l->bullet > 0) {
        if (r->bullet == 0)
            r->bullet = l->bullet;
        l->bullet = 0;
        r->signal = 0;
    }
    l->signal = l->signal || r->signal || r->leader;
}

static double naive_ns_a_step(uint32_t n, uint64_t steps)
{
    void (*volatile interact)(int, struct plain_agent *, struct plain_agent *) = plain_interact;
    struct plain_agent *agents = calloc(n, sizeof *agents);
    struct rl_random random;
    rl_random_init(&random, 1, 0, RL_PURPOSE_SCHEDULE);
    if (!agents)
        exit(3);
    for (uint32_t i = 0; i < n; i++)
        agents[i].dist = (int)rl_random_below(&random, n);
    const double begin = now();
    for (uint64_t i = 0; i < steps; i++) {
        const uint32_t arc = rl_random_below(&random, n);
        interact((int)n, &agents[arc], &agents[(arc + 1) % n]);
    }
    const double ns = (now() - begin) / (double)steps * 1e9;
    free(agents);
    return ns;
}

/* ---- the engines ---- */

static struct rl_experiment election(uint32_t n, const char *start, enum rl_engine_kind engine)
{
    const struct rl_protocol *protocol = rl_protocol_named("prl");
    return (struct rl_experiment){.protocol = protocol,
                                  .params = {.n = n, .value = {n}},
                                  .seed = 1,
                                  .start = start,
                                  .engine = engine,
                                  .end.set = protocol->target,
                                  .end.max_steps = RL_NEVER};
}

struct outcome {
    double seconds;
    uint64_t steps, events;
    long peak_kib;
};

static struct outcome run_here(const struct rl_experiment *options)
{
    struct rl_run run;
    const double begin = now();
    if (rl_run_init(&run, options, NULL))
        exit(3);
    while (rl_run_advance(&run) == RL_RUNNING)
        continue;
    struct outcome outcome = {.seconds = now() - begin, .steps = run.step, .events = run.events};
    rl_run_free(&run);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    outcome.peak_kib = usage.ru_maxrss;
    return outcome;
}

/* In a child, for the sake of its peak memory. */
static struct outcome run_apart(const struct rl_experiment *options)
{
    int ends[2];
    struct outcome outcome = {0};
    fflush(stdout);
    if (pipe(ends))
        exit(3);
    if (fork() == 0) {
        outcome = run_here(options);
        _exit(write(ends[1], &outcome, sizeof outcome) != sizeof outcome);
    }
    close(ends[1]);
    if (read(ends[0], &outcome, sizeof outcome) != sizeof outcome)
        exit(3);
    close(ends[0]);
    wait(NULL);
    return outcome;
}

static double plain_ns_a_step(uint32_t n, const char *start, uint64_t steps)
{
    struct rl_experiment options = election(n, start, RL_ENGINE_STEP);
    options.end.kind = RL_UNTIL_STEPS;
    options.end.steps = steps;
    const struct outcome outcome = run_apart(&options);
    return outcome.seconds / (double)outcome.steps * 1e9;
}

/* ---- the tables ---- */

static void compare_plain_with_naive(void)
{
    const uint64_t steps = UINT64_C(60000000);
    const double naive = naive_ns_a_step(1000, steps);
    const double plain = plain_ns_a_step(1000, "random", steps);
    printf("plain engine, n = N = 1000, start random, %.0e steps\n", (double)steps);
    printf("  %-44s %8.2f ns a step\n", "loop with structs and a function pointer", naive);
    printf("  %-44s %8.2f ns a step, %.0f million steps a second\n", "engine step", plain,
           1e3 / plain);
    printf("  %-44s %8.2f\n\n", "ratio", naive / plain);
}

/* Slope of ln(seconds) over ln(n), by least squares. */
static double growth(const double *n, const double *seconds, size_t count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < count; i++) {
        const double x = log(n[i]), y = log(seconds[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return ((double)count * sxy - sx * sy) / ((double)count * sxx - sx * sx);
}

static void compare_event_with_plain(const char *start, uint32_t least, uint32_t most)
{
    double sizes[16], seconds[16];
    size_t count = 0;
    for (uint64_t n = least; n <= most; n *= 10) {
        const double plain = plain_ns_a_step((uint32_t)n, start, UINT64_C(20000000));
        const struct rl_experiment options = election((uint32_t)n, start, RL_ENGINE_EVENT);
        const struct outcome event = run_apart(&options);
        printf("%10llu %-11s %9.2f %10.1f %13llu %17llu %12.0f %9.1f\n", (unsigned long long)n,
               start, plain, event.seconds / (double)event.events * 1e9,
               (unsigned long long)event.events, (unsigned long long)event.steps,
               plain * 1e-9 * (double)event.steps / event.seconds, (double)event.peak_kib / 1024);
        /* Below 10^4 agents the set-up of an election counts for too much. */
        if (n >= 10000) {
            sizes[count] = (double)n;
            seconds[count++] = event.seconds;
        }
    }
    if (count > 1)
        printf("%10s %-11s event engine's cost grows as n^%.2f from n = 10^4 on\n", "", start,
               growth(sizes, seconds, count));
}

static void many_small_elections(uint32_t n, uint64_t trials)
{
    struct rl_experiment options = election(n, "random", RL_ENGINE_EVENT);
    double steps = 0;
    const double begin = now();
    for (options.trial = 0; options.trial < trials; options.trial++)
        steps += (double)run_here(&options).steps;
    printf("\n%llu elections of n = N = %u from start random: %.1f s, mean %.4g steps = %.3f nN\n",
           (unsigned long long)trials, n, now() - begin, steps / (double)trials,
           steps / (double)trials / n / n);
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    static const char *const starts[] = {"random", "leaderless", "leaders", "shielded"};
    compare_plain_with_naive();
    printf("%10s %-11s %9s %10s %13s %17s %12s %9s\n", "n = N", "start", "plain", "event", "events",
           "steps", "plain/event", "peak");
    printf("%10s %-11s %9s %10s %13s %17s %12s %9s\n", "", "", "ns/step", "ns/event", "", "",
           "time", "MiB");
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        compare_event_with_plain(starts[i], 1000, quick ? 10000 : 1000000);
    many_small_elections(1000, quick ? 200 : 10000);
    return 0;
}
