/* SPDX-License-Identifier: MIT
 *
 * elect --watch: shows the ring in a terminal, one line per sample, so it scrolls as the election
 * runs and works over any connection. Each character stands for one agent, or for several
 * neighbours, of which it shows the most important. The colours say the same again.
 */
#include <time.h>

#include "cli/election.h"

enum { LEAST_WIDTH = 20, MARGIN = 34, SECOND = 1000000000 };

/* The foremost first. */
static const struct {
    uint32_t marks;
    char letter;
    const char *colour;
} KINDS[] = {
    {RL_MARK_LEADER | RL_MARK_SHIELD, 'S', "\033[1;97;44m"},
    {RL_MARK_LEADER, 'L', "\033[1;30;103m"},
    {RL_MARK_LIVE, 'o', "\033[1;91m"},
    {RL_MARK_DUMMY, '-', "\033[37m"},
    {RL_MARK_SHIELD, 's', "\033[94m"},
    {RL_MARK_SIGNAL, '!', "\033[36m"},
    {0, '.', "\033[90m"},
};

static void print_cells(const struct rl_ring *ring)
{
    const struct rl_look look = rl_look_of(ring->protocol);
    const unsigned columns = terminal_columns(STDOUT_FILENO);
    const uint64_t n = ring->params.n;
    const uint64_t room = columns < LEAST_WIDTH + MARGIN ? LEAST_WIDTH : columns - MARGIN;
    const uint64_t width = n < room ? n : room;
    const bool coloured = takes_escapes(STDOUT_FILENO) && !getenv("NO_COLOR");
    for (uint64_t c = 0; c < width; c++) {
        size_t foremost = sizeof KINDS / sizeof KINDS[0] - 1;
        for (uint64_t i = c * n / width; i < (c + 1) * n / width; i++) {
            const uint32_t marks = rl_look_marks(&look, rl_ring_get(ring, (uint32_t)i));
            for (size_t kind = 0; kind < foremost; kind++)
                if ((marks & KINDS[kind].marks) == KINDS[kind].marks)
                    foremost = kind;
        }
        printf("%s%c", coloured ? KINDS[foremost].colour : "", KINDS[foremost].letter);
        fputs(coloured ? "\033[0m" : "", stdout);
    }
}

static void print_sample(void *user, const struct rl_run *run, const struct rl_sample *sample)
{
    const long pause = *(const long *)user; /* nanoseconds */
    printf("%18s ", grouped(sample->step));
    print_cells(&run->ring);
    printf(" %s", grouped(sample->leaders));
    for (size_t i = 0; i < run->ring.protocol->set_count; i++)
        if (run->hits[i] == sample->step)
            printf(" %s", run->ring.protocol->sets[i].name);
    putchar('\n');
    fflush(stdout);
    if (!interrupted())
        nanosleep(&(struct timespec){pause / SECOND, pause % SECOND}, NULL);
}

void watch_election(struct rl_run *run, uint64_t pace)
{
    static struct rl_timeline timeline;
    static long pause;
    pause = pace > 0 ? SECOND / (long)pace : 0;
    printf("%18s a character is one or more agents: L leader, S shielded one,\n"
           "%18s o live bullet, - dummy bullet, ! signal, . nothing;\n"
           "%18s last the number of leaders\n",
           "step", "", "");
    rl_timeline_watch(&timeline, run, &pause, print_sample);
}
