/* SPDX-License-Identifier: MIT
 *
 * The nodes of a ring on this machine: one process each, that tells its log through a pipe.
 *
 * Nodes are forked from the ring's process, which has bound all sockets beforehand; they end with
 * it, however it ends. Counters are in shared memory. A node that is killed loses its memory; the
 * ring's process keeps its socket open, so what was under way to it may reach its successor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "cli/ring.h"

#define BACK_AFTER 1.0 /* seconds: when a killed node comes back */
#define PATIENCE   2.0 /* seconds that a node has to leave */

static uint32_t left_of(const struct real_ring *ring, uint32_t i)
{
    return (i > 0 ? i : ring->n) - 1;
}

static uint32_t right_of(const struct real_ring *ring, uint32_t i)
{
    return i + 1 < ring->n ? i + 1 : 0;
}

static double ring_seconds(const struct real_ring *ring)
{
    return seconds_now() - ring->began;
}

/* ---- a node's side ---- */

static int child_signals(void)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGUSR1);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the ring's process, which ends the nodes */
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    return signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void be_node(struct real_ring *ring, uint32_t i, rl_state word, int log, pid_t parent)
{
    static struct rl_node node;
    const struct child *child = &ring->children[i];
    const struct rl_rules *rules = &ring->rules;
    char left[16], name[16], right[16];
    snprintf(left, sizeof left, "%u", left_of(ring, i));
    snprintf(name, sizeof name, "%u", i);
    snprintf(right, sizeof right, "%u", right_of(ring, i));
    const struct rl_node_options options = {
        .rules = rules,
        .seal = rl_datagram_seal(rules, ring->key, left, name, right),
        .left = ring->children[left_of(ring, i)].address,
        .right = ring->children[right_of(ring, i)].address,
        .rate = ring->rate,
        .word = word,
        .socket = child->socket,
        .signals = child_signals(),
        .log = log,
        .state = -1,
        .trouble = ring->troubled ? &child->trouble : NULL,
        .counts = &ring->counts[i],
    };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_OUTSIDE);
    for (uint32_t k = 0; k < ring->n; k++) {
        if (k != i)
            close(ring->children[k].socket);
        if (ring->children[k].log >= 0)
            close(ring->children[k].log);
    }
    _exit(rl_node_run(&node, &options, NULL) ? EXIT_OUTSIDE : EXIT_DONE);
}

/* ---- the ring's side ---- */

static void start_child(struct real_ring *ring, uint32_t i, rl_state word)
{
    int ends[2];
    const pid_t parent = getpid();
    struct child *child = &ring->children[i];
    if (pipe2(ends, O_CLOEXEC) != 0)
        die(EXIT_OUTSIDE, "node %u could not be started: %s", i, strerror(errno));
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_node(ring, i, word, ends[1], parent);
    }
    close(ends[1]);
    child->log = ends[0];
    if (pid < 0)
        die(EXIT_OUTSIDE, "node %u could not be started: %s", i, strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    child->pid = pid;
    child->used = 0;
}

static void open_socket(struct real_ring *ring, uint32_t i)
{
    struct rl_address loopback;
    struct rl_error *error = why();
    struct child *child = &ring->children[i];
    if (rl_address_parse("127.0.0.1:0", NULL, &loopback, error) ||
        rl_address_open(&loopback, &child->socket, error) ||
        rl_address_of(child->socket, &child->address))
        die(EXIT_OUTSIDE, "node %u has no socket: %s", i, error->text);
}

/* Cuts are known to the two nodes at the ends of the link beforehand. */
static void plan_cuts(struct real_ring *ring, uint32_t i)
{
    struct rl_trouble *trouble = &ring->children[i].trouble;
    *trouble = ring->trouble;
    trouble->cuts = claim((2 * ring->strike_count + 1) * sizeof *trouble->cuts, NULL);
    for (size_t k = 0; k < ring->strike_count; k++) {
        const struct strike *strike = &ring->strikes[k];
        struct rl_cut cut = {true, ring->began + strike->at, ring->began + strike->until};
        if (strike->kind == STRIKE_CUT && strike->node == i)
            trouble->cuts[trouble->cut_count++] = cut;
        cut.right = false;
        if (strike->kind == STRIKE_CUT && right_of(ring, strike->node) == i)
            trouble->cuts[trouble->cut_count++] = cut;
    }
}

void start_ring(struct real_ring *ring, const rl_state *words)
{
    ring->began = seconds_now();
    ring->counts = mmap(NULL, ring->n * sizeof *ring->counts, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ring->children = calloc(ring->n, sizeof *ring->children);
    if (!ring->children || ring->counts == MAP_FAILED)
        die(EXIT_OUTSIDE, "out of memory");
    randombytes_buf(ring->key, sizeof ring->key);
    for (uint32_t i = 0; i < ring->n; i++)
        ring->children[i].socket = ring->children[i].log = -1;
    for (uint32_t i = 0; i < ring->n; i++) {
        open_socket(ring, i);
        plan_cuts(ring, i);
    }
    for (uint32_t i = 0; i < ring->n; i++)
        start_child(ring, i, words[i]);
}

/* ---- listening ---- */

static void take_entry(struct real_ring *ring, struct child *child, const struct rl_entry *entry)
{
    check(rl_journal_add(&ring->journals[child - ring->children], entry), NULL);
    child->word = entry->kind == RL_JOURNAL_HEARD  ? entry->l_after
                  : entry->kind == RL_JOURNAL_DONE ? entry->r_after
                                                   : entry->r;
    ring->interactions += entry->kind == RL_JOURNAL_DONE;
}

static void take_bytes(struct real_ring *ring, struct child *child, const char *bytes, size_t size)
{
    struct rl_entry entry;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\n' && child->used < sizeof child->line) {
            child->line[child->used++] = bytes[i];
            continue;
        }
        if (!rl_journal_parse(child->line, child->used, &entry))
            die(EXIT_OUTSIDE, "a node wrote something that is not a log line");
        take_entry(ring, child, &entry);
        child->used = 0;
    }
}

static void hear(struct real_ring *ring, struct child *child)
{
    char bytes[4096];
    while (child->log >= 0) {
        const ssize_t size = read(child->log, bytes, sizeof bytes);
        if (size > 0)
            take_bytes(ring, child, bytes, (size_t)size);
        else if (size < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        else {
            close(child->log);
            child->log = -1;
        }
    }
}

/* Says whether anybody may tell more. */
static bool hear_all(struct real_ring *ring)
{
    bool more = false;
    for (uint32_t i = 0; i < ring->n; i++) {
        hear(ring, &ring->children[i]);
        more |= ring->children[i].log >= 0;
    }
    return more;
}

/* Who leads, as far as told: a decision is told by the one whose output it may change. */
static void count_leaders(struct real_ring *ring)
{
    uint32_t leaders = 0, leader = 0;
    for (uint32_t i = 0; i < ring->n; i++) {
        const struct child *child = &ring->children[i];
        if (child->pid && ring->journals[i].count > 0 && ring->rules.protocol->leads(child->word)) {
            leaders++;
            leader = i;
        }
    }
    if (leaders == 1 && (ring->leaders != 1 || ring->leader != leader)) {
        ring->sole_at = ring_seconds(ring);
        ring->sole_after = ring->interactions;
    }
    ring->leaders = leaders;
    ring->leader = leader;
}

/* ---- strikes ---- */

static void calm_from_now(struct real_ring *ring)
{
    hear_all(ring);
    ring->calm_at = ring_seconds(ring);
    ring->calm_after = ring->interactions;
}

/* A node's memory is not what it was: the account begins after that. */
static void begin_account(struct real_ring *ring)
{
    calm_from_now(ring);
    for (uint32_t i = 0; i < ring->n; i++)
        ring->children[i].since = ring->journals[i].count;
}

static void reap(struct real_ring *ring, struct child *child)
{
    waitpid(child->pid, NULL, 0);
    child->pid = 0;
    hear(ring, child); /* to the end; a line is written whole or not */
}

static void kill_child(struct real_ring *ring, struct child *child)
{
    child->back_at = ring_seconds(ring) + BACK_AFTER;
    if (!child->pid)
        return;
    kill(child->pid, SIGKILL);
    reap(ring, child);
    begin_account(ring);
}

static void bring_back(struct real_ring *ring, uint32_t i)
{
    struct child *child = &ring->children[i];
    rl_state word;
    randombytes_buf(&word, sizeof word);
    start_child(ring, i, word);
    child->back_at = 0;
    begin_account(ring);
}

static void do_strike(struct real_ring *ring, const struct strike *strike)
{
    struct child *child = &ring->children[strike->node];
    if (strike->kind == STRIKE_KILL)
        kill_child(ring, child);
    else if (strike->kind == STRIKE_CORRUPT && child->pid) {
        kill(child->pid, SIGUSR1);
        begin_account(ring);
    } else if (strike->kind == STRIKE_CUT)
        calm_from_now(ring); /* its end */
}

static void watch_deaths(struct real_ring *ring)
{
    for (uint32_t i = 0; i < ring->n; i++) {
        struct child *child = &ring->children[i];
        if (child->pid && child->log < 0) {
            reap(ring, child);
            die(EXIT_OUTSIDE, "a node stopped by itself");
        }
    }
}

static void do_strikes(struct real_ring *ring, double now)
{
    for (size_t k = 0; k < ring->strike_count; k++) {
        struct strike *strike = &ring->strikes[k];
        if (strike->done || now < (strike->kind == STRIKE_CUT ? strike->until : strike->at))
            continue;
        strike->done = true;
        do_strike(ring, strike);
    }
    for (uint32_t i = 0; i < ring->n; i++)
        if (ring->children[i].back_at > 0 && now >= ring->children[i].back_at)
            bring_back(ring, i);
}

void tend_ring(struct real_ring *ring)
{
    (void)poll(NULL, 0, 20); /* pipes hold more than is told in that time */
    hear_all(ring);
    watch_deaths(ring);
    do_strikes(ring, ring_seconds(ring));
    count_leaders(ring);
}

/* ---- the end ---- */

void end_ring(struct real_ring *ring)
{
    const double until = seconds_now() + PATIENCE;
    for (uint32_t i = 0; i < ring->n; i++)
        if (ring->children[i].pid)
            kill(ring->children[i].pid, SIGTERM);
    while (hear_all(ring) && seconds_now() < until)
        (void)poll(NULL, 0, 5);
    for (uint32_t i = 0; i < ring->n; i++)
        if (ring->children[i].pid) {
            kill(ring->children[i].pid, SIGKILL);
            reap(ring, &ring->children[i]);
        }
}

void free_children(struct real_ring *ring)
{
    for (uint32_t i = 0; ring->children && i < ring->n; i++) {
        struct child *child = &ring->children[i];
        if (child->pid) {
            kill(child->pid, SIGKILL);
            waitpid(child->pid, NULL, 0);
        }
        if (child->socket >= 0)
            close(child->socket);
        if (child->log >= 0)
            close(child->log);
    }
    if (ring->counts && ring->counts != MAP_FAILED)
        munmap(ring->counts, ring->n * sizeof *ring->counts);
    free(ring->children);
}
