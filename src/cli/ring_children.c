/* SPDX-License-Identifier: MIT
 *
 * The nodes of a ring on this machine: one process each.
 *
 * Nodes are forked from the ring's process, which has bound all sockets beforehand; they end with
 * it, however it ends. Their logs are files in memory, read at the end; a node writes a decision
 * there before anybody hears of it, so it may be killed at any moment. Then it loses its own
 * memory; its socket stays open, so what was under way to it may reach its successor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cli/ring.h"

static uint32_t right_of(const struct real_ring *ring, uint32_t i)
{
    return i + 1 < ring->n ? i + 1 : 0;
}

static double ring_seconds(const struct real_ring *ring)
{
    return seconds_now() - ring->began;
}

uint64_t sum_counts(const struct real_ring *ring, size_t offset)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        sum += *(const uint64_t *)((const char *)&ring->children[i].counts + offset);
    return sum;
}

/* ---- starting ---- */

static _Noreturn void be_node(struct real_ring *ring, uint32_t i, pid_t parent)
{
    static struct rl_node node;
    struct child *child = &ring->children[i];
    const uint32_t who[] = {(i > 0 ? i : ring->n) - 1, i, right_of(ring, i)};
    char names[3][16];
    for (int k = 0; k < 3; k++)
        snprintf(names[k], sizeof names[k], "%u", who[k]);
    const struct rl_node_options options = {
        .rules = &ring->rules,
        .seal = rl_datagram_seal(&ring->rules, ring->key, names[0], names[1], names[2]),
        .left = ring->children[who[0]].address,
        .right = ring->children[who[2]].address,
        .rate = ring->rate,
        .word = child->counts.word,
        .socket = child->socket,
        .signals = rl_node_signals(SIGUSR1, SIGUSR1),
        .log = child->log,
        .state = -1,
        .out = -1,
        .trouble = &child->trouble,
        .counts = &child->counts,
    };
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the ring's process, which ends the nodes */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(getppid() != parent || rl_node_run(&node, &options, NULL) ? EXIT_OUTSIDE : EXIT_DONE);
}

static void start_child(struct real_ring *ring, uint32_t i, rl_state word)
{
    const pid_t parent = getpid();
    struct child *child = &ring->children[i];
    child->counts.word = ring->rules.link.legal(&ring->rules, word);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        be_node(ring, i, parent);
    if (pid < 0)
        die(EXIT_OUTSIDE, "node %u could not be started: %s", i, strerror(errno));
    child->pid = pid;
}

static void open_child(struct real_ring *ring, uint32_t i)
{
    struct rl_error *error = why();
    struct child *child = &ring->children[i];
    if (rl_address_parse("127.0.0.1:0", NULL, &child->address, error) ||
        rl_address_open(&child->address, &child->socket, error))
        die(EXIT_OUTSIDE, "node %u has no socket: %s", i, error->text);
    child->log = memfd_create("log", MFD_CLOEXEC);
    if (child->log < 0)
        die(EXIT_OUTSIDE, "node %u has no log: %s", i, strerror(errno));
    child->trouble = ring->trouble;
}

static void start_ring(struct real_ring *ring, const struct rl_ring *first)
{
    ring->began = seconds_now();
    void *shared = mmap(NULL, ring->n * sizeof *ring->children, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        die(EXIT_OUTSIDE, "out of memory");
    ring->children = shared;
    randombytes_buf(ring->key, sizeof ring->key);
    for (uint32_t i = 0; i < ring->n; i++)
        ring->children[i].socket = ring->children[i].log = -1;
    for (uint32_t i = 0; i < ring->n; i++)
        open_child(ring, i);
    for (uint32_t i = 0; i < ring->n; i++)
        start_child(ring, i, rl_ring_get(first, i));
}

/* ---- strikes ---- */

static void end_child(struct child *child)
{
    if (child->pid) {
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
    }
    child->pid = 0;
}

static void do_strike(struct real_ring *ring, const struct strike *strike)
{
    struct child *child = &ring->children[strike->node];
    const bool cut = strike->kind == STRIKE_CUT, network = cut || strike->kind == STRIKE_MEND;
    rl_state word;
    randombytes_buf(&word, sizeof word);
    if (network) {
        child->trouble.cut[true] += cut ? 1 : UINT32_MAX;
        ring->children[right_of(ring, strike->node)].trouble.cut[false] += cut ? 1 : UINT32_MAX;
    } else if (strike->kind == STRIKE_KILL)
        end_child(child);
    else if (strike->kind == STRIKE_BACK && !child->pid)
        start_child(ring, strike->node, word);
    else if (strike->kind == STRIKE_CORRUPT && child->pid)
        kill(child->pid, SIGUSR1);
    for (uint32_t i = 0; i < ring->n && !network; i++) /* the account begins after that */
        (void)!write(ring->children[i].log, "gap\n", 4);
    ring->calm_at = ring_seconds(ring);
    ring->calm_after = SUM(ring, decided);
}

/* What is due; says whether anything is still to come. */
static bool do_strikes(struct real_ring *ring)
{
    bool more = false;
    for (size_t k = 0; k < ring->strike_count; k++) {
        struct strike *strike = &ring->strikes[k];
        if (!strike->done && ring_seconds(ring) >= strike->at) {
            strike->done = true;
            do_strike(ring, strike);
        }
        more |= !strike->done;
    }
    return more;
}

/* ---- watching ---- */

/* Who leads: a decision changes the output of the one who decides, if anybody's. */
static void count_leaders(struct real_ring *ring)
{
    uint32_t leaders = 0, leader = 0;
    for (uint32_t i = 0; i < ring->n; i++) {
        struct child *child = &ring->children[i];
        if (child->pid && waitpid(child->pid, NULL, WNOHANG) == child->pid) {
            child->pid = 0;
            die(EXIT_OUTSIDE, "a node stopped by itself");
        }
        if (child->pid && ring->rules.protocol->leads(child->counts.word)) {
            leaders++;
            leader = i;
        }
    }
    if (leaders == 1 && (ring->leaders != 1 || ring->leader != leader)) {
        ring->sole_at = ring_seconds(ring);
        ring->sole_after = SUM(ring, decided);
    }
    ring->leaders = leaders;
    ring->leader = leader;
}

void hold_ring(struct real_ring *ring, const struct rl_ring *first)
{
    start_ring(ring, first);
    struct progress progress = progress_begin();
    while (!ring->elected && !interrupted() && ring_seconds(ring) < ring->limit) {
        const bool more = do_strikes(ring);
        count_leaders(ring);
        const double last = ring->calm_at > ring->sole_at ? ring->calm_at : ring->sole_at;
        ring->elected = !more && ring->leaders == 1 && ring_seconds(ring) >= last + ring->hold;
        if (progress_due(&progress))
            show_ring(&progress, ring);
        (void)poll(NULL, 0, 20);
    }
    progress_end(&progress);
    for (uint32_t i = 0; i < ring->n; i++)
        end_child(&ring->children[i]);
}

void free_children(struct real_ring *ring)
{
    for (uint32_t i = 0; ring->children && i < ring->n; i++) {
        end_child(&ring->children[i]);
        close(ring->children[i].socket);
        close(ring->children[i].log);
    }
    if (ring->children)
        munmap(ring->children, ring->n * sizeof *ring->children);
}
