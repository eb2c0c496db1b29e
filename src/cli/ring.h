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
    enum { STRIKE_KILL, STRIKE_CORRUPT, STRIKE_CUT } kind;
    uint32_t node;
    double at, until; /* seconds after the start; `until` of a cut */
    bool done;
};

/* A node as the ring's process sees it. */
struct child {
    pid_t pid;  /* 0: dead */
    int socket; /* bound before anybody is started, so that all know each other's address */
    struct rl_address address;
    int log; /* the reading end of its log; -1: closed */
    char line[RL_JOURNAL_LINE];
    size_t used;   /* of that */
    rl_state word; /* as far as told */
    size_t since;  /* entries of the journal at the last strike of all */
    double back_at;
    struct rl_trouble trouble;
};

/* A ring on this machine, or only the logs of one. */
struct real_ring {
    struct rl_experiment experiment;
    struct rl_rules rules;
    uint32_t n;
    double rate, hold, limit;
    struct rl_trouble trouble;
    bool troubled;
    struct strike *strikes;
    size_t strike_count;
    const char *start_path, *schedule_path;
    struct rl_new_file *start_out, *schedule_out;
    struct rl_journal *journals; /* n of them */
    struct rl_account account;

    struct child *children;
    struct rl_counts *counts; /* of the nodes, in memory shared with them */
    uint8_t key[RL_KEY_BYTES];
    double began;
    double calm_at;        /* seconds after the start: the end of the last trouble so far */
    uint64_t interactions; /* told */
    uint64_t calm_after;   /* interactions before the last trouble's end */
    uint32_t leaders;      /* now */
    uint32_t leader;       /* the sole one */
    double sole_at;        /* since when */
    uint64_t sole_after;   /* interactions before that */
    bool elected;
};

/* ring_children.c: starting, striking, listening to and ending the nodes. */
void start_ring(struct real_ring *ring, const rl_state *words);
/* Reads what the nodes told, and does what is due. */
void tend_ring(struct real_ring *ring);
void end_ring(struct real_ring *ring);
/* Also after a failure; no process is left behind. */
void free_children(struct real_ring *ring);

/* ring_report.c: the line while it runs; the files of the account; what happened, of a whole ring
 * or of logs (then there are no children). */
void show_ring(struct progress *progress, const struct real_ring *ring);
void write_account(const struct real_ring *ring);
void report_ring(const struct real_ring *ring, bool json);

#endif
