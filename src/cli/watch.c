/* SPDX-License-Identifier: MIT
 *
 * elect --watch: shows the ring in a terminal, one line per sample, so it scrolls as the election
 * runs and works over any connection. Each character stands for one agent, or for several
 * neighbours, of which it shows the most important: L a leader, S a shielded one, > a live bullet,
 * - a dummy one, s a shield on its way, < a signal; reversed where bullets fly left. The colours
 * say the same again.
 */
#include <time.h>

#include "cli/election.h"

enum { LEAST_WIDTH = 20, MOST_WIDTH = 400, MARGIN = 34 };

/* The foremost first. */
static const struct kind {
    uint32_t marks;
    char letter;
    const char *colour;
} KINDS[] = {
    {RL_MARK_LEADER | RL_MARK_SHIELD, 'S', "\033[1;97;44m"},
    {RL_MARK_LEADER, 'L', "\033[1;30;103m"},
    {RL_MARK_LIVE, '>', "\033[1;91m"},
    {RL_MARK_DUMMY, '-', "\033[37m"},
    {RL_MARK_SHIELD, 's', "\033[94m"},
    {RL_MARK_SIGNAL, '<', "\033[36m"},
    {0, '.', "\033[90m"},
};

static size_t kind_of(uint32_t marks)
{
    size_t i = 0;
    while ((marks & KINDS[i].marks) != KINDS[i].marks)
        i++;
    return i;
}

/* Arrows point the way that things move. */
static char letter_of(const struct rl_protocol *protocol, size_t kind)
{
    const char letter = KINDS[kind].letter;
    if (!protocol->bullets_fly_left)
        return letter;
    return letter == '>' ? '<' : letter == '<' ? '>' : letter;
}

static uint32_t terminal_width(void)
{
    const int width = (int)terminal_columns(STDOUT_FILENO) - MARGIN;
    return (uint32_t)(width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width);
}

static void print_cells(const struct rl_ring *ring)
{
    const struct rl_look look = rl_look_of(ring->protocol);
    const uint32_t n = ring->params.n, room = terminal_width();
    const uint32_t width = n < room ? n : room;
    const bool coloured = takes_escapes(STDOUT_FILENO) && !getenv("NO_COLOR");
    size_t before = SIZE_MAX;
    for (uint32_t c = 0; c < width; c++) {
        size_t foremost = SIZE_MAX;
        for (uint32_t i = (uint32_t)((uint64_t)c * n / width); i < (uint64_t)(c + 1) * n / width;
             i++) {
            const size_t kind = kind_of(rl_look_marks(&look, rl_ring_get(ring, i)));
            foremost = kind < foremost ? kind : foremost;
        }
        if (coloured && foremost != before)
            printf("\033[0m%s", KINDS[foremost].colour);
        putchar(letter_of(ring->protocol, foremost));
        before = foremost;
    }
    fputs(coloured ? "\033[0m" : "", stdout);
}

static void print_sample(void *user, const struct rl_run *run, const struct rl_sample *sample)
{
    struct watch *watch = user;
    printf("%18s ", grouped(sample->step));
    print_cells(&run->ring);
    printf(" %s", grouped(sample->leaders));
    for (size_t i = 0; i < run->ring.protocol->set_count; i++)
        if (run->hits[i] == sample->step)
            printf(" %s", run->ring.protocol->sets[i].name);
    putchar('\n');
    fflush(stdout);
    if (watch->pace > 0 && !interrupted()) {
        const double seconds = 1 / watch->pace, before = seconds_now();
        const time_t whole = (time_t)seconds;
        const long rest = (long)(1e9 * (seconds - (double)whole));
        nanosleep(&(struct timespec){.tv_sec = whole, .tv_nsec = rest}, NULL);
        watch->waited += seconds_now() - before;
    }
}

void watch_election(struct watch *watch, struct rl_run *run)
{
    printf("%18s a character is one or more agents: L leader, S shielded one,\n"
           "%18s %c live bullet, - dummy bullet, %c signal, . nothing;\n"
           "%18s last the number of leaders\n",
           "step", "", letter_of(run->ring.protocol, kind_of(RL_MARK_LIVE)),
           letter_of(run->ring.protocol, kind_of(RL_MARK_SIGNAL)), "");
    rl_timeline_watch(&watch->timeline, run, watch, print_sample);
}
