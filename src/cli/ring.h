/* SPDX-License-Identifier: MIT
 *
 * What the files of `ringleader ring` share.
 */
#ifndef RINGLEADER_CLI_RING_H
#define RINGLEADER_CLI_RING_H

#include "cli/cli.h"
#include "net/account.h"
#include "net/node.h"

enum { MOST_NODES = 512 };

/* Something that happens to a node, or to the link to its right, at a time. */
struct strike {
    enum { STRIKE_KILL, STRIKE_CORRUPT, STRIKE_CUT, STRIKE_BACK, STRIKE_MEND } kind;
    uint32_t node;
    double at; /* seconds after the start */
    bool done;
};

/* A node, in memory that its process shares with the ring's. */
struct child {
    pid_t pid;  /* 0: dead */
    int socket; /* bound before anybody is started, so that all know each other's address */
    int log;    /* a file in memory */
    struct rl_address address;
    struct rl_counts counts;
    struct rl_trouble trouble;
};

/* A ring on this machine, or only the logs of one. */
struct real_ring {
    struct rl_experiment experiment;
    struct rl_rules rules;
    uint32_t n;
    double rate, hold, limit;
    struct rl_trouble trouble;
    struct strike *strikes;
    size_t strike_count;
    struct rl_journal *journals; /* n of them */
    struct rl_account account;

    struct child *children; /* NULL: only logs */
    uint8_t key[RL_KEY_BYTES];
    double began;
    double calm_at;      /* seconds after the start: the end of the last trouble so far */
    uint64_t calm_after; /* interactions before the last trouble's end */
    uint32_t leaders;    /* now */
    uint32_t leader;     /* the sole one */
    double sole_at;      /* since when */
    uint64_t sole_after; /* interactions before that */
    bool elected;
};

/* ring_children.c: runs the nodes from these states until one has led long enough, the limit, or
 * Ctrl-C. */
void hold_ring(struct real_ring *ring, const struct rl_ring *first);
/* Also after a failure; no process is left behind. */
void free_children(struct real_ring *ring);
/* What all nodes together have counted so far. */
uint64_t sum_counts(const struct real_ring *ring, size_t offset);
#define SUM(ring, member) sum_counts(ring, offsetof(struct rl_counts, member))

/* ring.c: the line while it runs. */
void show_ring(struct progress *progress, const struct real_ring *ring);

#endif
