/* SPDX-License-Identifier: MIT
 *
 * What the files of `ringleader ring` share.
 */
#ifndef RINGLEADER_CLI_RING_H
#define RINGLEADER_CLI_RING_H

#include "cli/cli.h"
#include "net/account.h"
#include "net/node.h"

enum { MOST_NODES = 512, MOST_STRIKES = 64 };

/* Something that happens to a node, or to the link to its right, at a time. */
struct strike {
    enum { STRIKE_KILL, STRIKE_CORRUPT, STRIKE_CUT } kind;
    uint32_t node;
    double at, until; /* seconds after the start; `until` of a cut */
};

struct ring_request {
    struct rl_rules rules;
    double rate, hold, limit;
    struct rl_trouble trouble;
    bool troubled;
    struct strike strikes[MOST_STRIKES];
    size_t strike_count;
    const char *start; /* a name or a file */
    const char *start_out, *schedule_out;
    bool json;
};

/* A node as the ring's process sees it. */
struct child {
    pid_t pid;  /* 0: dead */
    int socket; /* bound before anybody is started, so that all know each other's address */
    struct rl_address address;
    int log; /* the reading end of its log; -1: closed */
    char line[RL_JOURNAL_LINE];
    size_t used; /* of that */
    struct rl_journal journal;
    rl_state word; /* as far as told */
    size_t since;  /* entries of the journal at the last strike of all */
    double back_at;
    struct rl_trouble trouble;
};

struct real_ring {
    const struct ring_request *request;
    uint32_t n;
    struct child *children;
    struct rl_counts *counts; /* of the nodes, in memory shared with them */
    double began;
    bool struck[MOST_STRIKES];
    double calm_at;        /* seconds after the start: the end of the last trouble so far */
    uint64_t interactions; /* told */
    uint64_t calm_after;   /* interactions before the last trouble's end */
    uint32_t leaders;      /* now */
    uint32_t leader;       /* the sole one */
    double sole_at;        /* since when */
    uint64_t sole_after;   /* interactions before that */
    bool interrupted;
    const char *broken; /* what went wrong outside; NULL: nothing */
};

/* ring_children.c: starting, striking, listening to and ending the nodes. GO_ON, or an exit
 * status. */
int start_ring(struct real_ring *ring, const struct ring_request *request, const rl_state *words);
/* Reads what the nodes told, and does what is due. */
void tend_ring(struct real_ring *ring);
void end_ring(struct real_ring *ring);
void free_ring(struct real_ring *ring);

/* ring_account.c: `files` are logs, of u_0 on. GO_ON, or an exit status. */
int read_journals(const char *const *files, uint32_t n, struct rl_journal *journals);
int write_account(const struct ring_request *request, const struct rl_account *account);

/* ring_report.c */
void show_ring(struct progress *progress, const struct real_ring *ring);
int report_ring(const struct real_ring *ring, const struct rl_account *account, bool elected);
int report_check(const struct ring_request *request, const struct rl_account *account);

#endif
