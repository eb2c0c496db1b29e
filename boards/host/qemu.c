/* SPDX-License-Identifier: MIT
 *
 * Boards of the kind lm3s6965evb (Cortex-M3), in QEMU: a process each, in real time.
 *
 * A board's three serial lines and QEMU's door for debuggers are socket pairs, so nothing is left
 * in the file system. Memory is written through that door, before the first instruction and when it
 * is to be overwritten; so it survives resets, which an image given to QEMU would undo. A processor
 * that locks up ends its QEMU, where a real one would be reset by its watchdog.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gdb.h"
#include "ring.h"

enum { RAM = 0x20000000, RAM_BYTES = 65536 };
enum { CONSOLE, TO_LEFT, TO_RIGHT, DEBUGGER, SOCKETS }; /* UART0, 1, 2, and GDB's */

struct machine {
    pid_t pid; /* 0: none */
    int sockets[SOCKETS];
};

struct machines {
    struct machine machine[MOST_BOARDS];
    double began;
};

static void fail(struct ring *ring, const char *what, uint32_t i)
{
    snprintf(ring->broken, sizeof ring->broken, "board %u: %s", i, what);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double now(struct ring *ring)
{
    const struct machines *machines = ring->emulated;
    return seconds() - machines->began;
}

/* ---- one machine ---- */

/* Becomes QEMU, in a process group of its own: Ctrl-C is for the parent. */
static void become_qemu(const struct ring *ring, uint32_t i, const int ends[SOCKETS])
{
    char device[SOCKETS][64], said[4096];
    snprintf(said, sizeof said, "%s/%02u.qemu", ring->logs, i);
    dup2(open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    for (int k = 0; k < SOCKETS; k++) {
        snprintf(device[k], sizeof device[k], "socket,id=s%d,fd=%d", k, ends[k]);
        fcntl(ends[k], F_SETFD, 0);
    }
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execlp("qemu-system-arm", "qemu-system-arm", "-M", "lm3s6965evb", "-display", "none",
           "-nodefaults", "-S", "-kernel", ring->firmware, "-chardev", device[CONSOLE], "-chardev",
           device[TO_LEFT], "-chardev", device[TO_RIGHT], "-chardev", device[DEBUGGER], "-serial",
           "chardev:s0", "-serial", "chardev:s1", "-serial", "chardev:s2", "-gdb", "chardev:s3",
           (char *)NULL);
    _exit(127);
}

static bool open_sockets(int ours[SOCKETS], int theirs[SOCKETS])
{
    for (int k = 0; k < SOCKETS; k++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            return false;
        ours[k] = pair[0];
        theirs[k] = pair[1];
        if (k != DEBUGGER)
            fcntl(ours[k], F_SETFL, O_NONBLOCK);
    }
    return true;
}

static void fill(struct ring *ring, uint32_t i, enum image image, size_t count)
{
    const struct machine *machine = ring->boards[i].emulated;
    uint8_t bytes[RAM_BYTES];
    fill_memory(ring, image, bytes, count);
    if (!gdb_write(machine->sockets[DEBUGGER], RAM, bytes, count))
        fail(ring, "QEMU does not answer", i);
}

static void let_run(struct ring *ring, uint32_t i)
{
    const struct machine *machine = ring->boards[i].emulated;
    if (!gdb_run(machine->sockets[DEBUGGER]))
        fail(ring, "QEMU does not answer", i);
}

/* A QEMU that stands still before its first instruction. */
static void start_machine(struct ring *ring, uint32_t i)
{
    struct machine *machine = ring->boards[i].emulated;
    int theirs[SOCKETS];
    if (!open_sockets(machine->sockets, theirs)) {
        fail(ring, "no more sockets", i);
        return;
    }
    machine->pid = fork();
    if (machine->pid == 0)
        become_qemu(ring, i, theirs);
    for (int k = 0; k < SOCKETS; k++)
        close(theirs[k]);
    if (machine->pid < 0) {
        machine->pid = 0;
        fail(ring, "no more processes", i);
    }
}

static void switch_on(struct ring *ring, uint32_t i)
{
    const struct machine *machine = ring->boards[i].emulated;
    if (!machine->pid)
        start_machine(ring, i);
    if (ring->broken[0])
        return;
    fill(ring, i, ring->boards[i].image, RAM_BYTES);
    let_run(ring, i);
}

/* All processes are started first: it takes a while, in which boards that run would starve. */
static bool begin(struct ring *ring)
{
    struct machines *machines = calloc(1, sizeof *machines);
    ring->emulated = machines;
    if (!machines)
        fail(ring, "out of memory", 0);
    for (uint32_t i = 0; i < ring->n && !ring->broken[0]; i++) {
        ring->boards[i].emulated = &machines->machine[i];
        start_machine(ring, i);
    }
    if (machines)
        machines->began = seconds();
    return !ring->broken[0];
}

/* Reads what there is on a line; false: its other end is closed. */
static bool read_line(struct ring *ring, uint32_t i, int line)
{
    const struct machine *machine = ring->boards[i].emulated;
    uint8_t bytes[4096];
    ssize_t count;
    while ((count = read(machine->sockets[line], bytes, sizeof bytes)) > 0)
        for (ssize_t k = 0; k < count; k++)
            if (line == CONSOLE)
                board_says(ring, i, bytes[k]);
            else
                wire_carry(ring, i, line == TO_LEFT ? LEFT : RIGHT, bytes[k]);
    return count < 0 && (errno == EAGAIN || errno == EINTR);
}

static void switch_off(struct ring *ring, uint32_t i)
{
    struct machine *machine = ring->boards[i].emulated;
    if (!machine->pid)
        return;
    kill(machine->pid, SIGKILL);
    waitpid(machine->pid, NULL, 0);
    machine->pid = 0;
    read_line(ring, i, CONSOLE);
    for (int k = 0; k < SOCKETS; k++)
        close(machine->sockets[k]);
}

/* Stops a board; all that it said is heard then. */
static void stop(struct ring *ring, uint32_t i)
{
    const struct machine *machine = ring->boards[i].emulated;
    if (!gdb_stop(machine->sockets[DEBUGGER]))
        fail(ring, "QEMU does not answer", i);
    read_line(ring, i, CONSOLE);
}

/* The stack is at the end. A board asleep has nothing on it that it needs; so that "all" be worth
 * its name, it goes on anywhere. */
static void overwrite(struct ring *ring, uint32_t i, bool all)
{
    const struct machine *machine = ring->boards[i].emulated;
    stop(ring, i);
    board_struck(ring, i);
    fill(ring, i, IMAGE_RANDOM, all ? RAM_BYTES : RAM_BYTES / 2);
    if (!all)
        let_run(ring, i);
    else if (!gdb_run_at(machine->sockets[DEBUGGER], (uint32_t)rl_random_next(&ring->random)))
        fail(ring, "QEMU does not answer", i);
}

/* A neighbour that does not read loses what is sent. */
static void deliver(struct ring *ring, uint32_t i, enum side from, uint8_t byte)
{
    const struct machine *machine = ring->boards[i].emulated;
    const ssize_t written = write(machine->sockets[from == LEFT ? TO_LEFT : TO_RIGHT], &byte, 1);
    (void)written;
}

/* ---- all of them ---- */

/* A processor that locked up. What it was saying ends here, and a watchdog would bite. */
static void restart(struct ring *ring, uint32_t i)
{
    struct board *board = &ring->boards[i];
    if (board->boot_due) {
        fail(ring, "QEMU ended before the board had booted", i);
        return;
    }
    switch_off(ring, i);
    board_struck(ring, i);
    board->on = false;
    board->image = IMAGE_RANDOM;
    board->back_at = now(ring) + 3;
    ring->bites++;
    tell(ring, "board %u locked up; its watchdog will reset it", i);
}

static void run(struct ring *ring)
{
    struct pollfd polls[3 * MOST_BOARDS];
    uint32_t whose[3 * MOST_BOARDS];
    nfds_t count = 0;
    for (uint32_t i = 0; i < ring->n; i++)
        for (int line = 0; line < DEBUGGER && ring->boards[i].on; line++) {
            const struct machine *machine = ring->boards[i].emulated;
            whose[count] = i;
            polls[count++] = (struct pollfd){.fd = machine->sockets[line], .events = POLLIN};
        }
    if (poll(polls, count, 20) <= 0)
        return;
    for (nfds_t k = 0; k < count && !ring->broken[0]; k++) {
        const uint32_t i = whose[k];
        const struct machine *machine = ring->boards[i].emulated;
        for (int line = 0; line < DEBUGGER; line++)
            if (polls[k].revents && machine->pid && machine->sockets[line] == polls[k].fd &&
                !read_line(ring, i, line))
                restart(ring, i);
    }
}

static void halt(struct ring *ring)
{
    for (uint32_t i = 0; i < ring->n && !ring->broken[0]; i++)
        if (ring->boards[i].on)
            stop(ring, i);
}

static void end(struct ring *ring)
{
    for (uint32_t i = 0; i < ring->n && ring->emulated; i++)
        switch_off(ring, i);
    free(ring->emulated);
}

const struct emulator qemu_emulator = {
    .name = "lm3s6965evb (Cortex-M3) in QEMU",
    .begin = begin,
    .now = now,
    .switch_on = switch_on,
    .switch_off = switch_off,
    .overwrite = overwrite,
    .deliver = deliver,
    .run = run,
    .halt = halt,
    .end = end,
};
